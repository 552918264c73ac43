"""A set in the archive: its cross-table, its matches, and who has won it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.words import Names, and_then, result_words, signed, wrapped
from pbem.games import game_of
from pbem.matches.match import MatchSummary
from pbem.matches.sets import MATCHES, CrossTable, MatchSet, cross_table

_INDENT = " " * 3


def set_file(match_set: MatchSet, matches: Sequence[MatchSummary], names: Names) -> ArchiveFile:
    """File of a set after the matches that have been started."""
    table = cross_table(match_set, matches)
    title = game_of(match_set.game_key).info.title
    parts = [
        f"Set {match_set.id}, {title}, begun {match_set.created_at:%Y-%m-%d}",
        cross_table_text(table, names),
        "\n".join(line for match in matches for line in _lines(match_set, match, names)),
        winners_text(table, names),
    ]
    name = f"set-{match_set.id:06d}-{match_set.game_key}.txt"
    return ArchiveFile(name, ("\n\n".join(part for part in parts if part) + "\n").encode())


def cross_table_text(table: CrossTable, names: Names) -> str:
    """Credits by player and match, and their sums; a dot where a match has not ended."""
    width = max(len(names[player]) for player, _, _ in table.rows)
    numbers = "".join(f"{index:7}" for index in range(1, MATCHES + 1))
    lines = [f"{'':{width}}{numbers}    sum"]
    for player, credits, total in table.rows:
        cells = ["." if credit is None else signed(credit) for credit in credits]
        row = "".join(cell.rjust(7) for cell in (*cells, signed(total)))
        lines.append(f"{names[player]:{width}}{row}")
    return "\n".join(lines)


def _lines(match_set: MatchSet, match: MatchSummary, names: Names) -> Iterator[str]:
    yield f"{match.set_index}  {names[match_set.solo(match.set_index or 1)]} solo, match {match.id}"
    if match.result is None:
        yield f"{_INDENT}being played"
    else:
        yield from wrapped(result_words(match, names), _INDENT)
        yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"


def winners_text(table: CrossTable, names: Names) -> str:
    """Who has won the set; empty while it goes on."""
    winners = [names[player] for player in table.winners]
    if not winners:
        return ""
    return f"{and_then(winners)} {'share' if len(winners) > 1 else 'wins'} the set."
