"""Test that the manual page pbem(1) is complete, and that man programs find no mistakes in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.cli.exit_statuses import ExitStatus
from tests.docs.man_page import entries, page
from tests.support.missing import skip

DATE = "2001-02-03"
OVERSTRUCK = re.compile(".\b")
"""A character and backspace, with which man prints bold and underlined letters."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("man") / "pbem.1"
    path.write_text(page(DATE), "utf-8")
    return path


def test_every_argument_and_option_is_explained() -> None:
    unexplained = [
        f"{' '.join(entry.words)}: {parameter.name}"
        for entry in entries()
        for parameter in entry.command.params
        if not getattr(parameter, "hidden", False) and not parameter.help
    ]
    assert unexplained == []


@pytest.mark.servers
@pytest.mark.parametrize("program", ("mandoc", "man"))
def test_man_programs_find_no_mistakes(written: Path, program: str) -> None:
    if shutil.which(program) is None:
        skip(f"{program} is not installed")
    words = {
        "mandoc": ["mandoc", "-T", "lint", "-W", "style"],
        "man": ["man", "--warnings", "-E", "UTF-8", "-Tutf8", "-Z", "-l"],
    }[program]
    done = subprocess.run([*words, written], capture_output=True, text=True)
    found = done.stdout if program == "mandoc" else ""
    assert (done.returncode, found, done.stderr) == (0, "", "")


@pytest.mark.servers
def test_rendered_page_has_commands_date_and_exit_statuses(written: Path) -> None:
    if shutil.which("mandoc") is None:
        skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-T", "utf8", "-O", "width=200", written], capture_output=True, text=True
    )
    shown = OVERSTRUCK.sub("", done.stdout)
    assert "match undo MATCH to TURN [REASON]..." in shown
    assert "--time-zone TIME-ZONE" in shown
    assert DATE in shown
    for status in ExitStatus:
        assert status.meaning in shown
