"""The embedded mail server beside what its ports' contract tests show."""

from __future__ import annotations

import gc
import imaplib
import logging
import re
import smtplib
import socket
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from pbem.adapters.embedded_mail import EmbeddedMail
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch

pytestmark = pytest.mark.servers

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


def flags_by_uid(client: imaplib.IMAP4) -> dict[int, set[str]]:
    """Flags of all mails in the selected folder, \\Recent left out."""
    lines = [line.decode() for line in client.uid("FETCH", "1:*", "(FLAGS)")[1] if line]
    found = (re.search(r"FLAGS \((.*?)\) UID (\d+)|UID (\d+) FLAGS \((.*?)\)", x) for x in lines)
    return {
        int(each[2] or each[3]): set((each[1] or each[4] or "").split()) - {"\\Recent"}
        for each in found
        if each
    }


def state(server: EmbeddedMail, folder: str = "INBOX") -> tuple[str, str, dict[int, set[str]]]:
    """UIDVALIDITY, the next UID, and flags by UID."""
    with imaplib.IMAP4(server.host, server.imap_port) as client:
        client.login(ANNA, "secret")
        [told] = client.status(folder, "(UIDVALIDITY UIDNEXT)")[1]
        assert isinstance(told, bytes)
        numbers = dict(re.findall(r"(UIDVALIDITY|UIDNEXT) (\d+)", told.decode()))
        client.select(folder)
        return numbers["UIDVALIDITY"], numbers["UIDNEXT"], flags_by_uid(client)


def test_what_is_kept_in_a_folder_is_there_after_a_restart(tmp_path: Path) -> None:
    mailboxes = {ANNA: "secret"}
    with EmbeddedMail(mailboxes, folder=tmp_path) as server:
        for _ in range(4):
            send(server, ANNA)
        with imaplib.IMAP4(server.host, server.imap_port) as client:
            client.login(ANNA, "secret")
            client.create('"Old/2026. x"')
            client.create("Sent")
            client.select("INBOX")
            client.store("1", "+FLAGS", r"(\Seen \Answered)")
            client.copy("2", "Sent")
            client.store("4", "+FLAGS", r"(\Deleted)")
            client.expunge()
            client.append("Sent", r"(\Seen)", '"20-Nov-2026 09:30:00 +0100"', MAIL)
        before = [state(server, folder) for folder in ("INBOX", "Sent")]
        dates = content(server, ANNA)
    with EmbeddedMail(mailboxes, folder=tmp_path) as server:
        assert [state(server, folder) for folder in ("INBOX", "Sent")] == before
        assert content(server, ANNA) == dates
        assert sorted(before[0][2].values(), key=len) == [set(), set(), {"\\Seen", "\\Answered"}]
        assert len(before[1][2]) == 2
        send(server, ANNA)
        uids = state(server)[2]
        assert max(uids) == int(before[0][1]), "the UID of a deleted mail is not given again"
        with imaplib.IMAP4(server.host, server.imap_port) as client:
            client.login(ANNA, "secret")
            client.select("Sent")
            [told, *_] = client.fetch("2", "(INTERNALDATE)")[1]
            assert b"20-Nov-2026 08:30:00 +0000" in bytes(told or b"")  # type: ignore[arg-type]
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.rglob("*") if path.is_dir())


def test_folders_that_are_renamed_or_deleted_stay_so(tmp_path: Path) -> None:
    with EmbeddedMail({ANNA: "secret"}, folder=tmp_path) as server:
        send(server, ANNA)
        with imaplib.IMAP4(server.host, server.imap_port) as client:
            client.login(ANNA, "secret")
            for word in ("Kept", "Gone", "../../Out"):
                client.create(word)
            client.select("INBOX")
            client.copy("1", "Kept")
            client.rename("Kept", "Renamed")
            client.delete("Gone")
            client.rename("INBOX", "Before")
        send(server, ANNA)
    assert [path.name for path in tmp_path.parent.iterdir() if path.name == "Out"] == []
    with EmbeddedMail({ANNA: "secret"}, folder=tmp_path) as server:
        with imaplib.IMAP4(server.host, server.imap_port) as client:
            client.login(ANNA, "secret")
            names = b" ".join(line for line in client.list()[1] if isinstance(line, bytes))
        assert b"Renamed" in names
        assert b"Kept" not in names
        assert b"Gone" not in names
        for folder in ("Renamed", "Before", "INBOX"):
            assert len(state(server, folder)[2]) == 1


def test_the_club_does_not_read_again_what_it_has_read(tmp_path: Path) -> None:
    seen: list[tuple[object, list[int]]] = []
    for _ in range(2):
        with EmbeddedMail({CLUB: "secret"}, folder=tmp_path) as server:
            if not seen:
                send(server, CLUB)
            mailbox = ImapMailbox(settings(server, CLUB))
            opened = mailbox.open()
            uids = mailbox.unhandled(0)
            mailbox.mark_done(uids)
            seen.append((opened, mailbox.unhandled(max(uids, default=1000))))
            mailbox.close()
    assert seen[0] == seen[1]
    assert seen[1][1] == []
