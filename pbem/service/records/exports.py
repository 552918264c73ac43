"""Exports: the records of a club for another club, one line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.matches.record import RecordError, chain_problems, to_json
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club, Public
from pbem.service.people import is_hidden
from pbem.service.records.publish import stored_record


def exported(club: Club, since: datetime, *, everything: bool = False) -> Iterator[str]:
    """Yield the records of the matches that ended since a moment, in the order of their ends.

    Without `everything`, the text is empty for each that the reading room would not offer. Raises
    RecordError if the history of one has been changed.
    """
    with club.storage.reading() as uow:
        ended = [
            (match.result.ended_at, match.id)
            for match in uow.matches.all()
            if match.result is not None and match.result.ended_at >= since
        ]
    for _, number in sorted(ended):
        with club.storage.reading() as uow:
            match = uow.matches.get(number)
            yield _line(uow, match) if everything or _is_public(club, uow, match) else ""


def _line(uow: UnitOfWork, match: MatchSummary) -> str:
    record = stored_record(uow, match)
    for problem in chain_problems(record):
        raise RecordError(f"match {match.id}: {problem.rstrip('.')}")
    return json.dumps(json.loads(to_json(record)))


def _is_public(club: Club, uow: UnitOfWork, match: MatchSummary) -> bool:
    """Return whether everybody may read a match, and all who ever played it show their names."""
    shown = club.shows(match) if club.room else match.public != Public.NEVER
    return shown and not any(is_hidden(uow.players.get(each)) for each in match.ever_played)
