"""Test `pbem status` as text and as JSON."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.ports.inbound import InboundState
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.work import writing
from tests.support.stored import recorded_mail


def shell(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


@pytest.fixture
def since(club_folder: Path) -> datetime:
    """Create a club with a match and a shunted email, and return when it was last served."""
    shell("init", "--defaults")
    shell("member", "add", "Anna", "anna@mail.example")
    shell("member", "add", "Bert", "bert@mail.example")
    shell("match", "new", "lanko-68", "Anna", "Bert")
    club = build_club(load_config(club_folder / "pbem.toml"))
    at = datetime.now(UTC) - timedelta(hours=1)
    with closing(club.storage), writing(club) as work:
        work.service.beat(at)
        work.service.polled(at)
        work.service.backed_up(at)
        work.inbound.close(recorded_mail(work, 1), InboundState.SHUNTED)
    return at


def test_status_lists_problems_first(since: datetime, club_folder: Path) -> None:
    told = shell("status")
    assert told.exit_code == 1, "something is wrong"
    hour = f"{since:%F %H:%M} UTC"
    lines = told.stdout.splitlines()
    assert lines[:2] == [
        f"BAD  nobody serves the club since {hour}",
        f"BAD  nobody takes email from the first mailbox since {hour}",
    ]
    assert f"email from the first mailbox: complete until {hour}" in lines
    assert (
        "received: 1 waiting, the oldest since 2026-11-21 09:30 UTC (set aside after an error,"
        " see pbem shunt list)" in lines
    )
    assert "matches in play: 1 (1 lanko-68)" in lines
    assert "members: 2" in lines
    assert f"backup: {hour}" in lines
    assert lines[-1].startswith(f"disk of {club_folder / 'club'}: ")


def test_json_status_has_the_same_data(since: datetime) -> None:
    told = json.loads(shell("status", "--json").stdout)
    assert [each["part"] for each in told["troubles"]] == ["heartbeat", "intake"]
    assert told["heartbeat"] == told["backup"] == f"{since:%Y-%m-%dT%H:%M:%SZ}"
    assert told["inbound"]["shunted"] == {"mails": 1, "since": "2026-11-21T09:30:15Z"}
    (line,) = told["outbox"]["in_line"]
    assert (line["urgency"], line["limit"], line["mails"]) == ("play", "", 2)
    assert (told["matches"], told["members"], told["jobs"]) == ({"lanko-68": 1}, 2, None)
    assert told["disk"]["free_bytes"] > 0
