"""Test that the Debian package's scripts restart running services after any upgrade."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.servers

SCRIPTS = Path(__file__).parents[2] / "deploy" / "debian"
SYSTEMCTL = """\
#!/bin/sh
# Each active unit is a file in a folder.
cd "$(dirname "$0")/active"
case $1 in
list-units) for unit in *; do [ ! -e "$unit" ] || echo "$unit loaded active running"; done ;;
start) shift; touch "$@" ;;
stop) shift; rm -f "$@" ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Return a machine booted by systemd, with an active service and timer."""
    (tmp_path / "active").mkdir()
    (tmp_path / "run" / "systemd" / "system").mkdir(parents=True)
    (tmp_path / "systemctl").write_text(SYSTEMCTL)
    (tmp_path / "systemctl").chmod(0o700)
    for unit in ("pbem.service", "pbem-backup.timer"):
        (tmp_path / "active" / unit).touch()
    return tmp_path


def runs(machine: Path, script: str, *words: str) -> None:
    """Run a script of the package on the machine."""
    text = (SCRIPTS / script).read_text().replace("/run/", f"{machine}/run/")
    path = f"{machine}:{os.environ['PATH']}"
    subprocess.run(["sh", "-c", text, script, *words], env={"PATH": path}, check=True)


def active(machine: Path) -> set[str]:
    return {unit.name for unit in (machine / "active").iterdir()}


@pytest.mark.parametrize("times", (1, 2), ids=("at once", "interrupted once"))
def test_services_running_before_an_upgrade_run_after_it(machine: Path, times: int) -> None:
    before = active(machine)
    for _ in range(times):
        runs(machine, "pbem.prerm", "upgrade")
        assert active(machine) == set()
    runs(machine, "pbem.postinst", "abort-upgrade")
    assert active(machine) == before
    assert not (machine / "run" / "pbem-before-upgrade").exists()


def test_package_enables_no_unit() -> None:
    """Debhelper would enable and start each unit that it finds; since Debian 13 it finds all."""
    assert "\noverride_dh_installsystemd:\n\n" in (SCRIPTS / "rules").read_text()
