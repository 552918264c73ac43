"""Lines that programs add to what a person wrote, and that are no quote.

Each function tells how many lines from a given one, which is neither blank nor marked, were added.
"""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from pbem.mail.reply.client_words import (
    ADVERTS,
    CLICKS,
    DISCLAIMER_OPENINGS,
    DISCLAIMER_WORDS,
    EXCUSES,
    FOOTER_PAIRS,
    FOOTERS,
)
from pbem.mail.reply.page import ReplyPage, framed, words_of
from pbem.mail.reply.quoted_head import goes_on, is_of_others


def pgp_header(page: ReplyPage, at: int) -> int:
    """What stands above a signed text up to the blank line (RFC 9580 section 7)."""
    if framed(page.keys[at]).startswith("begin pgp signed message"):
        return len(page.run(at, 10))
    return 0


def rest_of_quoted_line(page: ReplyPage, at: int) -> int:
    """The end of a quoted line that a client broke after marking it, and so left unmarked.

    Whatever it says: it may be a command in somebody else's note. A word may have taken several
    lines.
    """
    words = page.lone_words[at]
    line = at - 1 - words
    if words >= _LINES_OF_A_WORD or line < 0 or not page.marked(line):
        return 0
    others = is_of_others(page.keys[line])
    pairs = pairwise(each.strip() for each in page.lines[line : at + 1])  # as wide as they were
    return 1 if all(goes_on(above, key, any_words=others) for above, key in pairs) else 0


_LINES_OF_A_WORD = 50


def footer(page: ReplyPage, at: int) -> int:
    """What a phone, a web mail or a virus scanner says of itself."""
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
    """What a client says for itself: that something is free, and where to click."""
    key = page.keys[at]
    if len(key) > _LONGEST_ADVERT or "[" in key or not _CLICKS.search(key):
        return 0
    return int(any(word in key for word in ADVERTS))


_LONGEST_ADVERT = 160
_FOOTERS = (*FOOTERS, *(start for start, _ in FOOTER_PAIRS))
_CLICKS = re.compile("|".join(map(re.escape, CLICKS)))
_LEGAL = re.compile("|".join(map(re.escape, DISCLAIMER_WORDS)))
"""One expression finds any of the words in the time of one: each line is asked about."""


def space_of_html(page: ReplyPage, at: int) -> int:
    """A line of spaces that a client has taken out of HTML without decoding them."""
    return int(not page.keys[at].replace("&nbsp;", "").strip())


_CLAUSE = re.compile(r"[,;:!?…]\s|\.\s(?!\s*www)|\s[–—-]\s|\.\.\.|[!?…]$")
_PRODUCT = re.compile(r"\s?(?:[^\W\d_]{1,4} )?[^\W_]{0,20}[A-Z\d]")
_MOST_WORDS = 12


def _names_a_product(line: str) -> bool:
    """Whether a line that begins like a footer is short and has no clause that a person added.

    The rest of a product's name may stand behind a comma, or the excuse that people set once.
    """
    said = _LINK_OR_WORDS.sub("", line)
    clause = _CLAUSE.search(said)
    if clause is None:
        return len(said.split()) <= _MOST_WORDS
    rest = said[clause.end() :]
    return _PRODUCT.match(rest) is not None or any(word in rest.casefold() for word in EXCUSES)


_LINK_OR_WORDS = re.compile(r"<[^<>\s]{1,500}>|\(https?:[^()\s]{1,500}\)")
_LINK = re.compile(r"<?(?:https?://|www\.)\S{1,300}$")
"""A line that is nothing but where to learn more."""


_CONTACT = re.compile(r"\d[\d ().-]{6,20}\d|\bwww\.|https?://|\S@\S")


def signature(page: ReplyPage, at: int) -> int:
    """The author's name above how else to reach them, as offices have it."""
    if len(page.author) < 2 or page.author != words_of(page.keys[at]):
        return 0
    block = list(takewhile(lambda key: "[" not in key, page.run(at, 12)))
    return len(block) if any(map(_CONTACT.search, block[1:])) else 0


def disclaimer(page: ReplyPage, at: int) -> int:
    """A paragraph that lawyers wrote."""
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
"""What stands in a plain text where the HTML shows a picture or a file."""


def place_of_a_file(page: ReplyPage, at: int) -> int:
    """A picture's name alone."""
    return 1 if _PLACE_OF_A_FILE.fullmatch(page.keys[at]) else 0
