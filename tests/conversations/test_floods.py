"""Floods: answers to the club's emails go ahead of emails from strangers."""

from __future__ import annotations

from pbem.inbox.poll import poll
from pbem.ports.inbound import FEW, InboundState
from pbem.service.receive import MOST_AHEAD
from pbem.service.work import reading
from tests.conversations.house import ON_BOTH, House, Person


def flood(house: House, emails: int) -> None:
    """Let strangers write."""
    for number in range(emails):
        house.stranger(f"stranger{number}@elsewhere.example").says("Who are you?")


def senders_in_line(house: House) -> list[str]:
    """Return the waiting senders in order."""
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        return [work.inbound.get(each).sender for each in work.inbound.pending()]


def a_match(house: House) -> tuple[Person, Person]:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    bert.receives()
    return anna, bert


def test_move_goes_ahead_of_strangers(house: House) -> None:
    anna, _ = a_match(house)
    flood(house, 60)
    anna.says("[41-36]")

    line = senders_in_line(house)

    assert line[0] == anna.address
    assert len(line) == 61
    house.works()
    assert house.moves() == ["[41-36]"]


def test_emails_of_one_member_keep_their_order(house: House) -> None:
    anna, bert = a_match(house)
    flood(house, FEW)
    anna.says("[41-36]\n\nFirst.")
    flood(house, FEW)
    anna.says("draw?")

    assert senders_in_line(house)[:2] == [anna.address] * 2
    house.works()
    assert house.moves() == ["[41-36]"]
    assert "First." in bert.receives()[0].text


def test_forged_token_gains_nothing(house: House) -> None:
    anna, _ = a_match(house)
    flood(house, 20)
    made_up = house.address.replace("@", "+1-1-a-aaaaaaaaaaaaaaaa@")
    house.stranger("eve@elsewhere.example").says("[41-36]", recipient=made_up)
    anna.says("[41-36]", to=anna.read[-1], recipient=made_up)

    line = senders_in_line(house)

    assert line[-2:] == ["eve@elsewhere.example", anna.address]


def test_member_goes_ahead_a_limited_number_of_times_an_hour(house: House) -> None:
    anna, bert = a_match(house)
    flood(house, 20)
    for _ in range(MOST_AHEAD + 5):
        anna.says("show")
    bert.says("show")

    line = senders_in_line(house)

    assert line[:MOST_AHEAD] == [anna.address] * MOST_AHEAD
    assert line[MOST_AHEAD] == bert.address
    assert line[-5:] == [anna.address] * 5


def test_very_long_email_of_a_stranger_is_not_searched_for_commands(house: House) -> None:
    joe, eve = house.stranger("joe@mail.example"), house.stranger("eve@mail.example")
    joe.says("join Joe")
    eve.says("join Eve\n" + "> word\n" * 2001)
    house.works()

    assert [mail.sender for mail in house.inbound(InboundState.STRANGER)] == [eve.address]
    assert len(joe.receives()) == len(eve.receives()) == 1


@ON_BOTH
def test_skipped_email_is_read_after_another_program_has_opened_it(house: House) -> None:
    anna, _ = a_match(house)
    flood(house, 60)
    anna.says("[41-36]")
    stops = iter((False, True))

    assert poll(house.club, house.mailbox, lambda: next(stops)) == 50
    house.mailbox.open()
    house.mailbox.mark_done(house.mailbox.unhandled(0))

    house.works()
    assert house.moves() == ["[41-36]"]
    assert len(house.inbound(InboundState.STRANGER)) == 60
