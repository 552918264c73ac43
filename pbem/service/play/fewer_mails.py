"""Fewer mails: what is not mailed to a player who wants to hear only when they are asked something.

What others did meanwhile stands in the next mail: their turns come from the record, their notes
wait for it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.archive.site.values import Note
from pbem.mail.outgoing.kinds import WaitingNote
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.pending import open_to
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Match, MatchSummary, Player, PlayerId
from pbem.service.work import Work
from pbem.settings import mails

MOST_WAITING = 20
"""Notes that wait for a reader; then a mail goes all the same, lest the next one be too long."""


def can_wait(view: MatchView, events: Iterable[Event], before: Match | None) -> bool:
    """Whether a player wants no mail about what happened in their match.

    Turns of others can wait. What is said beside them, such as an offer, cannot, nor what the
    player can answer, nor that there is nothing to be answered any more.
    """
    if mails.chosen(view.you, view.match) == mails.ALL or view.match.result is not None:
        return False
    if view.your_turn or not all(isinstance(event, ActionsPlayed) for event in events):
        return False
    return not (_is_asked(view, before) or _declares(view, before))


def _is_asked(view: MatchView, before: Match | None) -> bool:
    """Whether the player can answer an offer or a resignation, or could."""
    matches = (each for each in (before, view.match) if each is not None)
    return any(open_to(each, view.names, view.you.id, view.now) for each in matches)


def _declares(view: MatchView, before: Match | None) -> bool:
    """Whether a declaration stands that the player can answer, or stood."""
    if view.board_diagram.standing:
        return True
    if before is None:
        return False
    return bool(before.game.diagram(before.position, view.own_seats[0]).standing)


def put_off(work: Work, view: MatchView, author: Player, lines: Sequence[str]) -> None:
    """Keeps a note for a player until their next mail."""
    note = Note(view.match.turn, author.id, "\n".join(lines), work.now)
    work.waiting_notes.add(view.match.id, view.you.id, note)


def waiting_in(work: Work, match: MatchSummary) -> Mapping[PlayerId, Sequence[WaitingNote]]:
    """Notes that players of a match have not been mailed yet, oldest first, by reader."""
    waiting = work.waiting_notes.of(match.id)
    return {reader: [_told_of(work, note) for note in notes] for reader, notes in waiting.items()}


def _told_of(work: Work, note: Note) -> WaitingNote:
    return WaitingNote(work.players.get(note.author).name, note.turn, note.text.split("\n"))


def told(work: Work, view: MatchView, waiting: Sequence[WaitingNote]) -> None:
    """They stand in a mail that is on its way, if any address takes it."""
    if waiting and view.you.reachable:
        work.waiting_notes.told(view.match.id, view.you.id)
