"""The club's computer opponents: players like all others, but nobody mails them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.games.api import OptionError
from pbem.matches.bots import BOTS
from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.work import Work

_LOCAL_PART = re.compile(rf"bot-({'|'.join(BOTS)})(-[1-9]\d*)?", re.ASCII)


def kind_of(club: Club, address: str) -> str | None:
    """Kind of the bot with an address; None if it is not a bot's."""
    local, _, host = address.casefold().rpartition("@")
    found = _LOCAL_PART.fullmatch(local)
    return found[1] if found and host == club.host.casefold() else None


def is_bot(club: Club, address: str) -> bool:
    """Whether an address is a bot's: no mail goes there."""
    return kind_of(club, address) is not None


def bots_of(work: Work) -> Iterator[Player]:
    """Every bot there is."""
    for kind in BOTS:
        number = 1
        while (bot := work.players.at(_address(work.club, kind, number))) is not None:
            yield bot
            number += 1


def bots_for_match(work: Work, kinds: Sequence[str]) -> list[Player]:
    """A different bot for each kind named, made where there is none yet; raises OptionError."""
    for kind in kinds:
        if kind not in BOTS:
            raise OptionError(f"there is no bot {kind}; there are: {', '.join(BOTS)}")
    return [_bot(work, kind, kinds[: at + 1].count(kind)) for at, kind in enumerate(kinds)]


def _bot(work: Work, kind: str, number: int) -> Player:
    address = _address(work.club, kind, number)
    return work.players.at(address) or work.players.add(_free_name(work, kind), [address])


def _address(club: Club, kind: str, number: int) -> str:
    return f"bot-{kind}{f'-{number}' if number > 1 else ''}@{club.host}"


def _free_name(work: Work, kind: str) -> str:
    """`Greedy`, or `Greedy 2` and so on where somebody has that name."""
    name, number = kind.capitalize(), 1
    while work.players.named(name) is not None:
        number += 1
        name = f"{kind.capitalize()} {number}"
    return name
