"""Limits: how much of a mail is read, and what its sender is told of the one it passed.

A sentence goes on after "your mail was not read to its end, so nothing of it was done:".
"""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

MAX_MAIL = 25 * MIB
"""Bytes of a mail with all its attachments; what the large mail services send."""
MAX_HEADER = 256 * KIB
"""Bytes of all header fields together."""
MAX_FIELDS = 1000
"""Header fields of a mail or of one of its parts."""
MAX_VALUE = 64 * KIB
"""Bytes of one header field."""
MAX_PARTS = 100
"""Parts of a mail at all depths together."""
MAX_DEPTH = 10
"""Multiparts inside each other."""
MAX_TEXT = MIB
"""Bytes of one part of text; a person types less in a year."""
MAX_TAGS = 20_000
"""Tags of HTML, which takes longer to read; pictures inside it do not count as text."""
MAX_LINES = 10_000
"""Lines of text, quotes included."""
MAX_LINE = 40_000
"""Characters of one line of text, which may be a whole paragraph."""
MAX_FRESH = 20_000
"""Characters of fresh text: the others get it as a note, and must stay below the limits above when
they answer it with all its lines quoted, each in marks and tags of its own."""
MAX_FRESH_LINES = 1000
"""Lines of it."""
MAX_REQUESTS = 50
"""Actions and commands of one mail; more are somebody's mistake."""
MAX_SUBJECT = 250
"""Characters of a subject or a name that are kept: our answer carries them."""
MAX_ID = 250
"""Characters of a Message-ID; our answer carries it, and a longer one is none."""
MAX_IDS = 500
"""Message-IDs that are read of one field."""

TOO_LARGE = f"it has more than {MAX_MAIL // MIB} MiB"
TOO_MANY_FIELDS = f"its header has more than {MAX_HEADER // KIB} KiB or {MAX_FIELDS} fields"
TOO_LONG_FIELD = f"a field of its header has more than {MAX_VALUE // KIB} KiB"
TOO_MANY_PARTS = f"it has more than {MAX_PARTS} parts"
TOO_DEEP = f"its parts are nested deeper than {MAX_DEPTH}"
TOO_MUCH_TEXT = f"its text has more than {MAX_TEXT // KIB} KiB"
TOO_MANY_TAGS = f"its HTML has more than {MAX_TAGS} tags"
TOO_MANY_LINES = f"its text has more than {MAX_LINES} lines"
TOO_LONG_LINE = f"a line of its text has more than {MAX_LINE} characters"
TOO_MUCH_WRITTEN = f"you wrote more than {MAX_FRESH} characters"
TOO_MANY_WRITTEN_LINES = f"you wrote more than {MAX_FRESH_LINES} lines"
TOO_MANY_REQUESTS = f"it asks for more than {MAX_REQUESTS} things"


def shortened(text: str, most: int = MAX_SUBJECT) -> str:
    """Text cut to a length, with three dots where something is missing."""
    return text if len(text) <= most else text[: most - 3].rstrip() + "..."
