"""Limits: how much of an email is read, and the phrases about larger ones."""

from __future__ import annotations

from pbem.mail.message.words import phrase

KIB = 1024
MIB = 1024 * KIB

MAX_MAIL = 25 * MIB
"""Bytes of an email with all attachments, as much as large email services send."""
MAX_HEADER = 256 * KIB
"""Bytes of all header fields together."""
BEGINNING = MAX_HEADER + 64 * KIB
"""Bytes fetched of an email over MAX_MAIL, enough to answer its sender."""
OF_STRANGERS = 32 * KIB
"""Bytes kept of a stranger's email once it has been read."""
MAX_FIELDS = 1000
"""Header fields of an email or a part."""
MAX_VALUE = 64 * KIB
"""Bytes of one header field."""
MAX_PARTS = 100
"""Parts of an email, at all depths together."""
MAX_DEPTH = 10
"""Depth of nested multiparts."""
MAX_TEXT = MIB
"""Bytes of all text of an email, more than a person types in a year."""
MAX_TAGS = 20_000
"""Tags in all HTML of an email, as they are slow to read. Embedded pictures are not text."""
MAX_LINES = 10_000
"""Lines of text, including quotes."""
MAX_LINE = 40_000
"""Characters in one line of text, which may be a whole paragraph."""
LOOKED_AT = 4_000
"""Bytes read of a part if the email is over a limit, enough to tell a machine from a person."""
MAX_FRESH = 20_000
"""Characters of fresh text.

The other players get it as a note. If they quote every line of it in their answer, with marks and
tags, that must stay below the limits above.
"""
MAX_FRESH_LINES = 1000
"""Lines of fresh text."""
MAX_REQUESTS = 50
"""Actions and commands in one email. More are a mistake."""
MAX_FREE = 5
"""Commands in one email whose answers are not counted, such as `preview`."""
MAX_FILES = 20
"""Files in the answer to one email. A record has two."""
MAX_SUBJECT = 250
"""Characters kept of a subject or name, since our answer contains them."""
MAX_ID = 250
"""Characters of a Message-ID, since our answer contains it. A longer one is ignored."""
MAX_IDS = 500
"""Message-IDs read from one field."""

TOO_LARGE = phrase("limits.size", most=MAX_MAIL // MIB)
TOO_MANY_FIELDS = phrase("limits.fields", kib=MAX_HEADER // KIB, fields=MAX_FIELDS)
TOO_LONG_FIELD = phrase("limits.field", most=MAX_VALUE // KIB)
TOO_MANY_PARTS = phrase("limits.parts", most=MAX_PARTS)
TOO_DEEP = phrase("limits.depth", most=MAX_DEPTH)
TOO_MUCH_TEXT = phrase("limits.text", most=MAX_TEXT // KIB)
TOO_MANY_TAGS = phrase("limits.tags", most=MAX_TAGS)
TOO_MANY_LINES = phrase("limits.lines", most=MAX_LINES)
TOO_LONG_LINE = phrase("limits.line", most=MAX_LINE)
TOO_MUCH_WRITTEN = phrase("limits.written", most=MAX_FRESH)
TOO_MANY_WRITTEN_LINES = phrase("limits.written-lines", most=MAX_FRESH_LINES)
TOO_MANY_REQUESTS = phrase("limits.requests", most=MAX_REQUESTS)
TOO_MANY_FREE = phrase("limits.free", most=MAX_FREE)
TOO_MANY_FILES = phrase("limits.files", most=MAX_FILES)


def shortened(text: str, most: int = MAX_SUBJECT) -> str:
    """Return a text cut to a length, with three dots if it was cut."""
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."
