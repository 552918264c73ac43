"""Test the systemd units: their restrictions, and that their paths match the pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.cli.new_config import SERVICE_CONFIG, SERVICE_DATA
from pbem.run.systemd_notify import LOOK_SECONDS
from tests.deploy.pages import BY_HAND, MANY, OPERATORS, ROOT, UNIT, lines_of, sections, unit

pytestmark = pytest.mark.servers

MOST_EXPOSED = 2.0
TIMED = {path.stem for path in UNIT.parent.glob("*.timer")}
"""The services that timers start, in a club of any size."""
SERVICES = sorted(UNIT.parent.glob("*.service"))
LASTING = [path for path in SERVICES if path.stem not in TIMED]


@pytest.fixture
def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        lacking = "systemd is not installed"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    return found


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_unit_exposes_little(analyze: str, path: Path) -> None:
    words = [analyze, "security", "--offline=true", str(path)]
    told = subprocess.run(words, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8"}).stdout
    level = re.search(r"Overall exposure level for pbem\S*.service: ([\d.]+)", told)
    assert level, told
    assert float(level[1]) < MOST_EXPOSED


def test_systemd_knows_every_setting(analyze: str) -> None:
    units = [str(path) for path in sorted(UNIT.parent.iterdir())]
    told = subprocess.run([analyze, "verify", *units], capture_output=True, text=True)
    said = told.stderr.splitlines()
    # systemd looks for the program where the club is installed.
    assert [line for line in said if "pbem" in line and "is not executable" not in line] == []


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_every_unit_is_restricted_like_the_first(path: Path) -> None:
    assert _shut_in(path) == _shut_in(UNIT)


@pytest.mark.parametrize("path", LASTING, ids=lambda path: path.name)
def test_every_unit_notifies_systemd_and_has_a_watchdog(path: Path) -> None:
    settings = unit(path)
    assert (settings["Type"], settings["NotifyAccess"]) == ("notify", "main")
    assert settings["WatchdogSec"] == "3min"
    assert LOOK_SECONDS < 90, "it notifies more than twice within that time"
    # Its memory must never reach a disk.
    assert settings["LimitCORE"] == "0"


def _shut_in(path: Path) -> dict[str, str]:
    """Return its restrictions, without what it runs and when."""
    own = ("Description", "After", "Requires", "Environment", "EnvironmentFile", "ExecStart")
    once = ("Type", "Wants", "WantedBy", "Restart", "RestartSec", "TimeoutStopSec")
    heard = ("NotifyAccess", "WatchdogSec", "TimeoutStartSec")
    others = (*own, *once, *heard, "Also", "ReadWritePaths")
    return {name: value for name, value in unit(path).items() if name not in others}


def test_units_for_many_machines_are_those_the_page_starts() -> None:
    typed = "\n".join(line for lines in sections(MANY).values() for line in lines)
    named = set(re.findall(r"\bpbem-(?:\w+@|\w+\.socket|\w+)", typed))
    assert named - {"pbem-before"} == {path.stem for path in LASTING} - {"pbem"}
    worker = unit(UNIT.with_name("pbem-worker@.service"))
    environment = worker["EnvironmentFile"].removeprefix("-").replace("%i", "files")
    assert f"echo QUEUES=publish >{environment}" in typed


def test_unit_uses_the_paths_of_the_installation() -> None:
    """The package and the manual installation use the same paths."""
    typed = "\n".join(line for lines in sections(BY_HAND).values() for line in lines)
    settings = unit()
    program, *_, config = settings["ExecStart"].split()
    assert f"/usr/bin/python3 -m venv {program.removesuffix('/bin/pbem')}" in typed
    assert f"pbem init {config}" in OPERATORS
    assert Path(config).parent == SERVICE_CONFIG
    assert f"/var/lib/{settings['StateDirectory']}" == SERVICE_DATA
    assert f"--home-dir /var/lib/{settings['StateDirectory']} " in typed
    site = settings["ReadWritePaths"].removeprefix("-")
    assert f"install -d -o pbem -g pbem -m 0755 {site}\n" in typed
    assert f" {settings['User']}\n" in typed
    assert (settings["UMask"], settings["StateDirectoryMode"]) == ("0077", "0700")
    package = (ROOT / "deploy" / "debian" / "pbem.postinst").read_text("utf-8")
    for place in (f"/var/lib/{settings['StateDirectory']}", site, Path(config).parent):
        assert f" {place}" in package


def test_lines_for_root_avoid_shared_folders_and_visible_passwords() -> None:
    lines = [line for page in (OPERATORS, MANY, BY_HAND) for line in lines_of(page)]
    assert [line for line in lines if "/tmp" in line] == []
    assert [line for line in lines if re.search(r'(-p|--password) *"?\$', line)] == []


def test_metrics_are_visible_only_on_this_machine() -> None:
    lines = lines_of(OPERATORS)
    installed = next(at for at, line in enumerate(lines) if line.endswith(" prometheus"))
    begun = lines.index("systemctl restart prometheus")
    assert any("listen-address=127.0.0.1" in line for line in lines[installed:begun])
