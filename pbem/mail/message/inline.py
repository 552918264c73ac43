"""Plain text that is more than text: what old and careful programs put into the text of a mail."""

from __future__ import annotations

import re

_UUENCODED = re.compile(
    r"^begin(?:-base64)? [0-7]{3,4} [^\n]{1,200}\n(?:[!-`][ -`]{0,84}\n)*(?:[` ]?\n)?end[ ]*$",
    re.MULTILINE,
)
"""A file inside the text (POSIX uuencode)."""

_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\s*$", re.MULTILINE)
_ESCAPED_DASH = re.compile(r"^- ", re.MULTILINE)


def letter_alone(text: str) -> str:
    """Text without the files in it, and without the dashes that signing put before its lines."""
    if "\nend" in text:
        text = _UUENCODED.sub("", text)
    signed = _SIGNED.search(text)
    if signed:  # RFC 9580 section 7.2
        text = text[: signed.end()] + _ESCAPED_DASH.sub("", text[signed.end() :])
    return text


_COMMAND = re.compile(
    r"<<|<param>[^<]{0,500}</param>|<(/?)([A-Za-z0-9-]{1,60})>|\n+", re.IGNORECASE
)


def enriched_text(source: str) -> str:
    """Text of text/enriched (RFC 1896): a single line end is a space, of several one is lost."""
    return _COMMAND.sub(_Enriched().replacement, source)


class _Enriched:
    """Reading of one text from its beginning to its end."""

    def __init__(self) -> None:
        self._as_it_is = 0
        self._quotes = 0

    def replacement(self, found: re.Match[str]) -> str:
        """What stands in place of a command, of `<<` or of line ends."""
        if found[0] == "<<":
            return "<"
        if found[0][0] == "\n":
            ends = found[0] if self._as_it_is > 0 else found[0][1:]
            return ends.replace("\n", self._line()) or " "
        change = -1 if found[1] else 1
        name = (found[2] or "").lower()
        if name in ("nofill", "verbatim"):
            self._as_it_is += change
        if name != "excerpt":
            return ""
        self._quotes = max(0, self._quotes + change)
        return self._line()

    def _line(self) -> str:
        """The beginning of a line, marked inside an excerpt: what is answered (section 3.4)."""
        return "\n> " if self._quotes else "\n"
