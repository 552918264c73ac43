"""How the demonstration shows that it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO

from pbem.extras.demo.limits import Deadline

PAUSE_S = 5.0
"""How often a line is printed where lines cannot be written over."""
PAUSE_TERMINAL_S = 0.1


class Progress:
    """One line that is written over on a terminal, and a line now and then elsewhere."""

    def __init__(self, out: TextIO, clock: Deadline) -> None:
        self._out = out
        self._clock = clock
        self._live = out.isatty()
        self._pause_s = PAUSE_TERMINAL_S if self._live else PAUSE_S
        self._shown_s = 0.0
        self.mails = 0
        self.match, self.turn = 1, 0
        self._turns = 0

    def mail(self, facts: Mapping[str, Any]) -> None:
        """A player has got a mail."""
        self.mails += 1
        match, turn = int(facts["match"]), int(facts["turn"])
        if match > self.match:
            self._turns += self.turn
            self.match, self.turn = match, 0
            self.show()
        self.turn = max(self.turn, turn if match == self.match else 0)
        if self._clock.passed_s - self._shown_s >= self._pause_s:
            self.show()

    def show(self) -> None:
        """Shows where things stand."""
        self._shown_s = self._clock.passed_s
        text = f"match {self.match} of 3, turn {self.turn:3}; {self.mails:4} mails received"
        text += f", {self._turns + self.turn} turns in all, {self._shown_s:.0f} s"
        self._out.write(f"\r  {text}  " if self._live else f"  {text}\n")
        self._out.flush()

    def done(self) -> None:
        """Ends the line."""
        self.show()
        if self._live:
            self._out.write("\n")
