"""A club is restored from a backup, reads later emails again, and its players notice little."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from pbem.adapters.db.engine import file_of, open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from pbem.service.club import Policy
from pbem.service.records.verify import verify_all
from pbem.service.work import reading
from tests.conversations.house import House, Person, Received
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.servers


class Operator:
    """An operator on a club's command line."""

    def __init__(self, house: House, url: str) -> None:
        self.house = house
        self.url = url
        self.config = house.home / "pbem.toml"
        write_config(self.config, Answers(data_dir="."))
        text = self.config.read_text().replace('# url = ""', f'url = "{url}"', 1)
        self.config.write_text(text)

    def says(self, *words: str) -> str:
        """Run a command that must succeed."""
        done = CliRunner().invoke(command_line(words), [*words, "--config", str(self.config)])
        assert done.exit_code == 0, done.output
        return done.output

    def looks(self, command: str) -> str:
        """Return the output of a command, whatever its exit status."""
        words = [command, "--config", str(self.config)]
        return " ".join(CliRunner().invoke(command_line(words), words).output.split())

    def backs_up(self) -> Path:
        """Make a backup now."""
        file = self.house.home / "backup.tar"
        self.says("backup", str(file))
        return file

    def loses_the_database(self) -> None:
        """Delete the database, as if its disk had failed."""
        self.house.club.storage.close()
        if (path := file_of(self.url)) is not None:
            path.unlink()
            return
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def restores(self, file: Path) -> str:
        """Restore the club."""
        told = self.says("restore", str(file))
        self.house.club = replace(self.house.club, storage=open_storage(self.url))
        return told


@pytest.fixture
def house(database_url: str, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on each of the databases."""
    storage = SqlStorage(open_engine(database_url))
    with closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        yield house
        house.club.storage.close()


@pytest.fixture
def operator(house: House, database_url: str) -> Operator:
    return Operator(house, database_url)


def time_left(house: House, match: int) -> timedelta:
    """Return the time until the flag of a match falls."""
    flag = house.flag_at(match)
    assert flag is not None
    return flag - house.clock.now()


def test_later_emails_are_replayed_and_nobody_is_emailed_twice(
    house: House, operator: Operator
) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lancelot", bert, clara)
    house.sweeps()
    backup = operator.backs_up()
    anna.says("[41-36]", to=anna.receives()[0])
    house.works()
    bert.says("[10-19]", to=bert.receives()[-1])
    house.works()
    read = [person.receives() for person in house.people]
    assert len(read[1]) == 2, "a receipt, and the next turn"
    left = time_left(house, 2)

    house.clock.advance(days=2)
    operator.loses_the_database()
    assert "matches replayed: 2" in operator.restores(backup)
    house.sweeps()
    assert "its email is held since" in operator.looks("status")
    assert "emails have been held since the restore" in operator.looks("doctor")
    assert house.moves(1) == ["[41-36]", "[10-19]"], "they were read again from the mailbox"
    house.clock.advance(days=1)
    bert.says("Hello?", to=bert.read[0], quoting=False)
    house.sweeps()
    assert not any(person.receives() for person in house.people)

    assert operator.says("mail", "held").count("needed") == 2
    assert "emails to be sent now: 2;" in operator.says("mail", "release")
    house.sweeps()
    (turn,), (answer,) = anna.receives(), bert.receives()
    assert turn.kind == "your turn"
    assert "I found no move" in answer.text
    assert clara.receives() == []
    assert abs(time_left(house, 2) - left) < timedelta(minutes=1), "the outage costs nobody time"
    with reading(house.club) as work:
        match = work.match(1)
        (move, *_) = match.game.legal_actions(match.position)
        text = match.game.format(match.position, move)
    anna.says(text, to=turn)
    house.works()
    assert house.moves(1)[2:] == [text]
    assert operator.says("mail", "held") == "no email is held\n"
    anna.receives()
    operator.says("mail", "hold")
    anna.says("help")
    house.works()
    assert "emails to be sent now: 0; never sent: 1." in operator.says(
        "mail", "release", "--send", "none"
    )
    house.works()
    assert anna.receives() == []
    assert list(verify_all(house.club.storage, house.club.archive)) == []


def newest_of(person: Person, match: int) -> Received:
    """Return someone's newest email of a match."""
    person.receives()
    return [each for each in person.read if f"[pbem {match}]" in str(each.message["Subject"])][-1]


def test_ended_matches_and_open_offers_are_announced_again(
    house: House, operator: Operator
) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", anna, clara)
    house.sweeps()
    backup = operator.backs_up()
    house.resigns(anna, match=1)
    clara.says("challenge bert lancelot", to=newest_of(clara, 2))
    operator.loses_the_database()
    for person in house.people:
        person.receives()

    operator.restores(backup)
    house.sweeps()
    house.clock.advance(hours=1)
    clara.says("resign", to=newest_of(clara, 2))
    house.sweeps()
    operator.says("mail", "release")
    house.sweeps()
    for person in (anna, clara):  # Anna confirmed a question that the backup does not know
        person.receives()
        asked = [each for each in person.read if each.kind.startswith("is this what you want")]
        person.says("confirm", to=asked[-1])
    house.sweeps()
    challenge, over = bert.receives()
    assert over.kind == "the match is over"
    assert "Clara challenges you" in challenge.text
    assert [each.kind for each in anna.receives()] == ["the match is over"] * 2
    assert "the match is over" in [each.kind for each in clara.receives()]


def test_match_started_since_restarts_with_everyone_in_the_same_seat(
    house: House, operator: Operator
) -> None:
    house.clock.advance(days=-3)  # a restore uses the machine's clock
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    backup = operator.backs_up()
    matches = range(2, 7)
    for _ in matches:
        anna.says("challenge bert lancelot", to=newest_of(anna, 1))
        house.works()
        bert.says("accept", to=bert.receives()[-1])
        house.works()
        house.clock.advance(hours=9)  # one person may get three a day
    seats = [house.names(match) for match in matches]
    operator.loses_the_database()
    operator.restores(backup)
    house.sweeps()
    assert [house.names(match) for match in matches] == seats


def test_replaying_days_of_email_at_once_exceeds_no_limit(house: House, operator: Operator) -> None:
    house.club = replace(house.club, policy=Policy(mails_an_hour=2))
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    backup = operator.backs_up()
    for _ in range(3):
        anna.says("help", to=newest_of(anna, 1))
    anna.says("[41-36]", to=newest_of(anna, 1))
    operator.loses_the_database()
    operator.restores(backup)
    house.sweeps()
    assert house.moves(1) == ["[41-36]"]


def test_forged_emails_that_are_read_again_fill_no_mailbox(
    house: House, operator: Operator
) -> None:
    house.clock.advance(days=-3)  # a restore uses the machine's clock
    eve, anna, bert = house.stranger("eve@evil.example"), house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    backup = operator.backs_up()
    for text in ("help", "matches", "games", "settings", "members", "offers"):
        eve.says(text, sender=anna.address, recipient=house.address, references=False)
    house.works()
    assert len(anna.receives()) == 4, "the turn and three answers"
    operator.loses_the_database()
    operator.restores(backup)
    house.sweeps()
    operator.says("mail", "release", "--send", "all")
    house.sweeps()
    assert len(anna.receives()) <= 3
