"""Bounces: the next address is tried, and no clock runs while no address accepts email."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from pbem.matches.clock import PauseReason
from pbem.ports.people import Address
from pbem.ports.process import StorageError
from pbem.service.members.own_addresses import accept, change_addresses
from pbem.service.play.send_position import send_position
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.returned import (
    DELAYED,
    DELIVERED,
    FULL,
    PickyTransport,
    comes_back,
    envelope_sender,
    newest,
)

SECOND = "anna@second.example"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", SECOND)


@pytest.fixture
def second(house: House, anna: Person) -> Person:
    """Anna at her other address."""
    return Person("Anna", SECOND, house.post, anna.player)


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def addresses(house: House, person: Person) -> list[Address]:
    assert person.player is not None
    with reading(house.club) as work:
        return work.players.addresses(person.player.id)


def accepting(house: House, person: Person) -> list[str]:
    """Return the addresses of a player that accept email."""
    return [each.address for each in addresses(house, person) if each.failed_at is None]


def whole_seconds(moment: datetime | None) -> datetime | None:
    """The house's clock moves a microsecond on every reading."""
    return moment and (moment + timedelta(seconds=0.5)).replace(microsecond=0)


def unreached(house: House, anna: Person) -> None:
    """Both of Anna's addresses fail."""
    comes_back(house, newest(house, anna))
    comes_back(house, newest(house, anna))
    assert accepting(house, anna) == []


def test_every_email_has_its_own_envelope_sender(house: House, anna: Person, bert: Person) -> None:
    transport = PickyTransport(house.transport)
    house.transport = transport
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("nonsense", recipient=house.address, references=False)
    house.works()
    senders = [sender for sender, _ in transport.sent]
    assert len(set(senders)) == len(senders) == 3
    assert all(sender.startswith("club+b-u") for sender in senders)
    assert envelope_sender(house, newest(house, bert)) in senders


def test_bounced_email_goes_to_next_address(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    [lost] = anna.receives()
    comes_back(house, newest(house, anna))

    [mail] = second.receives()
    assert mail.text == lost.text
    assert str(mail.message["To"]) == f"Anna <{SECOND}>"
    assert mail.message_id != lost.message_id
    assert mail.reply_to == lost.reply_to
    [report] = house.director.receives()
    assert "Anna's address anna@mail.example accepts no email" in report.text
    assert "550 5.1.1 User unknown" in report.text
    assert f"From now on, emails for Anna go to {SECOND}." in report.text
    assert bert.receives()[0].kind == ""

    second.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]
    assert [mail.message["To"].addresses[0].addr_spec for mail in second.receives()] == [SECOND]
    assert anna.receives() == []


def test_bounced_question_can_be_answered_at_next_address(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]", recipient=house.address, references=False)
    house.works()
    comes_back(house, newest(house, anna))
    [question] = second.receives()
    assert question.kind == "did you send this?"
    second.says("confirm")
    house.works()
    assert house.moves() == ["[41-36]"]


def test_failed_address_is_reported_once(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanrick-1893", anna, bert)
    for match_id in (1, 2):
        comes_back(house, newest(house, anna, match_id))
    assert len(house.director.receives()) == 1
    assert accepting(house, anna) == [SECOND]


def test_each_bounced_email_goes_to_next_address_once(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanrick-1893", anna, bert)
    first, other = (newest(house, anna, match_id) for match_id in (1, 2))
    for posted in (first, other):
        comes_back(house, posted)
    comes_back(house, first, number=99)
    assert [mail.message["Subject"][:8] for mail in second.receives()] == ["[pbem 1]", "[pbem 2]"]


def test_address_refused_by_server_at_once_fails_too(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    transport = PickyTransport(house.transport, {anna.address: "550 5.1.1 No such user"})
    house.transport = transport
    house.match("lanko-68", anna, bert)
    [mail] = second.receives()
    assert mail.kind == "your turn"
    [report] = house.director.receives()
    assert "550 5.1.1 No such user" in report.text


def test_mailbox_reported_full_at_once_is_tried_again(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    transport = PickyTransport(house.transport, {anna.address: "552 5.2.2 Mailbox full"})
    house.transport = transport
    house.match("lanko-68", anna, bert)
    transport.refused.clear()
    house.works()
    assert anna.receives() == second.receives() == []
    house.clock.advance(hours=4)
    house.works()
    assert len(anna.receives()) == 1
    assert house.director.receives() == second.receives() == []


def test_address_deferred_for_five_days_fails(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    transport = PickyTransport(house.transport, {anna.address: "451 4.7.1 Later"})
    house.transport = transport
    house.match("lanko-68", anna, bert, days=0)
    for _ in range(36):
        house.clock.advance(hours=4)
        house.works()
    assert accepting(house, anna) == [anna.address, SECOND]
    house.clock.advance(hours=4)
    house.works()
    assert accepting(house, anna) == [SECOND]
    assert len(second.receives()) == 1


def tried_for_a_day(house: House) -> None:
    """Retry refused emails as often as they come due in a day."""
    for hours in (1, 3, 7, 13):
        house.clock.advance(hours=hours)
        house.works()


BY_POLICY = (
    "553 5.7.1 Sender address rejected: not owned by user club",
    "554 5.7.1 Message rejected as spam",
    "552 5.3.4 Message too big",
    "554 Transaction failed",
)


@pytest.mark.parametrize("reply", BY_POLICY)
def test_email_refused_for_its_content_is_retried_at_growing_intervals(
    house: House, anna: Person, second: Person, bert: Person, reply: str
) -> None:
    transport = PickyTransport(house.transport, {anna.address: reply})
    house.transport = transport
    house.match("lanko-68", anna, bert, days=0)
    [report] = house.director.receives()
    assert reply in " ".join(report.text.split())
    assert "for a day" in " ".join(report.text.split())
    for hours in (1, 3, 7):
        house.clock.advance(hours=hours)
        house.works()
    assert accepting(house, anna) == [anna.address, SECOND]
    transport.refused.clear()
    house.clock.advance(hours=13)
    house.works()
    assert len(anna.receives()) == 1
    assert second.receives() == house.director.receives() == []


def test_report_lists_every_match_that_waits_for_the_player(
    house: House, anna: Person, bert: Person
) -> None:
    for number in range(4):
        house.match("lanrick-1893", anna, bert, chosen="substitutes=on" if number == 0 else "")
    house.transport = PickyTransport(house.transport, {anna.address: BY_POLICY[2]})
    house.match("lanko-68", anna, bert)
    [report] = house.director.receives()
    assert "the email that says it is their turn, in match 5" in " ".join(report.text.split())
    assert "It is Anna's turn in matches 1, 2, 3, 4 and 5." in " ".join(report.text.split())
    for line in (
        "pbem match extend 4 2d",
        "pbem match pause 5",
        "pbem match vacate 1 Anna",
        f"pbem member address works Anna {anna.address}",
    ):
        assert f"    {line}\n" in report.text
    assert "vacate 2" not in report.text
    assert "forfeit" not in report.text
    assert "capitals" not in report.text
    gone = "550 5.1.1 User unknown"
    house.transport = PickyTransport(house.transport, {anna.address: gone, SECOND: gone})
    house.clock.advance(hours=1)
    house.works()
    report = house.director.receives()[-1]
    assert "clock is paused in matches 1, 2, 3, 4 and 5." in " ".join(report.text.split())
    assert "    pbem match extend 5 2d\n" in report.text


def test_clock_pauses_if_last_address_refuses_email_for_a_day(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    reply = "554 5.7.1 Message rejected as spam"
    refused = {anna.address: reply, SECOND: reply}
    house.transport = PickyTransport(house.transport, refused)
    house.match("lanko-68", anna, bert, days=5)
    tried_for_a_day(house)
    assert accepting(house, anna) == [SECOND]
    assert house.flag_at() is not None
    tried_for_a_day(house)
    assert accepting(house, anna) == []
    assert house.flag_at() is None
    told = [report.message["Subject"] for report in house.director.receives()]
    assert told == [
        "[pbem] an email to anna@mail.example was refused",
        "[pbem] anna@mail.example accepts no email",
        f"[pbem] an email to {SECOND} was refused",
        "[pbem] emails are not reaching Anna",
    ]
    refused.clear()
    with writing(house.club) as work:
        assert anna.player is not None
        accept(work, work.players.get(anna.player.id), anna.address)
    house.works()
    [mail] = anna.receives()
    assert mail.kind == "your turn"
    assert house.flag_at() is not None


def test_refused_report_to_director_is_kept_and_causes_no_other(
    house: House, anna: Person, bert: Person
) -> None:
    reply = "554 5.7.1 Message rejected as spam"
    refused = {anna.address: "550 5.1.1 User unknown", house.director.address: reply}
    house.transport = PickyTransport(house.transport, refused)
    house.match("lanko-68", anna, bert, days=0)
    begun = house.clock.now() - DAY
    tried_for_a_day(house)
    comes_back(house, newest(house, bert))
    with reading(house.club) as work:
        lost = [mail for mail in work.outbox.troubled(begun, 99) if mail.player is None]
    assert {mail.recipient for mail in lost} == {house.director.address}
    assert [(mail.kind, mail.failed_at is None) for mail in lost] == [
        ("director_address", True),
        ("director_address", False),
    ]
    assert reply in lost[1].reply


# Failures that do not count


@pytest.mark.parametrize("told", (DELAYED, DELIVERED))
def test_delay_and_delivery_reports_do_not_count_as_failure(
    house: House, anna: Person, second: Person, bert: Person, told: tuple[str, str, str]
) -> None:
    house.match("lanko-68", anna, bert)
    comes_back(house, newest(house, anna), told)
    house.passes(days=1)
    assert second.receives() == house.director.receives() == []
    assert len(anna.receives()) == 1


def test_full_mailbox_is_tried_three_times(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=0)
    [mail] = anna.receives()
    posted = newest(house, anna)
    for pause in (4 * HOUR, DAY, DAY):
        comes_back(house, posted, FULL)
        house.clock.advance(seconds=pause.total_seconds() - 1)
        house.works()
        assert anna.receives() == []
        house.clock.advance(seconds=1)
        house.works()
        [again] = anna.receives()
        assert again.message_id == mail.message_id
        posted = newest(house, anna)
    assert house.director.receives() == second.receives() == []
    comes_back(house, posted, FULL)
    assert len(house.director.receives()) == len(second.receives()) == 1


def test_two_reports_on_one_attempt_are_one_failure(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=0)
    posted = newest(house, anna)
    for number in (1, 2, 3, 4, 5):
        comes_back(house, posted, FULL, number=number)
    assert newest(house, anna).bounces == 1


# Forgeries


@pytest.mark.parametrize("to", ("club@games.example", "club+b-u999@games.example"))
def test_bounce_of_unknown_email_changes_nothing(
    house: House, anna: Person, second: Person, bert: Person, to: str
) -> None:
    house.match("lanko-68", anna, bert)
    known = newest(house, anna).mail.message_id
    token = known.partition(".")[0]
    for number, guess in enumerate(("<x@games.example>", f"{token}.u999@games.example>"), start=1):
        comes_back(house, newest(house, anna), to=to, message_id=guess, number=number)
    assert accepting(house, anna) == [anna.address, SECOND]
    assert second.receives() == house.director.receives() == []
    assert house.flag_at() is not None


def test_bounce_fails_the_address_its_email_went_to(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    comes_back(house, newest(house, bert), address=anna.address)
    assert accepting(house, anna) == [anna.address, SECOND]
    assert accepting(house, bert) == []


def test_bounce_to_another_address_is_matched_by_returned_headers(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    comes_back(house, newest(house, anna), to=house.address)
    assert len(second.receives()) == 1


def test_message_id_seen_in_reply_to_all_cannot_forge_a_bounce(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("help", headers=(("Cc", bert.address),))
    seen = newest(house, anna)
    house.works()
    comes_back(house, seen, to=house.address)
    assert accepting(house, anna) == [anna.address, SECOND]
    comes_back(house, seen, number=2)
    assert accepting(house, anna) == [SECOND]


def test_bounces_match_by_message_id_if_server_fixes_envelope_sender(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, bounce_addresses=False))
    house.transport = transport = PickyTransport(house.transport)
    house.match("lanko-68", anna, bert)
    assert {sender for sender, _ in transport.sent} == {house.address}
    comes_back(house, newest(house, anna), to=house.address)
    assert len(second.receives()) == 1


def test_email_to_the_bounce_address_makes_no_move(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]", recipient=envelope_sender(house, newest(house, anna)))
    house.works()
    assert house.moves() == []
    assert anna.receives() == []


def test_bounce_sent_before_address_recovered_changes_nothing(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanrick-1893", anna, bert)
    late = newest(house, anna, 2)
    comes_back(house, newest(house, anna))
    house.clock.advance(minutes=5)
    assert anna.player is not None
    with writing(house.club) as work:
        accept(work, work.players.get(anna.player.id), anna.address)
    anna.receives()
    comes_back(house, late)
    assert accepting(house, anna) == [anna.address, SECOND]
    [again] = anna.receives()
    assert again.message["Subject"].startswith("[pbem 2]")


# The clock


def test_clock_is_paused_while_no_address_accepts_email(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    due_at = house.flag_at()
    assert due_at is not None
    anna.receives()
    house.passes(days=1)
    unreached(house, anna)
    stopped_at = house.clock.now()
    reports = house.director.receives()
    assert "Anna has no other address that accepts email." in reports[-1].text
    assert "Anna's clock is paused in match 1." in reports[-1].text
    second.receives()

    house.passes(days=10)
    assert house.director.receives() == []
    assert [anna.receives(), second.receives()] == [[], []]
    assert house.flag_at() is None

    second.says("help", to=second.read[-1])
    house.works()
    assert whole_seconds(house.flag_at()) == whole_seconds(
        due_at + (house.clock.now() - stopped_at)
    )
    [answer] = second.receives()
    assert "help" in answer.text
    [report] = house.director.receives()
    assert f"Emails for Anna go to {SECOND} again." in report.text
    house.passes(days=3.9)
    assert house.director.receives() == []
    house.passes(days=0.2)
    assert "Anna has run out of time" in house.director.receives()[0].text


def test_director_gives_a_player_another_address(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    unreached(house, anna)
    house.passes(days=2)
    assert anna.player is not None
    third = Person("Anna", "anna@third.example", house.post, anna.player)
    house.post.add(third.address)
    with writing(house.club) as work:
        player = work.players.get(anna.player.id)
        change_addresses(work, player, [*player.addresses, third.address])
    house.works()
    [mail] = third.receives()
    assert mail.kind == "your turn"
    assert "Please answer by " in mail.text
    assert ": 5 days left." in mail.text
    third.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]


def test_move_from_a_failed_address_is_in_time(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    unreached(house, anna)
    second.receives(), house.director.receives()
    house.passes(days=2.5)
    second.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]
    [receipt] = second.receives()
    assert "Done: [41-36]" in receipt.text
    assert [report.message["Subject"] for report in house.director.receives()] == [
        "[pbem] emails reach Anna again"
    ]


def test_turn_of_unreachable_player_begins_with_paused_clock(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, anna, days=5)
    house.sweeps()
    unreached(house, anna)
    assert house.flag_at() is not None
    bert.receives()
    bert.says("[41-36]")
    house.works()
    assert house.state().player_to_act == (anna.player and anna.player.id)
    assert house.flag_at() is None
    second.receives()
    house.passes(days=2)
    second.says("help", to=second.read[-1])
    began = house.clock.now()
    house.works()
    assert whole_seconds(house.flag_at()) == whole_seconds(began + 5 * DAY)


def test_sweep_pauses_a_clock_wrongly_started_for_unreachable_player(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=1)
    house.sweeps()
    unreached(house, anna)
    house.director.receives()
    with writing(house.club) as work:
        match, now = work.matches.get(1), house.clock.now()
        running = match.clock.resume(PauseReason.UNREACHABLE, now)
        work.matches.save(replace(match, clock=running))
    house.passes(days=1.2)
    assert house.director.receives() == []
    assert house.flag_at() is None


def test_outage_during_a_paused_clock_is_credited_once(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    due_at = house.flag_at()
    assert due_at is not None
    house.clock.advance(minutes=9)
    house.sweeps()
    unreached(house, anna)
    stopped_at = house.clock.now()
    second.receives()
    second.says("help")
    house.clock.advance(days=3)
    house.works()
    house.sweeps()
    assert whole_seconds(house.flag_at()) == whole_seconds(
        due_at + (house.clock.now() - stopped_at)
    )


def test_outage_before_the_clock_paused_is_credited_too(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    due_at, up_until = house.flag_at(), house.clock.now()
    assert due_at is not None
    house.clock.advance(days=3)
    unreached(house, anna)
    second.receives()
    house.sweeps()
    house.passes(days=1)
    second.says("help")
    house.works()
    assert whole_seconds(house.flag_at()) == whole_seconds(due_at + (house.clock.now() - up_until))


def test_missed_emails_of_other_matches_are_sent_again(
    house: House, anna: Person, second: Person, bert: Person
) -> None:
    for _ in range(2):
        house.match("lanko-68", anna, bert)
    house.match("lanko-68", bert, anna)
    comes_back(house, newest(house, anna, 3))
    comes_back(house, newest(house, anna, 1))
    comes_back(house, newest(house, anna, 1))
    comes_back(house, newest(house, anna, 3))
    second.receives(), anna.receives(), bert.receives()
    house.resigns(bert, match=1)
    assert second.receives() == []

    second.says("help", to=second.read[1])
    house.works()
    told = [(mail.message["Subject"][:8], mail.kind) for mail in second.receives()]
    assert sorted(told) == [
        ("[pbem 1]", "the match is over"),
        ("[pbem 2]", "your turn"),
        ("[pbem 3]", ""),
        ("[pbem] C", ""),  # the answer
    ]


# Emails that the director asks to send again


def sent_to(house: House, player: Person | None = None, *, everybody: bool = False) -> list[str]:
    """Let the director resend match 1. Return the people who get its position."""
    with writing(house.club) as work:
        person = work.players.named(player.name) if player else None
        readers = send_position(work, 1, person, everybody=everybody)
    house.works()
    return [reader.name for reader in readers]


def test_director_can_resend_the_position(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=5)
    anna.receives(), bert.receives()
    due_at = house.flag_at()
    assert sent_to(house) == ["Anna"]
    [mail] = anna.receives()
    assert mail.kind == "your turn"
    assert "The director has sent you this email again." in mail.text
    assert bert.receives() == []
    assert house.flag_at() == due_at
    anna.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]
    anna.receives(), bert.receives()
    assert sent_to(house, anna) == ["Anna"]
    assert sent_to(house, everybody=True) == ["Anna", "Bert"]
    assert [mail.kind for mail in bert.receives()] == ["your turn"]
    assert [mail.kind for mail in anna.receives()] == ["", ""]


def test_position_is_not_resent_to_unreachable_or_non_players(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.player("Clara")
    clara = Person("Clara", "", house.post)
    with pytest.raises(
        StorageError, match=r"Clara does not play in match 1\. Its players are Anna, Bert"
    ):
        sent_to(house, clara)
    unreached(house, anna)
    with pytest.raises(StorageError, match="no address of Anna accepts email"):
        sent_to(house)
