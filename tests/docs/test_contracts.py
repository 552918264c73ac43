"""Test that the lists in docs/contracts.md match the code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from pbem.adapters.metrics import Exposition
from pbem.cli.engine import Engine
from pbem.cli.exit_statuses import ExitStatus
from pbem.commands import all_commands
from pbem.games import games
from pbem.inbox.proof.rate_limits import MOST_IN_VAIN, MOST_QUESTIONS
from pbem.mail.message import size_limits
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.proof.authentication import ProofRule
from pbem.matches.match import COMMON_TERMINATIONS
from pbem.matches.time_controls import examples
from pbem.ports.inbound import InboundState
from pbem.ports.process import JobTally, Tally
from pbem.resources import folder
from pbem.run.config import Config
from pbem.service.numbers import Process, numbers_of, numbers_of_process
from pbem.service.status import Status

PAGE = (Path(__file__).parents[2] / "docs" / "contracts.md").read_text("utf-8")
NAME = re.compile(r"`([^`]+)`")
EVERY_GAME = {"terminations": set(COMMON_TERMINATIONS), "options": {"days", "draw_offers"}}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without its head."""
    below = PAGE.split(f"# {heading}*\n", 1)[1]
    (table,) = re.findall(r"\A(?:[^|#\n].*\n|\n)*((?:\|.*\n)+)", below)
    return [line.strip("|").split("|") for line in table.splitlines()[2:]]


def first_names(heading: str) -> set[str]:
    """Return the names in the first column."""
    return {name for cell, *_ in rows(heading) for name in NAME.findall(cell)}


def in_config(model: type[BaseModel], section: str = "") -> Iterator[str]:
    """Yield every key with its section: `[imap] host`."""
    for name, field in model.model_fields.items():
        found = [field.annotation, *getattr(field.annotation, "__args__", ())]
        sections = [
            each for each in found if isinstance(each, type) and issubclass(each, BaseModel)
        ]
        if name == "mailboxes":  # [[imap]] in the file
            continue
        if section:
            yield f"[{section}] {name}"
        for each in sections:
            yield from in_config(each, f"{section}.{name}" if section else name)


def in_page_of_keys() -> set[str]:
    return {
        f"{section} {key}"
        for sections, keys, *_ in rows("Keys")
        for section in NAME.findall(sections)
        for key in NAME.findall(keys)
    }


def by_game(heading: str) -> set[str]:
    """Return the entries of a table with their games: `lancelot target`."""
    return {
        f"{(NAME.findall(game) or [game.strip()])[0]} {name}"
        for game, names in rows(heading)
        for name in NAME.findall(names)
    }


def of_games(what: str) -> set[str]:
    common = {f"every game {name}" for name in EVERY_GAME[what]}
    named = {
        game.info.key: [option.key for option in game.info.options]
        if what == "options"
        else game.info.terminations
        for game in games()
    }
    return common | {f"{key} {name}" for key, names in named.items() for name in names}


def templates() -> set[str]:
    names = {path.name.partition(".")[0] for path in folder("templates").glob("mail/en/*.j2")}
    return {name for name in names if not name.startswith("_")}


def engine_requests() -> set[str]:
    message: str = Engine().answer("?")["message"]
    return set(message.partition(": ")[2].split(", "))


def numbers_in_page() -> set[str]:
    return {name for name in first_names("Metrics of a club") if name.startswith("pbem_")}


def numbers_in_code() -> set[str]:
    at = datetime.now(UTC)
    status = Status(
        now=at,
        schema="1",
        last_beat=at,
        intakes=(),
        held_since=None,
        backed_up=at,
        backup_tested=at,
        ahead=None,
        mails={},
        lines=(),
        put_off=Tally(),
        failed=0,
        jobs=JobTally((), at, 1),
        playing=Counter(),
        members=0,
        failed_templates={},
    )
    shown = Exposition(
        lambda: [
            *numbers_of(status, []),
            *numbers_of_process(Process("1", True, True, 0.0, 1, 1)),
        ]
    )
    names = re.findall(r"^# TYPE (pbem_\S+)", shown.text().decode(), re.MULTILINE)
    return {name for name in names if not name.endswith("_created")}


LISTS: dict[str, tuple[Callable[[], set[str]], Callable[[], set[str]]]] = {
    "rules of proof": (lambda: first_names("Proof rules"), lambda: set(ProofRule)),
    "commands": (
        lambda: first_names("Email commands"),
        lambda: {command.word for command in all_commands()},
    ),
    "urgencies": (
        lambda: first_names("Urgency"),
        lambda: {urgency.name.lower() for urgency in Urgency},
    ),
    "states": (lambda: first_names("States of a received email"), lambda: set(InboundState)),
    "kinds of mail": (lambda: first_names("Kinds of email"), templates),
    "keys": (in_page_of_keys, lambda: set(in_config(Config))),
    "options": (lambda: by_game("Match options"), lambda: of_games("options")),
    "time controls": (lambda: first_names("Time controls"), lambda: set(examples())),
    "terminations": (lambda: by_game("Terminations"), lambda: of_games("terminations")),
    "exit statuses": (lambda: first_names("Statuses"), lambda: {str(int(s)) for s in ExitStatus}),
    "numbers": (numbers_in_page, numbers_in_code),
    "requests of the engine": (
        lambda: {name.split()[0] for name in first_names("Requests")},
        engine_requests,
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_list_matches_the_code(name: str) -> None:
    in_page, in_code = LISTS[name]
    assert in_page() == in_code()


LIMITS = (
    f"{size_limits.MAX_MAIL // size_limits.MIB} MiB",
    f"{size_limits.MAX_HEADER // size_limits.KIB} KiB, {size_limits.MAX_FIELDS} fields",
    f"{size_limits.MAX_VALUE // size_limits.KIB} KiB a field",
    f"{size_limits.MAX_PARTS} in all, nested {size_limits.MAX_DEPTH} deep",
    f"{size_limits.MAX_TEXT // size_limits.KIB} KiB, {size_limits.MAX_LINES} lines",
    f"{size_limits.MAX_LINE} characters a line, {size_limits.MAX_TAGS} tags",
    f"{size_limits.MAX_FRESH} characters, {size_limits.MAX_FRESH_LINES} lines",
    f"{size_limits.MAX_REQUESTS} actions and commands",
    f"{MOST_IN_VAIN} in a day",
    f"{MOST_QUESTIONS} in a day",
)


@pytest.mark.parametrize("limit", LIMITS)
def test_limit_matches_the_code(limit: str) -> None:
    assert any(limit in value for _, value in rows("Limits"))
