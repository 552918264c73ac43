"""A new time control is one file. Nothing else is edited."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.matches import time_controls
from pbem.matches.record import from_json, from_text, verify
from tests.conversations.house import House
from tests.conversations.test_clock import late_mail

START, HOUR = datetime(2026, 1, 1, tzinfo=UTC), timedelta(hours=1)
FOLDER = str(Path(__file__).parents[1] / "toys" / "time_controls")


@pytest.fixture
def hurry() -> Iterator[None]:
    """The single file that a time control needs, in the folder of time controls."""
    time_controls.__path__.append(FOLDER)
    _look_again()
    yield
    time_controls.__path__.remove(FOLDER)
    _look_again()


def _look_again() -> None:
    time_controls.all_controls.cache_clear()
    time_controls.all_switches.cache_clear()
    time_controls.read_control.cache_clear()


@pytest.mark.usefixtures("hurry")
def test_match_is_played_under_it_and_archived(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, time="hurry=4")
    house.sweeps()
    [first] = anna.receives()
    assert "4 days for the first turn, then half as many each time" in first.text
    assert "(UTC): 4 days left." in first.text
    house.passes(days=2.5)
    assert [mail.kind for mail in anna.receives()] == ["a reminder"], "half of the time has passed"
    late_mail(house, anna, _move(house))
    house.works()
    bert.receives()
    bert.says(_move(house))
    house.works()
    left = (house.flag_at() or START) - house.clock.now()
    assert round(left / HOUR) == 48, "half of four days"
    house.passes(days=2.1)
    [report] = house.director.receives()
    assert "Anna has run out of time in match 1" in report.text

    house.resigns(anna)
    as_json, as_text = (path.read_text("utf-8") for path in house.records())
    assert '"time": "hurry=4"' in as_json
    assert '[Days "0"]\n[Time "hurry=4"]' in as_text
    assert from_json(as_json) == from_text(as_text)
    assert verify(from_text(as_text)) == []


def _move(house: House) -> str:
    """Return any legal move."""
    match, position = house.state(), house.position()
    return match.game.format(position, next(iter(match.game.legal_actions(position))))


@pytest.mark.usefixtures("hurry")
def test_time_control_is_an_option_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = CliRunner()
    for words in ("init --defaults", "member add Anna a@x.example", "member add Bert b@x.example"):
        assert shell.invoke(command_line(), words.split()).exit_code == 0
    new = ["match", "new", "lanrick-1893", "Anna", "Bert"]
    result = shell.invoke(command_line(), [*new, "--option", "hurry=90"])
    assert ", due " in result.output
    for option, told in (("hurry=x", "a number of days"), ("hurry=9 days=5", "hurry=9 days=5")):
        texts = [f"--option={each}" for each in option.split()]
        result = shell.invoke(command_line(), [*new, *texts])
        assert result.exit_code == 1
        assert told in result.output
