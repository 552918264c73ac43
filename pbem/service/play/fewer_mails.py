"""Fewer mails: what is not mailed to a player who wants to hear only when they are asked something.

What others did meanwhile stands in the next mail: their turns come from the record, their notes
wait for it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.archive.site.values import Note
from pbem.mail.outgoing.kinds import WaitingNote
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.pending import open_to
from pbem.matches.choices import NOTES
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Match, MatchSummary, Player, PlayerId
from pbem.matches.shares import opponents_of
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


def put_off(work: Work, view: MatchView, author: Player, lines: Sequence[str], turn: int) -> None:
    """Keep a note that was written in a turn for a player until their next email."""
    note = Note(turn, author.id, "\n".join(lines), work.now)
    work.waiting_notes.add(view.match.id, view.you.id, note)


def is_held(match: MatchSummary, author: PlayerId, reader: PlayerId) -> bool:
    """Whether a reader gets an author's notes only when the match is over: partners do not prompt.

    So it is with the notes of a partner who has left the match, too.
    """
    if match.result is not None or match.options.of(NOTES) == "open":
        return False
    return author != reader and author not in opponents_of(match, reader)


class Waiting(NamedTuple):
    """Notes by others that a reader has not been sent yet."""

    notes: Sequence[WaitingNote] = ()
    """For the next email to them, oldest first."""
    held: Sequence[Note] = ()
    """For the email about the end of the match."""


def waiting_in(work: Work, match: MatchSummary) -> Mapping[PlayerId, Waiting]:
    """Return the notes that wait in a match, by reader."""
    return {
        reader: Waiting(
            [_told_of(work, each) for each in notes if not is_held(match, each.author, reader)],
            [each for each in notes if is_held(match, each.author, reader)],
        )
        for reader, notes in work.waiting_notes.of(match.id).items()
        if reader in match.players
    }


def lately_held(work: Work, match: MatchSummary, waiting: Waiting) -> list[str]:
    """Names of those who wrote a note that is held, within the last round."""
    lately = (each for each in waiting.held if each.turn > match.turn - len(match.seats))
    return list(dict.fromkeys(work.players.get(each.author).name for each in lately))


def _told_of(work: Work, note: Note) -> WaitingNote:
    return WaitingNote(work.players.get(note.author).name, note.turn, note.text.split("\n"))


def told(work: Work, view: MatchView, waiting: Waiting) -> None:
    """The notes are in an email that is on its way, if any address takes it; held ones stay."""
    if waiting.notes and view.you.reachable:
        held = {each.author for each in waiting.held}
        work.waiting_notes.told(view.match.id, view.you.id, held)
