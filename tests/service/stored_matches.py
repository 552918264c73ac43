"""Matches put into a storage as the mail path leaves them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.matches.match import RecordedAction, resign
from pbem.service.ports import Storage
from tests.matches.playing import ANNA, BERT, CLARA, NAMES, Contest, started


def with_players(storage: Storage) -> Storage:
    """The storage with Anna, Bert, Clara and Dora in it."""
    with storage.writing() as uow:
        for player_id, name in NAMES.items():
            assert uow.players.add(name, [f"{name.lower()}@mail.example"]).id == player_id
    return storage


def begun() -> Contest:
    """Lanko-68, two turns played."""
    return Contest(started("lanko-68", 3)).says(ANNA, "42-36").says(BERT, "18-19")


def ended() -> Contest:
    """The same, then the pair has given up."""
    contest = begun()
    for player in (ANNA, CLARA):
        contest.match = resign(contest.match, contest.position, player, contest.later())
    return contest


def stored(
    storage: Storage, contest: Contest, actions: Sequence[RecordedAction] | None = None
) -> int:
    """Id of a match once it is stored, its actions replaced if others are given."""
    with storage.writing() as uow:
        match = uow.matches.add(contest.match)
        uow.matches.append(match.id, contest.actions if actions is None else actions)
        uow.matches.save(replace(contest.match, id=match.id))
    return match.id


def unarchived(storage: Storage) -> list[int]:
    """Ids of those that wait for the archive."""
    with storage.reading() as uow:
        return uow.matches.unarchived()
