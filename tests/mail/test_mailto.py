"""Mailto links, read back as mail programs read them (RFC 6068)."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.mail.outgoing.look import mailto

ADDRESS = "club+12-7-n-abcdefghijklmnop@games.example"
SUBJECT = "Re: [pbem 12] Lanko-103: Anna & Jörg, 50% + more?"


@pytest.mark.parametrize(
    "text", ("[8-B]", "[E-(X)]", "*A5+K4", "@d5\\", "@d5|", "draw?", "b1~<d1 ...")
)
def test_mailto_link_opens_the_intended_email(text: str) -> None:
    link = urlsplit(mailto(ADDRESS, SUBJECT, text))
    fields = parse_qs(link.query, strict_parsing=True)
    assert (link.scheme, unquote(link.path)) == ("mailto", ADDRESS)
    assert fields == {"subject": [SUBJECT], "body": [f"{text}\r\n"]}
    # No plus, which some readers take for a space. Spaces are written as %20.
    raw = r"mailto:[\w.~%@-]+\?subject=[\w.~%-]+&body=[\w.~%-]+"
    assert re.fullmatch(raw, link.geturl(), re.ASCII)
