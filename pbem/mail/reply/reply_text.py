"""Fresh text: separate the text a person newly wrote from everything their client added.

When in doubt, a line counts as quoted: an overlooked move costs an email, but a repeated old move
can cost the match. Each rule looks at a limited number of lines, so a text takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import NamedTuple

from pbem.mail.message.charsets import lines_of
from pbem.mail.message.size_limits import MAX_LINES
from pbem.mail.reply.client_words import (
    ADVERTS,
    CLICKS,
    DISCLAIMER_OPENINGS,
    DISCLAIMER_WORDS,
    EXCUSES,
    FOOTER_PAIRS,
    FOOTERS,
)
from pbem.mail.reply.page import ReplyPage, closes, framed, has_bar, words_of
from pbem.mail.reply.quoted_head import goes_on, head, is_attribution, is_of_others
from pbem.mail.reply.quoted_letters import QuotedLetters


def pgp_header(page: ReplyPage, at: int) -> int:
    """Return the lines above a signed text, up to the blank line (RFC 9580 section 7)."""
    if framed(page.keys[at]).startswith("begin pgp signed message"):
        return len(page.run(at, 10))
    return 0


def rest_of_quoted_line(page: ReplyPage, at: int) -> int:
    """Return whether a line is the rest of a quoted line that a client broke after marking it.

    It is left out whatever it says, since it may be a command in someone else's note. One word may
    take several lines.
    """
    words = page.lone_words[at]
    line = at - 1 - words
    if words >= _LINES_OF_A_WORD or line < 0 or not page.marked(line):
        return 0
    others = is_of_others(page.keys[line])
    pairs = pairwise(each.strip() for each in page.lines[line : at + 1])  # at full width
    return 1 if all(goes_on(above, key, any_words=others) for above, key in pairs) else 0


_LINES_OF_A_WORD = 50


def footer(page: ReplyPage, at: int) -> int:
    """Return the lines that a phone, webmail or virus scanner adds about itself."""
    key = page.keys[at].lstrip("*_ ")
    if len(key) > 120 or ("[" in key and "](http" not in key):
        return 0
    if not key.startswith(_FOOTERS):
        return 0
    paired = any(key.startswith(start) and end in key for start, end in FOOTER_PAIRS)
    if not paired and not key.startswith(FOOTERS):
        return 0
    if not _names_a_product(page.lines[at].strip("*_ ")):
        return 0
    return 2 if any(map(_LINK.match, page.keys[at + 1 : at + 2])) else 1


def advert(page: ReplyPage, at: int) -> int:
    """Return whether a client advertises here, with something free and a place to click."""
    key = page.keys[at]
    if len(key) > _LONGEST_ADVERT or "[" in key or not _CLICKS.search(key):
        return 0
    return int(any(word in key for word in ADVERTS))


_LONGEST_ADVERT = 160
_FOOTERS = (*FOOTERS, *(start for start, _ in FOOTER_PAIRS))
_CLICKS = re.compile("|".join(map(re.escape, CLICKS)))
_LEGAL = re.compile("|".join(map(re.escape, DISCLAIMER_WORDS)))
"""A single expression for all words: it is checked on every line, so it must be fast."""


def space_of_html(page: ReplyPage, at: int) -> int:
    """Return whether a line has only spaces that a client took from HTML without decoding."""
    return int(not page.keys[at].replace("&nbsp;", "").strip())


_CLAUSE = re.compile(r"[,;:!?…]\s|\.\s(?!\s*www)|\s[–—-]\s|\.\.\.|[!?…]$")
_PRODUCT = re.compile(r"\s?(?:[^\W\d_]{1,4} )?[^\W_]{0,20}[A-Z\d]")
_MOST_WORDS = 12


def _names_a_product(line: str) -> bool:
    """Return whether a line like a footer is short and has no clause that a person added.

    After a comma, only the rest of a product's name or a preset excuse may follow.
    """
    said = _LINK_OR_WORDS.sub("", line)
    clause = _CLAUSE.search(said)
    if clause is None:
        return len(said.split()) <= _MOST_WORDS
    rest = said[clause.end() :]
    return _PRODUCT.match(rest) is not None or any(word in rest.casefold() for word in EXCUSES)


_LINK_OR_WORDS = re.compile(r"<[^<>\s]{1,500}>|\(https?:[^()\s]{1,500}\)")
_LINK = re.compile(r"<?(?:https?://|www\.)\S{1,300}$")
"""A line with only a link to learn more."""


_CONTACT = re.compile(r"\d[\d ().-]{6,20}\d|\bwww\.|https?://|\S@\S")


def signature(page: ReplyPage, at: int) -> int:
    """Return the lines of an office signature: the author's name and contact details."""
    if len(page.author) < 2 or page.author != words_of(page.keys[at]):
        return 0
    block = list(takewhile(lambda key: "[" not in key, page.run(at, 12)))
    return len(block) if any(map(_CONTACT.search, block[1:])) else 0


def disclaimer(page: ReplyPage, at: int) -> int:
    """Return the lines of a legal disclaimer."""
    key = page.keys[at]
    if not (key.startswith(DISCLAIMER_OPENINGS) or _LEGAL.search(key)):
        return 0
    paragraph = page.run(at, 30)
    text = " ".join(paragraph)
    legal = sum(word in text for word in DISCLAIMER_WORDS)
    return len(paragraph) if legal >= 2 else 0


_PLACE_OF_A_FILE = re.compile(
    r"\[(?:cid:|image: |inline image)[^\[\]]{0,200}\]|<[^<>@:]{1,80}\.[a-z]{3,4}>"
)
"""Placeholder in a plain text for a picture or file in the HTML."""


def place_of_a_file(page: ReplyPage, at: int) -> int:
    """Return whether a line is only the name of a picture or file."""
    return 1 if _PLACE_OF_A_FILE.fullmatch(page.keys[at]) else 0


class ReadLine(NamedTuple):
    """A line of a text, and whether the person wrote it."""

    text: str
    fresh: bool


@dataclass(frozen=True)
class Fresh:
    """A text split into fresh and quoted lines. Each line with text is in one of the two."""

    fresh: str
    """The lines the person wrote."""
    quoted: str
    """The lines left out: quotes, signatures, footers, disclaimers."""
    certain: bool = True
    """Whether no line could belong to the other part."""
    lines: Sequence[ReadLine] = field(default=(), compare=False, repr=False)
    """All lines in order, if the text was split."""


NOBODY = QuotedLetters()
"""For an author to whom no email is known."""


def fresh_text(text: str, author: str = "", witness: QuotedLetters = NOBODY) -> Fresh:
    """Split a plain text into fresh and quoted text.

    `author` identifies their signature, and `witness` any quote of emails to them.
    """
    lines = lines_of(text)
    page = ReplyPage.of(lines[:MAX_LINES], author, witness)
    fresh: list[str] = []
    quoted: list[str] = []
    steps: list[tuple[int, int]] = []
    read: list[ReadLine] = []
    at = 0
    while at < len(page.lines):
        left_out = _left_out(page, at)
        steps.append((at, left_out))
        own = page.lines[at : at + max(1, left_out)]
        (quoted if left_out else fresh).extend(own)
        read += (ReadLine(line, not left_out) for line in own)
        at += max(1, left_out)
    certain = is_certain(page, steps)
    return Fresh(_trimmed(fresh), _trimmed(quoted + lines[MAX_LINES:]), certain, read)


def below_line(text: str) -> tuple[str, str]:
    """Return the first line where reading stops, such as `-- `, and the text below it.

    Quotes there are left out. Both are empty if there is no such line.
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
    """Return how many lines the person did not write, starting here."""
    if not page.keys[at]:
        return 0
    if page.marked(at):
        return 1
    left_out = next((count for rule in _RULES if (count := rule(page, at))), 0)
    return left_out or int(has_bar(page.keys[at]))


def _trimmed(lines: list[str]) -> str:
    return "\n".join(line if line.strip() else "" for line in lines).strip("\n")


# Unmarked quotes, which cover everything below


def _quote(page: ReplyPage, at: int) -> int:
    """Return the lines of a quote head and, unless marks follow, of the quote below it.

    There may be several heads: below "-----Original Message-----" comes "From: ..." or "On ... Bob
    wrote:". If marks follow, they show how much is quoted.
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
"""Maximum number of lines checked between an attribution and its quote."""


def _is_typed(page: ReplyPage, at: int, lines: int, below: int) -> bool:
    """Return whether a person typed the lines below an attribution: a marked quote follows them.

    Any other sign that the quote has already started wins, so that no old move is repeated. A line
    with a colon at its end may continue the attribution. Text below the author's own name is older.
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


# Other additions by clients


def _tail(page: ReplyPage, at: int) -> int:
    """Return the lines of a signature (RFC 3676 section 4.3) or below a rule.

    They end at the next quote.
    """
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
"""Rules that return how many lines are left out, starting at one with text that is not marked."""


_LONGEST_ATTRIBUTION = 3
"""Maximum number of lines into which clients break "On ... Bob wrote:"."""
_UNDER_A_MAIL: tuple[Callable[[ReplyPage, int], int], ...] = (
    place_of_a_file,
    footer,
    signature,
    disclaimer,
)

Steps = Sequence[tuple[int, int]]
"""A split text: a line number, and how many lines were left out from there, or 0."""


def is_certain(page: ReplyPage, steps: Steps) -> bool:
    """Return whether the split into fresh and quoted lines is certain."""
    said = [(at, left_out) for at, left_out in steps if page.keys[at]]
    end = next((i for i, (_, left_out) in enumerate(said) if left_out), len(said))
    if any(not left_out for _, left_out in said[end:]):
        return False  # fresh text is below quoted text
    below = said[end:]
    if not all(_is_plainly_left_out(page, at, left_out) for at, left_out in below):
        return False
    quotes = any(_has_literal_mark(page, at) for at, _ in below)
    return quotes or not _repeats(page, said[:end])


def _is_plainly_left_out(page: ReplyPage, at: int, left_out: int) -> bool:
    """Return whether lines show that they are not fresh, without comparison or context.

    A client that breaks quoted lines leaves their ends unmarked, just below a marked line.
    """
    if _has_literal_mark(page, at) or _is_attribution(page, at, left_out):
        return True
    rest = left_out == 1 and at > 0 and _has_literal_mark(page, at - 1)
    return rest or _is_under_a_mail(page, at, left_out)


def _has_literal_mark(page: ReplyPage, at: int) -> bool:
    """Return whether a line has the mark `>`, which always means a quote.

    A bar is not enough: the club also puts bars before other people's notes.
    """
    return page.lines[at].lstrip().startswith(">")


def _is_attribution(page: ReplyPage, at: int, left_out: int) -> bool:
    """Return whether lines are just above a marked quote, and not found by comparison."""
    line: int | None = at
    for _ in range(_LONGEST_ATTRIBUTION if left_out <= _LONGEST_ATTRIBUTION else 0):
        if line is None or page.marked(line):
            return False
        line = page.next_line(line + 1)
        if line is not None and _has_literal_mark(page, line):
            return True
    return False


def _is_under_a_mail(page: ReplyPage, at: int, left_out: int) -> bool:
    """Return whether lines are a signature (RFC 3676 section 4.3), a footer or a disclaimer."""
    if page.marked(at):
        return False
    return page.keys[at] == "--" or any(rule(page, at) == left_out for rule in _UNDER_A_MAIL)


def _repeats(page: ReplyPage, said: Steps) -> bool:
    """Return whether a fresh line is also in an email, as a quote may have lost all its marks."""
    return any(page.witness.has_line(page.keys[at]) for at, _ in said)
