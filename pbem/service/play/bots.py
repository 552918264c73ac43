"""Bots: find or create the club's computer opponents. They are players without email."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.api import OptionError
from pbem.matches.bots import bots
from pbem.matches.match import MatchSummary, Player
from pbem.service.club import Club
from pbem.service.work import Work

BOT = "bot-"
"""Prefix of the names of bots, which nobody else can have."""
STAND_IN = "greedy"
"""The kind of bot that keeps a seat for an absent player."""


def bots_for_match(work: Work, kinds: Sequence[str]) -> list[Player]:
    """Return a different bot for each kind named, created if needed. Raises OptionError."""
    known = bots() if kinds else ()
    for kind in kinds:
        if kind not in known:
            raise OptionError(f"there is no bot {kind}. The bots are: {', '.join(known)}")
    return [_bot(work, kind, kinds[: at + 1].count(kind)) for at, kind in enumerate(kinds)]


def _bot(work: Work, kind: str, number: int) -> Player:
    address = _address(work.club, kind, number)
    return work.players.at(address) or work.players.add_bot(
        kind, _free_name(work, kind, number), address
    )


def _address(club: Club, kind: str, number: int) -> str:
    return f"{_name(kind, number)}@{club.host}"


def is_bots(club: Club, address: str) -> bool:
    """Return whether an address is that of a bot, created or not."""
    local, _, host = address.casefold().rpartition("@")
    kind, *number = local.removeprefix(BOT).split("-")
    known = local.startswith(BOT) and kind in bots() and len(number) < 2
    return known and host == club.host.casefold() and all(map(str.isdecimal, number))


def _name(kind: str, number: int) -> str:
    return f"{BOT}{kind}{f'-{number}' if number > 1 else ''}"


def _free_name(work: Work, kind: str, number: int) -> str:
    """Return `bot-greedy`, or with the next number if a member has had that name for long."""
    while work.players.named(_name(kind, number)) is not None:
        number += 1
    return _name(kind, number)


def stand_in(work: Work, match: MatchSummary) -> Player:
    """Return a bot to keep a seat of a match. It holds no other seat there."""
    number = 1
    while (bot := _bot(work, STAND_IN, number)).id in match.players:
        number += 1
    return bot
