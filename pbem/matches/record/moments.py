"""Moments as both forms of a record write them: `2026-11-21T03:30:00Z`."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from pbem.matches.record.model import RecordError

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z", re.ASCII)


def write_moment(moment: datetime) -> str:
    """Text of a moment, in UTC."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def read_moment(text: str) -> datetime:
    """Moment of a text; raises RecordError."""
    try:
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise RecordError(f"{text!r} is not a time like 2026-11-21T03:30:00Z")
