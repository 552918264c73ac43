"""Fewer mails: what is not mailed to a player who wants to hear only when they are asked something.

What others did meanwhile stands in the next mail: their turns come from the record, their notes
wait for it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.archive.site.values import Note
from pbem.mail.outgoing.kinds import WaitingNote
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Player
from pbem.service.work import Work
from pbem.settings import mails

MOST_WAITING = 20
"""Notes that wait for a reader; then a mail goes all the same, lest the next one be too long."""


def can_wait(view: MatchView, events: Iterable[Event]) -> bool:
    """Whether a player wants no mail about what happened in their match.

    Turns of others can wait. What is said beside them, such as an offer or the declaration that
    ends a match by agreement, and what the player can answer, cannot.
    """
    if mails.chosen(view.you, view.match) == mails.ALL:
        return False
    if view.match.result is not None or view.your_turn or view.open:
        return False
    return all(isinstance(event, ActionsPlayed) and not _declares(event) for event in events)


def _declares(event: ActionsPlayed) -> bool:
    return any(played.declaration for played in event.actions)


def put_off(work: Work, view: MatchView, author: Player, lines: Sequence[str]) -> None:
    """Keeps a note for a player until their next mail."""
    note = Note(view.match.turn, author.id, "\n".join(lines), work.now)
    work.waiting_notes.add(view.match.id, view.you.id, note)


def waiting_for(work: Work, view: MatchView) -> Sequence[WaitingNote]:
    """Notes that a player has not been mailed yet, oldest first."""
    notes = work.waiting_notes.of(view.match.id, view.you.id)
    return [
        WaitingNote(work.players.get(note.author).name, note.turn, note.text.split("\n"))
        for note in notes
    ]


def told(work: Work, view: MatchView, waiting: Sequence[WaitingNote]) -> None:
    """They stand in a mail that is on its way."""
    if waiting:
        work.waiting_notes.told(view.match.id, view.you.id)
