"""The bytes of a login by access token."""

from __future__ import annotations

import pytest

from pbem.adapters.imap_mailbox import ImapSettings
from pbem.adapters.token_login import Exchange, Mechanism, chosen

ACCOUNT = ImapSettings("mail.example", 993, "a=b,c@mail.example", "", "tls")


def test_xoauth2_wording() -> None:
    """Follow Google's "OAuth 2.0 mechanism"."""
    exchange = Exchange("XOAUTH2", ACCOUNT, "vF9dft4qmT")
    assert exchange.answer(b"") == "user=a=b,c@mail.example\1auth=Bearer vF9dft4qmT\1\1"
    assert exchange.answer(b'{"status":"401","schemes":"bearer mac"}') == ""
    assert exchange.report == "status 401, schemes bearer mac"


def test_oauthbearer_wording() -> None:
    """Follow the examples of RFC 7628 section 4.1, the name escaped by RFC 5801 section 4."""
    exchange = Exchange("OAUTHBEARER", ACCOUNT, "vF9dft4qmT")
    assert exchange.answer() == (
        "n,a=a=3Db=2Cc@mail.example,\1host=mail.example\1port=993\1auth=Bearer vF9dft4qmT\1\1"
    )
    assert exchange.answer(b'{"status":"invalid_token"}') == "\1"
    assert exchange.report == "status invalid_token"


@pytest.mark.parametrize(
    ("challenge", "report"),
    (
        (b"", ""),
        (b"not\x1b[2J JSON\r\n", "not [2J JSON"),
        (b'["a"]', '["a"]'),
        (b"\xff", "�"),
        (b"[" * 100_000, "…"),
    ),
)
def test_any_error_report_is_accepted(challenge: bytes, report: str) -> None:
    exchange = Exchange("XOAUTH2", ACCOUNT, "token")
    exchange.answer()
    assert exchange.answer(challenge) == ""
    assert exchange.report == report


@pytest.mark.parametrize(
    ("offered", "mechanism"),
    (
        (["PLAIN", "XOAUTH2", "OAUTHBEARER"], "XOAUTH2"),
        (["oauthbearer"], "OAUTHBEARER"),
        (["PLAIN"], None),
    ),
)
def test_older_mechanism_is_chosen_first(offered: list[str], mechanism: Mechanism | None) -> None:
    assert chosen(offered) == mechanism
