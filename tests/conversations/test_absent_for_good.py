"""Players absent for good: the director is asked once, and nobody else is kept waiting."""

from __future__ import annotations

import pytest

from pbem.matches.director_actions import DecisionError
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, vacate
from pbem.service.members.own_addresses import address_fails
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_directing import decides, plain, plays


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def reports(house: House) -> list[str]:
    """Return the subjects of the director's reports about absent people."""
    mails = house.director.receives()
    return [str(each.message["Subject"]) for each in mails if "absent" in each.message["Subject"]]


def test_player_silent_for_60_days_is_reported_once(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, time="none")
    house.skips(days=59)
    assert not reports(house)
    house.skips(days=2)
    told = plain(house.director)
    assert "Anna has not answered for 60 days, in any match." in told
    for line in ("replace 1 Anna NAME", "forfeit 1 Anna", "pbem member remove Anna REASON"):
        assert line in told
    house.skips(days=70)
    assert not reports(house), "reported once, and Bert, who is silent too, gets no question"


def test_leave_days_do_not_count_as_silence(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, time="none")
    plays(house, anna, "leave 20 days")
    house.skips(days=70)
    assert not reports(house)
    house.skips(days=11)
    assert len(reports(house)) == 1


def test_any_email_counts_as_sign_of_life(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, time="none")
    house.skips(days=40)
    plays(house, anna, "show")
    house.skips(days=40)
    assert not reports(house)
    house.skips(days=21)
    assert reports(house) == ["[pbem] Anna may be absent for good"]
    plays(house, anna, "show")
    house.skips(days=61)
    assert reports(house) == ["[pbem] Anna may be absent for good"], "they are absent once more"


def test_paused_match_reports_no_absence(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert)
    decides(house, lambda work: orders.pausing(1, ""))
    house.skips(days=61)
    assert not reports(house)


def test_pause_does_not_count_towards_absence(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, time="none")
    house.skips(days=30)
    decides(house, lambda work: orders.pausing(1, ""))
    house.skips(days=20)
    decides(house, lambda work: orders.resumption(1, ""))
    decides(house, lambda work: orders.pausing(1, "3w"))
    house.skips(days=50)
    assert not reports(house), "of 100 days 41 were paused"
    house.skips(days=3)
    assert reports(house)


def test_weeks_of_downtime_do_not_count_as_silence(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, time="none")
    house.skips(days=40)
    house.clock.advance(days=30)
    house.sweeps()
    house.skips(days=19)
    assert not reports(house)
    house.skips(days=2)
    assert len(reports(house)) == 1


def test_player_unreachable_for_14_days_is_reported(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert)
    assert bert.player is not None
    with writing(house.club) as work:
        address_fails(work, bert.player, bert.address, "no such user")
    house.skips(days=13)
    assert not reports(house)
    house.skips(days=2)
    assert "None of Bert's addresses has accepted email for 14 days." in plain(house.director)


def test_absent_players_seats_are_offered_to_substitutes_if_agreed(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    with writing(house.club) as work:
        assert clara.player is not None
        work.players.choose(clara.player.id, "substitute", "on")
    house.match("lanrick-1893", anna, bert, time="none", chosen="substitutes=on")
    house.match("lanrick-1893", bert, anna, time="none")
    house.skips(days=61)
    told = [" ".join(each.text.split()) for each in house.director.receives()]
    assert any("Anna has not" in text and "are now offered to substitutes" in text for text in told)
    assert any("Bert has not" in text for text in told), "in match 2"
    offered = [" ".join(each.text.split()) for each in clara.receives()]
    assert any("takeover 1 yellow" in text for text in offered)
    assert not any("takeover 2" in text for text in offered)
    clara.says("takeover 1 yellow")
    house.works()
    assert house.names(1)["yellow"] == "Clara"


def test_director_is_asked_once_about_seat_that_nobody_takes(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, time="none", chosen="substitutes=on")
    house.match("lanrick-1893", bert, anna, time="none", chosen="substitutes=on")
    for number, name in ((1, "anna"), (2, "bert")):
        with writing(house.club) as work:
            vacate(work, number, name, "", SHELL)
    with writing(house.club) as work, pytest.raises(DecisionError, match="are already offered"):
        vacate(work, 1, "anna", "", SHELL)
    bert.receives()
    plays(house, bert, "show")  # match 2: it is no longer offered
    house.skips(days=13)
    house.director.receives()
    house.skips(days=2)
    [asked] = house.director.receives()
    assert asked.message["Subject"] == "[pbem] match 1: nobody has taken over from Anna"
    assert "replace 1 Anna NAME" in asked.text
    house.skips(days=20)
    assert not house.director.receives()
