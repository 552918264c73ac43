"""Test that every command that lists or shows has `--json`, with the keys in the documentation."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.mail.message.message import digest, read_message
from pbem.ports.inbound import InboundKey, InboundState, ReceivedMail
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.members.joining import Newcomer, apply
from pbem.service.work import writing
from tests.docs.man_page import entries
from tests.docs.test_contracts import NAME, rows
from tests.matches.records import resigned

TELLING = ("List ", "Show ", "Check ")
"""First words in the summaries of commands that only show something."""
NOT_FOR_PROGRAMS = {"demo", "archive serve", "mail explain"}
"""A demonstration, a web server, and a command that always prints JSON."""
EXAMPLES = {
    "leave": ("Anna",),
    "member settings": ("Anna",),
    "member show": ("Anna",),
    "match show": ("1",),
    "offer show": ("1",),
    "offer blocked": ("Anna",),
    "set show": ("1",),
    "series show": ("1",),
    "tournament show": ("2",),
    "competition show": ("3",),
    "mail show": ("1",),
    "shunt show": ("1",),
    "stats": ("Anna",),
}
"""Arguments for the commands that need some."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NOON = datetime(2001, 2, 3, 12, 0, tzinfo=UTC)


def run(*words: str) -> str:
    done = CliRunner().invoke(command_line(words), list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.stdout


def with_json() -> dict[str, bool]:
    """Return every command, and whether it has --json."""
    return {
        " ".join(entry.words): any("--json" in each.opts for each in entry.command.params)
        for entry in entries()
    }


def in_page() -> dict[str, tuple[set[str], bool]]:
    """Return the keys of each command, and whether it prints an array of such objects."""
    table = {}
    for commands, form, keys in rows("JSON keys"):
        for command in NAME.findall(commands):
            table[command] = set(NAME.findall(keys)), form.strip() == "array"
    return table


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[None]:
    """Create a club in the current folder that has one of everything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("club"))
        Path("club").mkdir(0o700)
        shutil.copy(sqlite_template, "club")
        run("init", "--defaults")
        path = Path("pbem.toml")
        path.write_text(re.sub('joining = "open"', 'joining = "approval"', path.read_text()))
        for name in ("Anna", "Bert", "Clara"):
            run("member", "add", name, f"{name}@mail.example".lower())
        run("match", "new", "lanko-68", "Anna", "Bert")
        run("match", "pause", "1", "a", "storm")
        run("match", "new", "lancelot", "Anna", "Bert")
        run("match", "adjudicate", "2", "draw", "a test")
        run("set", "new", "lanko-68", "Anna", "Bert", "Clara")
        run("series", "new", "lanrick-1893", "Anna", "Bert", "--games", "2")
        run("tournament", "new", "lanrick-1893", "Anna", "Bert", "Clara")
        last_day = f"{datetime.now(UTC) + timedelta(days=30):%Y-%m-%d}"
        run("competition", "new", "knock-out", "lanrick-1893", f"enter-until={last_day}")
        run("offer", "open", "Anna", "lancelot", "players=3")
        run("offer", "block", "Anna", "Bert")
        _with_mail(path)
        yield


def _with_mail(path: Path) -> None:
    """Add a shunted email, an applicant, held email, and a record of another club."""
    club = build_club(load_config(path))
    raw = b"From: anna@mail.example\r\nMessage-ID: <1@mail.example>\r\n\r\nHello\r\n"
    message = read_message(raw)
    with closing(club.storage):
        with writing(club) as work:
            apply(work, Newcomer("dora@mail.example", "Dora", "UTC"))
            work.service.hold(NOON)
        with club.storage.writing() as uow:
            key = InboundKey(message.message_id, digest(raw), message.from_address)
            uow.inbound.add(ReceivedMail("INBOX", 1, 1, NOON, raw), key, NOON)
            uow.inbound.close(1, InboundState.SHUNTED, "KeyError")
            uow.imported.add(replace(resigned(), club="Alpha"))


def test_every_command_that_shows_something_has_json() -> None:
    helps = {" ".join(entry.words): entry.command.help for entry in entries()}
    lacking = [
        name
        for name, has_json in with_json().items()
        if not has_json and helps[name].startswith(TELLING) and name not in NOT_FOR_PROGRAMS
    ]
    assert lacking == []


def test_page_lists_every_command_with_json() -> None:
    assert set(in_page()) == {name for name, has_json in with_json().items() if has_json}


def test_keys_are_those_of_the_page(club: None) -> None:
    for command, (keys, is_array) in in_page().items():
        told = json.loads(run(*command.split(), *EXAMPLES.get(command, ()), "--json"))
        assert isinstance(told, list) == is_array, command
        things = told if is_array else [told]
        assert things, f"{command}: the club has one of everything"
        for thing in things:
            assert set(thing) == keys, command
            assert [each for each in _moments(thing) if not MOMENT.fullmatch(each)] == []


def _moments(data: Any, key: str = "") -> Iterator[str]:
    """Return every string that is or should be a time."""
    if isinstance(data, dict):
        for name, each in data.items():
            yield from _moments(each, name)
    elif isinstance(data, list):
        for each in data:
            yield from _moments(each, key)
    elif isinstance(data, str) and (key.endswith("_at") or re.match(r"\d{4}-\d\d-\d\dT", data)):
        yield data
