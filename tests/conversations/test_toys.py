"""A new game needs one registration, a new email command one file. Nothing else is edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import FileSystemLoader
from typer.testing import CliRunner

from pbem import commands
from pbem.cli import command_line
from pbem.cli.engine import Engine
from pbem.mail.outgoing.render import Renderer
from pbem.matches.record import from_json, from_text, verify
from pbem.resources import folder
from tests.conversations.house import HOST, House
from tests.support.more_games import more_games
from tests.toys.pocket_games import FAMILY

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture
def nim() -> Iterator[None]:
    """The single registration that a game needs."""
    with more_games(nim=FAMILY):
        yield


@pytest.fixture
def toys(house: House) -> Iterator[None]:
    """The file of a command in the folder of commands, and its template."""
    roots = (TOYS / "templates", folder("templates") / "mail")
    house.club = replace(house.club, templates=lambda: Renderer(FileSystemLoader(roots)))
    commands.__path__.append(str(TOYS / "commands"))
    commands.all_commands.cache_clear()
    yield
    commands.__path__.remove(str(TOYS / "commands"))
    commands.all_commands.cache_clear()


@pytest.mark.usefixtures("nim")
def test_new_game_is_played_by_email_and_archived(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("nim", anna, bert)
    for person, text in ((anna, "take 3"), (bert, "take 9"), (bert, "take 2"), (anna, "take 2")):
        person.receives()
        person.says(text)
        house.works()
    assert house.moves() == ["take 3", "take 2", "take 2"]
    assert "you won match 1 against Bert: the last one is taken." in anna.receives()[-1].text
    assert any("the rules do not allow it" in mail.text for mail in bert.read + bert.receives())
    as_json, as_text = (path.read_text("utf-8") for path in house.records())
    assert from_json(as_json) == from_text(as_text)
    assert verify(from_text(as_text)) == []


@pytest.mark.usefixtures("nim")
def test_new_game_is_in_the_engine_and_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine()
    assert engine.answer("new nim players=2")["ok"]
    assert engine.answer("do take 3")["canonical"] == "take 3"
    # Four are left: taking one leaves 3 ways to continue, two leaves 2, three leaves 1.
    assert engine.answer("perft 2") == {"nodes": [3, 3 + 2 + 1]}

    monkeypatch.chdir(tmp_path)
    shell = CliRunner()
    for words in ("init --defaults", "member add Anna a@x.example", "member add Bert b@x.example"):
        assert shell.invoke(command_line(), words.split()).exit_code == 0
    result = shell.invoke(command_line(), ["match", "new", "nim", "Anna", "Bert"])
    assert "match 1: Nim, first Anna, second Bert; turn 1, first to act" in result.output


@pytest.mark.usefixtures("toys")
def test_new_command_is_answered_and_in_the_help(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for text, told in (("Toast!", "To your health, Anna!"), ("help", "to your health")):
        anna.receives()
        anna.says(text)
        house.works()
        assert told in anna.receives()[-1].text


@pytest.mark.usefixtures("toys")
def test_command_for_strangers_is_answered_three_times_an_hour(house: House) -> None:
    eve = house.stranger("eve@mail.example")
    for number, text in enumerate(("guests",) * 5 + ("what is this?", "resign")):
        eve.sends(from_eve(text, number))
        house.works()
    told, _, _ = eve.receives()
    assert "Guests are welcome, eve@mail.example." in told.text
    assert "in the language en." in " ".join(told.text.split())
    assert told.message["Subject"] == f"Your email to {house.club.name}"
    house.clock.advance(days=8)
    eve.sends(from_eve("guests\nhelp", 9))  # not all of it is for strangers
    house.works()
    (told,) = eve.receives()
    assert "welcome" not in told.text


def from_eve(text: str, number: int) -> bytes:
    """Return an email to the club from an unknown sender."""
    head = f"From: Eve <eve@mail.example>\nTo: club@{HOST}\nMessage-ID: <{number}@mail.example>\n"
    return f"{head}Subject: hello\n\n{text}\n".encode()


@pytest.mark.usefixtures("toys")
def test_command_works_only_for_those_it_is_for(house: House) -> None:
    director = house.club.director
    anna, bert = house.player("Anna"), house.player("Bert", director)
    house.match("lanko-68", anna, bert)
    for person, text, told in (
        (anna, "nod", "To your health, Anna!"),
        (bert, "nod", "it is not your turn, so I didn't play your move. Anna"),
        (anna, "gavel", "only the director can decide this"),
        (bert, "gavel", "To your health, Bert!"),
    ):
        person.receives()
        person.says(text)
        house.works()
        assert told in " ".join(person.receives()[-1].text.split())
