"""Certificates for the winners of a competition, as PDF and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.archive.files import ArchiveFile
from pbem.archive.press import Form, available, printed
from pbem.archive.site.rendering import day_words
from pbem.games import game_of, keys
from pbem.games.phrases import ENGLISH, capitalised
from pbem.matches.competition import ended
from pbem.matches.match import PlayerId
from pbem.matches.overview import Overview
from pbem.painters.examples import example
from pbem.painters.svg import svg

FORMS: Sequence[Form] = ("pdf", "svg")


def certificates(
    overview: Overview,
    names: Mapping[PlayerId, str],
    club: str,
    stem: str,
    forms: Sequence[Form] = FORMS,
) -> Iterator[tuple[PlayerId, ArchiveFile]]:
    """Yield the certificates of all winners.

    There are none before the end, for winners without a name, and if Typst is not installed.
    """
    if not overview.standing.over or not available():
        return
    at = max(
        (m.result.ended_at for m in ended(overview.matches) if m.result),
        default=overview.of.created_at,
    )
    for player in overview.standing.winners:
        if player in names:
            data = _data(overview, player, names[player], club, day_words(at))
            for form in forms:
                file = printed("certificate", data, at, form)
                yield player, ArchiveFile(f"{stem}.certificate-{player}.{form}", file)


def _data(
    overview: Overview, player: PlayerId, name: str, club: str, ended_at: str
) -> dict[str, Any]:
    of, standing = overview.of, overview.standing
    kind = ENGLISH.text(of.called or of.kind)
    row = next(row for row in standing.rows if row.player == player)
    teams = getattr(standing, "teams", ())
    team = next((each.name for each in teams if player in each.players), "")
    matches = len(row.scored)
    return {
        "title": f"{name}, {kind} {of.number}",
        "club": club,
        "name": name,
        "competition": f"{capitalised(kind)} {of.number}",
        "game": of.title,
        "shared": len(standing.winners) > 1 and not teams,
        "team": team,
        "players": len(of.players),
        "matches": matches,
        "ended": ended_at,
        "picture": svg(example(game_of(of.game_key)), of.title) if of.game_key in keys() else "",
    }
