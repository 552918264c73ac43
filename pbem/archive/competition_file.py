"""What several matches belong to, in the archive: its table, its matches, and who has won it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.set_file import set_file
from pbem.archive.words import Names, and_then, result_words, wrapped
from pbem.games import game_of
from pbem.matches.events import Event, kind_of
from pbem.matches.match import MatchSummary
from pbem.matches.series import Series, summary
from pbem.matches.sets import MatchSet

_INDENT = " " * 5


def competition_file(
    whole: MatchSet | Event, matches: Sequence[MatchSummary], names: Names
) -> ArchiveFile:
    """File of a set, a series or a tournament after the matches that have been started."""
    if isinstance(whole, MatchSet):
        return set_file(whole, matches, names)
    text = summary(whole, matches, names) if isinstance(whole, Series) else ""
    _, _, standing = (text or whole.text(matches, names)).partition("\n\n")
    parts = [
        f"{title(whole)}, begun {whole.created_at:%Y-%m-%d}",
        standing,
        "\n".join(line for match in matches for line in _lines(whole, match, names)),
    ]
    return ArchiveFile(name_of(whole), ("\n\n".join(parts) + "\n").encode())


def name_of(whole: MatchSet | Event) -> str:
    """Name of its file, e.g. `series-000002-lanrick-1893.txt`."""
    kind = "set" if isinstance(whole, MatchSet) else kind_of(whole)
    return f"{kind}-{whole.id:06d}-{whole.game_key}.txt"


def title(whole: MatchSet | Event) -> str:
    """`Series 2, Lanrick 1893`."""
    kind = "set" if isinstance(whole, MatchSet) else kind_of(whole)
    return f"{kind.capitalize()} {whole.id}, {game_of(whole.game_key).info.title}"


def _lines(event: Event, match: MatchSummary, names: Names) -> Iterator[str]:
    index = match.event_index or 1
    who = and_then([names[player] for player in match.players])
    place = "" if isinstance(event, Series) else f"round {event.round_of(index)}, "
    yield from wrapped(f"{index:3}  {place}match {match.id}, {who}", "", _INDENT)
    if match.result is None:
        yield f"{_INDENT}being played"
    else:
        yield from wrapped(result_words(match, names), _INDENT)
        yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"
