"""Findings: what came of each check of `pbem doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pbem.cli.terminal import printable


class Finding(NamedTuple):
    """What came of one check."""

    subject: str
    trouble: str = ""
    """What does not work, and what to do; empty if all is well."""
    note: str = ""
    advice: str = ""
    """What works, and could be better; empty if nothing is advised."""
    paste: tuple[str, ...] = ()
    """Lines to be copied somewhere, as the advice says where."""

    @property
    def state(self) -> str:
        """In a word."""
        if self.trouble:
            return "bad"
        return "advice" if self.advice else "ok"

    @property
    def text(self) -> str:
        """What is said of it."""
        return printable(self.trouble or self.advice or self.note)

    @property
    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"{MARKS[self.state]}  {self.subject}: {self.text}"
        yield from (f"         {printable(line)}" for line in self.paste)

    @property
    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "subject": self.subject,
            "state": self.state,
            "text": self.text,
            "paste": list(self.paste),
        }


MARKS = {"ok": "ok ", "advice": "tip", "bad": "BAD"}
