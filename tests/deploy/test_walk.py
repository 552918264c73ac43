"""Type docs/operators.md line by line on a freshly booted Debian 12, and play a match there.

Then type deploy/many-machines.md, and continue the match with a second machine.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.deploy.booted import booted_machine, missing
from tests.deploy.machine import Machine
from tests.deploy.pages import MANY, OPERATORS, sections
from tests.deploy.typist import (
    CHECKOUT,
    closed_and_owned,
    do_without,
    log_of,
    main_process,
    newer_package,
    plays,
    prepare,
    type_lines,
)

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """Boot a Debian that has the source of pbem and nothing else of it."""
    if lacking := missing():
        do_without(lacking)
    with booted_machine() as machine:
        prepare(machine)
        yield machine


@pytest.mark.timeout(1800)
def test_every_line_for_operators_works(machine: Machine) -> None:
    page = sections(OPERATORS)
    type_lines(machine, page["Install the package"], {})
    password = type_lines(machine, page["Set up a mail server"], {}).output
    aliases = 'postmap -q "postmaster@$domain" "$(postconf -h virtual_alias_maps)"'
    assert machine.types(aliases).output == "you@example.com"
    for name in ("anna", "bert", "director"):
        machine.types(f'sed "s/club@/{name}@/;1q" /etc/dovecot/users >>/etc/dovecot/users')
        machine.types(f'echo "{name}@$domain {name}" >>/etc/postfix/mailboxes')

    people = ("club@example.org", "director@example.org", *4 * ("",))
    answers = ("pbem", *people, "", "localhost", "localhost:587", "", password)
    type_lines(machine, page["Create the club"], {"pbem init": "\n".join(answers)})

    plays(machine, password, "anna", 1, "bert")
    for folder in ("var/lib/pbem", "etc/pbem"):
        assert closed_and_owned(machine, folder)

    type_lines(machine, page["Publish the reading room"], {})
    nobody = "setpriv --reuid nobody --regid nogroup --clear-groups"
    shown = machine.types(f"{nobody} cat /var/lib/pbem-site/matches/match-000001-*.html")
    assert "<title>" in shown.output, f"{shown.output}\n{log_of(machine)}"
    assert machine.types(f"{nobody} ls /var/lib/pbem").status != 0
    assert machine.types(f"{nobody} touch /var/lib/pbem-site/index.html").status != 0

    type_lines(machine, page["Back up every night"], {})
    assert closed_and_owned(machine, "var/backups/pbem")
    type_lines(machine, page["Monitor the club"], {})
    assert machine.types("systemctl is-active prometheus pbem").status == 0
    _a_new_version(machine, page)
    type_lines(machine, page["Restore from a backup"], {})
    assert closed_and_owned(machine, "var/lib/pbem")
    _not_by_root(machine)

    url = _on_postgresql(machine, password)
    with booted_machine(beside=machine) as two:
        _another_machine(machine, two)
        type_lines(machine, ["systemctl stop pbem-worker@1", *KILL_FETCH], {})
        plays(machine, password, "anna", 3, "bert")
        assert "Traceback" not in log_of(two)
        assert "mail read mail=" in log_of(two)
    _by_lmtp(machine, password)
    newer_package(machine)
    machine.types("cp dist/pbem_newer.deb pbem_newest.deb")
    type_lines(machine, sections(MANY)["Upgrade to a new version"], {})
    assert "Traceback" not in log_of(machine)
    assert machine.types(f"grep -cF '{url}' /etc/pbem/pbem.toml").output == "1"
    type_lines(machine, sections(MANY)["Change the database password (on one)"], {})
    assert machine.types(f"grep -cF '{url}' /etc/pbem/pbem.toml").output == "0"
    assert machine.types("pbem member list").status == 0


def _a_new_version(machine: Machine, page: dict[str, list[str]]) -> None:
    """Replace the old package by a newer one, which restarts the services that ran."""
    ran = main_process(machine, "pbem")
    newer_package(machine)
    type_lines(machine, page["Upgrade to a new version"], {})
    assert main_process(machine, "pbem") not in (0, ran)
    assert machine.types("dpkg-query --show --showformat='${Version}' pbem").output.endswith(".1")
    assert machine.types("dpkg --verify pbem; systemctl --failed --quiet").output == ""
    assert "Traceback" not in log_of(machine)
    assert log_of(machine)


def _not_by_root(machine: Machine) -> None:
    """Check that the program refuses to run as root, and that other accounts cannot run it."""
    own = "/opt/pbem/.venv/bin/pbem doctor --config /etc/pbem/pbem.toml"
    refused = machine.types(own)
    assert refused.status == 1
    assert f"runuser -u pbem -- {own}" in refused.output
    assert machine.types(f"runuser -u pbem -- {own}").status == 0
    assert closed_and_owned(machine, "var/lib/pbem")
    assert "sudo pbem" in machine.types("runuser -u nobody -- pbem doctor").output


KILL_FETCH = (
    "kill -9 $(systemctl show --value --property=MainPID pbem-fetch)",
    "systemctl stop pbem-fetch",
)
NETWORK = (
    "ip addr add 10.0.0.1/24 dev lo",
    "echo 10.0.0.1 one.example.org >>/etc/hosts",
)


def _on_postgresql(machine: Machine, password: str) -> str:
    """Move the club to PostgreSQL, start separate processes, and return the URL of its database."""
    type_lines(machine, NETWORK, {})
    lines = sections(MANY)
    url = type_lines(machine, lines["Set up the database (on one)"], {}).output
    type_lines(machine, lines["Move the club (on one)"], {"pbem upgrade": url})
    type_lines(machine, lines["Start its processes (on one)"], {})
    plays(machine, password, "bert", 2, "anna")
    return url


def _another_machine(one: Machine, two: Machine) -> None:
    """Set up a second machine as the page says."""
    two.types("mkdir /srv/checkout; cd /srv/checkout")
    two.types(NETWORK[1])
    for brought in (
        one.files / "etc/pbem/pbem.toml",
        *(one.files / CHECKOUT[1:]).glob("dist/*.deb"),
    ):
        shutil.copy(brought, two.files / CHECKOUT[1:])
    page = sections(MANY)
    type_lines(two, page["Add another machine (two, three and so on)"], {})
    type_lines(two, page["Start the stand-by (on two)"], {})


def _by_lmtp(machine: Machine, password: str) -> None:
    """Let Postfix hand over the club's email, so that nobody reads the mailbox."""
    type_lines(machine, sections(MANY)["Take email straight from Postfix (on one)"], {})
    type_lines(machine, ["systemctl start pbem-worker@1"], {})
    plays(machine, password, "bert", 4, "anna")
