"""Index of the archive: every ended match, to read and to search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.archive.competition_file import name_of, title
from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, and_then, result_words, wrapped
from pbem.matches.competition import Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import MatchSummary

NAME = "index.txt"
_INDENT = " " * 8
_NUMBER = re.compile(r" *(\d+)  ", re.ASCII)
_FILE = re.compile(r" +([a-z-]+)-(\d{6,})-[a-z0-9-]+\.txt", re.ASCII)


def index_file(
    matches: Iterable[MatchSummary],
    names: Names,
    competitions: Sequence[Competition] = (),
) -> ArchiveFile:
    """Return the index of the matches that have ended and of their competitions, by number."""
    return Index().with_matches(matches, names, competitions).file()


@dataclass(frozen=True)
class Index:
    """An index as it is written: one part per match and per competition."""

    matches: Mapping[int, str] = field(default_factory=dict)
    competitions: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Parts by number series (its position among all series) and number."""

    @classmethod
    def of(cls, text: str) -> Index | None:
        """Return the index that a text contains, None if it is not one or not complete."""
        head, *parts = text.removesuffix("\n").split("\n\n")
        numbers = [_NUMBER.match(part) for part in parts]
        matches = {int(n[1]): part for n, part in zip(numbers, parts, strict=True) if n}
        others = [part for n, part in zip(numbers, parts, strict=True) if n is None]
        places = [_place_of(part) for part in others]
        if head != _head(len(matches)) or None in places or not text.endswith("\n"):
            return None
        return cls(matches, {place: p for place, p in zip(places, others, strict=True) if place})

    def with_matches(
        self,
        matches: Iterable[MatchSummary],
        names: Names,
        competitions: Sequence[Competition] = (),
    ) -> Index:
        """Return the index with the ended ones of these matches added or updated."""
        ended = [match for match in matches if match.result is not None]
        by_id = {each.id: each for each in competitions}
        new = {match.id: "\n".join(_lines(match, names, by_id)) for match in ended}
        begun_now = {
            _order(each): "\n".join(_competition_lines(each, names))
            for each in begun(ended, competitions)
        }
        return Index({**self.matches, **new}, {**self.competitions, **begun_now})

    def file(self) -> ArchiveFile:
        """Return the index as a file."""
        parts = [_head(len(self.matches))]
        for each in (self.matches, self.competitions):
            parts += [part for _, part in sorted(each.items())]
        return ArchiveFile(NAME, ("\n\n".join(parts) + "\n").encode())


def _head(count: int) -> str:
    return f"{count} matches have ended." if count != 1 else "1 match has ended."


def _place_of(part: str) -> tuple[int, int] | None:
    found = _FILE.fullmatch(part.rpartition("\n")[2])
    kind = kinds().get(found[1]) if found else None
    return (_numberings().index(kind.numbering), int(found[2])) if found and kind else None


def _order(competition: Competition) -> tuple[int, int]:
    return _numberings().index(competition.numbering), competition.number


def _numberings() -> list[str]:
    return list(dict.fromkeys(kind.numbering for kind in kinds().values()))


def begun(ended: Iterable[MatchSummary], competitions: Sequence[Competition]) -> list[Competition]:
    """Return the competitions in which a match has ended, which have a file.

    They are sorted by number, one number series after the other.
    """
    with_file = {match.place.competition for match in ended if match.place}
    return sorted((each for each in competitions if each.id in with_file), key=_order)


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
