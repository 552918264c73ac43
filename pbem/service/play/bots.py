"""The club's computer opponents: players like all others, but nobody mails them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.api import OptionError
from pbem.matches.bots import BOTS
from pbem.matches.match import MatchSummary, Player
from pbem.service.club import Club
from pbem.service.work import Work

BOT = "bot-"
"""What the names of bots begin with, and nobody else's does."""
STAND_IN = "greedy"
"""Which kind holds a seat for somebody who is away."""


def bots_for_match(work: Work, kinds: Sequence[str]) -> list[Player]:
    """A different bot for each kind named, made where there is none yet; raises OptionError."""
    for kind in kinds:
        if kind not in BOTS:
            raise OptionError(f"there is no bot {kind}; there are: {', '.join(BOTS)}")
    return [_bot(work, kind, kinds[: at + 1].count(kind)) for at, kind in enumerate(kinds)]


def _bot(work: Work, kind: str, number: int) -> Player:
    address = _address(work.club, kind, number)
    return work.players.at(address) or work.players.add_bot(
        kind, _free_name(work, kind, number), address
    )


def _address(club: Club, kind: str, number: int) -> str:
    return f"{_name(kind, number)}@{club.host}"


def is_bots(club: Club, address: str) -> bool:
    """Whether an address is a bot's, or would be that of one not made yet."""
    local, _, host = address.casefold().rpartition("@")
    kind, *number = local.removeprefix(BOT).split("-")
    known = local.startswith(BOT) and kind in BOTS and len(number) < 2
    return known and host == club.host.casefold() and all(map(str.isdecimal, number))


def _name(kind: str, number: int) -> str:
    return f"{BOT}{kind}{f'-{number}' if number > 1 else ''}"


def _free_name(work: Work, kind: str, number: int) -> str:
    """`bot-greedy`, or with the next number where somebody has that name since long ago."""
    while work.players.named(_name(kind, number)) is not None:
        number += 1
    return _name(kind, number)


def stand_in(work: Work, match: MatchSummary) -> Player:
    """A bot to hold a seat of a match for somebody: one that holds no other seat of it."""
    number = 1
    while (bot := _bot(work, STAND_IN, number)).id in match.players:
        number += 1
    return bot
