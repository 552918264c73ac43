"""Store matches as incoming email would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.matches.history import Happening, Kind
from pbem.matches.match import MatchSummary, RecordedAction
from pbem.matches.record import WrittenHistory, heads, record_of
from pbem.ports.storage import Storage
from tests.matches.playing import ANNA, BERT, CLARA, NAMES, Contest, started


def with_players(storage: Storage) -> Storage:
    """Return the storage with Anna, Bert, Clara and Dora added."""
    with storage.writing() as uow:
        for player_id, name in NAMES.items():
            assert uow.players.add(name, [f"{name.lower()}@mail.example"]).id == player_id
    return storage


def two_turns_played() -> Contest:
    """Return a match of Lanko-68 with two turns played."""
    return Contest(started("lanko-68", 3)).says(ANNA, "42-36").says(BERT, "18-19")


def ended() -> Contest:
    """Return the same match after the pair has resigned."""
    contest = two_turns_played()
    return contest.does(Kind.RESIGNED, ANNA).does(Kind.RESIGNED, CLARA)


def stored(
    storage: Storage, contest: Contest, actions: Sequence[RecordedAction] | None = None
) -> int:
    """Store a match, with other actions if given, and return its id."""
    with storage.writing() as uow:
        match = replace(contest.match, id=uow.matches.add(contest.match).id)
        played = contest.actions if actions is None else actions
        chained = rechained(match, played, contest.happenings)
        uow.matches.append(match.id, chained.actions, chained.happenings)
        uow.matches.save(chained.match)
    return match.id


def rechained(
    match: MatchSummary, actions: Iterable[RecordedAction], happenings: Iterable[Happening]
) -> WrittenHistory[MatchSummary]:
    """Return the match with recomputed heads, as a clever forger would write it."""
    actions, happenings = tuple(actions), tuple(happenings)
    record = record_of(
        match, {player: str(player) for player in match.players}, actions, happenings
    )
    due = heads(record)
    places = {each.entry for each in happenings}
    free = [number for number in range(1, len(due)) if number not in places]
    return WrittenHistory(
        replace(match, entries=len(due) - 1, head=due[-1]),
        tuple(each._replace(head=due[n]) for n, each in zip(free, actions, strict=False)),
        tuple(each._replace(head=due[each.entry]) for each in happenings),
    )


def unarchived(storage: Storage) -> list[int]:
    """Return the ids of matches that wait for the archive."""
    with storage.reading() as uow:
        return uow.matches.unarchived()
