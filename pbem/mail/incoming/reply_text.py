"""Fresh text: what a person newly wrote in a mail, told from all that a client put around it.

When in doubt a line counts as quoted: an overlooked move costs a mail, an old move played again
costs the match. Every rule looks at a bounded number of lines, so a text takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from pbem.mail.incoming.added_lines import (
    disclaimer,
    footer,
    pgp_header,
    place_of_a_file,
    rest_of_quoted_line,
    signature,
)
from pbem.mail.incoming.client_words import DIVIDERS, FORWARDS, OPENINGS, WROTE
from pbem.mail.incoming.limits import MAX_LINES
from pbem.mail.incoming.page import Page, closes, framed, label


@dataclass(frozen=True)
class Fresh:
    """A text taken apart by lines; each line that is not blank is in one of the two."""

    fresh: str
    """What the person wrote."""
    quoted: str
    """What was left out: quotes, signatures, footers, disclaimers."""


def fresh_text(text: str, author: str = "", answered: str = "") -> Fresh:
    """The fresh text of a mail's plain text.

    Its author's name tells his signature; the text of the mail that is answered, if it is known,
    what was quoted of it in whatever form.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = Page.of(lines[:MAX_LINES], author, answered)
    fresh: list[str] = []
    quoted: list[str] = []
    at = 0
    while at < len(page.lines):
        left_out = _left_out(page, at)
        (quoted if left_out else fresh).extend(page.lines[at : at + max(1, left_out)])
        at += max(1, left_out)
    return Fresh(_trimmed(fresh), _trimmed(quoted + lines[MAX_LINES:]))


def below_line(text: str) -> tuple[str, str]:
    """The first line of a text under which nothing is read, such as `-- `, and what stands there.

    Both are empty where there is none. What is quoted there is left out.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = Page.of(lines[:MAX_LINES], "", "")
    at = 0
    while at < len(page.lines):
        if page.keys[at] and not page.marked(at) and (below := _tail(page, at)):
            return page.lines[at].strip(), "\n".join(page.lines[at + 1 : at + below])
        at += max(1, _left_out(page, at))
    return "", ""


def _left_out(page: Page, at: int) -> int:
    """How many lines from here on the person did not write."""
    if not page.keys[at]:
        return 0
    if page.marked(at):
        return 1
    return next((count for rule in _RULES if (count := rule(page, at))), 0)


def _trimmed(lines: list[str]) -> str:
    return "\n".join(line if line.strip() else "" for line in lines).strip("\n")


# Unmarked quotes: all that follows is quoted


def _divider(page: Page, at: int) -> int:
    key = page.keys[at]
    if closes(key):
        return 1
    words = framed(key)
    divides = (
        words.startswith("pbem")
        or any(word in words for word in DIVIDERS)
        or (_evident(words) and not WROTE.isdisjoint(_WORD.findall(words)))
        or (key.endswith(":") and key.startswith(FORWARDS))
    )
    return _with_quote(page, at, 1) if divides else 0


def _with_quote(page: Page, at: int, lines: int) -> int:
    """Lines above a quote, and the quote under them unless that has marks of its own.

    Below "-----Original Message-----" may stand "From: ..." or "On ... Bob wrote:" first.
    """
    below = page.next_line(at + lines)
    if below is None or page.marked(below):
        return lines
    if _header_lines(page, below) or _attribution_lines(page, below):
        return lines
    return page.rest(at)


def _header_block(page: Page, at: int) -> int:
    """Fields of the answered mail above its text, as Outlook and GMX copy them."""
    lines = _header_lines(page, at)
    return _with_quote(page, at, lines) if lines else 0


_FIELD = re.compile(r"\*?\w[^:@]{0,24}: ?\*? ?\S")


def _header_lines(page: Page, at: int) -> int:
    if label(page.keys[at]):
        return _known_fields(page, at)
    # In a language that is not known here: fields, and our address in one of them.
    fields = list(takewhile(_FIELD.match, page.run(at, 8)))
    ours = len(fields) >= 3 and any(map(_TOKEN_ADDRESS.search, fields))
    return len(fields) if ours else 0


def _known_fields(page: Page, at: int) -> int:
    kinds: set[str] = set()
    strangers = last = 0
    for line, key in enumerate(page.keys[at : at + 12]):
        kind = "" if page.marked(at + line) else label(key)
        kinds |= {kind} if kind else set()
        last = line if kind else last
        strangers += bool(key) and not kind
        if strangers > 2 or page.marked(at + line):
            break
    return last + 1 if "from" in kinds and len(kinds) >= 3 else 0


_DATED = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}([./-])\d{1,2}\1\d{2,4}\b", re.ASCII
)
_WORD = re.compile(r"[\w()]+")
_TOKEN_ADDRESS = re.compile(r"\+\d+-\d+-[a-z0-9]+-[a-z2-7]{16}@")
_ENDS_IN_ADDRESS = re.compile(r"<[^<>\s@]{1,64}@[^<>\s@]{1,255}>\)? ?:$")
_LONGEST_ATTRIBUTION = 400


def _attribution(page: Page, at: int) -> int:
    """The line "On ... Bob wrote:", and the quote under it unless that has marks of its own."""
    lines = _attribution_lines(page, at)
    return _with_quote(page, at, lines) if lines else 0


def _attribution_lines(page: Page, at: int) -> int:
    run = page.run(at, 3)
    if _tells_who_wrote(run[0]) and (_evident(run[0]) or page.quote_follows(at + 1)):
        return 1
    if run[0].endswith(":") and _evident(run[0]) and page.quote_follows(at + 1):
        return 1  # in whatever language, or a form of his own
    if run[0].startswith(OPENINGS):
        begun = run[0].endswith(",") and _evident(run[0])
        for count in range(2, len(run) + 1):
            last = run[count - 1]
            if (
                not begun
                and _DATED.search(last)
                and (last.startswith(OPENINGS) or _tells_who_wrote(last))
            ):
                break  # it begins there, not here
            joined = " ".join(run[:count])
            if _tells_who_wrote(joined) and _evident(joined):
                return count
    # In whatever language: nobody but a client writes down where a mail came from.
    return 1 if _TOKEN_ADDRESS.search(run[0]) or _ENDS_IN_ADDRESS.search(run[0]) else 0


def _tells_who_wrote(key: str) -> bool:
    ends = key.endswith((":", "：")) and len(key) <= _LONGEST_ATTRIBUTION
    return ends and not WROTE.isdisjoint(_WORD.findall(key))


def _evident(key: str) -> bool:
    return "@" in key or _DATED.search(key) is not None


# Other things that clients add


def _tail(page: Page, at: int) -> int:
    """A signature (RFC 3676 section 4.3), or what stands under a line: up to the next quote."""
    key = page.keys[at]
    begins = key == "--" or (len(key) >= 10 and not key.strip("_"))
    begins = begins or framed(key).startswith("begin pgp signature")
    if not begins:
        return 0
    end = at + 1
    while end < len(page.lines) and not _quote_begins(page, end):
        end += 1
    return end - at


def _known(page: Page, at: int) -> int:
    """A line of the answered mail, whatever has become of its mark."""
    return int(at in page.known)


def _quote_begins(page: Page, at: int) -> bool:
    if not page.keys[at]:
        return False
    return page.marked(at) or any(rule(page, at) for rule in _QUOTE_RULES)


_QUOTE_RULES: tuple[Callable[[Page, int], int], ...] = (_divider, _header_block, _attribution)
_RULES = (
    *_QUOTE_RULES,
    _tail,
    pgp_header,
    _known,
    rest_of_quoted_line,
    place_of_a_file,
    footer,
    signature,
    disclaimer,
)
"""Each tells how many lines from a given one, which is neither blank nor marked, are left out."""
