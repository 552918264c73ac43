"""The emails in tests/data/mail, how each should be read, and the emails they answer.

An email is one `.eml` file. `cases.toml` beside it has a table for each, by its name:

- `verdict`: the result of screening;
- `fresh`: the person's own text, for an answer;
- `commands`: the commands in that text;
- `failed`: the addresses that a bounce reports, and whether they failed permanently;
- `absence`: whether it is an out-of-office reply;
- `blocks`: for an answer to a digest, what is for each match, and under an empty key for none;
- `letter`: the email it answers, in tests/data/letters, with HTML beside the text if it had any.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.mail.reply.quoted_letters import QuotedLetters

DATA = Path(__file__).parents[1] / "data"
USUAL = "turn"
"""The letter that most emails answer, whole or a piece of it."""


@dataclass(frozen=True)
class Case:
    """One email of the corpus, and how it should be read."""

    file: Path
    verdict: str
    fresh: str = ""
    commands: tuple[str, ...] | None = None
    failed: tuple[dict[str, Any], ...] | None = None
    absence: bool | None = None
    blocks: Mapping[str, str] | None = None
    letter: str = USUAL

    @property
    def name(self) -> str:
        """Return its file name without the extension."""
        return self.file.stem

    @property
    def raw(self) -> bytes:
        """Return its bytes."""
        return self.file.read_bytes()

    @property
    def witness(self) -> QuotedLetters:
        """Return the email that it answers, as it was sent."""
        text = DATA / "letters" / f"{self.letter}.txt"
        page = text.with_suffix(".html")
        pages = (page.read_text(encoding="utf-8"),) if page.exists() else ()
        return QuotedLetters((text.read_text(encoding="utf-8"),), pages)


def _cases() -> Iterator[Case]:
    for listed in sorted((DATA / "mail").glob("*/cases.toml")):
        for name, case in tomllib.loads(listed.read_text(encoding="utf-8")).items():
            fields: dict[str, Any] = {
                key: tuple(x) if isinstance(x, list) else x for key, x in case.items()
            }
            yield Case(listed.with_name(f"{name}.eml"), **fields)


CASES = tuple(sorted(_cases(), key=lambda case: case.name))
BY_NAME = {case.name: case for case in CASES}
