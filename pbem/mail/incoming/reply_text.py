"""Fresh text: what a person newly wrote in a mail, told from all that a client put around it.

When in doubt a line counts as quoted: an overlooked move costs a mail, an old move played again
costs the match. Every rule looks at a bounded number of lines, so a text takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pbem.mail.incoming.client_words import (
    DISCLAIMER_OPENINGS,
    DISCLAIMER_WORDS,
    DIVIDERS,
    FOOTER_PAIRS,
    FOOTERS,
    FORWARDS,
    LABELS,
    OPENINGS,
    WROTE,
)

MAX_LINES = 10_000
"""What follows is left out; nobody types as much."""


@dataclass(frozen=True)
class Fresh:
    """A text taken apart by lines; each line that is not blank is in one of the two."""

    fresh: str
    """What the person wrote."""
    quoted: str
    """What was left out: quotes, signatures, footers, disclaimers."""


def fresh_text(text: str) -> Fresh:
    """The fresh text of a mail's plain text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = _Page.of(lines[:MAX_LINES])
    fresh: list[str] = []
    quoted: list[str] = []
    at = 0
    while at < len(page.lines):
        left_out = _left_out(page, at)
        (quoted if left_out else fresh).extend(page.lines[at : at + max(1, left_out)])
        at += max(1, left_out)
    return Fresh(_trimmed(fresh), _trimmed(quoted + lines[MAX_LINES:]))


_TYPOGRAPHY = str.maketrans("’\xa0\u202f\u2009\t", "'    ", "\u200b\u200e\u200f\u2060\ufeff")


@dataclass(frozen=True)
class _Page:
    """A text by lines."""

    lines: list[str]
    keys: list[str]
    """The lines as rules compare them: case-folded, no blanks at the ends."""
    end_of_ours: int
    """Line after the last one that closes a mail of the club, 0 if there is none."""

    @classmethod
    def of(cls, lines: list[str]) -> _Page:
        compared = "\n".join(lines).translate(_TYPOGRAPHY).casefold()
        keys = [line.strip() for line in compared.split("\n")]
        ends = (at + 1 for at, key in enumerate(keys) if _framed(key) == "end of pbem mail")
        return cls(lines, keys, max(ends, default=0))

    def marked(self, at: int) -> bool:
        """Whether a line is a quote by its mark."""
        return self.keys[at].startswith(">")

    def rest(self, at: int) -> int:
        """How many lines an unmarked quote has: all, or up to where the club's mail ends."""
        end = self.end_of_ours if self.end_of_ours > at else len(self.lines)
        return end - at

    def run(self, at: int, most: int) -> list[str]:
        """Keys from a line on, up to a blank or a marked one."""
        keys: list[str] = []
        for key in self.keys[at : at + most]:
            if not key or key.startswith(">"):
                break
            keys.append(key)
        return keys

    def quote_follows(self, at: int) -> bool:
        """Whether the next line that is not blank, from this one on, is marked."""
        return next((key for key in self.keys[at : at + 20] if key), "").startswith(">")


def _left_out(page: _Page, at: int) -> int:
    """How many lines from here on the person did not write."""
    if not page.keys[at]:
        return 0
    if page.marked(at):
        return 1
    return next((count for rule in _RULES if (count := rule(page, at))), 0)


def _trimmed(lines: list[str]) -> str:
    return "\n".join(line if line.strip() else "" for line in lines).strip("\n")


# Unmarked quotes: all that follows is quoted


def _framed(key: str) -> str:
    """Words of a line like `-----Original Message-----`, empty if it is none."""
    if not key.startswith(("--", "__", "==", "**", "——", "––")):
        return ""
    inner = key.strip("-_=*–— ")
    return inner if len(key) - len(inner) >= 4 else ""


_FIRST_LINE = re.compile(r"[^:]{1,80}, it is your turn as .{1,40}, turn \d+ of match \d+\.")
"""How a turn mail begins."""


def _divider(page: _Page, at: int) -> int:
    key = page.keys[at]
    divides = (
        _framed(key).startswith((*DIVIDERS, "pbem"))
        or (key.endswith(":") and key.startswith(FORWARDS))
        or _FIRST_LINE.match(key)
    )
    return page.rest(at) if divides else 0


def _header_block(page: _Page, at: int) -> int:
    """Fields of the answered mail above its text, as Outlook and GMX copy them."""
    if not _label(page.keys[at]):
        return 0
    kinds: set[str] = set()
    strangers = 0
    for key in page.keys[at : at + 12]:
        kind = _label(key)
        kinds |= {kind} if kind else set()
        strangers += bool(key) and not kind
        if strangers > 2 or key.startswith(">"):
            break
    return page.rest(at) if "from" in kinds and len(kinds) >= 3 else 0


def _label(key: str) -> str:
    head, colon, _ = key[:60].partition(":")
    return LABELS.get(head.strip("*_- "), "") if colon else ""


_DATED = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}([./-])\d{1,2}\1\d{2,4}\b", re.ASCII
)
_WORD = re.compile(r"[\w()]+")
_TOKEN_ADDRESS = re.compile(r"\+\d+-\d+-[a-z0-9]+-[a-z2-7]{16}@")
_LONGEST_ATTRIBUTION = 400


def _attribution(page: _Page, at: int) -> int:
    """The line "On ... Bob wrote:", and the quote under it unless that has marks of its own."""
    lines = _attribution_lines(page, at)
    if lines and not page.quote_follows(at + lines):
        return page.rest(at)
    return lines


def _attribution_lines(page: _Page, at: int) -> int:
    run = page.run(at, 3)
    if _tells_who_wrote(run[0]) and (_evident(run[0]) or page.quote_follows(at + 1)):
        return 1
    if run[0].startswith(OPENINGS):
        for count in range(2, len(run) + 1):
            last = run[count - 1]
            if _DATED.search(last) and (last.startswith(OPENINGS) or _tells_who_wrote(last)):
                break  # it begins there, not here
            joined = " ".join(run[:count])
            if _tells_who_wrote(joined) and _evident(joined):
                return count
    # In whatever language: nobody but a client writes down where our mail came from.
    return 1 if _TOKEN_ADDRESS.search(run[0]) else 0


def _tells_who_wrote(key: str) -> bool:
    ends = key.endswith((":", "：")) and len(key) <= _LONGEST_ATTRIBUTION
    return ends and not WROTE.isdisjoint(_WORD.findall(key))


def _evident(key: str) -> bool:
    return "@" in key or _DATED.search(key) is not None


# Other things that clients add


def _tail(page: _Page, at: int) -> int:
    """A signature (RFC 3676 section 4.3), or what stands under a line: up to the next quote."""
    key = page.keys[at]
    begins = key == "--" or (len(key) >= 10 and not key.strip("_"))
    begins = begins or _framed(key).startswith("begin pgp signature")
    if not begins:
        return 0
    end = at + 1
    while end < len(page.lines) and not _quote_begins(page, end):
        end += 1
    return end - at


def _quote_begins(page: _Page, at: int) -> bool:
    if not page.keys[at]:
        return False
    return page.marked(at) or any(rule(page, at) for rule in _QUOTE_RULES)


def _pgp_header(page: _Page, at: int) -> int:
    """What stands above a signed text up to the blank line (RFC 9580 section 7)."""
    if _framed(page.keys[at]).startswith("begin pgp signed message"):
        return len(page.run(at, 10))
    return 0


def _footer(page: _Page, at: int) -> int:
    key = page.keys[at].lstrip("*_ ")
    if len(key) > 120 or "[" in key:
        return 0
    paired = any(key.startswith(start) and end in key for start, end in FOOTER_PAIRS)
    return 1 if paired or key.startswith(FOOTERS) else 0


def _disclaimer(page: _Page, at: int) -> int:
    key = page.keys[at]
    if not (key.startswith(DISCLAIMER_OPENINGS) or any(word in key for word in DISCLAIMER_WORDS)):
        return 0
    paragraph = page.run(at, 30)
    text = " ".join(paragraph)
    legal = sum(word in text for word in DISCLAIMER_WORDS)
    return len(paragraph) if legal >= 2 else 0


_QUOTE_RULES: tuple[Callable[[_Page, int], int], ...] = (_divider, _header_block, _attribution)
_RULES = (*_QUOTE_RULES, _tail, _pgp_header, _footer, _disclaimer)
"""Each tells how many lines from a given one, which is neither blank nor marked, are left out."""
