"""The promises of `ports.Transport` and `ports.Session`, tested on fakes and real servers."""

from __future__ import annotations

import pytest

from pbem.ports.outbox import Delivery
from tests.support.outgoing import Outgoing

HEADER = b"From: club@games.example\r\nTo: anna@games.example\r\nSubject: your turn\r\n\r\n"
MAIL = HEADER + b"[8-B]\r\n"


def send(outgoing: Outgoing, name: str, raw: bytes = MAIL) -> Delivery:
    """Send one email on its own connection."""
    with outgoing.transport.connect() as session:
        return session.send("club@games.example", f"{name}@{outgoing.domain}", raw).delivery


def content(outgoing: Outgoing, name: str) -> bytes:
    """Return the one email that came, without headers that servers added."""
    (raw,) = outgoing.arrived(name)
    return raw[raw.index(b"From: club@") :]


def test_email_arrives(outgoing: Outgoing) -> None:
    assert send(outgoing, "anna") is Delivery.SENT
    assert content(outgoing, "anna") == MAIL
    assert outgoing.arrived("bob") == []


def test_report_has_the_answer_of_the_server(outgoing: Outgoing) -> None:
    with outgoing.transport.connect() as session:
        taken = session.send("club@games.example", f"anna@{outgoing.domain}", MAIL)
        refused = session.send("club@games.example", f"nobody@{outgoing.domain}", MAIL)
    assert taken.reply.startswith("250 ")
    assert refused.delivery is Delivery.REFUSED
    assert refused.reply.startswith("550 5.1.1 ")


def test_one_refusal_does_not_spoil_the_batch(outgoing: Outgoing) -> None:
    with outgoing.transport.connect() as session:
        reports = [
            session.send("club@games.example", f"{name}@{outgoing.domain}", MAIL).delivery
            for name in ("nobody", "anna", "nobody", "bob", "anna")
        ]
    sent, refused = Delivery.SENT, Delivery.REFUSED
    assert reports == [refused, sent, refused, sent, sent]
    assert (len(outgoing.arrived("anna")), len(outgoing.arrived("bob"))) == (2, 1)


@pytest.mark.parametrize(
    "body",
    (
        b".\r\n",
        b"..\r\n.begins with a dot\r\n...\r\n",
        b"a\r\n.\r\nRCPT TO:<bob@games.example>\r\n",
        "Grüße, żółw\r\n".encode(),
        b"latin \xe9\xff\r\n",
        b"\r\n\r\nblank\r\n\r\n\r\n",
        b"trailing blanks  \t \r\n",
        b"x" * 990 + b"\r\n",
        b"",
    ),
)
def test_every_byte_comes_through(outgoing: Outgoing, body: bytes) -> None:
    assert send(outgoing, "anna", HEADER + body) is Delivery.SENT
    assert content(outgoing, "anna") == HEADER + body


@pytest.mark.parametrize("body", (b"a\nb\n", b"a\r\nb\n", b"a\rb\r", b"\n.\n"))
def test_line_ends_are_repaired(outgoing: Outgoing, body: bytes) -> None:
    assert send(outgoing, "anna", HEADER + body) is Delivery.SENT
    mended = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    assert content(outgoing, "anna") == HEADER + mended


def test_big_email_arrives(outgoing: Outgoing) -> None:
    big = HEADER + b"0123456789abcdef\r\n" * 50_000
    assert send(outgoing, "anna", big) is Delivery.SENT
    assert content(outgoing, "anna") == big


def test_address_with_a_line_end_is_refused_alone(outgoing: Outgoing) -> None:
    with outgoing.transport.connect() as session:
        odd = f"anna@{outgoing.domain}>\r\nRCPT TO:<bob@{outgoing.domain}"
        assert session.send("club@games.example", odd, MAIL).delivery is Delivery.REFUSED
        taken = session.send("club@games.example", f"anna@{outgoing.domain}", MAIL)
    assert taken.delivery is Delivery.SENT
    assert outgoing.arrived("bob") == []


def test_connections_work_one_after_another_and_in_parallel(outgoing: Outgoing) -> None:
    assert send(outgoing, "anna") is Delivery.SENT
    with outgoing.transport.connect() as one, outgoing.transport.connect() as other:
        for session in (one, other, one):
            report = session.send("club@games.example", f"bob@{outgoing.domain}", MAIL)
            assert report.delivery is Delivery.SENT
    assert (len(outgoing.arrived("anna")), len(outgoing.arrived("bob"))) == (1, 3)
