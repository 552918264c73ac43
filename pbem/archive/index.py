"""Index of the archive: every match that has ended, for reading and for searching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, result_words, wrapped
from pbem.matches.match import Match

NAME = "index.txt"
_INDENT = " " * 8


def index_file(matches: Iterable[Match], names: Names) -> ArchiveFile:
    """Index of the matches that have ended, in the order of their numbers."""
    ended = sorted((m for m in matches if m.result is not None), key=lambda match: match.id)
    count = f"{len(ended)} matches have" if len(ended) != 1 else "1 match has"
    parts = [f"{count} ended.", *("\n".join(_lines(match, names)) for match in ended)]
    return ArchiveFile(NAME, ("\n\n".join(parts) + "\n").encode())


def _lines(match: Match, names: Names) -> Iterator[str]:
    assert match.result is not None, "only ended matches are listed"
    days = f"{match.started_at:%Y-%m-%d} to {match.result.ended_at:%Y-%m-%d}"
    of_set = f", match {match.set_index} of set {match.set_id}" if match.set_id else ""
    yield f"{match.id:6}  {match.game.info.title}, {days}{of_set}"
    held = (f"{' and '.join(match.seats_of(p))} {names[p]}" for p in match.players)
    yield from wrapped(", ".join(held), _INDENT)
    yield from wrapped(result_words(match, names), _INDENT)
    yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"
