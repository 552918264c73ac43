"""Two people do something at the same time: one succeeds and the other learns why not.

On each database, two workers process one email each. On PostgreSQL they meet inside their
transactions, so both are under way before either has read anything. On SQLite the second
transaction cannot even begin, so they only start together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.inbox.poll import poll
from pbem.jobs.play_bots import record_answers
from pbem.ports.inbound import InboundState
from pbem.ports.storage import Storage
from pbem.service.competitions.announcing import announce, read_announced
from pbem.service.competitions.running import run_competitions
from pbem.service.direct.competing import enter_member, start_now
from pbem.service.direct.decide import SHELL
from pbem.service.offers.matchmaking import pair_all
from pbem.service.takeovers.change import hand_to_bot
from pbem.service.takeovers.vacancies import offer_to_substitutes
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.conversations.test_challenges import answers, asks
from tests.fakes.clock import FakeClock
from tests.support.at_once import Meeting, Unlocked, process_at_once
from tests.support.outside import on_servers

pytestmark = pytest.mark.servers


@pytest.fixture
def house(sql_storage: SqlStorage, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on each of the databases."""
    with closing(House(Fakes(clock), sql_storage, clock, tmp_path)) as house:
        yield house


def meeting(house: House, url: str) -> Storage:
    """Return the club's storage, whose writers meet if its database lets them."""
    return house.club.storage if url.startswith("sqlite") else Meeting(house.club.storage, 2)


@pytest.fixture
def unlocked(database_url: str) -> Iterator[Storage]:
    """Return a storage without locks on offers."""
    with closing(SqlStorage(create_engine(database_url))) as storage:
        yield Unlocked(storage, 2)


def say_at_once(
    house: House, storage: Storage, said: Sequence[tuple[Person, str]]
) -> list[BaseException | None]:
    """Let everyone write, process their emails at the same moment and send the answers."""
    for person, text in said:
        person.receives()
        person.says(text, to=person.read[0], quoting=False)
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        mails = work.inbound.pending()
    assert len(mails) == len(said)
    errors = process_at_once([replace(house.club, storage=storage)] * len(mails), mails)
    house.works()
    return errors


def one_has_won(house: House, errors: Sequence[BaseException | None], told: str) -> None:
    """Check that one email is carried out and one refused with a reason told to its sender."""
    assert list(errors) == [None, None]
    assert house.inbound(InboundState.SHUNTED) == []
    refused = house.inbound(InboundState.REFUSED)
    assert len(refused) == 1
    (loser,) = [each for each in house.people if each.address == refused[0].sender]
    assert any(told in " ".join(mail.text.split()) for mail in loser.receives())


def last_seat(house: House) -> list[tuple[Person, str]]:
    """Two people who want the last seat of a table."""
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    for person in (bert, clara):
        asks(house, person, "settings")
    asks(house, anna, "offer lancelot")
    return [(bert, "take 1"), (clara, "take 1")]


def test_last_seat_taken_twice_at_once_goes_to_one(house: House, database_url: str) -> None:
    errors = say_at_once(house, meeting(house, database_url), last_seat(house))
    one_has_won(house, errors, "offer 1 has already started. It is now match 1")
    assert len(house.matches()) == 1


# On SQLite, the second writer finds the database locked instead.
@pytest.mark.parametrize("database_url", on_servers("postgresql"), indirect=True)
def test_check_for_last_seat_fails_without_the_lock(house: House, unlocked: Storage) -> None:
    errors = say_at_once(house, unlocked, last_seat(house))
    with pytest.raises(AssertionError):
        one_has_won(house, errors, "offer 1 has already started. It is now match 1")


def test_two_players_join_a_table_at_once_if_there_is_room(house: House, database_url: str) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    for person in (bert, clara):
        asks(house, person, "settings")
    asks(house, anna, "offer lancelot players=3")
    said = [(bert, "take 1"), (clara, "take 1")]
    assert say_at_once(house, meeting(house, database_url), said) == [None, None]
    assert set(house.names().values()) == {"Anna", "Bert", "Clara"}


def test_accept_and_withdraw_at_once_have_one_winner(house: House, database_url: str) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot")
    said = [(anna, "withdraw 1"), (bert, "accept")]
    errors = say_at_once(house, meeting(house, database_url), said)
    one_has_won(house, errors, "offer 1 ")  # withdrawn, or started


def test_change_confirmed_twice_at_once_happens_once(house: House, database_url: str) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    anna.says("challenge bert lancelot", recipient=house.address)
    house.works()
    said = [(anna, "confirm"), (anna, "Confirm")]
    errors = say_at_once(house, meeting(house, database_url), said)
    one_has_won(house, errors, "nothing is waiting for your confirmation")
    assert len(bert.receives()) == 1


def test_two_offers_at_once_respect_the_limit_of_one(house: House, database_url: str) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, open_offers=1))
    anna = house.player("Anna")
    asks(house, anna, "settings")
    said = [(anna, "offer lancelot"), (anna, "offer lanko-68")]
    errors = say_at_once(house, meeting(house, database_url), said)
    one_has_won(house, errors, "you already have 1 open challenge")


def two_substitutes(house: House) -> list[tuple[Person, str]]:
    """Two people who want the seat of a player who has stopped."""
    anna, bert, clara, dora = (house.player(name) for name in ("Anna", "Bert", "Clara", "Dora"))
    for person in (clara, dora):
        asks(house, person, "set substitute on")
    asks(house, anna, "challenge bert lanrick-1881 as=white substitutes=on")
    answers(house, bert, "accept")
    with writing(house.club) as work:
        assert anna.player is not None
        offer_to_substitutes(work, work.matches.lock(1), anna.player)
    house.works()
    return [(clara, "takeover 1 white"), (dora, "takeover 1 white")]


def test_two_takeovers_of_one_seat_at_once_have_one_winner(house: House, database_url: str) -> None:
    said = two_substitutes(house)
    errors = say_at_once(house, meeting(house, database_url), said)
    one_has_won(house, errors, "white in match 1 is not offered")
    assert house.names()["white"] in ("Clara", "Dora")


def test_player_writes_as_substitute_takes_over_and_one_gets_the_seat(
    house: House, database_url: str
) -> None:
    (clara, takes), _ = two_substitutes(house)
    anna = house.people[1]
    anna.receives()
    for person, text in ((anna, "show"), (clara, takes)):
        person.receives()
        person.says(text, to=person.read[-1 if person is anna else 0], quoting=False)
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        mails = work.inbound.pending()
    storage = meeting(house, database_url)
    errors = process_at_once([replace(house.club, storage=storage)] * 2, mails)
    assert list(errors) == [None, None]
    house.works()
    assert house.inbound(InboundState.SHUNTED) == []
    assert len(house.inbound(InboundState.REFUSED)) == 1  # whichever was later
    assert house.names()["white"] in ("Anna", "Clara")
    assert not house.state().hands.offered


def test_player_returns_while_bot_plays_for_them(house: House, database_url: str) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1881", anna, bert)
    anna.receives()
    with writing(house.club) as work:
        assert anna.player is not None
        hand_to_bot(work, work.matches.lock(1), anna.player, work.now)
    record_answers(house.club)
    anna.says("a1-a2")  # no legal turn, except in her seat
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        mails = work.inbound.pending()
    storage = meeting(house, database_url)
    errors = process_at_once([replace(house.club, storage=storage)] * 2, mails)
    assert list(errors) == [None, None]
    assert house.inbound(InboundState.SHUNTED) == []
    assert house.names()["white"] == "Anna"
    assert house.state().turn == (1 if house.moves() == [] else 2)


def test_leave_taken_as_turn_begins_is_credited(house: House, database_url: str) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", bert, clara)
    house.match("lanko-68", anna, bert)
    said = [(anna, "[41-36]"), (bert, "leave 10 days")]
    say_at_once(house, meeting(house, database_url), said)
    for number in (1, 2):
        flag_at = house.flag_at(number)
        assert flag_at is not None
        assert flag_at - house.clock.now() > timedelta(days=14)


def test_two_workers_put_a_search_into_one_match(house: House, database_url: str) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    for each in people:
        asks(house, each, "play anybody lanko-68")
    club = replace(house.club, storage=meeting(house, database_url))
    with ThreadPoolExecutor(2) as workers:
        started = list(workers.map(pair_all, (club, club)))
    house.works()
    assert sorted(started) == [0, 1]
    assert len(house.matches()) == 1
    with reading(house.club) as work:
        (left,) = work.offers.standing()
        playing = set(house.matches()[0].players)
    assert left.owner not in playing


def test_last_place_in_a_competition_goes_to_one_and_it_starts_once(
    house: House, database_url: str
) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    for person in (bert, clara):
        asks(house, person, "settings")
    last_day = (house.clock.now() + timedelta(days=3)).date()
    terms = f"knock-out lanrick-1893 enter-until={last_day} max=2"
    with writing(house.club) as work:
        announce(work, read_announced(work, terms.split()))
    asks(house, anna, "enter 1")
    both = [(bert, "enter 1"), (clara, "enter 1")]
    assert say_at_once(house, meeting(house, database_url), both) == [None, None]
    with reading(house.club) as work:
        of = work.competitions.announced_as(1)
    assert of is not None
    assert of.announcement is not None
    assert (len(of.players), len(of.announcement.waiting)) == (2, 1)
    house.clock.advance(days=5)
    poll(house.club, house.mailbox)
    club = replace(house.club, storage=meeting(house, database_url))
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(run_competitions, (club, club)))
    assert len(house.matches()) == 1


def test_two_competitions_of_the_same_players_start_at_once(
    house: House, database_url: str
) -> None:
    names = ("Anna", "Bert", "Clara", "Dora")
    for name in names:
        house.player(name)
    last_day = (house.clock.now() + timedelta(days=3)).date()
    terms = f"tournament lanrick-1893 concurrent max=4 enter-until={last_day}"
    for number, entrants in enumerate((names, names[::-1]), 1):
        with writing(house.club) as work:
            announce(work, read_announced(work, terms.split()))
            for name in entrants:
                enter_member(work, number, name, SHELL)
    club = replace(house.club, storage=meeting(house, database_url))

    def start(number: int) -> None:
        with writing(club) as work:
            start_now(work, number, SHELL)

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(start, (1, 2)))
    assert len(house.matches()) == 12


def test_match_ends_while_another_member_enters_its_competition(
    house: House, database_url: str
) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    until = f"{house.clock.now() + timedelta(days=90):%Y-%m-%d}"
    last_day = f"{house.clock.now() + timedelta(days=3):%Y-%m-%d}"
    terms = f"open-house lanrick-1893 until={until} enter-until={last_day}"
    with writing(house.club) as work:
        announce(work, read_announced(work, terms.split()))
        for name in ("Anna", "Bert"):
            enter_member(work, 1, name, SHELL)
        start_now(work, 1, SHELL)
    house.works()
    asks(house, clara, "settings")
    anna.receives()
    anna.says("resign", next(each for each in anna.read if "[pbem 1]" in each.message["Subject"]))
    house.works()
    anna.says("confirm", anna.receives()[-1])
    clara.says("enter 1", clara.read[0], quoting=False)
    poll(house.club, house.mailbox)
    with reading(house.club) as work:
        mails = work.inbound.pending()
    club = replace(house.club, storage=meeting(house, database_url))
    assert process_at_once([club] * 2, mails) == [None, None]
    house.works()
    assert not house.inbound(InboundState.SHUNTED)
    assert [each.result is None for each in house.matches()] == [False, True]
    assert bert.receives()
    with reading(house.club) as work:
        of = work.competitions.announced_as(1)
    assert of is not None
    assert len(of.taking_part) == 3
