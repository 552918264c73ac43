"""A club with two mailboxes and addresses. Each match is answered at one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.inbox.poll import poll
from pbem.jobs.erase import clear_mailbox
from pbem.ports.inbound import InboundState, Mailbox, MailboxError
from pbem.run.fetch import ClubMailbox
from pbem.run.serve import Running, Service
from pbem.service.records.audit import audit
from pbem.service.work import reading
from tests.conversations.house import HOST, House, Person
from tests.conversations.post_office import PASSWORD, Fakes, Servers
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeMailbox, FakeWatch

SECOND = f"more@{HOST}"
FIRST_PLACE, SECOND_PLACE = "INBOX", "second:INBOX"
MATCHES = 6
EXAMPLE = re.compile(r"for example:\n\n +(\[.*\])")


def with_two_addresses(house: House) -> None:
    house.club = replace(house.club, more_addresses=(SECOND,), intakes=("", "second"))


@pytest.fixture
def second(house: House) -> Iterator[Mailbox]:
    """The other mailbox of a house on servers."""
    assert isinstance(house.post, Servers)
    house.post.add(SECOND)
    with_two_addresses(house)
    host, port = house.post.server.host, house.post.server.imap_port
    mailbox = ImapMailbox(
        ImapSettings(host, port, SECOND, PASSWORD, "none", name="second", place=SECOND_PLACE)
    )
    with closing(mailbox):
        yield mailbox


def all_read(house: House, second: Mailbox) -> None:
    poll(house.club, second, intake="second")
    house.works()


def answered_at(person: Person) -> dict[str, str]:
    """Return the reply address of the newest email of each match, without its token."""
    addresses = ((str(m.message["Subject"]), m.reply_to) for m in person.read)
    return {subject: f"{to.partition('+')[0]}@{HOST}" for subject, to in addresses}


@pytest.mark.parametrize(
    "house", (pytest.param("servers", marks=pytest.mark.servers),), indirect=True
)
def test_match_stays_with_one_address_of_the_club(house: House, second: Mailbox) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    for _ in range(MATCHES):
        house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    at = answered_at(anna)
    assert len(at) == MATCHES
    assert set(at.values()) == {house.address, SECOND}
    assert answered_at(bert) == at
    assert {mail.message["From"].addresses[0].addr_spec for mail in anna.read} == {house.address}

    for person in (anna, bert):
        for mail in person.read:
            if found := EXAMPLE.search(mail.text):
                person.says(found[1], to=mail)
    all_read(house, second)
    assert [len(house.moves(match.id)) for match in house.matches()] == [1] * MATCHES
    anna.receives(), bert.receives()
    assert answered_at(anna) == answered_at(bert) == at
    raw = [mail.message.as_bytes() for mail in anna.read]
    assert audit(raw, house.club.archive, (house.address, SECOND)).foreign == 0

    robot = house.stranger("robot@mail.example")
    robot.says("hello", recipient=SECOND, sender=f"more+x@{HOST}")
    all_read(house, second)
    assert len(house.inbound(InboundState.IGNORED)) == 1, "its own email is answered"

    anna.says("forget me", to=anna.read[0])
    all_read(house, second)
    anna.receives()
    anna.says("confirm")
    all_read(house, second)
    assert lying(house, anna, house.address)
    assert lying(house, anna, SECOND)
    with pytest.raises(MailboxError):
        clear_mailbox(house.club, Away(), [SECOND_PLACE])  # type: ignore[arg-type]
    clear_mailbox(house.club, second, [FIRST_PLACE])
    assert lying(house, anna, house.address)
    assert not lying(house, anna, SECOND)
    clear_mailbox(house.club, house.mailbox, [SECOND_PLACE])
    assert not lying(house, anna, house.address)


def test_poll_time_never_exceeds_the_common_clock(house: House) -> None:
    common = FakeClock(house.clock.now())
    house.club = replace(house.club, witness=common)
    house.clock.advance(hours=1)
    house.works()
    with reading(house.club) as work:
        polled = work.service.last_poll()
    assert polled is not None
    assert polled <= common.now()


class Away:
    """A mailbox that cannot be reached."""

    def open(self) -> None:
        raise MailboxError("It is away.")


def lying(house: House, person: Person, address: str) -> bool:
    """Return whether a mailbox holds emails from someone."""
    return any(person.address.encode() in raw for raw in house.post.inbox(address))


def test_unreachable_mailbox_delays_only_flag_falls(
    house: House,
) -> None:
    elsewhere = Fakes(house.clock)
    elsewhere.add(SECOND)
    with_two_addresses(house)
    assert isinstance(house.post, Fakes)
    here = ClubMailbox(house.mailbox, FakeWatch(house.post.office), "", (SECOND_PLACE,))
    there = FakeMailbox(elsewhere.office, SECOND, "INBOX", "")
    other = ClubMailbox(there, FakeWatch(elsewhere.office), "second", (FIRST_PLACE,))
    jobs = Service(Running(house.club, (here, other), house.transport, lambda: None, 60)).jobs
    polls = [job for job in jobs if job.name.startswith("poll")]

    house.post.office.away = "The server is away."
    raw = b"From: anna@mail.example\r\n\r\nhello\r\n"
    elsewhere.puts(SECOND, raw, house.clock.now())
    with pytest.raises(MailboxError):
        polls[0].run()
    polls[1].run()
    assert len(house.inbound(InboundState.NEW)) == 1
    with reading(house.club) as work:
        assert work.service.last_poll(house.club.intakes) is None

    house.post.office.away = ""
    polls[0].run()
    house.clock.advance(minutes=5)
    polls[1].run()
    with reading(house.club) as work:
        first, second = (work.service.last_poll([name]) for name in house.club.intakes)
        assert first is not None
        assert second is not None
        assert work.service.last_poll(house.club.intakes) == first < second
