"""deploy/README.md is typed line by line on a machine to throw away; there a match is played."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.machine import Machine, Ran, missing, throwaway_machine
from tests.deploy.pages import ROOT, packages, sections, unit

pytestmark = pytest.mark.servers

CHECKOUT = "/srv/checkout"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "data")

SYSTEMCTL = """#!/bin/sh
# Stands in for systemd, which does not run here: what the page asks of it, and nothing else.
case "$*" in
daemon-reload) ;;
"restart dovecot postfix") dovecot && postfix start ;;
"enable --now pbem" | "start pbem" | "restart pbem")
    [ "$1" = restart ] && systemctl stop pbem
    cd /
    setsid env -i HOME=/var/lib/pbem PATH=/usr/local/bin:/usr/bin:/bin \\
        setpriv --reuid {User} --regid {User} --clear-groups \\
        sh -c 'umask {UMask}; exec {ExecStart}' >>/var/log/pbem.log 2>&1 </dev/null &
    echo $! >/run/pbem.pid ;;
"stop pbem")
    kill "$(cat /run/pbem.pid)"
    tail --pid="$(cat /run/pbem.pid)" --follow /dev/null ;;
*) exit 1 ;;
esac
"""


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """As fresh as a system that has the packages can be."""
    if lacking := missing() or _packages_missing():
        _do_without(lacking)
    with throwaway_machine() as machine:
        shutil.copytree(ROOT, machine.files / CHECKOUT[1:], ignore=LEFT_OUT)
        shim = machine.files / "usr/local/sbin/systemctl"
        shim.write_text(SYSTEMCTL.format(**unit()))
        shim.chmod(0o755)
        machine.types("rm -rf /opt/pbem /etc/pbem /var/lib/pbem /var/vmail /etc/postfix/mailboxes")
        machine.types("userdel pbem; userdel vmail")
        machine.types(f"cd {CHECKOUT}")
        yield machine


def _do_without(lacking: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)


def _packages_missing() -> str:
    wanted = [name for lines in sections().values() for line in lines for name in packages(line)]
    for name in wanted:
        asked = ["dpkg-query", "--show", "--showformat=${Status}", name]
        if shutil.which("dpkg-query") is None or b"install ok" not in _told(asked):
            return f"{name} is not installed: as root on Debian, apt-get install {' '.join(wanted)}"
    return ""


def _told(words: list[str]) -> bytes:
    return subprocess.run(words, capture_output=True).stdout


def type_section(machine: Machine, heading: str, typed: dict[str, str] | None = None) -> Ran:
    """Types every line; returns the last."""
    ran = Ran(0, "")
    for line in sections()[heading]:
        if "apt-get " in line:
            continue  # the packages are there, and the test fetches nothing that it can do without
        if "/bin/pip " in line:
            ran = machine.downloads(line, CHECKOUT)
            if ran.status and "No matching distribution found" in ran.output:
                _do_without(f"no package index answers: {ran.output}")
        else:
            ran = machine.types(line, (typed or {}).get(line.partition(" /etc")[0], ""))
        assert ran.status == 0, f"{line}\n{ran.output}\n{log_of(machine)}"
        assert "Traceback" not in ran.output, f"{line}\n{ran.output}"
    return ran


def log_of(machine: Machine) -> str:
    log = machine.files / "var/log/pbem.log"
    return log.read_text() if log.exists() else ""


def closed_and_owned(machine: Machine, folder: str) -> bool:
    """Whether a folder and the files in it are the account's own and nobody else's."""
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


@pytest.mark.timeout(300)
def test_every_line_of_the_page(machine: Machine) -> None:
    type_section(machine, "The account and its folders")
    type_section(machine, "The program")
    password = type_section(machine, "A mail server, if you have none").output
    for name in ("anna", "bert", "director"):
        machine.types(f'sed "s/club@/{name}@/;1q" /etc/dovecot/users >>/etc/dovecot/users')
        machine.types(f'echo "{name}@$domain {name}" >>/etc/postfix/mailboxes')

    addresses = ("club@example.org", "director@example.org", "/var/lib/pbem")
    answers = ("pbem", *addresses, "localhost", "localhost:587", "", password)
    type_section(machine, "The club", {"pbem init": "\n".join(answers)})

    play = Path(__file__).with_name("play.py").read_text()
    played = machine.types(f"PYTHONPATH=. /usr/bin/python3 - {password} <<'PLAY'\n{play}PLAY")
    assert played.output == "Bert is asked for turn 2", f"{played.output}\n{log_of(machine)}"
    for folder in ("var/lib/pbem", "etc/pbem"):
        assert closed_and_owned(machine, folder)

    type_section(machine, "The reading room")
    nobody = "setpriv --reuid nobody --regid nogroup --clear-groups"
    shown = machine.types(f"{nobody} cat /var/lib/pbem-site/matches/match-000001-*.html")
    assert "<title>" in shown.output, f"{shown.output}\n{log_of(machine)}"
    assert machine.types(f"{nobody} ls /var/lib/pbem").status != 0
    assert machine.types(f"{nobody} touch /var/lib/pbem-site/index.html").status != 0

    type_section(machine, "A new version")
    assert "Traceback" not in log_of(machine)
    assert log_of(machine)

    own = "/opt/pbem/.venv/bin/pbem doctor --config /etc/pbem/pbem.toml"
    refused = machine.types(own)
    assert refused.status == 1
    assert f"runuser -u pbem -- {own}" in refused.output
    assert machine.types(f"runuser -u pbem -- {own}").status == 0
    assert closed_and_owned(machine, "var/lib/pbem")
