"""Prepare a throwaway machine with this one's packages, so pages are typed without downloads."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.deploy.machine import Machine, Ran
from tests.deploy.pages import ROOT, packages
from tests.deploy.typist import CHECKOUT, LEFT_OUT

SAMPLES = ("mail-server", "web")


def prepare(machine: Machine) -> None:
    """Copy the checkout and the package's samples, and remove everything of a club."""
    shutil.copytree(ROOT, machine.files / CHECKOUT[1:], ignore=LEFT_OUT)
    for sample in SAMPLES:
        shutil.copytree(ROOT / "deploy" / sample, machine.files / "usr/share/pbem" / sample)
    shim = machine.files / "usr/local/sbin/systemctl"
    shutil.copy(Path(__file__).with_name("systemctl.py"), shim)
    shim.chmod(0o755)
    machine.types("rm -rf /opt/pbem /etc/pbem /var/lib/pbem /var/vmail /etc/postfix/mailboxes")
    machine.types("userdel pbem; userdel vmail")
    machine.types(f"cd {CHECKOUT}")


def packages_missing(lines: Iterable[str]) -> str:
    """Return which packages these lines would install are missing, or an empty string."""
    wanted = [name for line in lines for name in packages(line)]
    for name in wanted:
        asked = ["dpkg-query", "--show", "--showformat=${Status}", name]
        if shutil.which("dpkg-query") is None or b"install ok" not in _told(asked):
            return f"{name} is not installed: as root on Debian, apt-get install {' '.join(wanted)}"
    return ""


def _told(words: list[str]) -> bytes:
    return subprocess.run(words, capture_output=True).stdout


def type_lines(machine: Machine, lines: Iterable[str], typed: Mapping[str, str]) -> Ran:
    """Type lines, with answers by the start of a line, and return the last result."""
    ran = Ran(0, "")
    for line in lines:
        if "apt-get " in line:
            continue  # the packages are there
        asks = (answer for asked, answer in typed.items() if line.startswith(asked))
        ran = machine.types(line, next(asks, ""))
        assert ran.status == 0, f"{line}\n{ran.output}"
        assert "Traceback" not in ran.output, f"{line}\n{ran.output}"
    return ran
