"""Emails are kept for a year. Later replies still find their match, and nothing is played twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.jobs.prune import STEP, prune
from pbem.ports.inbound import InboundState, MailFilter, RecordedMail
from pbem.ports.process import StorageError
from pbem.service.records.verify import verify_all
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.returned import comes_back, newest

DAYS = 800
"""Days for a turn in these matches."""
LATE = 400
"""Days after which the club has dropped an email."""


@pytest.fixture
def people(house: House) -> tuple[Person, Person]:
    """Anna has moved in a match, and it is Bert's turn."""
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert, days=DAYS)
    anna.receives()
    bert.receives()
    moves(house, anna)
    anna.receives()
    bert.receives()
    return anna, bert


def example(person: Person) -> str:
    """Return the move that their newest turn email shows."""
    mail = next(each for each in reversed(person.read) if each.kind == "your turn")
    return mail.text.partition("for example:")[2].split("\n\n")[1].strip()


def moves(house: House, person: Person, note: str = "") -> None:
    """Answer the newest turn email with its example."""
    mail = next(each for each in reversed(person.read) if each.kind == "your turn")
    person.says(f"{example(person)}\n\n{note}".strip(), to=mail)
    house.works()


def kept(house: House) -> list[RecordedMail]:
    """Return the received emails that the club still has."""
    with reading(house.club) as work:
        return list(work.inbound.newest(MailFilter(), 1000))


def prunes(house: House) -> None:
    """Prune hour by hour until nothing is too old."""
    for _ in range(timedelta(days=LATE) // STEP + 2):
        prune(house.club)


def years_pass(house: House, *people: Person) -> None:
    """Let years pass while the club is up and drops old emails."""
    house.skips(days=LATE)
    prunes(house)
    for person in people:
        person.receives()


def test_clock_a_year_ahead_drops_little(house: House, people: tuple[Person, Person]) -> None:
    _, bert = people
    prune(house.club)
    moves(house, bert)
    before = kept(house)
    house.skips(days=LATE)
    for _ in range(10):
        prune(house.club)
    assert kept(house) == before != []


def test_turn_of_years_ago_is_played_and_its_quote_is_not_a_note(
    house: House, people: tuple[Person, Person]
) -> None:
    anna, bert = people
    first = anna.read[0].message_id
    years_pass(house, anna, bert)
    assert kept(house) == []
    moves(house, bert, note="Sorry that it took so long!")
    assert len(house.moves()) == 2
    (told,) = anna.receives()
    assert told.message["References"].split()[0] == first
    notes = [line for line in told.text.splitlines() if line.startswith("| ")]
    assert notes == ["| Sorry that it took so long!"]
    assert list(verify_all(house.club.storage, house.club.archive)) == []


def test_email_left_in_the_mailbox_for_years_is_not_read_again(
    house: House, people: tuple[Person, Person]
) -> None:
    anna, bert = people
    stranger = house.stranger("eve@elsewhere.example")
    stranger.says("hello", recipient=house.address)
    house.works()
    assert len(stranger.receives()) == 1
    mails = house.post.inbox(house.address)
    years_pass(house, anna, bert)
    assert kept(house) == []
    house.works()
    assert kept(house) == []
    # The mailbox is recreated or replaced: its emails get new UIDs and new dates of receipt.
    for raw in mails:
        house.post.puts(house.address, raw, house.clock.now())
    house.works()
    assert {mail.state for mail in kept(house)} == {InboundState.DUPLICATE}
    assert len(kept(house)) == len(mails)
    assert len(house.moves()) == 1
    assert [person.receives() for person in (anna, bert, stranger)] == [[], [], []]


def test_answer_to_a_match_that_ended_long_ago_says_so(
    house: House, people: tuple[Person, Person]
) -> None:
    anna, bert = people
    house.resigns(bert)
    old = newest(house, anna)
    years_pass(house, anna, bert)
    comes_back(house, old)
    moves(house, anna)
    assert "match 1 is over" in anna.receives()[-1].text
    with reading(house.club) as work, pytest.raises(StorageError, match="1 is kept no longer"):
        work.inbound.get(1)


def test_parked_email_is_kept_until_confirmed(house: House, people: tuple[Person, Person]) -> None:
    _, bert = people
    a_while = timedelta(days=100)
    policy = replace(house.club.policy, parked_days=365, keep_mails=a_while)
    house.club = replace(house.club, policy=policy)
    bert.says(example(bert), recipient=house.address, references=False, subject="hello")
    house.works()
    (question,) = bert.receives()
    assert "did you send this" in question.text
    house.club = replace(
        house.club, policy=replace(house.club.policy, keep_mails=timedelta(days=100))
    )
    house.skips(days=300)
    prunes(house)
    bert.says("confirm", to=question)
    house.works()
    assert len(house.moves()) == 2


def test_exposed_token_never_becomes_valid_again(
    house: House, people: tuple[Person, Person]
) -> None:
    anna, bert = people
    shown = bert.latest
    bert.says("resign", headers=[("Cc", anna.address)])
    house.works()
    bert.receives()
    bert.says("confirm")
    house.works()
    assert house.state().result is not None
    bert.receives()
    years_pass(house, anna, bert)
    anna.says("rematch", to=shown, sender=bert.address, quoting=False)
    house.works()
    (asked,) = bert.receives()
    assert "did you send this" in asked.text
    assert anna.receives() == []


def test_club_may_keep_everything(house: House, people: tuple[Person, Person]) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, keep_mails=None))
    years_pass(house, *people)
    assert len(kept(house)) == 1
