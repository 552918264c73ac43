"""Test the demonstration's players: what they read, and their seed."""

from __future__ import annotations

from imaplib import IMAP4

import pytest

from pbem.cli.demo import SEED
from pbem.extras.demo.outside.player.captures import ambiguous, shortened
from pbem.extras.demo.outside.player.mailbox import PlayerMailbox, imap_reader
from pbem.extras.demo.run import NAMES
from tests.extras.demo.offline import play_set
from tests.support.mail_servers import DovecotMail


@pytest.mark.thorough
def test_default_seed_gives_every_player_an_ambiguous_capture() -> None:
    """If this test fails, find another seed with tests/extras/demo/offline.py."""
    assert play_set(SEED).ambiguous == list(NAMES)


@pytest.mark.parametrize(
    ("legal", "text", "meanings"),
    (
        (("[9:C:E]", "[9:C:G]", "[7-B]"), "[9:C]", ["[9:C:E]", "[9:C:G]"]),
        (("[9:C:(X)]", "[9:11:(X)]"), "[9:X]", ["[9:C:(X)]", "[9:11:(X)]"]),
        (("[9:C:E:G]", "[9:C:E:1]"), "[9:C]", ["[9:C:E:G]", "[9:C:E:1]"]),
    ),
)
def test_shortened_capture_with_several_readings_is_ambiguous(
    legal: tuple[str, ...], text: str, meanings: list[str]
) -> None:
    assert ambiguous(legal) == (text, meanings)


@pytest.mark.parametrize(
    "legal",
    (
        ("[7-B]", "[7-C]"),
        ("[9:C]", "[9:D]"),
        ("[9:C]", "[9:C:E]"),
        ("[9:C:E]", "[7:C:E]"),
    ),
)
def test_unambiguous_moves_give_no_ambiguous_text(legal: tuple[str, ...]) -> None:
    assert ambiguous(legal) is None


def test_shortened_capture_with_one_reading_is_clear() -> None:
    assert ("[9:E]", ["[9:C:E]"]) in list(shortened(("[9:C:E]", "[9:D:G]")))


def test_player_reads_only_new_emails_by_imap(dovecot_mail: DovecotMail, domain: str) -> None:
    anna, host = f"anna@{domain}", dovecot_mail.host
    dovecot_mail.add(anna, "secret")
    with IMAP4(host, dovecot_mail.imap_port) as imap:
        imap.login(anna, "secret")
        mailbox = PlayerMailbox(imap_reader(imap), host, dovecot_mail.smtp_port, anna)
        for subject in ("first", "second"):
            mailbox.send(anna, f"Subject: {subject}\r\n\r\ntext\r\n".encode())
            assert [mail.header("Subject") for mail in mailbox.new()] == [subject]
        assert mailbox.new() == []
        mailbox.close()
