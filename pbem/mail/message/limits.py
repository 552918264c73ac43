"""Limits: how much of a mail is read, and what the sender of one that has more hears of it."""

from __future__ import annotations

from pbem.mail.message.words import phrase

KIB = 1024
MIB = 1024 * KIB

MAX_MAIL = 25 * MIB
"""Bytes of a mail with all its attachments; what the large mail services send."""
MAX_HEADER = 256 * KIB
"""Bytes of all header fields together."""
BEGINNING = MAX_HEADER + 64 * KIB
"""Bytes that are fetched of an email over MAX_MAIL: enough to answer its sender."""
OF_STRANGERS = 32 * KIB
"""Bytes that are kept of a stranger's email once it has been read."""
MAX_FIELDS = 1000
"""Header fields of a mail or of one of its parts."""
MAX_VALUE = 64 * KIB
"""Bytes of one header field."""
MAX_PARTS = 100
"""Parts of a mail at all depths together."""
MAX_DEPTH = 10
"""Multiparts inside each other."""
MAX_TEXT = MIB
"""Bytes of all text of an email; a person types less in a year."""
MAX_TAGS = 20_000
"""Tags of all its HTML, which takes longer to read; pictures inside it do not count as text."""
MAX_LINES = 10_000
"""Lines of text, quotes included."""
MAX_LINE = 40_000
"""Characters of one line of text, which may be a whole paragraph."""
LOOKED_AT = 4_000
"""Bytes of a part that are read if the email is over a limit: they tell a machine from a person."""
MAX_FRESH = 20_000
"""Characters of fresh text: the others get it as a note, and must stay below the limits above when
they answer it with all its lines quoted, each in marks and tags of its own."""
MAX_FRESH_LINES = 1000
"""Lines of it."""
MAX_REQUESTS = 50
"""Actions and commands of one mail; more are somebody's mistake."""
MAX_FILES = 20
"""Files that are sent in answer to one mail: a record is two."""
MAX_SUBJECT = 250
"""Characters of a subject or a name that are kept: our answer carries them."""
MAX_ID = 250
"""Characters of a Message-ID; our answer carries it, and a longer one is none."""
MAX_IDS = 500
"""Message-IDs that are read of one field."""

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
TOO_MANY_FILES = phrase("limits.files", most=MAX_FILES)


def shortened(text: str, most: int = MAX_SUBJECT) -> str:
    """Text cut to a length, with three dots where something is missing."""
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."
