"""Read the pages for operators as lines to type, and the unit as settings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "systemd" / "pbem.service"
BY_HAND = (ROOT / "deploy" / "README.md").read_text("utf-8")
OPERATORS = (ROOT / "docs" / "operators.md").read_text("utf-8")
MANY = (ROOT / "deploy" / "many-machines.md").read_text("utf-8")


def sections(page: str) -> dict[str, list[str]]:
    """Return the lines to type per heading, up to the section about providers' mailboxes."""
    typed = page.partition("\n## Use a Gmail or Microsoft mailbox")[0]
    parts = re.split(r"^## ", typed, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: lines_of(part) for part in parts}


def lines_of(part: str) -> list[str]:
    """Return the indented lines of a part."""
    return [line[4:] for line in part.splitlines() if line.startswith("    ")]


def packages(line: str) -> list[str]:
    """Return the packages that a line installs with apt-get."""
    _, mark, names = line.partition("apt-get install -y ")
    return names.split() if mark else []


def unit(path: Path = UNIT) -> dict[str, str]:
    """Return the settings of the unit. If one is repeated, the last counts."""
    found = re.findall(r"^(\w+)=(.*)$", path.read_text("utf-8"), re.MULTILINE)
    return dict(found)
