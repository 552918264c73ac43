"""Index of the archive: every match that has ended, for reading and for searching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.archive.competition_file import name_of, title
from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, and_then, result_words, wrapped
from pbem.matches.events import Event, kind_of
from pbem.matches.match import MatchSummary
from pbem.matches.sets import MatchSet

NAME = "index.txt"
_INDENT = " " * 8


def index_file(
    matches: Iterable[MatchSummary],
    names: Names,
    sets: Sequence[MatchSet] = (),
    events: Sequence[Event] = (),
) -> ArchiveFile:
    """Index of the matches that have ended, in the order of their numbers, and of the whole sets,
    series and tournaments that these belong to.
    """
    ended = sorted((m for m in matches if m.result is not None), key=lambda match: match.id)
    count = f"{len(ended)} matches have" if len(ended) != 1 else "1 match has"
    kinds = {event.id: kind_of(event) for event in events}
    parts = [f"{count} ended."]
    parts += ["\n".join(_lines(match, names, kinds)) for match in ended]
    parts += ["\n".join(_whole_lines(each, names)) for each in begun(ended, sets, events)]
    return ArchiveFile(NAME, ("\n\n".join(parts) + "\n").encode())


def begun(
    ended: Iterable[MatchSummary], sets: Sequence[MatchSet], events: Sequence[Event]
) -> list[MatchSet | Event]:
    """Sets, series and tournaments of which a match has ended: those that have a file."""
    matches = list(ended)
    of_sets = {match.set_id for match in matches}
    of_events = {match.event_id for match in matches}
    return [
        *(each for each in sets if each.id in of_sets),
        *(each for each in events if each.id in of_events),
    ]


def _lines(match: MatchSummary, names: Names, kinds: Mapping[int, str]) -> Iterator[str]:
    assert match.result is not None, "only ended matches are listed"
    days = f"{match.started_at:%Y-%m-%d} to {match.result.ended_at:%Y-%m-%d}"
    yield f"{match.id:6}  {match.game.info.title}, {days}{_place(match, kinds)}"
    held = (f"{' and '.join(match.seats_of(p))} {names[p]}" for p in match.players)
    yield from wrapped(", ".join(held), _INDENT)
    yield from wrapped(result_words(match, names), _INDENT)
    yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"


def _place(match: MatchSummary, kinds: Mapping[int, str]) -> str:
    if match.set_id is not None:
        return f", match {match.set_index} of set {match.set_id}"
    if match.event_id is not None and match.event_id in kinds:
        return f", match {match.event_index} of {kinds[match.event_id]} {match.event_id}"
    return ""


def _whole_lines(whole: MatchSet | Event, names: Names) -> Iterator[str]:
    yield from wrapped(f"{title(whole)}, begun {whole.created_at:%Y-%m-%d}", _INDENT)
    yield from wrapped(and_then([names[player] for player in whole.players]), _INDENT)
    yield f"{_INDENT}{name_of(whole)}"
