"""docs/operators.md is typed line by line on a Debian 12 that was booted for it; there a match is played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.deploy.booted import booted_machine, missing
from tests.deploy.machine import Machine
from tests.deploy.pages import OPERATORS, sections
from tests.deploy.typist import (
    closed_and_owned,
    do_without,
    log_of,
    plays,
    prepare,
    type_lines,
)

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """With the source of pbem, and nothing else that Debian has not."""
    if lacking := missing():
        do_without(lacking)
    with booted_machine() as machine:
        prepare(machine)
        yield machine


@pytest.mark.timeout(600)
def test_every_line_for_operators(machine: Machine) -> None:
    page = sections(OPERATORS)
    type_lines(machine, page["The package"], {})
    password = type_lines(machine, page["A mail server, if you have none"], {}).output
    for name in ("anna", "bert", "director"):
        machine.types(f'sed "s/club@/{name}@/;1q" /etc/dovecot/users >>/etc/dovecot/users')
        machine.types(f'echo "{name}@$domain {name}" >>/etc/postfix/mailboxes')

    addresses = ("club@example.org", "director@example.org", "/var/lib/pbem")
    answers = ("pbem", *addresses, "localhost", "localhost:587", "", password)
    type_lines(machine, page["The club"], {"pbem init": "\n".join(answers)})

    plays(machine, password, "anna", 1, "bert")
    for folder in ("var/lib/pbem", "etc/pbem"):
        assert closed_and_owned(machine, folder)

    type_lines(machine, page["The reading room"], {})
    nobody = "setpriv --reuid nobody --regid nogroup --clear-groups"
    shown = machine.types(f"{nobody} cat /var/lib/pbem-site/matches/match-000001-*.html")
    assert "<title>" in shown.output, f"{shown.output}\n{log_of(machine)}"
    assert machine.types(f"{nobody} ls /var/lib/pbem").status != 0
    assert machine.types(f"{nobody} touch /var/lib/pbem-site/index.html").status != 0

    type_lines(machine, page["A new version"], {})
    plays(machine, password, "bert", 2, "anna")
    assert "Traceback" not in log_of(machine)
    assert log_of(machine)
