"""Emails of the club, as their reader understands them."""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cached_property
from typing import NamedTuple

KINDS = (
    ("refusal", r"^Nothing has changed in the match\.$"),
    ("legal", r"^Legal moves in match \d+"),
    ("over", r"^\w+, (?:you (?:and [\w, ]+ )?(?:won|drew|lost) match \d+|match \d+ with )"),
    ("turn", r"^\w+, it is your turn as \w"),
    ("receipt", r"^Thank you, \w+\. Done: "),
    ("position", r"^\w+, turn \d+ of match \d+: .* to move\.$"),
)
"""Kinds of emails, each recognised by a line. The first that fits counts."""
MOVE = re.compile(r"\[[^\]]+\]")
SQUARE = re.compile(r"(\d+|[A-Z])([BSPbsp.]+)")
CELL = 6
"""Columns of a square in the diagram."""


class Square(NamedTuple):
    """A square of the diagram: the piece on it and its position."""

    piece: str
    row: int
    column: int


@dataclass(frozen=True)
class PlayerMail:
    """An email from the club."""

    message: EmailMessage
    text: str

    @classmethod
    def read(cls, raw: bytes) -> PlayerMail:
        """Read an email from its bytes."""
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage), "the default policy makes them"
        body = message.get_body(("plain",))
        text = str(body.get_content()) if body else ""
        return cls(message, text.replace("\r\n", "\n"))

    def header(self, name: str) -> str:
        """Return a header as text. Empty if there is none."""
        return str(self.message[name] or "")

    @property
    def shown(self) -> str:
        """Return the email as an email program shows it."""
        names = ("From", "To", "Reply-To", "Subject")
        return "\n".join([*(f"{name}: {self.header(name)}" for name in names), "", self.text])

    @cached_property
    def kind(self) -> str:
        """Return the kind of email."""
        return next((kind for kind, line in KINDS if self._has(line)), "other")

    def _has(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.MULTILINE) is not None

    def found(self, pattern: str) -> str:
        """Return the first group of a pattern in the text. Empty if it does not occur."""
        match = re.search(pattern, self.text, re.MULTILINE)
        return match[1] if match else ""

    @property
    def match(self) -> int:
        """Return the number of the match, from the subject."""
        number = re.search(r"\[\S+ (\d+)\]", self.header("Subject"))
        return int(number[1]) if number else 0

    @property
    def turn(self) -> int:
        """Return the number of the turn, 0 after the end."""
        return int(self.found(r"\b[Tt]urn (\d+)") or 0)

    @property
    def example(self) -> str:
        """Return the move given as an example."""
        return self.found(r"for example:\n\n +(\[.*\])$")

    @property
    def choice(self) -> bool:
        """Return whether more than one move is legal."""
        return self._has(r"\d legal moves")

    @property
    def legal(self) -> list[str]:
        """Return the moves of the requested list."""
        return MOVE.findall(self.found(r"^Legal moves in .*:\n\n((?: .*\n)+)"))

    @property
    def proposed(self) -> list[str]:
        """Return the moves that a refusal suggests."""
        return MOVE.findall(self.found(r"^(?:These are legal|Did you mean):\n\n((?: .*\n)+)"))

    @property
    def taken(self) -> list[str]:
        """Return the reader's moves that were carried out."""
        return MOVE.findall(self.found(r"^Thank you, \w+\. Done: (.*)$"))

    @property
    def seat(self) -> str:
        """Return the seat whose turn it is, from an email to its player."""
        return self.found(r"it is your turn as (\w)")

    @cached_property
    def board(self) -> dict[str, Square]:
        """Return the squares of the diagram by label."""
        grid = self.found(r"\n\n((?: .*\n)+)\nWhite, ")
        rows = [line for line in grid.splitlines() if SQUARE.search(line)]
        return {
            found[1]: Square(found[2], row, found.end() // CELL)
            for row, line in enumerate(rows)
            for found in SQUARE.finditer(line)
        }

    @property
    def scores(self) -> dict[str, int]:
        """Return everybody's score at the end of a match."""
        reader = self.found(r"^(\w+), you ")
        said = " ".join(self.found(r"^Score: ([^(]*)\(").split())
        pairs = (pair.rpartition(" ") for pair in said.split(", "))
        return {reader if name == "you" else name: int(score) for name, _, score in pairs}

    @property
    def table(self) -> dict[str, list[int | None]]:
        """Return the rows of the cross-table: three credits (None if undecided) and the sum."""
        rows = re.findall(r"^(\w+)((?: +(?:[+-]?\d+|\.)){4})$", self.text, re.MULTILINE)
        return {
            name: [None if cell == "." else int(cell) for cell in row.split()] for name, row in rows
        }

    @property
    def table_text(self) -> str:
        """Return the cross-table as printed."""
        return self.found(r"^(Set \d+, (?:.+\n)+\n(?:.+\n)+(?:\n.* the set\.\n)?)").strip("\n")

    @property
    def ends_the_set(self) -> bool:
        """Return whether it says who has won the set."""
        return self.kind == "over" and self._has(r" (?:wins|share) the set\.$")
