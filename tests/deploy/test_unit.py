"""The unit for systemd: what it may do, and that it is where deploy/README.md puts things."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from tests.deploy.pages import UNIT, sections, unit

pytestmark = pytest.mark.servers

MOST_EXPOSED = 2.0


@pytest.fixture
def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        lacking = "systemd is not installed"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    return found


def test_the_unit_exposes_little(analyze: str) -> None:
    words = [analyze, "security", "--offline=true", str(UNIT)]
    told = subprocess.run(words, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8"}).stdout
    level = re.search(r"Overall exposure level for pbem.service: ([\d.]+)", told)
    assert level, told
    assert float(level[1]) < MOST_EXPOSED


def test_systemd_knows_every_setting(analyze: str) -> None:
    told = subprocess.run([analyze, "verify", str(UNIT)], capture_output=True, text=True)
    said = told.stderr.splitlines()
    # That is looked for where the club is installed.
    assert [line for line in said if "pbem" in line and "is not executable" not in line] == []


def test_the_unit_is_for_what_the_page_installs() -> None:
    typed = "\n".join(line for lines in sections().values() for line in lines)
    settings = unit()
    program, *_, config = settings["ExecStart"].split()
    assert f"/usr/bin/python3 -m venv {program.removesuffix('/bin/pbem')}" in typed
    assert f"pbem init {config}" in typed
    assert f"--home-dir /var/lib/{settings['StateDirectory']} " in typed
    site = settings["ReadWritePaths"].removeprefix("-")
    assert f"install -d -o pbem -g pbem -m 0755 {site}\n" in typed
    assert typed.count(f" {settings['User']}\n") >= 1
    assert (settings["UMask"], settings["StateDirectoryMode"]) == ("0077", "0700")
