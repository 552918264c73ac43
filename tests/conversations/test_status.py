"""The status of a club and the problems that keep it from its work."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.games import game_of
from pbem.mail.outgoing.letter import Urgency
from pbem.matches.match import MatchOptions
from pbem.ports.inbound import InboundState
from pbem.ports.process import Tally
from pbem.service.club import Policy, Rates
from pbem.service.play.start import start_match
from pbem.service.problems import problems_of
from pbem.service.status import Status, status_of
from pbem.service.work import writing
from tests.conversations.house import House
from tests.fakes.clock import FakeClock


def troubles(house: House) -> list[str]:
    return [str(each) for each in problems_of(status_of(house.club), 60)]


def minute(house: House) -> str:
    return f"{house.clock.now():%F %H:%M}"


def clock_ahead(house: House, **by: float) -> Status:
    here = FakeClock(house.clock.now() + timedelta(**by))
    return status_of(replace(house.club, clock=here, witness=house.clock))


def test_served_club_has_no_problems(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    house.match("lancelot", bert, anna)
    anna.receives()
    anna.says("Hello, is anybody there?", to=anna.read[0])
    house.sweeps()
    status = status_of(house.club)

    assert status.playing == {"lanko-68": 1, "lancelot": 1}
    assert status.members == 2
    assert status.lines == ()
    assert status.mails[InboundState.NEW] == Tally()
    assert [f"{each.seen_at:%F %H:%M}" for each in status.intakes] == [minute(house)]
    assert status.jobs is None
    assert status.backed_up is None
    assert troubles(house) == []


def test_stopped_service_and_fetching_are_reported_with_their_last_time(house: House) -> None:
    assert troubles(house) == [
        "nobody serves the club",
        "nobody takes email from the first mailbox",
    ]
    house.sweeps()
    since = f"{minute(house)} UTC"
    house.clock.advance(minutes=6)
    assert troubles(house) == [
        f"nobody serves the club since {since}",
        f"nobody takes email from the first mailbox since {since}",
    ]
    assert len(problems_of(status_of(house.club), poll_seconds=600)) == 1, "it is rarely read"


def test_email_waiting_long_is_reported_unless_a_limit_holds_it(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.sweeps()
    began = minute(house)
    with writing(house.club) as work:
        players = [each.player for each in (anna, bert) if each.player]
        start_match(work, game_of("lanko-68"), players, MatchOptions())
    house.clock.advance(minutes=20)
    (line,) = (each for each in status_of(house.club).lines if each.urgency is Urgency.PLAY)
    assert (line.limit, line.mails) == ("", 2)
    assert f"2 emails wait to be sent since {began} UTC" in troubles(house)

    house.club = replace(house.club, policy=Policy(rates=Rates(of_day=1)))
    house.sweeps()
    house.clock.advance(minutes=20)
    (line,) = status_of(house.club).lines
    assert (line.limit, line.mails) == ("day_rate", 1)
    assert "to go" not in " ".join(troubles(house))


def test_restored_club_holds_its_email(house: House) -> None:
    with writing(house.club) as work:
        work.service.hold(work.now)
    told = troubles(house)
    assert told[0] == f"the club was restored and its email is held since {minute(house)} UTC"
    assert "nobody serves the club" not in told


def test_wrong_clock_is_reported(house: House) -> None:
    house.sweeps()
    assert problems_of(clock_ahead(house, seconds=30), 60) == []
    (told,) = problems_of(clock_ahead(house, seconds=90), 60)
    assert str(told) == "this machine's clock is 90 s ahead of the database's"
    (told,) = problems_of(clock_ahead(house, seconds=-90), 60)
    assert str(told) == "this machine's clock is 90 s behind the database's"
