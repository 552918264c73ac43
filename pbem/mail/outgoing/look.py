"""Look: how an email's HTML part shows a board, and the links in it that write a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from pbem.games.phrases import Words
from pbem.mail.outgoing.words import phrase


class ReplyTo(NamedTuple):
    """Where an answer to a mail goes, and under which subject."""

    address: str
    subject: str


class Tap(NamedTuple):
    """A link: what it shows, and the `mailto:` that it leads to."""

    label: str
    href: str


class TapGroup(NamedTuple):
    """Links that belong together, such as the turns of one piece."""

    title: str
    """Empty where there is but one group."""
    taps: Sequence[Tap]


@dataclass(frozen=True)
class Taps:
    """All links of a mail."""

    squares: Mapping[str, str] = field(default_factory=dict)
    """Links on the board, by the name of the square."""
    groups: Sequence[TapGroup] = ()
    """Turns that are legal."""
    commands: Sequence[Tap] = ()
    """What else can be asked for, such as a draw."""
    hint: str = ""
    """What some of the actions mean, if that does not go without saying."""

    @property
    def many(self) -> bool:
        """Whether there are more actions than a phone shows at once as large buttons."""
        return sum(len(group.taps) for group in self.groups) > FEW

    @property
    def bytes(self) -> int:
        """What the links to actions add to an HTML part, about."""
        listed = [tap for group in self.groups for tap in group.taps]
        in_lists = sum(LINK_BYTES + len(tap.label) + len(tap.href) for tap in listed)
        return in_lists + sum(SQUARE_BYTES + len(href) for href in self.squares.values())


FEW = 30
"""Links that are shown in one group, whatever pieces they belong to, on a screen of a phone."""
LINK_BYTES = 155
"""What a link in a list needs beside its address and label, with `&` written out."""
SQUARE_BYTES = 65
"""What one on the board needs; where a link is, no piece is drawn."""


def tap(words: Words, reply: ReplyTo, text: str) -> Tap:
    """The link that sends a text."""
    name = _NAMES.get(text)
    return Tap(text if name is None else words.text(name), mailto(*reply, text))


_NAMES = {
    "legal": phrase("command.legal"),
    "show": phrase("command.show"),
    "history": phrase("command.history"),
    "draw?": phrase("command.offer-draw"),
    "draw": phrase("command.accept-draw"),
    "no draw": phrase("command.decline-draw"),
    "pause": phrase("command.accept-pause"),
    "no pause": phrase("command.decline-pause"),
    "resign": phrase("command.resign"),
    "claim": phrase("command.claim"),
    "wait 3 days": phrase("command.wait"),
    "confirm": phrase("command.confirm"),
    "rematch": phrase("command.rematch"),
    "accept": phrase("command.accept"),
    "decline": phrase("command.decline"),
    ".": phrase("action.end"),
}
"""What stands on links to other things than moves."""


_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LINE_BREAK = "%0D%0A"  # section 5; behind the text, too: what programs sign with begins a new line


def mailto(address: str, subject: str, text: str) -> str:
    """Address that opens a mail of one line."""
    return f"{_headed(address, subject)}&body={_encoded(text)}{_LINE_BREAK}"


@lru_cache(16)  # the links of a mail differ in nothing but their text
def _headed(address: str, subject: str) -> str:
    local, _, host = address.rpartition("@")
    return f"mailto:{_encoded(local)}@{_encoded(host)}?subject={_encoded(subject)}"


@lru_cache(1024)  # and that is the same in many mails
def _encoded(text: str) -> str:
    octets = text.encode(errors="replace")
    return "".join(chr(each) if each in _UNRESERVED else f"%{each:02X}" for each in octets)


BOARDS = ("html", "picture", "ascii")
"""How a board can be shown, the usual way first."""


class AnswersLeft(NamedTuple):
    """The answers left today to emails that change nothing."""

    left: int
    most: int


@dataclass(frozen=True)
class Look:
    """What a reader has chosen, and what they can tap."""

    board: str = BOARDS[0]
    reply: ReplyTo | None = None
    """Where an answer goes; None where there is nothing to be answered."""
    answers_left: AnswersLeft | None = None
    """How many more answers there are today, shown at the foot; None: not shown."""


USUAL = Look()
