"""Fresh text: what a person newly wrote in a mail, told from all that a client put around it.

When in doubt a line counts as quoted: an overlooked move costs a mail, an old move played again
costs the match. Every rule looks at a bounded number of lines, so a text takes linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.mail.message.charsets import lines_of
from pbem.mail.message.limits import MAX_LINES
from pbem.mail.reply.added_lines import (
    advert,
    disclaimer,
    footer,
    pgp_header,
    place_of_a_file,
    rest_of_quoted_line,
    signature,
    space_of_html,
)
from pbem.mail.reply.page import ReplyPage, closes, framed, has_bar
from pbem.mail.reply.quoted_head import head, is_attribution
from pbem.mail.reply.witness import Witness


@dataclass(frozen=True)
class Fresh:
    """A text taken apart by lines; each line that is not blank is in one of the two."""

    fresh: str
    """What the person wrote."""
    quoted: str
    """What was left out: quotes, signatures, footers, disclaimers."""
    certain: bool = True
    """Whether no line of the one can be of the other."""


NOBODY = Witness()
"""Where no letter is known to the author of a mail."""


def fresh_text(text: str, author: str = "", witness: Witness = NOBODY) -> Fresh:
    """The fresh text of a mail's plain text.

    Its author's name tells their signature; the letters that were sent to them, what is quoted of
    those in whatever form.
    """
    lines = lines_of(text)
    page = ReplyPage.of(lines[:MAX_LINES], author, witness)
    fresh: list[str] = []
    quoted: list[str] = []
    steps: list[tuple[int, int]] = []
    at = 0
    while at < len(page.lines):
        left_out = _left_out(page, at)
        steps.append((at, left_out))
        (quoted if left_out else fresh).extend(page.lines[at : at + max(1, left_out)])
        at += max(1, left_out)
    certain = is_certain(page, steps)
    return Fresh(_trimmed(fresh), _trimmed(quoted + lines[MAX_LINES:]), certain)


def below_line(text: str) -> tuple[str, str]:
    """The first line of a text under which nothing is read, such as `-- `, and what stands there.

    Both are empty where there is none. What is quoted there is left out.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = ReplyPage.of(lines[:MAX_LINES], "", NOBODY)
    at = 0
    while at < len(page.lines):
        if page.keys[at] and not page.marked(at) and (below := _tail(page, at)):
            return page.lines[at].strip(), "\n".join(page.lines[at + 1 : at + below])
        at += max(1, _left_out(page, at))
    return "", ""


def _left_out(page: ReplyPage, at: int) -> int:
    """How many lines from here on the person did not write."""
    if not page.keys[at]:
        return 0
    if page.marked(at):
        return 1
    left_out = next((count for rule in _RULES if (count := rule(page, at))), 0)
    return left_out or int(has_bar(page.keys[at]))


def _trimmed(lines: list[str]) -> str:
    return "\n".join(line if line.strip() else "" for line in lines).strip("\n")


# Unmarked quotes: all that follows is quoted


def _quote(page: ReplyPage, at: int) -> int:
    """The head of a quoted mail, and what is quoted below: all, unless that has marks of its own.

    There may be more than one: below "-----Original Message-----" stands "From: ..." or "On ...
    Bob wrote:". Where marks follow, they tell what of the rest is quoted.
    """
    lines = head(page, at)
    if not lines or closes(page.keys[at]):
        return lines
    below = page.next_line(at + lines)
    if below is None or page.marked_by_client(below):
        return lines
    if not page.marked(below) and (head(page, below) or _is_typed(page, at, lines, below)):
        return lines
    return page.rest(at, below)


_MOST_TYPED = 20
"""Lines that are looked at between an attribution and its quote."""


def _is_typed(page: ReplyPage, at: int, lines: int, below: int) -> bool:
    """Return whether a person typed what is right below an attribution: a marked quote follows.

    If anything else tells that the quote has begun already, it has: an old move must not be played
    again. A line that ends with a colon may be the rest of the attribution. Below the author's own
    name is what they wrote before.
    """
    if not is_attribution(page, at, lines) or page.names_author(at, lines):
        return False
    above = ""
    for line in range(below, min(below + _MOST_TYPED, len(page.keys))):
        key = page.keys[line]
        if page.marked(line):
            return key.startswith(">") and not above.endswith((":", "："))
        if key and head(page, line):
            return False
        above = key or above
    return False


# Other things that clients add


def _tail(page: ReplyPage, at: int) -> int:
    """A signature (RFC 3676 section 4.3), or what stands under a line: up to the next quote."""
    key = page.keys[at]
    begins = key == "--" or (len(key) >= 10 and not key.strip("_"))
    begins = begins or framed(key).startswith("begin pgp signature")
    if not begins:
        return 0
    end = at + 1
    while end < len(page.lines) and not (page.keys[end] and (page.marked(end) or head(page, end))):
        end += 1
    return end - at


_RULES: tuple[Callable[[ReplyPage, int], int], ...] = (
    _quote,
    _tail,
    pgp_header,
    rest_of_quoted_line,
    place_of_a_file,
    footer,
    advert,
    signature,
    disclaimer,
    space_of_html,
)
"""Each tells how many lines from a given one, which is neither blank nor marked, are left out."""


_LONGEST_ATTRIBUTION = 3
"""Lines into which clients break "On ... Bob wrote:"."""
_UNDER_A_MAIL: tuple[Callable[[ReplyPage, int], int], ...] = (
    place_of_a_file,
    footer,
    signature,
    disclaimer,
)

Steps = Sequence[tuple[int, int]]
"""A text from its beginning to its end: a line, and how many from it on were left out, or 0."""


def is_certain(page: ReplyPage, steps: Steps) -> bool:
    """Whether it is certain which lines of a page are new."""
    said = [(at, left_out) for at, left_out in steps if page.keys[at]]
    end = next((i for i, (_, left_out) in enumerate(said) if left_out), len(said))
    if any(not left_out for _, left_out in said[end:]):
        return False  # something new stands below what is not
    below = said[end:]
    if not all(_is_plainly_left_out(page, at, left_out) for at, left_out in below):
        return False
    quotes = any(_has_literal_mark(page, at) for at, _ in below)
    return quotes or not _repeats(page, said[:end])


def _is_plainly_left_out(page: ReplyPage, at: int, left_out: int) -> bool:
    """Whether lines are parted from what is new by more than a comparison or words around them.

    A client that breaks quoted lines leaves their ends without a mark, right below one with it.
    """
    if _has_literal_mark(page, at) or _is_attribution(page, at, left_out):
        return True
    rest = left_out == 1 and at > 0 and _has_literal_mark(page, at - 1)
    return rest or _is_under_a_mail(page, at, left_out)


def _has_literal_mark(page: ReplyPage, at: int) -> bool:
    """Whether a line has the one mark that stands for a quote and for nothing else.

    A bar does not do: the club itself puts it before what others wrote.
    """
    return page.lines[at].lstrip().startswith(">")


def _is_attribution(page: ReplyPage, at: int, left_out: int) -> bool:
    """Whether lines stand right above a quote with marks, and are known by no comparison."""
    line: int | None = at
    for _ in range(_LONGEST_ATTRIBUTION if left_out <= _LONGEST_ATTRIBUTION else 0):
        if line is None or page.marked(line):
            return False
        line = page.next_line(line + 1)
        if line is not None and _has_literal_mark(page, line):
            return True
    return False


def _is_under_a_mail(page: ReplyPage, at: int, left_out: int) -> bool:
    """Whether lines are a signature (RFC 3676 section 4.3), a footer or a disclaimer."""
    if page.marked(at):
        return False
    return page.keys[at] == "--" or any(rule(page, at) == left_out for rule in _UNDER_A_MAIL)


def _repeats(page: ReplyPage, said: Steps) -> bool:
    """Whether a new line is one of a letter too: its quote may have lost all its form."""
    return any(page.witness.has_line(page.keys[at]) for at, _ in said)
