"""The club's computer opponents: players like all others, but nobody mails them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.api import OptionError
from pbem.matches.bots import BOTS
from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.work import Work


def bots_for_match(work: Work, kinds: Sequence[str]) -> list[Player]:
    """A different bot for each kind named, made where there is none yet; raises OptionError."""
    for kind in kinds:
        if kind not in BOTS:
            raise OptionError(f"there is no bot {kind}; there are: {', '.join(BOTS)}")
    return [_bot(work, kind, kinds[: at + 1].count(kind)) for at, kind in enumerate(kinds)]


def _bot(work: Work, kind: str, number: int) -> Player:
    address = _address(work.club, kind, number)
    return work.players.at(address) or work.players.add_bot(kind, _free_name(work, kind), address)


def _address(club: Club, kind: str, number: int) -> str:
    return f"bot-{kind}{f'-{number}' if number > 1 else ''}@{club.host}"


def _free_name(work: Work, kind: str) -> str:
    """`Greedy`, or `Greedy 2` and so on where somebody has that name."""
    name, number = kind.capitalize(), 1
    while work.players.named(name) is not None:
        number += 1
        name = f"{kind.capitalize()} {number}"
    return name
