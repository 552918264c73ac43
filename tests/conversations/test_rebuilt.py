"""A club that has lost everything but its archive gets its ended matches back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.unit_of_work import open_storage
from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import Order
from pbem.service.members.forget import forget
from pbem.service.records.verify import verify_all
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House, Person


def decides(house: House, order: Callable[[Work], Order]) -> None:
    """Decide as the director on the command line."""
    with writing(house.club) as work:
        decide(work, order(work), SHELL)
    house.works()


def moves(house: House, match: int, *people: Person) -> None:
    """Let some people play one legal action each."""
    for person in people:
        with reading(house.club) as work:
            played = work.match(match)
            action = next(iter(played.game.legal_actions(played.position)))
            text = played.game.format(played.position, action)
        says(house, match, person, text)


def says(house: House, match: int, person: Person, text: str) -> None:
    """Answer their newest email of a match."""
    person.receives()
    mails = [mail for mail in person.read if f"[pbem {match}]" in str(mail.message["Subject"])]
    person.says(text, to=mails[-1])
    house.works()


@pytest.fixture
def archive(house: House) -> Path:
    """An archive with every kind of record: a set, a series, a bot, an undo, a replacement."""
    anna, bert, clara, dora = (house.player(name) for name in ("Anna", "Bert", "Clara", "Dora"))
    house.set("lanko-68", anna, bert, clara)
    moves(house, 1, bert)
    house.resigns(anna, match=1)
    house.series("lanrick-1893", clara, dora, games=2)
    number = house.matches()[-1].id
    house.resigns(dora, match=number)
    third = house.match("lancelot", anna, clara, days=0, time="turns=10/50").id
    moves(house, third, anna, clara, anna)
    decides(house, lambda work: orders.undoing(third, 2, "A slip"))
    decides(house, lambda work: orders.substitution(work, third, "Clara", "Dora", "She is ill"))
    house.clock.advance(hours=3)
    moves(house, third, dora)
    house.resigns(dora, match=third)
    bot = house.match("lanko-68", dora, *house.bots("greedy")).id
    moves(house, bot, dora)
    house.resigns(dora, match=bot)
    with writing(house.club) as work:
        bert_now = work.players.named("Bert")
        assert bert_now is not None
        forget(work, bert_now)
    house.works()
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    return house.home / "archive"


@pytest.fixture
def club(tmp_path: Path, empty_url: str) -> Path:
    """The configuration of a club without a database."""
    path = tmp_path / "pbem.toml"
    write_config(path, Answers(data_dir="club"))
    path.write_text(path.read_text().replace('# url = ""', f'url = "{empty_url}"', 1))
    return path


def run(club: Path, *words: str) -> Result:
    return CliRunner().invoke(command_line(words), [*words, "--config", str(club)])


def refused(club: Path, archive: Path) -> str:
    """Return why an archive is refused."""
    told = run(club, "rebuild", "--from-archive", str(archive))
    assert told.exit_code == 1, told.output
    return told.output


def test_ended_matches_return_under_their_numbers(
    house: House, archive: Path, club: Path, empty_url: str
) -> None:
    spoiled = Path(shutil.copytree(archive, club.parent / "spoiled"))
    record = spoiled / "match-000001-lanko-68.txt"
    record.write_text(record.read_text().replace('[Days "5"]', '[Days "6"]'))
    assert record.name in refused(club, spoiled)

    told = run(club, "rebuild", "--from-archive", str(archive))
    assert told.exit_code == 0, told.output
    assert "is not empty" in refused(club, archive)
    files = FileArchive(archive)
    with closing(open_storage(empty_url)) as storage:
        problems = list(verify_all(storage, files))
        assert [each for each in problems if each.startswith("Match")] == []
        with storage.reading() as uow:
            found = [each for each in house.matches() if each.result is not None]
            again = uow.matches.all()
            assert [each.id for each in again] == [each.id for each in found]
            for here, there in zip(again, found, strict=True):
                same = ("seats", "began", "turn", "actions", "entries", "head", "hands")
                assert [getattr(here, n) for n in same] == [getattr(there, n) for n in same]
            clara = uow.players.named("Clara")
            assert clara is not None
            assert not clara.reachable
            (bot,) = uow.players.bots()
            assert bot.bot == "greedy"
        with storage.writing() as uow:
            assert uow.players.add("Emil", ["emil@mail.example"]).id == bot.id + 1
    shown = run(club, "member", "list").output
    assert "Anna" in shown
    assert "former" not in shown
