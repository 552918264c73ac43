"""Index of the archive: every match that has ended, for reading and for searching."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from pbem.archive.files import ArchiveFile, stem
from pbem.matches.match import Match, PlayerId, termination_words

NAME = "index.txt"
WIDTH = 72
_INDENT = " " * 8

Names = Mapping[PlayerId, str]


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
    yield from _wrapped(", ".join(_held(match, player, names) for player in match.players))
    yield from _wrapped(result_words(match, names))
    yield f"{_INDENT}{stem(match.id, match.game_key)}.txt"


def _held(match: Match, player: PlayerId, names: Names) -> str:
    return f"{' and '.join(match.seats_of(player))} {names[player]}"


def result_words(match: Match, names: Names) -> str:
    """Who won with how many points, and why it ended; empty while it goes on."""
    if match.result is None:
        return ""
    scores = ", ".join(
        f"{names[player]} {match.result.scores[match.seats_of(player)[0]]:+d}"
        for player in match.players
    )
    winners = dict.fromkeys(names[match.seats[seat]] for seat in match.result.winners)
    verb = "wins" if len(winners) == 1 else "win"
    end = f"{' and '.join(winners)} {verb}" if winners else "Drawn"
    return f"{end}: {termination_words(match)} ({scores})."


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False
    )
