"""Talk: notes and other words of players in a match, their readers, and their limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from pbem.archive.site.values import Note, NoteKind
from pbem.mail.outgoing.kinds import WaitingNote
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.match_options import NOTES
from pbem.matches.score import opponents_of
from pbem.service.people import names_in, shows_notes
from pbem.service.work import Work

DAY = timedelta(days=1)
A_DAY = 20
"""Texts that a member may say, or write as memos, in one match within a day."""
IN_ALL = 100
"""Texts that they may say in all matches within a day."""
MOST_MEMOS = 200
"""Memos of a member in one match."""
SAID = (NoteKind.SAY, NoteKind.TELL)


@dataclass(frozen=True)
class Saying:
    """What a player says at once."""

    lines: Sequence[str]
    to: PlayerId | None = None
    """The only player who may read it, None for the table."""

    @property
    def kind(self) -> NoteKind:
        """How it is said."""
        return NoteKind.SAY if self.to is None else NoteKind.TELL

    def is_for(self, reader: PlayerId, author: PlayerId) -> bool:
        """Return whether it is said to somebody."""
        return reader != author and self.to in (None, reader)


@dataclass(frozen=True)
class Limit:
    """A limit that one more text would pass."""

    most: int
    in_match: bool
    """Whether it is that of a match."""
    a_day: bool = True
    """Whether there is room again a day later."""


def limit_passed(work: Work, author: PlayerId, match_id: int, kind: NoteKind) -> Limit | None:
    """Return the limit that one more text of a kind would pass, None if there is room.

    What its author took back counts too, as it was sent.
    """
    memo, since = kind is NoteKind.MEMO, work.now - DAY
    kinds = (NoteKind.MEMO,) if memo else SAID
    here = [each for each in work.notes.by(author, match_id, since) if each.kind in kinds]
    if len(here) >= A_DAY:
        return Limit(A_DAY, in_match=True)
    everywhere = [each for each in work.notes.by(author, since=since) if each.kind in kinds]
    if len(everywhere) >= IN_ALL:
        return Limit(IN_ALL, in_match=False)
    if memo and len(memos_of(work, author, match_id)) >= MOST_MEMOS:
        return Limit(MOST_MEMOS, in_match=True, a_day=False)
    return None


def keep(work: Work, match: MatchSummary, author: Player, text: str, kind: NoteKind) -> None:
    """Store what a player said, with the turn of its match.

    Everybody may read notes, and what is said to the table, after the match if its author wishes.
    """
    public = kind in (NoteKind.NOTE, NoteKind.SAY) and shows_notes(author)
    work.notes.add(match.id, Note(match.turn, author.id, text, work.now, kind, public))
    if public and match.result is not None:
        refresh_pages(work, match.id)


def refresh_pages(work: Work, match_id: int) -> None:
    """Have the pages of a match written again."""
    work.matches.save(work.matches.lock(match_id))


def last_said(work: Work, author: PlayerId, match_id: int) -> Note | None:
    """Return what a player said last to others in a match, None if they took back everything."""
    said = (NoteKind.NOTE, *SAID)
    theirs = [each for each in work.notes.by(author, match_id) if each.text and each.kind in said]
    return theirs[-1] if theirs else None


def take_back(work: Work, match_id: int, note: Note) -> None:
    """Remove what a player said from pages, and from emails that are not written yet."""
    work.notes.take_back(note)
    work.waiting_notes.take_back(match_id, note)
    if note.public:
        refresh_pages(work, match_id)


def memos_of(work: Work, author: PlayerId, match_id: int) -> Sequence[Note]:
    """Return a player's memos in a match, oldest first."""
    return [each for each in work.notes.by(author, match_id) if each.kind is NoteKind.MEMO]


def ignored_by(work: Work, match: MatchSummary, reader: PlayerId) -> Collection[PlayerId]:
    """Return the players whose notes a reader does not get.

    In a blind match, only a mute of that match counts. Any other would show whose seat it is.
    """
    mutes = work.mutes.of(reader)
    here = {each.muted for each in mutes if each.match_id == match.id}
    if match.hides_names:
        return here
    always = {each.muted for each in mutes if each.match_id is None}
    return here | always | {*work.blocks.of(reader)}


def called_in(work: Work, match: MatchSummary, reader: Player) -> Mapping[str, PlayerId]:
    """Return the players of a match by what a reader may call them, case-folded.

    These are their seats, and their names if they are shown.
    """
    words, info = work.club.club_renderer.words, match.game.info
    called = {name.casefold(): player for player, name in names_in(work, match, reader).items()}
    for seat, player in match.seats.items():
        for name in (seat, words.text(info.name_of(seat)), match.name_of_seats(player)):
            called[name.casefold()] = player
    return called


def is_held(match: MatchSummary, author: PlayerId, reader: PlayerId) -> bool:
    """Return whether a reader gets an author's notes only after the end. Partners must not prompt.

    This includes notes by a partner who has left the match.
    """
    if match.result is not None or match.options.of(NOTES) == "open":
        return False
    if author == reader:
        return False
    # Without the rules, a partner cannot be told from an opponent.
    return match.lacks_rules or author not in opponents_of(match, reader)


class UnsentNotes(NamedTuple):
    """Notes by others that a reader has not been sent yet."""

    notes: Sequence[WaitingNote] = ()
    """For the next email to them, oldest first."""
    held: Sequence[Note] = ()
    """For the email about the end of the match."""


def waiting_in(work: Work, match: MatchSummary) -> Mapping[PlayerId, UnsentNotes]:
    """Return the notes that wait in a match, by reader, without authors whom they ignore."""
    return {
        reader: _unsent(work, match, reader, notes)
        for reader, notes in work.waiting_notes.of(match.id).items()
        if reader in match.players
    }


def _unsent(
    work: Work, match: MatchSummary, reader: PlayerId, notes: Sequence[Note]
) -> UnsentNotes:
    ignored = ignored_by(work, match, reader)
    wanted = [each for each in notes if each.author not in ignored]
    return UnsentNotes(
        [told_of(work, match, each) for each in wanted if not is_held(match, each.author, reader)],
        [each for each in wanted if is_held(match, each.author, reader)],
    )


def lately_held(work: Work, match: MatchSummary, waiting: UnsentNotes) -> list[str]:
    """Return the authors of notes held back within the last round."""
    lately = (each for each in waiting.held if each.turn > match.turn - len(match.seats))
    authors = dict.fromkeys(each.author for each in lately)
    names = names_in(work, match, also=authors)
    return [names[each] for each in authors]


def told_of(work: Work, match: MatchSummary, note: Note) -> WaitingNote:
    """Return a note as an email shows it."""
    name = names_in(work, match, also=[note.author])[note.author]
    private = note.kind is NoteKind.TELL
    return WaitingNote(name, note.turn, note.text.split("\n"), private)


def told(work: Work, view: MatchView, waiting: UnsentNotes) -> None:
    """Mark notes as sent in an email, if any address takes it. Held ones stay."""
    if waiting.notes and view.you.reachable:
        held = {each.author for each in waiting.held}
        work.waiting_notes.told(view.match.id, view.you.id, held)
