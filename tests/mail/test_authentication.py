"""Whose signature counts for whom: domains with letters beyond ASCII are not made alike."""

from __future__ import annotations

import pytest

from pbem.mail.incoming.authentication import is_signed
from pbem.mail.incoming.message import read_message

HOST = "mx.games.example"


@pytest.mark.parametrize(
    ("domain", "signer", "counts"),
    (
        ("strasse.example", "strasse.example", True),
        ("Strasse.example", "STRASSE.EXAMPLE", True),
        ("straße.example", "straße.example", True),
        ("STRAẞE.example", "straße.example", True),
        ("mail.strasse.example", "strasse.example", True),
        ("strasse.example", "straße.example", False),
        ("straße.example", "strasse.example", False),
        ("straße.example", "xn--strae-oqa.example", False),
        ("mail.straße.example", "straße.example", False),
        ("\N{LATIN SMALL LIGATURE FI}ne.example", "fine.example", False),
    ),
)
def test_a_signature_is_of_the_very_domain(domain: str, signer: str, counts: bool) -> None:
    raw = (
        f"Authentication-Results: {HOST}; dkim=pass header.d={signer}\r\n"
        f"From: Anna <anna@{domain}>\r\n\r\nhello\r\n"
    )
    assert is_signed(read_message(raw.encode()), (HOST,)) is counts


def test_a_sender_keeps_the_letters_of_his_domain() -> None:
    assert read_message("From: ANNA@STRAẞE.example\n\n".encode()).from_address == (
        "anna@straße.example"
    )
