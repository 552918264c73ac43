"""Type the lines of a page, and check their results."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.deploy.machine import Machine, Ran
from tests.deploy.pages import ROOT

CHECKOUT = "/srv/checkout"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "data")
FETCHED = ("apt-get ", "make deb")
NOTHING_ANSWERS = ("No matching distribution found", "Unable to locate package", "Failed to fetch")


def prepare(machine: Machine) -> None:
    """Copy the checkout to the machine."""
    shutil.copytree(ROOT, machine.files / CHECKOUT[1:], ignore=LEFT_OUT)
    machine.types(f"cd {CHECKOUT}")


def do_without(lacking: str) -> None:
    """Skip a test that lacks something. In CI, which should have everything, fail it."""
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)


def type_lines(machine: Machine, lines: Iterable[str], typed: Mapping[str, str]) -> Ran:
    """Type lines, with answers by the start of a line, and return the last result."""
    ran = Ran(0, "")
    for line in lines:
        if any(fetched in line for fetched in FETCHED):
            ran = machine.downloads(line, CHECKOUT)
            if ran.status and any(told in ran.output for told in NOTHING_ANSWERS):
                do_without(f"a package cannot be fetched: {ran.output}")
        else:
            asks = (answer for asked, answer in typed.items() if line.startswith(asked))
            ran = machine.types(line, next(asks, ""))
        assert ran.status == 0, f"{line}\n{ran.output}\n{log_of(machine)}"
        assert "Traceback" not in ran.output, f"{line}\n{ran.output}"
    return ran


def plays(machine: Machine, password: str, who: str, turn: int, then: str) -> None:
    """Play a turn that an email asks for, and check that the next player gets an email."""
    play = Path(__file__).with_name("play.py").read_text()
    words = f"{password} {who} {turn} {then}"
    played = machine.types(f"PYTHONPATH=. /usr/bin/python3 - {words} <<'PLAY'\n{play}PLAY")
    told = f"{then} is asked for turn {turn + 1}"
    assert played.output == told, f"{played.output}\n{log_of(machine)}"


def newer_package(machine: Machine) -> None:
    """Replace the built package by one that only has a newer version number."""
    told = machine.types(
        "(cd dist && dpkg-deb --control pbem_*.deb newer && ar x pbem_*.deb && rm pbem_*.deb"
        " && sed -i 's/^Version: .*/&.1/' newer/control && tar -C newer -cf control.tar ."
        " && ar rc pbem_newer.deb debian-binary control.tar data.tar.*"
        " && rm -r newer debian-binary control.tar* data.tar.*)"
    )
    assert told.status == 0, told.output


def main_process(machine: Machine, unit: str) -> int:
    """Return the process number of a unit, or 0 if it is not running."""
    return int(machine.types(f"systemctl show --value --property=MainPID {unit}").output)


def log_of(machine: Machine) -> str:
    """Return the log of the club's processes."""
    return machine.types("journalctl --no-pager --output=cat --unit='pbem*'").output


def closed_and_owned(machine: Machine, folder: str) -> bool:
    """Return whether a folder and its files belong to the account and are private."""
    account = next(
        line.split(":")
        for line in (machine.files / "etc/passwd").read_text().splitlines()
        if line.startswith("pbem:")
    )
    at = machine.files / folder
    return all(
        (path.stat().st_uid, stat.S_IMODE(path.stat().st_mode) & 0o077) == (int(account[2]), 0)
        for path in (at, *at.rglob("*"))
    )
