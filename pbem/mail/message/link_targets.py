"""Link targets: the addresses that a client writes out beside the words of links.

The club's HTML has links that hold an answer, `mailto:...?subject=...&body=...`. A reply that
quotes them holds legal actions for programs, which nobody has typed. They are taken out, however a
client has bracketed and folded them.
"""

from __future__ import annotations

import re

LINK = re.compile(r"<(?:https?://|mailto:)[^<>\s]{1,2000}>")
"""Where a link goes, written behind its name on one line."""

_SIGN = r"[\w%&=?@.+~!$*;:/,#'-]"
_MARKS = r"\n[ \t>|]*+"
_FOLDED = rf"(?:{_MARKS}{_SIGN}*[%&=]{_SIGN}*+)*+"
"""Further lines of an address: none can be an action, since all have signs of a query.

Whoever types between the lines of a quote must not lose it because somebody else's note looks like
the beginning of an address.
"""
_REST = rf"{_FOLDED}(?:{_MARKS}{_SIGN}{{0,76}})?"
_KIND = r"[ \t]*(?:url:)?(?:mailto:|https?://|[^\s<>()\[\]\"]{1,200}@[\w.-]{1,255}\?)"
_TARGET = re.compile(
    rf"hyperlink[ \t]+\"{_KIND}[^\"\n]*+{_REST}\""
    rf"|<{_KIND}[^<>\n]*+{_REST}>"
    rf"|\({_KIND}[^()\n]*+{_REST}\)"
    rf"|\[{_KIND}[^\[\]\n]*+{_REST}\]"
    rf"|(?<!{_SIGN})mailto:{_SIGN}*+(?:{_FOLDED}(?=[ \t]*$))?",
    re.IGNORECASE | re.MULTILINE,
)
_TITLE = (
    r"(?:^[ \t>|]*(?:visible )?(?:links|references|verweise|liens|enlaces|odnośniki|odsyłacze):?"
    r"[ \t]*\n(?:[ \t>|]*[-_=]{3,80}[ \t]*\n)?(?:[ \t>|]*\n)?){0,2}"
)
_FOOTNOTE = re.compile(
    rf"{_TITLE}^(?P<marks>[ \t>|]*)(?:\[(\d{{1,3}})\]:?|(\d{{1,3}})[.:])"
    rf"(?:[ \t]+|{_MARKS})<?(?:mailto:|https?://){_SIGN}*+{_FOLDED}>?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_REFERENCE = re.compile(
    r"(?<=\S)(?:[ \t]|\n[ \t>|]*+)?\[(\d{1,3})\](?!\w)|\[(\d{1,3})\](?=[^\s.,;:)])"
)
"""A footnote's number behind the words of its link, or right before them; never by itself."""
_QUERY = re.compile(r"(?:\?|%3f|&|%26)(?:amp;)?(?:subject|body)(?:=|%3d)")


_SIGN_OF_ONE, _WORDS_ABOVE = "\ue010", "\ue011"
"""Private-use characters that stand for a target, and for one whose words are the line above."""
_SIGNS = re.compile(f"[{_SIGN_OF_ONE}{_WORDS_ABOVE}]")
_BODY = re.compile(r"body=([^&<>()\[\]\s\"]*)", re.IGNORECASE)
_ENCODED = re.compile(r"%([0-9a-f]{2})", re.IGNORECASE)
_AROUND_WORDS = " \t>|*\u2022-."


def without_targets(text: str) -> str:
    """Text without the targets of links that hold an answer, and the numbers that refer to them."""
    return _SIGNS.sub("", with_signs(text))


def with_signs(text: str) -> str:
    """The same text with a sign where each stood."""
    text = _SIGNS.sub("", text)
    low = text.casefold()
    if "mailto" not in low and "?subject=" not in low:
        return text
    return _TARGET.sub(_left, _without_footnotes(text))


def marked_by_signs(text: str) -> str:
    """Text in which lines are quoted that had targets: nobody types those, nor the words of theirs.

    So a list of legal actions is known for one even where no letter is.
    """
    if not _SIGNS.search(text):
        return text
    lines = text.split("\n")
    signed = {at for at, line in enumerate(lines) if _SIGNS.search(line)}
    signed |= {at - 1 for at in signed if _WORDS_ABOVE in lines[at]}
    bare = (_SIGNS.sub("", line) for line in lines)
    return "\n".join(
        f"> {line}" if at in signed and line.strip() and not line.lstrip().startswith(">") else line
        for at, line in enumerate(bare)
    )


def _left(found: re.Match[str]) -> str:
    if not _holds_an_answer(found[0]):
        return found[0]
    before = found.string[max(0, found.start() - 200) : found.start()].split("\n")
    body = _BODY.search(re.sub(_MARKS, "", found[0]))
    words = (
        _ENCODED.sub(lambda at: chr(int(at[1], 16)), body[1]).strip().removesuffix("...")
        if body
        else ""
    )
    above = before[-2].strip(_AROUND_WORDS) if len(before) > 1 else ""
    told = not before[-1].strip(_AROUND_WORDS) and above and above == words.strip(_AROUND_WORDS)
    return _SIGN_OF_ONE + _WORDS_ABOVE * bool(told)


def _holds_an_answer(target: str) -> bool:
    low = re.sub(_MARKS, "", target).casefold()
    return ("mailto" in low or "@" in low) and _QUERY.search(low) is not None


def _without_footnotes(text: str) -> str:
    """Text without footnotes that say where its links go, if any of those holds an answer."""
    found = list(_FOOTNOTE.finditer(text))
    if not any(_holds_an_answer(each[0]) for each in found):
        return text
    numbers = {number for each in found for number in each.groups()[1:] if number}
    text = _FOOTNOTE.sub(r"\g<marks>", text)
    return _REFERENCE.sub(lambda at: _SIGN_OF_ONE if (at[1] or at[2]) in numbers else at[0], text)
