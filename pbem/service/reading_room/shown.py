"""Shown: a match as an email shows it to somebody who does not play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.archive.site.values import MatchPage
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.matches.match import Match, PlayerId, RecordedAction, position_of
from pbem.matches.score import trails
from pbem.service.work import Work


def shown_to_readers(work: Work, page: MatchPage) -> ShownMatch:
    """Return a match as its page in the reading room shows it."""
    names = {player: person.name for player, person in page.entry.people.items()}
    whole = Match.of(page.entry.match, position_of(page.entry.match, page.actions))
    return replace(shown_now(work, whole, names, page.actions), delayed=page.delayed)


def shown_now(
    work: Work, match: Match, names: Mapping[PlayerId, str], actions: Sequence[RecordedAction]
) -> ShownMatch:
    """Return a match at its position, seen by its first seat."""
    drawn = match.game.diagram(match.position, next(iter(match.seats)))
    return ShownMatch(
        match=match,
        names=names,
        drawn=drawn.marked(trails(match.game, actions, match.seats)),
        words=work.club.club_renderer.words,
    )
