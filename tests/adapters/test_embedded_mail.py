"""The embedded mail server beside what its ports' contract tests show."""

from __future__ import annotations

import gc
import imaplib
import logging
import smtplib
import socket
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from pbem.adapters.embedded_mail import EmbeddedMail
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch

CLUB, ANNA = "club@games.example", "anna@mail.example"
MAIL = b"From: anna@mail.example\r\nSubject: move\r\n\r\n[8-B]\r\n"
SOON = 5.0


def settings(server: EmbeddedMail, address: str, password: str = "secret") -> ImapSettings:
    return ImapSettings(server.host, server.imap_port, address, password, "none", timeout_s=SOON)


def send(server: EmbeddedMail, *recipients: str, raw: bytes = MAIL) -> None:
    with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
        client.sendmail(ANNA, recipients, raw)


def content(server: EmbeddedMail, address: str) -> list[bytes]:
    mailbox = ImapMailbox(settings(server, address))
    mailbox.open()
    mails = mailbox.fetch(mailbox.unhandled(0))
    mailbox.close()
    return [mail.raw for mail in mails]


def test_a_mailbox_can_be_added_while_it_runs() -> None:
    with EmbeddedMail({CLUB: "secret"}) as server:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            send(server, ANNA)
        server.add("Anna@Mail.Example", "secret")
        send(server, "ANNA+games@mail.example")
        for name in (ANNA, "Anna@Mail.Example"):
            assert len(content(server, name)) == 1


def test_adding_a_mailbox_again_changes_the_password_and_keeps_the_mail() -> None:
    with EmbeddedMail({CLUB: "first"}) as server:
        send(server, CLUB)
        server.add(CLUB, "secret")
        assert len(content(server, CLUB)) == 1


def test_each_gets_what_is_sent_to_him() -> None:
    with EmbeddedMail({CLUB: "secret", ANNA: "secret"}) as server:
        send(server, "club+12-3@games.example", ANNA)
        (to_club,), (to_anna,) = content(server, CLUB), content(server, ANNA)
    assert to_club.startswith(
        b"Return-Path: <anna@mail.example>\r\nDelivered-To: club+12-3@games.example\r\n"
    )
    assert to_club.endswith(MAIL)
    assert to_anna.endswith(MAIL)


def test_ports_that_are_wanted_are_taken_and_given_back() -> None:
    with EmbeddedMail({}) as server:
        ports = server.smtp_port, server.imap_port
    for _ in range(2):
        with EmbeddedMail({}, smtp_port=ports[0], imap_port=ports[1]) as again:
            assert (again.smtp_port, again.imap_port) == ports


def test_a_port_that_is_taken_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(OSError, match="in use"):
        EmbeddedMail({}, imap_port=other.getsockname()[1]).start()


def test_stop_ends_every_connection_and_may_come_twice() -> None:
    server = EmbeddedMail({CLUB: "secret"})
    server.start()
    mailbox, watch = ImapMailbox(settings(server, CLUB)), ImapWatch(settings(server, CLUB))
    mailbox.open()
    assert watch.wait(SOON)
    with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
        client.noop()
        server.stop()
        server.stop()
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.noop()
        client.close()
    mailbox.close()
    watch.close()


def test_a_server_that_never_ran_can_be_stopped() -> None:
    EmbeddedMail({}).stop()


def test_whoever_wants_to_log_in_may_and_hears_the_truth(caplog: pytest.LogCaptureFixture) -> None:
    with (
        EmbeddedMail({ANNA: "secret"}) as server,
        smtplib.SMTP(server.host, server.smtp_port, "localhost") as client,
        caplog.at_level(logging.DEBUG, "pbem"),
    ):
        with pytest.raises(smtplib.SMTPAuthenticationError):
            client.login(ANNA, "wrong")
        with pytest.raises(smtplib.SMTPAuthenticationError):
            client.login(CLUB, "secret")
        client.login(ANNA, "secret")
    assert caplog.messages == []


def test_a_conversation_outlives_the_garbage_collector() -> None:
    with EmbeddedMail({CLUB: "secret"}) as server:
        mailbox, watch = ImapMailbox(settings(server, CLUB)), ImapWatch(settings(server, CLUB))
        mailbox.open()
        assert watch.wait(SOON)
        for _ in range(3):
            gc.collect()
            assert not watch.wait(0.02)
            assert mailbox.unhandled(0) == []
        mailbox.close()
        watch.close()


def test_mail_clients_find_their_way() -> None:
    """What a player's program asks for: folders, envelopes, structure, parts, flags, search."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = CLUB, ANNA, "Your turn"
    message.set_content("board\n")
    message.add_alternative("<pre>board</pre>\n", subtype="html")
    with EmbeddedMail({ANNA: "secret"}) as server:
        send(server, ANNA, raw=message.as_bytes(policy=SMTP))
        with imaplib.IMAP4(server.host, server.imap_port) as client:
            client.login(ANNA, "secret")
            assert any(b"INBOX" in line for line in client.list()[1] if isinstance(line, bytes))
            assert client.select("INBOX")[1] == [b"1"]
            assert client.search(None, "SUBJECT", "turn", "UNSEEN")[1] == [b"1"]
            assert "your turn" in str(client.fetch("1", "(ENVELOPE RFC822.SIZE)")[1]).lower()
            assert '"alternative"' in str(client.fetch("1", "(BODYSTRUCTURE)")[1])
            answer = client.fetch("1", "(BODY.PEEK[2])")[1][0]
            assert isinstance(answer, tuple)
            assert answer[1].startswith(b"<pre>board</pre>\r\n")
            client.store("1", "+FLAGS", r"(\Answered \Deleted)")
            assert client.expunge()[1] == [b"1"]
