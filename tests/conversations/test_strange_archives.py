"""A forged archive is no way into a club: no history holds a name."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from tests.conversations.house import House

STRANGE = {
    "An\x1b[2Jna": "player 1 has a name that no email can show",
    "Anna\nBcc: bert@elsewhere.example": "player 1 has a name that no email can show",
    "A" * 1000: "player 1 has a name that no email can show",
    "B\u0435rt": "player 2, Bert, looks like player 1, B\u0435rt",
}


def test_name_that_no_member_could_have_is_refused(house: House, tmp_path: Path) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    house.resigns(anna)
    [record] = (house.home / "archive").glob("match-*.json")
    written = record.read_text()
    (house.home / "archive" / f"{record.stem}.txt").unlink()
    config = tmp_path / "pbem.toml"
    write_config(config, Answers(data_dir="club"))
    for name, told in STRANGE.items():
        record.write_text(written.replace('"Anna"', json.dumps(name)))
        words = ("rebuild", "--from-archive", str(record.parent), "--config", str(config))
        done = CliRunner().invoke(command_line(words), words)
        assert isinstance(done.exception, SystemExit), done.exception
        assert told in done.output
        assert "\x1b" not in done.output
