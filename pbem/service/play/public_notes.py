"""Public notes: what a player wrote beside a turn, kept if everybody may read it in the end."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.site.values import Note
from pbem.matches.match import MatchSummary, Player
from pbem.service.room.people import shows_notes
from pbem.service.work import Work


def keep_note(work: Work, match: MatchSummary, author: Player, lines: Sequence[str]) -> None:
    """Keeps the note of a mail about the turn of a match; of who has not chosen so, nothing."""
    if lines and shows_notes(author):
        text = "\n".join(lines)
        work.notes.add(match.id, Note(match.turn, author.id, text, work.now))
