"""Test the embedded mail server: the club gets its email directly, and members read theirs."""

from __future__ import annotations

import logging
import poplib
import smtplib
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pbem.extras.embedded.pop3 import maildir_of
from pbem.extras.embedded.server import EmbeddedMail
from pbem.ports.inbound import HandedMail
from pbem.ports.process import StorageUnavailable

pytestmark = pytest.mark.servers

CLUB, ANNA = "club@games.example", "anna@mail.example"
MAIL = b"From: anna@mail.example\r\nSubject: move\r\n\r\n[8-B]\r\n..\r\n.x\r\n"

Make = Callable[[], EmbeddedMail]


@pytest.fixture
def taken() -> list[HandedMail]:
    """Return the emails that the club has received."""
    return []


@pytest.fixture
def make(tmp_path: Path, taken: list[HandedMail]) -> Make:
    """Return a function that creates a server, not yet started, with its email in one folder."""
    return lambda: EmbeddedMail(
        tmp_path / "mail", is_club=lambda address: address.startswith("club"), take=taken.append
    )


@pytest.fixture
def server(make: Make) -> Iterator[EmbeddedMail]:
    """Start a server with a mailbox for Anna."""
    with make() as server:
        server.add("Anna@Mail.Example", "secret")
        yield server


def send(server: EmbeddedMail, *recipients: str, raw: bytes = MAIL) -> None:
    with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
        client.sendmail(ANNA, recipients, raw)


@contextmanager
def connected(server: EmbeddedMail) -> Iterator[poplib.POP3]:
    """Connect a mail program that ends without QUIT unless it sends one."""
    with closing(poplib.POP3(server.host, server.pop3_port, timeout=5)) as client:
        yield client


@contextmanager
def reading(
    server: EmbeddedMail, name: str = ANNA, password: str = "secret"
) -> Iterator[poplib.POP3]:
    with connected(server) as client:
        client.user(name)
        client.pass_(password)
        yield client


def content(server: EmbeddedMail) -> list[bytes]:
    with reading(server) as client:
        mails = [client.retr(n)[1] for n in range(1, client.stat()[0] + 1)]
    return [b"\r\n".join([*lines, b""]) for lines in mails]


def test_every_recipient_gets_their_email(server: EmbeddedMail, taken: list[HandedMail]) -> None:
    send(server, "club+12-3@games.example", "ANNA+games@mail.example", CLUB)
    assert taken == [HandedMail(ANNA, ("club+12-3@games.example", CLUB), MAIL, "")]
    [to_anna] = content(server)
    assert to_anna == (
        b"Return-Path: <anna@mail.example>\r\nDelivered-To: ANNA+games@mail.example\r\n" + MAIL
    )
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(server, "bert@mail.example")


def test_email_that_the_club_cannot_record_is_deferred(tmp_path: Path) -> None:
    def take(mail: HandedMail) -> None:
        raise StorageUnavailable("locked")

    with (
        EmbeddedMail(tmp_path / "mail", is_club=lambda _: True, take=take) as server,
        pytest.raises(smtplib.SMTPDataError, match="451"),
    ):
        send(server, CLUB)


def test_mail_program_reads_lists_and_deletes(server: EmbeddedMail) -> None:
    mails = [b"Subject: %d\r\n\r\none\r\n.two\r\nthree\r\n" % n for n in range(3)]
    for raw in mails:
        send(server, ANNA, raw=raw)
    sizes = [len(raw) for raw in content(server)]
    with reading(server) as client:
        assert set(client.capa()) == {"USER", "UIDL", "TOP"}
        assert client.stat() == (3, sum(sizes))
        assert client.list()[1] == [f"{n} {size}".encode() for n, size in enumerate(sizes, 1)]
        ids = unique_ids(client)
        assert len(set(ids)) == 3
        assert client.top(1, 2)[1][-4:] == [b"Subject: 0", b"", b"one", b".two"]
        client.dele(2)
        for number in (2, 4):
            with pytest.raises(poplib.error_proto):
                client.retr(number)
        client.rset()
        client.dele(1)
        client.quit()
    assert [raw.splitlines()[2] for raw in content(server)] == [b"Subject: 1", b"Subject: 2"]
    with reading(server) as client:
        client.dele(1)
    with reading(server) as client:
        assert unique_ids(client) == ids[1:], "nothing is deleted without QUIT"


def test_unfinished_email_is_not_shown(server: EmbeddedMail, tmp_path: Path) -> None:
    send(server, ANNA)
    (maildir_of(tmp_path / "mail", ANNA) / "tmp" / "1.unfinished").write_bytes(b"From: an")
    with reading(server) as client:
        assert len(unique_ids(client)) == 1


def unique_ids(client: poplib.POP3) -> list[bytes]:
    return [line.split()[1] for line in client.uidl()[1]]


def test_mailboxes_need_a_password(server: EmbeddedMail) -> None:
    for name, password in ((ANNA, "wrong"), (CLUB, "secret"), (CLUB, "")):
        with pytest.raises(poplib.error_proto), reading(server, name, password):
            pass
    with connected(server) as client, pytest.raises(poplib.error_proto):
        client.stat()
    with reading(server, "ANNA@mail.example") as client:
        assert client.stat() == (0, 0)


def test_email_and_ports_are_the_same_after_a_restart(make: Make, tmp_path: Path) -> None:
    with make() as server:
        server.add(ANNA, "secret")
        send(server, ANNA)
        ports, before = (server.smtp_port, server.pop3_port), content(server)
    again = make()
    again.smtp_port, again.pop3_port = ports
    again.add(ANNA, "secret")
    with again:
        assert (again.smtp_port, again.pop3_port) == ports
        assert content(again) == before
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.rglob("*") if path.is_dir())


def test_port_in_use_is_an_error_at_once(make: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        server = make()
        server.pop3_port = other.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            server.start()


def test_stop_closes_every_connection_and_can_be_repeated(server: EmbeddedMail) -> None:
    with (
        reading(server) as reader,
        smtplib.SMTP(server.host, server.smtp_port, "localhost") as client,
    ):
        client.noop()
        server.stop()
        server.stop()
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.noop()
        client.close()
        with pytest.raises((poplib.error_proto, OSError)):
            reader.noop()


def test_server_that_never_ran_can_be_stopped(make: Make) -> None:
    make().stop()


def test_login_needs_the_right_password_and_is_not_logged(
    server: EmbeddedMail, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        smtplib.SMTP(server.host, server.smtp_port, "localhost") as client,
        caplog.at_level(logging.DEBUG, "pbem"),
    ):
        for name, password in ((ANNA, "wrong"), (CLUB, "secret")):
            with pytest.raises(smtplib.SMTPAuthenticationError):
                client.login(name, password)
        client.login(ANNA, "secret")
    assert caplog.messages == []
