"""The pages for operators as lines to type, and the unit as settings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "systemd" / "pbem.service"
BY_HAND = (ROOT / "deploy" / "README.md").read_text("utf-8")
OPERATORS = (ROOT / "docs" / "operators.md").read_text("utf-8")
MANY = (ROOT / "deploy" / "many-machines.md").read_text("utf-8")


def sections(page: str) -> dict[str, list[str]]:
    """Lines to type by heading, up to where mailboxes of providers begin."""
    typed = page.partition("\n## Use a Gmail or Microsoft mailbox")[0]
    parts = re.split(r"^## ", typed, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: lines_of(part) for part in parts}


def lines_of(part: str) -> list[str]:
    """The indented lines of a part."""
    return [line[4:] for line in part.splitlines() if line.startswith("    ")]


def packages(line: str) -> list[str]:
    """What a line has apt-get install."""
    _, mark, names = line.partition("apt-get install -y ")
    return names.split() if mark else []


def unit(path: Path = UNIT) -> dict[str, str]:
    """Settings of the unit; of one that stands there twice, the last."""
    found = re.findall(r"^(\w+)=(.*)$", path.read_text("utf-8"), re.MULTILINE)
    return dict(found)
