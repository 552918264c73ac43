"""A new kind of competition is one file. Nothing else is edited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.matches import competitions
from pbem.matches.match import MatchOptions
from pbem.service.play.start import start_competition
from pbem.service.records.verify import verify_all
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.matches.json_schema import errors
from tests.toys.competitions.cup import Cup

TOYS = Path(__file__).parents[1] / "toys" / "competitions"


@pytest.fixture(autouse=True)
def cup() -> Iterator[None]:
    """The single file that a new kind needs, in the folder of kinds."""
    competitions.__path__.append(str(TOYS))
    competitions.kinds.cache_clear()
    yield
    competitions.__path__.remove(str(TOYS))
    competitions.kinds.cache_clear()


def writes(house: House, person: Person, match: int, text: str) -> None:
    person.receives()
    of_match = [m for m in person.read if f"[pbem {match}]" in str(m.message["Subject"])]
    person.says(text, of_match[-1])
    house.works()


def test_cup_is_played_by_email_and_archived(house: House) -> None:
    four = [house.player(name) for name in ("Anna", "Bert", "Clara", "Dora")]
    anna, bert, clara, dora = four
    ids = tuple(person.player.id for person in four if person.player is not None)
    with writing(house.club) as work:
        start_competition(work, Cup("lanrick-1893", ids, MatchOptions(), work.now))
    house.works()
    assert [set(match.players) for match in house.matches()] == [{1, 4}, {2, 3}]

    house.resigns(dora, match=1)
    writes(house, bert, 2, "draw?")
    writes(house, clara, 2, "draw")
    assert set(house.matches()[-1].players) == {2, 3}, "a drawn match is replayed"
    house.resigns(clara, match=3)
    assert set(house.matches()[-1].players) == {1, 2}
    assert "Cup 1, round 2." in anna.receives()[-1].text
    house.resigns(anna, match=4)
    assert len(house.matches()) == 4
    table = "  1 Bert    2.5\n  2 Anna    1.0\n  3 Clara   0.5\n  4 Dora    0.0\n"
    assert f"{table}\nBert wins the cup." in bert.receives()[-1].text

    folder = house.home / "archive"
    record = (folder / "match-000004-lanrick-1893.txt").read_text()
    assert '[Cup "1"]\n[CupMatch "4"]\n' in record
    whole = json.loads((folder / "match-000004-lanrick-1893.json").read_text())
    assert whole["competition"] == {"kind": "cup", "id": 1, "index": 4}
    assert errors(json.loads((folder / "record.schema.json").read_text()), whole) == []
    file = (folder / "cup-000001-lanrick-1893.txt").read_text()
    assert f"{table}\nBert wins the cup.\n\n  1  round 1, match 1, Anna and Dora\n" in file
    assert ", match 4 of cup 1\n" in (folder / "index.txt").read_text()
    assert list(verify_all(house.club.storage, house.club.archive)) == []


@pytest.mark.usefixtures("club_folder")
def test_cup_is_available_on_the_command_line() -> None:
    def shell(*words: str) -> str:
        return CliRunner().invoke(command_line(words), words).output

    shell("init", "--defaults")
    people = ("Anna", "Bert", "Clara", "Dora")
    for name in people:
        shell("member", "add", name, f"{name}@x.example")
    assert "a cup is for four" in shell("cup", "new", "lanrick-1893", *people[1:])
    begun = shell("cup", "new", "lanrick-1893", *people)
    assert begun.startswith("cup 1\nmatch 1: Lanrick (1893), ")
    assert "cup 1: lanrick-1893, Anna, Bert, Clara, Dora; 0 of 3 ended" in shell("cup", "list")
    assert "  4 Dora    0.0" in shell("cup", "show", "1")
    assert "there is no set 1; 1 is a cup. See pbem cup show 1" in shell("set", "show", "1")
