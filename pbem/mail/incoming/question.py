"""Question: whether what a mail quotes is one of the club's questions that `confirm` answers.

Asked only of a mail whose client does not tell what it answers.
"""

from __future__ import annotations

import re

from pbem.mail.incoming.own_mail import own_mails

_ASKS = re.compile(r"\w[^:]{0,80}, (?:did you send this|is this what you want)\?")
_SAYS = re.compile(
    r"a mail in your name reached match \d|in your mail about match \d.{0,80} i read"
    r"|if (?:it is yours|that is what you want), reply to this mail with"
    r"|within \d+ days; it then counts as if"
)
_MARKS = " \t>:%#}*"
"""What clients put before lines of a quote, beside `|`."""


def is_question(quoted: str) -> bool:
    """Whether a quote is a question of ours: its first mail is, or a sentence if no head is left.

    Nobody makes it one by a note: that stands below the head, and behind a bar of its own.
    """
    lines = [_bare(line) for line in quoted.casefold().split("\n")]
    first = next(own_mails(lines), None)
    if first is None:
        return any(map(_SAYS.match, lines))
    return _ASKS.match(" ".join(lines[first.start : first.start + 2])) is not None


def _bare(line: str) -> str:
    return line.strip().removeprefix("|").strip(_MARKS)
