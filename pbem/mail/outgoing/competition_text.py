"""A competition in words: the same in its mails, at the shell and in the archive."""

from __future__ import annotations

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import Renderer
from pbem.matches.match import MatchSummary


def painted(renderer: Renderer, view: CompetitionView) -> str:
    """How a competition stands, as text."""
    return renderer.part(view.templates, {"competition": view})


def painted_file(renderer: Renderer, view: CompetitionView, matches: str) -> str:
    """How it stands, and the lines of its matches, which are painted already."""
    templates = [f"competition/{view.of.kind}_file.txt.j2", "competition/file.txt.j2"]
    data = {"competition": view, "standing": painted(renderer, view), "matches": matches}
    return renderer.part(templates, data)


def painted_match(renderer: Renderer, view: CompetitionView, match: MatchSummary) -> str:
    """The line of one of its matches, which begins with the number of the match in it."""
    templates = [f"competition/{view.of.kind}_match.txt.j2", "competition/match.txt.j2"]
    players = renderer.phrases.items(view.names[player] for player in match.players)
    data = {"competition": view, "match": match, "place": match.place, "players": players}
    return renderer.part(templates, data)
