"""Test the demonstration: it plays, compares, reports differences and leaves no process."""

from __future__ import annotations

import ast
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli.demo import SEED
from pbem.extras.demo.club import PROGRAM
from pbem.extras.demo.compare import DemoReport, differences
from pbem.extras.demo.run import REPORTS, read_records, read_reports
from pbem.games.api import Outcome
from pbem.matches.record import Record
from tests.extras.demo.offline import play_set

pytestmark = pytest.mark.servers

PATIENCE_S = 900.0
"""Generous, because other tests may use the machine at the same time."""


@pytest.mark.timeout(PATIENCE_S + 20)
def test_demo_plays_a_whole_set_and_everything_agrees(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    command = [sys.executable, "-m", "pbem", "demo", "--folder", str(folder)]
    done = subprocess.run(
        [*command, "--seconds", str(PATIENCE_S)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, verified, figures, kept, last, _, _, room = done.stdout.splitlines()
    assert verified == "pbem archive verify: every match can be replayed, and every record agrees"
    # The same number as without servers and clocks, so the moves don't depend on timing.
    assert figures.startswith(f"{sum(play_set(SEED).turns)} moves in 3 matches; ")
    assert kept == f"Records: {folder / 'club' / 'archive'}"
    assert last == "Everything agrees: records, cross-table, counts of emails."
    page = Path(room.removeprefix("Reading room, to open in a browser: "))
    assert page == folder / "club" / "site" / "index.html"
    assert page.read_text("utf-8").count("matches/match-0000") >= 3  # one for each match
    assert "it is your turn as" in done.stdout
    assert " the set." in done.stdout

    records = read_records(folder / "club" / "archive")
    reports = read_reports(folder / REPORTS)
    assert list(differences(records, reports)) == []
    for what, changed in tampered(records):
        assert list(differences(changed, reports)), what
    for what, told in misreported(reports):
        assert list(differences(records, told)), what


def tampered(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yield records with one difference each."""
    first, *others = records
    entry, result = first.entries[4], first.result
    assert result is not None
    text = next(e.text for e in first.entries if e.seat == entry.seat and e.text != entry.text)
    entries = (*first.entries[:4], entry._replace(text=text), *first.entries[5:])
    yield "another action", [replace(first, entries=entries), *others]
    yield "an action less", [replace(first, entries=first.entries[:-1]), *others]
    scores = {seat: score + 2 for seat, score in result.scores.items()}
    changed = Outcome(result.winners, result.termination, scores)
    yield "other scores", [replace(first, result=changed), *others]
    moved = {"Anna": "Bert", "Bert": "Clara", "Clara": "Anna"}
    players = {seat: moved[name] for seat, name in first.players.items()}
    yield "other seats", [replace(first, players=players), *others]
    yield "a match missing", others


def misreported(reports: Sequence[DemoReport]) -> Iterator[tuple[str, list[DemoReport]]]:
    """Yield reports with one difference each."""
    first, *others = reports
    more = {**first.received, "turn": first.received["turn"] + 1}
    yield "a mail more", [replace(first, received=more), *others]
    yield "a strange mail", [replace(first, received={**first.received, "other": 1}), *others]
    table = {**first.table, "Anna": [0, 0, 0, 0]}
    yield "another cross-table", [replace(first, table=table), *others]
    yield "a move less", [replace(first, moves=first.moves[:-1]), *others]
    mistakes = {kind: text for kind, text in first.mistakes.items() if kind != "ambiguous"}
    yield "a mistake not made", [replace(first, mistakes=mistakes), *others]
    yield "a problem", [replace(first, problems=["2 answers to a mail"]), *others]


def test_players_import_only_the_standard_library() -> None:
    modules = sorted(PROGRAM.rglob("*.py"))
    assert len(modules) > 5
    for module in modules:
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            assert set(imported(node)) <= sys.stdlib_module_names, module


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the packages that a statement imports from outside the player's own."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield (node.module or "").partition(".")[0]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 1, "only from the player's package"


@pytest.mark.timeout(120)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_interrupted_demo_ends_all_its_processes(tmp_path: Path) -> None:
    # Processes that a shell starts in the background ignore SIGINT, and pass that on.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    demo = subprocess.Popen(
        [sys.executable, "-m", "pbem", "demo", "--folder", str(tmp_path / "demo")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert demo.stdout is not None
        assert next(line for line in demo.stdout if " emails received" in line)
        started = children(demo.pid)
        assert len(started) == 4, "the club and three players"
        # A handle becomes readable once its process has ended, and never refers to another process.
        watches = [os.pidfd_open(pid) for pid in started]
        demo.send_signal(signal.SIGINT)
        assert demo.wait(20) == 130
    finally:
        demo.kill()
        demo.communicate()
    for watched in watches:
        assert select.select([watched], [], [], 20)[0], "it has not ended"
        os.close(watched)


def children(pid: int) -> list[int]:
    """Return the running processes that a process has started."""
    stats = (path.read_text() for path in Path("/proc").glob("[0-9]*/stat"))
    fields = ((int(stat.partition(" ")[0]), stat.rpartition(")")[2].split()) for stat in stats)
    return [child for child, (_, parent, *_) in fields if int(parent) == pid]
