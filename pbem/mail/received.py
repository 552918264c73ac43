"""Received: when our own mail server took a mail, as it wrote on top of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pbem.mail.message.headers import Headers

_FIELD = "received"


def taken_at(headers: Headers, host: str) -> datetime | None:
    """When a mail server of this name took a mail, if the topmost Received is its own.

    What stands below, others have written; where ours is missing they may have written that too.
    """
    trace, _, date = headers.first(_FIELD).rpartition(";")
    by_it = re.search(rf"\bby {re.escape(host)}(?=\s|$)", trace, re.IGNORECASE)
    if not (host and by_it):
        return None
    try:
        written = parsedate_to_datetime(date)
        return None if written.tzinfo is None else written.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
