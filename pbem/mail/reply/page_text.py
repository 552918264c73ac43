"""Page text: the words of a letter's own HTML, as cheaply as can be.

It is the club's, and so well formed; its lines tell what others wrote, and little else.
"""

from __future__ import annotations

import re
from html import unescape

_LONGEST = 200_000
"""Characters; a letter has 60,000 at most."""
_HEAD = re.compile(r"<!DOCTYPE[^<>]*>|<head>.*?</head>", re.DOTALL)
_OTHERS = re.compile(r"<blockquote[^<>]*>(.*?)</blockquote>", re.DOTALL)
_PICTURE = re.compile(r'<img[^<>]*? alt="([^"<>]*)"[^<>]*>')
_LINE_END = re.compile(r"</(?:p|div|tr|td|th|li|dt|dd|h[1-6]|pre)>|<br>")
_TAG = re.compile(r"<[^>]*+>")


def page_text(html: str) -> str:
    """Text of a letter's HTML; lines that others wrote begin with a bar, as in its plain text."""
    parts = _OTHERS.split(_HEAD.sub("", html[:_LONGEST]))
    return "\n".join(
        # Every second part stands in a blockquote.
        re.sub("^", "| ", _words(part), flags=re.MULTILINE) if at % 2 else _words(part)
        for at, part in enumerate(parts)
    )


def _words(html: str) -> str:
    html = _LINE_END.sub("\n", _PICTURE.sub(r"\1\n", html))
    return unescape(_TAG.sub("", html)).strip("\n")
