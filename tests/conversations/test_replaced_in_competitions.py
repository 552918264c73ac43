"""A director replaces a player in all of a competition."""

from __future__ import annotations

import pytest

from pbem.matches.director_actions import DecisionError
from pbem.service.direct import orders
from pbem.service.direct.announcing import Recipients
from pbem.service.direct.decide import SHELL
from pbem.service.direct.replacing import replace_in
from pbem.service.records.verify import verify_all
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_directing import decides, record
from tests.conversations.test_directors_mail import director, says


@pytest.fixture
def people(house: House) -> list[Person]:
    return [house.player(name) for name in ("Anna", "Bert", "Clara")]


def replaces(house: House, name: str, successor: str, kind: str = "tournament") -> None:
    with writing(house.club) as work:
        replace_in(work, Recipients(kind, 1), name, successor, "Ill", SHELL)
    house.works()


def test_successor_plays_all_matches_with_the_results_so_far(
    house: House, people: list[Person]
) -> None:
    dora = house.player("Dora")
    house.tournament("lanrick-1893", *people)
    assert "Bert" in house.names(1).values()
    decides(house, lambda work: orders.adjudication(1, "Bert", "A game"))
    replaces(house, "Bert", "Dora")
    while any(match.result is None for match in house.matches()):
        last = house.matches()[-1].id
        assert "Bert" not in house.names(last).values()
        decides(house, lambda work: orders.adjudication(last, "draw", "Enough"))  # noqa: B023
        record(house, last)
    assert dora.receives()
    table = (house.home / "archive/tournament-000001-lanrick-1893.txt").read_text()
    assert "1 Dora   x  =  1   1.5" in table
    assert "Bert wins" in table, "the list of matches names whoever played"
    assert list(verify_all(house.club.storage, house.club.archive)) == []


def test_both_learn_of_the_entry_and_the_table_shows_the_successor(
    house: House, people: list[Person]
) -> None:
    frida = house.player("Frida")
    house.tournament("lanrick-1893", *people)
    name = next(iter(house.names(1).values()))
    [old] = [each for each in people if each.name == name]
    replaces(house, name, "Frida")
    texts = [" ".join(mail.text.split()) for mail in frida.receives()]
    match, news = (next(t for t in texts if said in t) for said in ("Tournament 1,", "entry of"))
    table = match.split("Tournament 1,")[1]
    assert "Frida" in table
    assert name not in table
    assert f"you have taken over the entry of {name} in tournament 1" in news
    assert "You keep its results, and play its next matches." in news
    assert any(
        "Frida has taken over your entry" in " ".join(m.text.split()) for m in old.receives()
    )


def test_director_replaces_a_player_in_a_set_by_email(house: House, people: list[Person]) -> None:
    dora, _ = director(house, "Dora"), house.player("Emil")
    house.set("lanko-68", *people, concurrent=True)
    decides(house, lambda work: orders.extension(1, "3d", ""))  # she gets an email about it
    answer = says(house, dora, "replace clara emil in set 1 Clara has moved")
    assert "replace Clara Emil in set 1" in answer.text
    assert all("Emil" in house.names(match.id).values() for match in house.matches())
    assert "Reason: Clara has moved" in " ".join(people[0].receives()[-1].text.split())
    answer = says(house, dora, "replace anna emil in set 1")
    assert "Emil already plays in set 1" in " ".join(answer.text.split())
    dora.says("replace 1 anna dora Anna is ill")
    house.works()
    assert "Dora" in house.names(1).values()


def test_refused_replacement_changes_no_match(house: House, people: list[Person]) -> None:
    house.player("Dora")
    house.tournament("lanrick-1893", *people, concurrent=True)
    last = house.matches()[-1].id
    player = next(iter(house.names(last).values()))
    other = next(each.name for each in people if each.name not in house.names(last).values())
    decides(house, lambda work: orders.substitution(work, last, player, "Dora", ""))
    before = house.matches()
    for name in (other, "Emil"):
        with pytest.raises(DecisionError):
            replaces(house, name, "Dora")
    assert house.matches() == before
