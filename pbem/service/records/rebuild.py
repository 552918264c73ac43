"""Rebuild: turn the records of an archive into stored matches, players and competitions.

Records show who played each match, and how it ended. They don't have addresses, settings, or
terms of a competition beyond its matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.archive.files import ArchiveFile, match_of_file, read_record, record_files
from pbem.archive.imported_files import imported_file
from pbem.archive.verify_files import verify_files
from pbem.matches.competition import Common, Competition
from pbem.matches.competition_place import Place
from pbem.matches.competitions import kinds
from pbem.matches.imported import ImportedMatch, RatedName
from pbem.matches.match import MatchOptions, Player, PlayerId
from pbem.matches.names.skeleton import skeleton_of
from pbem.matches.record import Record, differences, verify
from pbem.matches.record.to_match import Stored, people_of, stored_of
from pbem.ports.process import StorageError
from pbem.ports.progress import Report, tracked, unreported
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import UnitOfWork
from pbem.service.members.forget import former_name
from pbem.service.records.imports import is_name
from pbem.service.records.publish import stored_record
from pbem.service.records.verify import replay_problems

NO_ADDRESS = "records contain no addresses. Add one with pbem member address add"
UNKNOWN = "unknown.invalid"
"""Domain for the unknown addresses of people (RFC 2606)."""
_BOT = re.compile(r"bot-([a-z]\w*?)(-\d+)?", re.ASCII)

Number = tuple[str, int]
"""Kind and number of a competition, which identify it in records."""


class Records(NamedTuple):
    """The records found in an archive."""

    records: Sequence[Record]
    """Records of ended matches, by number."""
    left_out: Sequence[str]
    """Why some records cannot be stored, one sentence each."""


class RebuiltCompetitions(NamedTuple):
    """Competitions derived from records."""

    competitions: Sequence[Competition]
    by_number: Mapping[Number, Competition]


def records_in(archive: ArchiveStore, report: Report = unreported) -> Records:
    """Return the records of an archive, each replayed. Raises StorageError naming what is wrong.

    If a record has two forms, both must agree. Reports files.
    """
    files = [
        ArchiveFile(name, archive.read(name) or b"")
        for name in archive.names("match-")
        if match_of_file(name) is not None
    ]
    if not files:
        raise StorageError("there are no records in the archive")
    if problems := verify_files(tracked(files, report)).problems:
        raise StorageError(f"{problems[0]} If a file cannot be repaired, move it away")
    found = {record.match_id: record for record in map(read_record, files)}
    records = [found[number] for number in sorted(found)]
    whys = {record.match_id: _why(record) for record in records}
    left_out = [f"match {number} is left out: {why}" for number, why in whys.items() if why]
    return Records([each for each in records if not whys[each.match_id]], left_out)


def verified(matches: Iterable[ImportedMatch]) -> Iterator[ImportedMatch]:
    """Yield imported matches, each replayed. Raises StorageError naming what is wrong."""
    for each in matches:
        for problem in verify(each.record):
            raise StorageError(f"{imported_file(each).name}: {problem}")
        yield each


def _why(record: Record) -> str:
    """Return why a record cannot be stored. Empty if it can."""
    return "its record has no result" if record.result is None else ""


def players_of(
    records: Iterable[Record], host: str, rated: Iterable[RatedName] = ()
) -> list[Player]:
    """Return everybody who played, by number. Raises StorageError if two records disagree.

    Members who are only rated in imported records have lost their names.
    """
    names: dict[PlayerId, str] = {}
    for record in records:
        for number, name in people_of(record).items():
            if names.setdefault(number, name) != name:
                raise StorageError(
                    f"player {number} is {names[number]} in one record, {name} in another"
                )
    for each in rated:
        names.setdefault(each.member, f"member {each.member}")
    _require_names(names)
    return [recorded_player(number, names[number], host) for number in sorted(names)]


def _require_names(names: Mapping[PlayerId, str]) -> None:
    """Raise StorageError for unusable or similar names, since no history protects names."""
    alike: dict[str, PlayerId] = {}
    for number, name in sorted(names.items()):
        if not is_name(name):
            raise StorageError(f"player {number} has a name that no email can show: {name[:40]!r}")
        other = alike.setdefault(skeleton_of(name), number)
        if other != number:
            raise StorageError(
                f"player {number}, {name}, looks like player {other}, {names[other]}. Rename one "
                "in the records: names are not part of the history"
            )


def recorded_player(number: PlayerId, name: str, host: str) -> Player:
    """Return a player of a record. Their name shows whether they are a bot, or have left."""
    if name == former_name(number):
        return Player(number, name, (), former=True)
    if bot := _BOT.fullmatch(name):
        return Player(number, name, (f"{name}@{host}",), bot=bot[1])
    return Player(number, name, (f"member-{number}@{UNKNOWN}",))


def competitions_of(records: Iterable[Record]) -> RebuiltCompetitions:
    """Return the competitions of matches, with usual terms and as many matches as recorded."""
    theirs: dict[Number, list[Record]] = {}
    for record in records:
        if record.competition is not None:
            number = (record.competition.kind, record.competition.id)
            theirs.setdefault(number, []).append(record)
    by_number = {
        number: _competition(place, number, theirs[number])
        for place, number in enumerate(sorted(theirs, key=lambda each: each[::-1]), start=1)
    }
    return RebuiltCompetitions(list(by_number.values()), by_number)


def _competition(own_id: int, number: Number, records: Sequence[Record]) -> Competition:
    first = min(records, key=_index)
    players = dict.fromkeys(each for record in records for each in record.numbers.values())
    options = MatchOptions(
        *(first.days, first.draw_offers, dict(first.options), first.time, first.unrated),
        dict(first.chosen),
    )
    begun = min(record.started_at for record in records)
    kind = kinds()[number[0]]
    common = Common(own_id, number[1], first.game_key, tuple(players), options, begun)
    return kind.with_terms(common, kind.least_terms(max(map(_index, records))))


def _index(record: Record) -> int:
    assert record.competition is not None, "it belongs to one"
    return record.competition.index


def stored_matches(
    records: Iterable[Record], known: RebuiltCompetitions, public: str
) -> Iterator[Stored]:
    """Yield the stored form of matches, all with the same `public` setting."""
    for record in records:
        stored = stored_of(record, _place(record, known))
        yield stored._replace(match=replace(stored.match, public=public))


def _place(record: Record, known: RebuiltCompetitions) -> Place | None:
    of = record.competition
    if of is None:
        return None
    return Place(known.by_number[of.kind, of.id].id, of.index, of.index)


def unlike(uow: UnitOfWork, record: Record) -> str:
    """Describe how a stored match differs from its record. Empty if it does not."""
    problems = replay_problems(uow, record.match_id)
    again = stored_record(uow, uow.matches.get(record.match_id))
    problems += differences(record, again)
    if not problems and record_files(again) != record_files(record):
        problems = ["its record would be written otherwise"]
    return ", ".join(problems)
