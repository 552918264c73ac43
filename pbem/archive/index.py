"""Index of the archive: every match that has ended, for reading and for searching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.archive.competition_file import name_of, title
from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, and_then, result_words, wrapped
from pbem.matches.competition import Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import MatchSummary

NAME = "index.txt"
_INDENT = " " * 8


def index_file(
    matches: Iterable[MatchSummary],
    names: Names,
    competitions: Sequence[Competition] = (),
) -> ArchiveFile:
    """Index of the matches that have ended, in the order of their numbers, and of the competitions
    that these belong to.
    """
    ended = sorted((m for m in matches if m.result is not None), key=lambda match: match.id)
    count = f"{len(ended)} matches have" if len(ended) != 1 else "1 match has"
    by_id = {each.id: each for each in competitions}
    parts = [f"{count} ended."]
    parts += ["\n".join(_lines(match, names, by_id)) for match in ended]
    parts += ["\n".join(_competition_lines(each, names)) for each in begun(ended, competitions)]
    return ArchiveFile(NAME, ("\n\n".join(parts) + "\n").encode())


def begun(ended: Iterable[MatchSummary], competitions: Sequence[Competition]) -> list[Competition]:
    """Competitions of which a match has ended: those that have a file.

    In the order of their numbers, those that are numbered together one after the other.
    """
    with_file = {match.place.competition for match in ended if match.place}
    numberings = list(dict.fromkeys(kind.numbering for kind in kinds().values()))
    return sorted(
        (each for each in competitions if each.id in with_file),
        key=lambda each: (numberings.index(each.numbering), each.number),
    )


def _lines(
    match: MatchSummary, names: Names, competitions: Mapping[int, Competition]
) -> Iterator[str]:
    assert match.result is not None, "only ended matches are listed"
    days = f"{match.started_at:%Y-%m-%d} to {match.result.ended_at:%Y-%m-%d}"
    yield f"{match.id:6}  {match.game.info.title}, {days}{_place(match, competitions)}"
    held = (f"{' and '.join(match.seats_of(p))} {names[p]}" for p in match.players)
    yield from wrapped(", ".join(held), _INDENT)
    yield from wrapped(result_words(match, names), _INDENT)
    yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"


def _place(match: MatchSummary, competitions: Mapping[int, Competition]) -> str:
    if match.place is None or match.place.competition not in competitions:
        return ""
    competition = competitions[match.place.competition]
    return f", match {match.place.index} of {competition.kind} {competition.number}"


def _competition_lines(competition: Competition, names: Names) -> Iterator[str]:
    begun = f"{competition.created_at:%Y-%m-%d}"
    yield from wrapped(f"{title(competition)}, begun {begun}", _INDENT)
    yield from wrapped(and_then([names[player] for player in competition.players]), _INDENT)
    yield f"{_INDENT}{name_of(competition)}"
