"""A misspelt command gets a suggestion. An incomplete one is explained."""

from __future__ import annotations

import pytest

from pbem.commands import all_commands, commands_for, find, words_of
from pbem.inbox.suggestions import meant_commands
from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of
from tests.conversations.test_lists import flat


@pytest.fixture
def anna(house: House) -> Person:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    return anna


def answer(house: House, person: Person, text: str, to: str = "") -> Received:
    """Return the answer to an email about the match or to the club."""
    person.says(text, recipient=to, references=not to, quoting=not to, subject="hi" if to else "")
    house.works()
    [told] = person.receives()
    return told


def bodies(mail: Received) -> list[str]:
    return [link.body.strip() for link in links_of(mail)]


@pytest.mark.parametrize(
    ("text", "meant"),
    (
        ("Histroy", "history"),
        ("Hello!\n\nmatchs", "matches"),
        ("recrod 1", "record 1"),
        ("mails 1 trun", "mails 1 turn"),
        ("set zoen Europe/Warsaw", "set zone Europe/Warsaw"),
        ("settngs please tell me", ""),
        ("nodraw", "no draw"),
        ("set timezone Warsaw", "set zone Warsaw"),
        ("I resign", "resign"),
        ("What are the rules?", "rules"),
        ("I don't resign", ""),
    ),
)
def test_misspelt_command_gets_a_suggestion_that_can_be_tapped(
    house: House, anna: Person, text: str, meant: str
) -> None:
    for to in ("", house.address):
        told = answer(house, anna, text, to)
        assert ("Did you mean" in told.text) == bool(meant)
        if meant:
            assert f"    {meant}\n" in told.text
            assert meant in bodies(told)


def test_several_likely_commands_are_all_listed(house: House, anna: Person) -> None:
    told = answer(house, anna, "drawe")
    assert "    draw?\n" in told.text
    assert "    draw\n" in told.text
    assert "the one you mean" in flat(told)


def test_incomplete_command_is_explained(house: House, anna: Person) -> None:
    told = flat(answer(house, anna, "match twelve"))
    assert "match NUMBER show any of your matches" in told
    assert "NUMBER the number of a match, such as 12" in told
    told = flat(answer(house, anna, "mails often"))
    assert "mails [MATCH] CHOICE" in told
    assert "CHOICE turn, all, digest or usual" in told


def test_note_in_an_email_that_does_something_gets_no_suggestion(
    house: House, anna: Person
) -> None:
    told = answer(house, anna, "[41-36]\n\nhistroy\nrecord time!")
    assert "Did you mean" not in told.text
    assert "| histroy" in told.text
    told = answer(house, anna, "How nice to hear from you, and well played.")
    assert "Did you mean" not in told.text


def test_director_commands_are_suggested_only_to_directors(house: House, anna: Person) -> None:
    eve = house.stranger("eve@mail.example")
    eve.says("matchs", recipient=house.address)
    house.works()
    assert "Did you mean" not in eve.receives()[-1].text


LINES = (
    "{all}", "{all} 1", "1 {all}", "{all} 1 start", "{all} from 1", "please {all} 1", "{first} 1",
    "{first} 1 {last}", "{last} {first} 1", "un{all} 1", "re{all} 1", "{all}x 1", "dont {all} 1",
)  # fmt: skip


def test_suggestion_only_reorders_or_repairs_what_was_written() -> None:
    given = commands_for(member=True, director=True)
    verbs = {word.rstrip("?") for each in all_commands() for word in each.word.split()}
    for command in all_commands():
        first, *_, last = command.word.split() * 2
        for form in LINES:
            line = form.format(all=command.word, first=first, last=last)
            written = {word.rstrip("?") for word in words_of(line)}
            for meant in meant_commands([line], given):
                found = find(meant)
                assert found is not None, meant
                said = {word.rstrip("?") for word in found.command.word.split()}
                misspelt = {each[:1] for each in written - verbs}
                assert all(word in written or word[0] in misspelt for word in said), (line, meant)
                assert meant.count("1") == line.count("1"), (line, meant)


@pytest.mark.parametrize(
    ("line", "meant"),
    (
        ("competition 1 start", ["competition start 1"]),
        ("competition strat 1", ["competition start 1"]),
        ("competition new", []),
        ("competition withdraw 1", []),
        ("unbye 1", []),
        ("unenter 1", []),
        ("I'd like to enter 1, please", ["enter 1"]),
        ("tabel leave 3", ["leave table 3"]),
        ("rules of lanko-68", []),
        ("I resign match 12", []),
    ),
)
def test_line_is_repaired_with_all_its_words_or_not_at_all(line: str, meant: list[str]) -> None:
    assert meant_commands([line], commands_for(member=True, director=True)) == meant
