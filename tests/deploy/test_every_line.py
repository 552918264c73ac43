"""deploy/README.md is typed line by line on a machine to throw away; there a match is played.

Then deploy/many-machines.md is, and the match goes on with a second machine.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.deploy.machine import Machine, Ran, missing, throwaway_machine
from tests.deploy.pages import MANY, PAGE, ROOT, packages, sections

pytestmark = pytest.mark.servers

CHECKOUT = "/srv/checkout"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "data")


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """As fresh as a system that has the packages can be."""
    if lacking := missing() or packages_missing(_typed()):
        do_without(lacking)
    with throwaway_machine() as machine:
        prepare(machine)
        yield machine


def prepare(machine: Machine) -> None:
    """The checkout is there, and nothing of a club."""
    shutil.copytree(ROOT, machine.files / CHECKOUT[1:], ignore=LEFT_OUT)
    shim = machine.files / "usr/local/sbin/systemctl"
    shutil.copy(Path(__file__).with_name("systemctl.py"), shim)
    shim.chmod(0o755)
    machine.types("rm -rf /opt/pbem /etc/pbem /var/lib/pbem /var/vmail /etc/postfix/mailboxes")
    machine.types("userdel pbem; userdel vmail")
    machine.types(f"cd {CHECKOUT}")


def do_without(lacking: str) -> None:
    """Skips, which CI does not forgive."""
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)


def _typed() -> list[str]:
    return [line for page in (PAGE, MANY) for part in sections(page).values() for line in part]


def packages_missing(lines: Iterable[str]) -> str:
    """What is lacking that lines to type would install; empty if nothing is."""
    wanted = [name for line in lines for name in packages(line)]
    for name in wanted:
        asked = ["dpkg-query", "--show", "--showformat=${Status}", name]
        if shutil.which("dpkg-query") is None or b"install ok" not in _told(asked):
            return f"{name} is not installed: as root on Debian, apt-get install {' '.join(wanted)}"
    return ""


def _told(words: list[str]) -> bytes:
    return subprocess.run(words, capture_output=True).stdout


def type_section(machine: Machine, heading: str, typed: dict[str, str] | None = None) -> Ran:
    """Types every line of a section of the first page; returns the last."""
    return type_lines(machine, sections()[heading], typed or {})


def type_lines(machine: Machine, lines: Iterable[str], typed: Mapping[str, str]) -> Ran:
    """Types lines, and what those that begin in some way ask for; returns the last."""
    ran = Ran(0, "")
    for line in lines:
        if "apt-get " in line:
            continue  # the packages are there, and the test fetches nothing that it can do without
        if "/bin/pip " in line:
            ran = machine.downloads(line, CHECKOUT)
            if ran.status and "No matching distribution found" in ran.output:
                do_without(f"no package index answers: {ran.output}")
        else:
            asks = (answer for asked, answer in typed.items() if line.startswith(asked))
            ran = machine.types(line, next(asks, ""))
        assert ran.status == 0, f"{line}\n{ran.output}\n{log_of(machine)}"
        assert "Traceback" not in ran.output, f"{line}\n{ran.output}"
    return ran


def plays(machine: Machine, password: str, who: str, turn: int, then: str) -> None:
    """Somebody answers the mail that asks for a turn, and somebody else is asked for the next."""
    play = Path(__file__).with_name("play.py").read_text()
    words = f"{password} {who} {turn} {then}"
    played = machine.types(f"PYTHONPATH=. /usr/bin/python3 - {words} <<'PLAY'\n{play}PLAY")
    told = f"{then} is asked for turn {turn + 1}"
    assert played.output == told, f"{played.output}\n{log_of(machine)}"


def log_of(machine: Machine) -> str:
    """What the club's processes have logged."""
    logs = sorted((machine.files / "var/log").glob("pbem*.log"))
    return "\n".join(log.read_text() for log in logs)


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


@pytest.mark.timeout(420)
def test_every_line_of_the_pages(machine: Machine) -> None:
    type_section(machine, "The account and its folders")
    type_section(machine, "The program")
    password = type_section(machine, "A mail server, if you have none").output
    for name in ("anna", "bert", "director"):
        machine.types(f'sed "s/club@/{name}@/;1q" /etc/dovecot/users >>/etc/dovecot/users')
        machine.types(f'echo "{name}@$domain {name}" >>/etc/postfix/mailboxes')

    addresses = ("club@example.org", "director@example.org", "/var/lib/pbem")
    answers = ("pbem", *addresses, "localhost", "localhost:587", "", password)
    type_section(machine, "The club", {"pbem init": "\n".join(answers)})

    plays(machine, password, "anna", 1, "bert")
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

    url = _on_postgresql(machine, password)
    with throwaway_machine(beside=machine) as two:
        _another_machine(machine, two)
        type_lines(machine, ["systemctl stop pbem-worker@1", KILL_FETCH], {})
        plays(machine, password, "anna", 3, "bert")
        assert "Traceback" not in log_of(two)
        assert "mail read mail=" in log_of(two)
    renewed = sections(MANY)["A new version"]
    type_lines(machine, [line for line in renewed if "/bin/pip " not in line], {})
    assert "Traceback" not in log_of(machine)
    assert machine.types(f"grep -cF '{url}' /etc/pbem/pbem.toml").output == "1"


KILL_FETCH = "kill -9 $(cat /run/units/pbem-fetch)"
NETWORK = """
ip addr add 10.0.0.1/24 dev lo
echo 10.0.0.1 one.example.org >>/etc/hosts
"""
AS_DEBIAN_DOES = """
make-ssl-cert generate-default-snakeoil
usermod --append --groups ssl-cert postgres
pg_conftool set ssl on
pg_ctlcluster $(pg_lsclusters -h | cut -c1-8) start
"""
"""What apt-get leaves of PostgreSQL on a system with services, and not in a container."""


def _on_postgresql(machine: Machine, password: str) -> str:
    """Moves the club, and lets processes of their own do its work; the URL of its database."""
    machine.types(NETWORK)
    machine.types(AS_DEBIAN_DOES)
    lines = sections(MANY)
    url = type_lines(machine, lines["The database, on one"], {}).output
    type_lines(machine, lines["The move, on one"], {"pbem upgrade": url})
    type_lines(machine, lines["Its processes, on one"], {})
    plays(machine, password, "bert", 2, "anna")
    return url


def _another_machine(one: Machine, two: Machine) -> None:
    """A second machine as the page makes it; the program is brought, which takes less time."""
    prepare(two)
    two.types("echo 10.0.0.1 one.example.org >>/etc/hosts")
    shutil.copy(one.files / "etc/pbem/pbem.toml", two.files / CHECKOUT[1:])
    page = sections(MANY)
    made = [*page["Another machine: two, three, and so on"], *page["The stand-by, on two"]]
    lines = [line for line in made if "/opt/pbem/.venv" not in line]
    shutil.copytree(one.files / "opt/pbem", two.files / "opt/pbem", symlinks=True)
    type_lines(two, lines, {})
