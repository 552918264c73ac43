"""A competition in the archive: its standing, its matches and its winners."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, result_words, wrapped
from pbem.games.phrases import ENGLISH
from pbem.matches.competition import Competition
from pbem.matches.competitions import kinds
from pbem.matches.match import MatchSummary

_NUMBER = re.compile(r" *\d+ +")


def competition_file(competition: Competition, body: str) -> ArchiveFile:
    """Return the file of a competition. `body` holds its painted standing and matches."""
    head = f"{title(competition)}, begun {competition.created_at:%Y-%m-%d}"
    return ArchiveFile(name_of(competition), f"{head}\n\n{body}\n".encode())


def match_lines(match: MatchSummary, line: str, names: Names) -> Iterator[str]:
    """Yield the lines of a match. The first one starts with its number in the competition."""
    number = _NUMBER.match(line)
    indent = " " * (number.end() if number else 0)
    yield line
    if match.result is None:
        yield f"{indent}being played"
    else:
        yield from wrapped(result_words(match, names), indent)
        yield f"{indent}{stem(match.id, match.game_key)}.txt"


def name_of(competition: Competition) -> str:
    """Return the name of its file, for example `series-000002-lanrick-1893.txt`."""
    return f"{competition.kind}-{competition.number:06d}-{competition.game_key}.txt"


def is_competition_file(name: str) -> bool:
    """Return whether a name is that of a competition file."""
    known = "|".join(kinds())
    return re.fullmatch(rf"(?:{known})-\d{{6,}}-[a-z0-9-]+\.txt", name, re.ASCII) is not None


def title(competition: Competition) -> str:
    """Return a title such as `Series 2, Lanrick 1893`."""
    kind = ENGLISH.text(competition.called or competition.kind).capitalize()
    return f"{kind} {competition.number}, {competition.title}"
