"""Findings: the result of each check of `pbem doctor`, and the club that is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from pbem.cli.listing import printable
from pbem.run.config import Config
from pbem.service.club import Club
from pbem.service.status import Status


class Finding(NamedTuple):
    """The result of one check."""

    subject: str
    trouble: str = ""
    """The problem and how to fix it. Empty if all is well."""
    note: str = ""
    advice: str = ""
    """Advice about something that works but could be better. Empty if there is none."""
    paste: tuple[str, ...] = ()
    """Lines to copy. The advice says where."""

    @property
    def state(self) -> str:
        """Return the state in a word."""
        if self.trouble:
            return "bad"
        return "advice" if self.advice else "ok"

    @property
    def text(self) -> str:
        """Return the sentence for people."""
        return printable(self.trouble or self.advice or self.note)

    @property
    def lines(self) -> Iterator[str]:
        """Yield the lines for people."""
        yield f"{MARKS[self.state]}  {self.subject}: {self.text}"
        yield from (f"         {printable(line)}" for line in self.paste)

    @property
    def data(self) -> dict[str, Any]:
        """Return the data for programs."""
        return {
            "subject": self.subject,
            "state": self.state,
            "text": self.text,
            "paste": list(self.paste),
        }


MARKS = {"ok": "ok ", "advice": "tip", "bad": "BAD"}


LATELY = timedelta(minutes=10)
"""A service that has given a sign of life within this time is alive."""


@dataclass(frozen=True)
class Examined:
    """The club that is checked."""

    config: Config
    club: Club
    status: Status
    """The status read from its database."""

    @property
    def is_served(self) -> bool:
        """Return whether a service has recently done the club's work."""
        beat = self.status.last_beat
        return beat is not None and self.status.now - beat < LATELY
