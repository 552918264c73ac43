"""The LMTP server that our own mail server delivers to, by RFC 2033."""

from __future__ import annotations

import os
import smtplib
import socket
import stat
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from pbem.adapters.lmtp_server import (
    PlaceTaken,
    given_sockets,
    opened,
    read_place,
)
from pbem.adapters.lmtp_server.server import CONNECTIONS, SECONDS, LmtpServer
from pbem.mail.addresses.addressing import is_club_address
from pbem.ports.inbound import HandedMail
from pbem.ports.process import StorageUnavailable
from tests.support.lmtp import PATIENCE_S, Wire, client, listening

pytestmark = pytest.mark.servers

CLUB = "club@games.example"
MOST = 100_000
MAIL = b"Subject: hello\r\n\r\n.dots\r\nand \xc3\xa4\r\n"


class Taker:
    """A taker that stores email, or gives a prepared answer."""

    def __init__(self) -> None:
        self.mails: list[HandedMail] = []
        self.refused = 0
        self.trouble: Exception | None = None
        self.before: Callable[[], object] = lambda: None

    def take(self, mail: HandedMail) -> None:
        self.before()
        if self.trouble is not None:
            raise self.trouble
        self.mails.append(mail)

    def not_taken(self) -> None:
        self.refused += 1

    @contextmanager
    def at(
        self, path: Path, connections: int = CONNECTIONS, seconds: float = SECONDS
    ) -> Iterator[Path]:
        server = LmtpServer(
            self.take,
            lambda address: is_club_address(address, (CLUB,)),
            most=MOST,
            connections=connections,
            seconds=seconds,
            not_taken=self.not_taken,
        )
        with listening(server, path):
            yield path


@pytest.fixture
def taker() -> Taker:
    return Taker()


@pytest.fixture
def place(taker: Taker, tmp_path: Path) -> Iterator[Path]:
    with taker.at(tmp_path / "lmtp") as path:
        yield path


def test_email_is_taken_unchanged(taker: Taker, place: Path) -> None:
    with client(place) as server:
        for feature in ("pipelining", "8bitmime", "smtputf8", "enhancedstatuscodes"):
            assert server.has_extn(feature)
        assert server.esmtp_features["size"] == str(MOST)
        refused = server.sendmail("<>", ["anna@games.example", "Club+X@games.example"], MAIL)
    assert refused == {"anna@games.example": (550, b"5.1.1 No such address here")}
    assert taker.mails == [HandedMail("", ("Club+X@games.example",), MAIL, "mx.example.org")]


def test_every_recipient_gets_an_answer(taker: Taker, place: Path) -> None:
    begin = ("MAIL FROM:<ä@example.org> SMTPUTF8 BODY=8BITMIME", *[f"RCPT TO:<{CLUB}>"] * 3, "DATA")
    long_line, too_much = "x" * MOST, "\r\n".join(["x" * 900] * 120)
    with Wire(place) as wire:
        wire.says("LHLO mx.example.org")
        assert wire.hears().startswith("250 ")
        for trouble, text, answer in (
            (None, "8-B", "250 2.0.0 "),
            (StorageUnavailable("the disk is full"), "8-B", "451 4.3.0 "),
            (ValueError("never to happen"), "8-B", "451 4.3.0 "),
            (None, too_much, "552 5.3.4 "),
            (None, long_line[: MOST // 2], "250 2.0.0 "),
        ):
            taker.trouble = trouble
            wire.says(*begin, "Subject: x", "", text, ".", "NOOP")  # all at once (RFC 2920)
            assert [wire.hears()[:9] for _ in begin] == [
                *["250 2.1.0", *["250 2.1.5"] * 3],
                "354 End d",
            ]
            assert [wire.hears()[:10] for _ in range(3)] == [answer] * 3
            assert wire.hears() == "250 2.0.0 OK"
        wire.says("QUIT")
        assert wire.hears().startswith("221 2.0.0 ")
    assert [mail.sender for mail in taker.mails] == ["ä@example.org"] * 2
    assert taker.refused == 1


@pytest.mark.parametrize(
    "content",
    ("", "a\n.\nb", "a\n.\r\nb", "a\r.\rb", "a\r\n.\rb", "\r\n\r\n", "a\0b", ".\r\n..\r\na"),
)
def test_only_a_line_with_a_dot_ends_an_email(taker: Taker, place: Path, content: str) -> None:
    """Other line ends stay in the email, and no command is read out of an email."""
    sent = "".join(f"{'.' * line.startswith('.')}{line}\r\n" for line in content.split("\r\n"))
    with Wire(place) as wire:
        wire.says("LHLO mx", "MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA", f"{sent}.", "NOOP")
        assert [wire.hears()[:3] for _ in range(6)] == ["250", "250", "250", "354", "250", "250"]
        wire.says("MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA", ".", "NOOP")
        assert [wire.hears()[:3] for _ in range(5)] == ["250", "250", "354", "250", "250"]
    assert [mail.raw for mail in taker.mails] == [f"{content}\r\n".encode(), b""]


def test_unreadable_command_keeps_email_at_the_mail_server(place: Path) -> None:
    with Wire(place) as wire:
        wire.says("LHLO mx", 'MAIL FROM:" \x0b', "MAIL FROM:<>")
        assert [wire.hears()[:9] for _ in range(3)][1:] == ["451 4.3.0", "250 2.1.0"]


def test_email_takes_no_more_memory_than_its_size(taker: Taker, place: Path) -> None:
    blank = "\r\n" * (MOST // 2 - 100)
    with Wire(place) as wire:
        tracemalloc.start()
        try:
            wire.says("LHLO mx", "MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA", f"a: b\r\n{blank}.")
            assert [wire.hears()[:3] for _ in range(5)] == ["250", "250", "250", "354", "250"]
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 20 * MOST


def test_email_to_hundreds_of_our_addresses_is_not_copied(taker: Taker, place: Path) -> None:
    everybody = [f"RCPT TO:<club+{number}@games.example>" for number in range(100)]
    with Wire(place) as wire:
        wire.says("LHLO mx", "MAIL FROM:<>", *everybody, "DATA", "8-B", ".")
        assert [wire.hears()[:3] for _ in range(2)] == ["250", "250"]
        answers = [wire.hears() for _ in everybody]
        assert wire.hears().startswith("354")
    taken = [answer for answer in answers if answer.startswith("250 ")]
    assert 0 < len(taken) <= 20
    assert answers[len(taken) :] == ["550 5.5.3 Too many recipients"] * (100 - len(taken))


def test_email_announced_as_too_large_is_not_sent(place: Path) -> None:
    with client(place) as server, pytest.raises(smtplib.SMTPSenderRefused) as refused:
        server.sendmail("anna@example.org", [CLUB], b"x" * MOST * 2)
    assert refused.value.smtp_code == 552


def test_many_connections_are_served_at_once(taker: Taker, place: Path) -> None:
    many = 8
    together = threading.Barrier(many, timeout=PATIENCE_S)
    taker.before = together.wait
    with ExitStack() as leaving:
        wires = [leaving.enter_context(Wire(place)) for _ in range(many)]
        for wire in wires:
            wire.says(
                "LHLO mx", "MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA", "x: y", "", "8-B", "."
            )
        assert {[wire.hears() for _ in range(5)][-1][:3] for wire in wires} == {"250"}
    assert len(taker.mails) == many


def test_connection_above_the_limit_is_asked_to_retry(taker: Taker, tmp_path: Path) -> None:
    """Closing one connection makes room."""
    with taker.at(tmp_path / "lmtp", connections=2) as path, Wire(path) as first:
        with Wire(path), Wire(path) as third:
            assert third.greeting == "421 4.3.2 Too many connections; try again"
            assert third.hears() == ""
        first.says("LHLO mx", "MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA", "x: y", "", "8-B", ".")
        assert [first.hears()[:3] for _ in range(5)] == ["250", "250", "250", "354", "250"]


@pytest.mark.parametrize("said", ((), ("NOOP",)))
def test_connection_without_an_email_is_closed_and_makes_room(
    taker: Taker, tmp_path: Path, said: tuple[str, ...]
) -> None:
    """Commands that arrive meanwhile, however slowly, don't prevent it."""
    with taker.at(tmp_path / "lmtp", connections=1, seconds=0.3) as path:
        with Wire(path) as idle:
            answer = "250"
            while answer.startswith("250"):
                with suppress(BrokenPipeError):  # its answer can still be read
                    idle.says(*said)
                answer = idle.hears()
            assert answer == "421 4.4.2 No email arrived for too long"
            assert idle.hears() == ""
        with client(path) as server:
            server.sendmail("anna@example.org", [CLUB], MAIL)
    assert len(taker.mails) == 1


def test_stop_finishes_running_transactions_first(taker: Taker, tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly() -> None:
        begun.set()
        go_on.wait(PATIENCE_S)

    taker.before = slowly
    with ExitStack() as open_still:
        with ExitStack() as serving:
            path = serving.enter_context(taker.at(tmp_path / "lmtp"))
            idle, busy, talking = (open_still.enter_context(Wire(path)) for _ in range(3))
            for wire in (busy, talking):
                wire.says("LHLO mx", "MAIL FROM:<>", f"RCPT TO:<{CLUB}>", "DATA")
                assert [wire.hears() for _ in range(4)][-1].startswith("354")
            busy.says("Subject: x", "", "8-B", ".")
            assert begun.wait(PATIENCE_S)
            ending = threading.Thread(target=serving.close)
            ending.start()
            assert idle.hears() == "421 4.3.2 pbem is stopping; try again"
            go_on.set()
            talking.says("Subject: y", "", "9-B", ".")
            for wire in (busy, talking):
                assert wire.hears()[:9] == "250 2.0.0"
                assert wire.hears()[:9] == "421 4.3.2"
                assert wire.hears() == ""
            ending.join(PATIENCE_S)
        assert len(taker.mails) == 2
        assert not path.exists()


@pytest.mark.parametrize(
    "text", ("unix:lmtp", "0.0.0.0:24", "mx.example.org:24", "127.0.0.1", "127.0.0.1:99999", "")
)
def test_other_machines_may_not_connect(text: str) -> None:
    with pytest.raises(ValueError, match="other machines must not"):
        read_place(text)


@pytest.mark.parametrize("text", ("127.0.0.1:0", "localhost:0"))
def test_local_port_is_served(taker: Taker, text: str) -> None:
    server = LmtpServer(taker.take, lambda address: True, most=MOST)
    with opened(read_place(text)) as sockets:
        server.start(sockets)
        with smtplib.LMTP("127.0.0.1", sockets[0].getsockname()[1]) as one:
            one.sendmail("anna@example.org", [CLUB], MAIL)
        server.end()
        assert server.ended()
    assert [mail.raw for mail in taker.mails] == [MAIL]


def test_stale_socket_is_replaced_but_a_live_one_is_not(tmp_path: Path) -> None:
    place = read_place(f"unix:{tmp_path / 'lmtp'}")
    assert place.path is not None
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place.path))
    with opened(place):
        assert stat.S_IMODE(place.path.stat().st_mode) == 0o660
        with pytest.raises(PlaceTaken, match="listens at"), opened(place):
            pass
    place.path.write_text("a file")
    with pytest.raises(PlaceTaken, match="is not a socket"), opened(place):
        pass
    with (
        pytest.raises(PlaceTaken, match="No such file"),
        opened(read_place(f"unix:{tmp_path}/a/b")),
    ):
        pass
    assert place.path.read_text() == "a file"


def test_sockets_of_systemd_are_used(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as systemds:
        systemds.bind(str(tmp_path / "lmtp"))
        systemds.listen()
        taker = Taker()
        server = LmtpServer(taker.take, lambda address: True, most=MOST)
        with given_sockets([os.dup(systemds.fileno())]) as sockets:
            server.start(sockets)
            with client(tmp_path / "lmtp") as one:
                one.sendmail("anna@example.org", [CLUB], MAIL)
            server.end()
            assert server.ended()
    assert len(taker.mails) == 1
    assert (tmp_path / "lmtp").exists()
