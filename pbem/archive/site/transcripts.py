"""Records of matches in the formats of other programs, such as PGN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.archive.files import ArchiveFile
from pbem.games import formats_of
from pbem.games.transcript import Transcript, TranscriptAction
from pbem.log import get_logger
from pbem.matches.record import HistoryEntry, Record

log = get_logger(__name__)

Said = tuple[int, str]
"""A turn, and what a player said in it after their name: `Anna: thanks`."""


def files_in_formats(stem: str, record: Record, notes: Sequence[Said]) -> Iterator[ArchiveFile]:
    """Yield a record in each format of its game."""
    for form in formats_of(record.game_key):
        try:
            text = form.write(transcript_of(record, notes))
        except Exception:  # code of others may raise anything
            log.exception("format cannot be written", match=record.match_id, format=form.title)
        else:
            yield ArchiveFile(f"{stem}.{form.suffix}", text.encode())


def transcript_of(record: Record, notes: Sequence[Said]) -> Transcript:
    """Return the actions in force of a match, with what was said."""
    result, of = record.result, record.competition
    return Transcript(
        game_key=record.game_key,
        players=record.players,
        actions=tuple(_actions(record, notes)),
        options=record.options,
        winners=result.winners if result else None,
        termination=result.termination if result else "",
        club=record.club,
        match_id=record.match_id,
        competition=f"{of.kind} {of.id}.{of.index}" if of else "",
        started_at=record.started_at,
        time=record.time or (f"{record.days} days per turn" if record.days else ""),
    )


def _actions(record: Record, notes: Sequence[Said]) -> Iterator[TranscriptAction]:
    """Yield the actions in force. Notes are with the last action of their turn or before it."""
    gone, before = record.taken_back, record.started_at
    actions = [each for number, each in enumerate(record.actions, start=1) if number not in gone]
    for number, action in enumerate(actions):
        said = tuple(text for turn, text in notes if _last(actions, turn) == number)
        yield TranscriptAction(action.seat, action.text, action.at - before, said)
        before = action.at


def _last(actions: list[HistoryEntry], turn: int) -> int:
    """Return the index of the last action up to a turn, or of the first if there is none."""
    return max(0, sum(action.turn <= turn for action in actions) - 1)
