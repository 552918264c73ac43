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
        """The sentence for people."""
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


LATELY = timedelta(minutes=10)
"""Whoever was heard of within that time is alive."""


@dataclass(frozen=True)
class Examined:
    """A club on the table."""

    config: Config
    club: Club
    status: Status
    """How it stands, as its database tells."""

    @property
    def is_served(self) -> bool:
        """Whether somebody saw to what is due of late."""
        beat = self.status.last_beat
        return beat is not None and self.status.now - beat < LATELY
