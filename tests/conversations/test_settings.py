"""Settings that players choose by email."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import settings
from pbem.service.play.send_position import send_position
from pbem.service.work import writing
from tests.conversations.house import House

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture
def colour() -> Iterator[None]:
    """The single file that a new setting needs, in the folder of settings."""
    settings.__path__.append(str(TOYS / "settings"))
    settings.all_settings.cache_clear()
    yield
    settings.__path__.remove(str(TOYS / "settings"))
    settings.all_settings.cache_clear()


def test_deadlines_are_shown_in_the_chosen_zone(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    assert "(UTC)" in anna.receives()[-1].text
    anna.says("set zone europe/warsaw\nshow")
    house.works()
    [told] = anna.receives()
    assert "Set: zone is Europe/Warsaw from now on." in told.text
    [only_turn] = bert.receives()
    assert "is over" not in only_turn.text  # nobody else is notified
    anna.says("42-36")
    house.works()
    bert.receives()
    bert.says("18-19")
    house.works()
    assert "(Warsaw)" in anna.receives()[-1].text


def test_zone_is_accepted_by_city_abbreviation_or_offset(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=60)
    anna.receives()
    for text, zone, shown in (
        ("Warsaw", "Europe/Warsaw", "(Warsaw)"),
        ("europe/warsaw", "Europe/Warsaw", "(Warsaw)"),
        ("new york", "America/New_York", "(New York)"),
        ("america/new york", "America/New_York", "(New York)"),
        ("cet", "CET", "(CET)"),
        ("utc+2", "UTC+2", "(UTC+2)"),
        ("GMT-03:30", "UTC-3:30", "(UTC-3:30)"),
        ("UTC+0", "UTC", "(UTC)"),
    ):
        house.clock.advance(days=3)  # it cannot be set every day
        anna.says(f"set zone {text}")
        house.works()
        assert f"zone is {zone} from now on" in anna.receives()[-1].text
        with writing(house.club) as work:
            send_position(work, 1)
        house.works()
        assert shown in anna.receives()[-1].text
    for text, meant in (
        ("Varsaw", "Did you mean Europe/Warsaw or "),
        ("Louisville", "Did you mean America/Kentucky/Louisville or America/Louisville?"),
        ("UTC+15", "there is no time zone UTC+15"),
    ):
        anna.says(f"set zone {text}")
        house.works()
        assert meant in " ".join(anna.receives()[-1].text.split())


def test_boards_are_shown_as_chosen(house: House) -> None:
    anna, bert = house.player("Anna", board="html"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    house.works()
    assert "<table" in anna.receives()[-1].html, "an older name of a choice"
    for choice, sign in (("picture", 'src="cid:'), ("ASCII", "<pre"), ("letters", "<table")):
        anna.receives()
        anna.says(f"set board {choice}\nshow")
        house.works()
        [shown] = anna.receives()
        assert f"board is {choice.lower()} from now on" in shown.text
        assert sign in shown.html
        assert ("image/png" in shown.message.as_string()) == (choice == "picture")
        assert " 41P   42P" in shown.text
    anna.says("set board wood")
    house.works()
    assert "Choose one of: picture, letters, ascii" in " ".join(anna.receives()[-1].text.split())


def test_impossible_setting_is_explained(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for text, told in (
        ("set zone Atlantis", "there is no time zone Atlantis. Did you mean "),
        ("set zone Xyzzy", "there is no time zone Xyzzy. Name the capital or largest city"),
        ("set proof token", "there is no setting proof. You can set: "),  # the director's
        ("set autoleave always", "always is not a choice. Choose one of: on, off"),
        ("set Substitute On", "substitute is on from now on"),  # as phones write it
        ("settings", "set zone UTC"),
        (
            "set",
            "set KEY VALUE change a setting KEY the name of a setting",
        ),  # incomplete: no setting is named
        ("help", "set KEY VALUE change a setting"),
    ):
        anna.receives()
        anna.says(text)
        house.works()
        assert told in " ".join(anna.receives()[-1].text.split())


def test_note_starting_like_a_command_does_not_block_a_move(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for person in (anna, bert):
        person.receives()
    anna.says("42-36\n\nSet 3 is going well.")
    house.works()
    assert house.moves() == ["[42-36]"]
    assert "| Set 3 is going well." in bert.receives()[-1].text


def test_unproven_change_of_settings_is_asked_about(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("set zone Asia/Tokyo", recipient=house.address, references=False)
    house.works()
    assert "set zone Asia/Tokyo" in anna.receives()[-1].text
    anna.says("confirm")
    house.works()
    assert "zone is Asia/Tokyo" in anna.receives()[-1].text


@pytest.mark.usefixtures("colour")
def test_new_setting_is_one_file(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for text, told in (
        ("set colour Green", "Set: colour is green"),
        ("settings", "set colour green"),
        ("set colour loud", "a colour is red, green or blue, not loud"),
    ):
        anna.receives()
        anna.says(text)
        house.works()
        assert told in " ".join(anna.receives()[-1].text.split())


def test_name_is_set_by_the_same_rule_as_at_joining(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for text, told in (
        ("settings", "set name Anna your name"),
        ("set name bert", "the name Bert is taken. You could take, for example: set name bert 2"),
        ("set name director", "has another meaning"),
        ("set name ANNA", "Set: name is ANNA from now on."),
        ("set name Anna Maria", "Set: name is Anna Maria from now on."),
    ):
        anna.receives()
        anna.says(text)
        house.works()
        assert told in " ".join(anna.receives()[-1].text.split())
    anna.says("42-36")
    house.works()
    assert "Anna Maria" in bert.receives()[-1].text


def test_name_is_not_set_without_a_recent_proof(house: House) -> None:
    anna = house.player("Anna")
    anna.says("set name Eve", recipient=house.address)
    house.works()
    [asked] = anna.receives()
    assert "set name Eve" in asked.text
    assert "did you send this?" in asked.text
    anna.says("confirm")
    house.works()
    assert "name is Eve from now on" in anna.receives()[-1].text
