"""Emails that must be judged in order: those on one topic, or otherwise from one sender."""

import pytest

from pbem.mail.addresses.addressing import TokenSigner, reply_address
from pbem.mail.message.message import read_envelope
from pbem.mail.topic import AddressTopic, MatchTopic, MembershipTopic, Topic
from pbem.service.receive import order_key

CLUB = "club@club.example"
SIGNER = TokenSigner({1: b"a secret for the tests"}, 1)


def to(topic: Topic) -> str:
    """Return the address for answers about a topic."""
    return reply_address(CLUB, SIGNER.token(topic, 1))


@pytest.mark.parametrize(
    ("recipient", "subject", "key"),
    (
        (to(MatchTopic(12, 3, "white")), "Re: [pbem 7] your turn", "match 12"),
        (to(MatchTopic(12, 9, "black")), "", "match 12"),
        (to(MembershipTopic(5, 20000)), "", "member 5"),
        (CLUB, "Re: [pbem 7] your turn", "match 7"),
        (CLUB, "hello", "from anna@example.org"),
        (to(AddressTopic(20000)), "hello", "from anna@example.org"),
        ("club+unread@club.example", "", "from anna@example.org"),
    ),
)
def test_order_key_is_the_topic_or_the_sender(recipient: str, subject: str, key: str) -> None:
    raw = f"From: Anna <anna@example.org>\r\nTo: {recipient}\r\nSubject: {subject}\r\n\r\n8-B\r\n"
    assert order_key(read_envelope(raw.encode()), (CLUB,)) == key
