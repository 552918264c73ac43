"""Look: how an email's HTML part shows a board, and the links in it that write a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from pbem.games.phrases import Words
from pbem.mail.outgoing.words import phrase


class ReplyTo(NamedTuple):
    """Address and subject of an answer to an email."""

    address: str
    subject: str


class Tap(NamedTuple):
    """A link with its label and its `mailto:` address."""

    label: str
    href: str


class TapGroup(NamedTuple):
    """Links that belong together, such as the turns of one piece."""

    title: str
    """Empty if there is only one group."""
    taps: Sequence[Tap]


@dataclass(frozen=True)
class Taps:
    """All links of an email."""

    squares: Mapping[str, str] = field(default_factory=dict)
    """Links on the board, by name of square."""
    groups: Sequence[TapGroup] = ()
    """Legal actions."""
    commands: Sequence[Tap] = ()
    """Other commands, such as a draw offer."""
    hint: str = ""
    """Explanation of actions that are not obvious."""
    commands_first: bool = False
    """Whether the commands are above the actions, which matter less."""

    @property
    def many(self) -> bool:
        """Whether there are more actions than a phone shows at once as large buttons."""
        return sum(len(group.taps) for group in self.groups) > FEW

    @property
    def bytes(self) -> int:
        """Approximate number of bytes that action links add to an HTML part."""
        listed = [tap for group in self.groups for tap in group.taps]
        in_lists = sum(LINK_BYTES + len(tap.label) + len(tap.href) for tap in listed)
        return in_lists + sum(SQUARE_BYTES + len(href) for href in self.squares.values())


FEW = 30
"""Maximum number of links shown in one group, whatever their pieces, on a phone's screen."""
LINK_BYTES = 155
"""Bytes of a link in a list besides its address and label, with `&` as an entity."""
SQUARE_BYTES = 65
"""Bytes of a link on the board. It replaces the drawing of a piece."""


def tap(words: Words, reply: ReplyTo, text: str, sent: str = "") -> Tap:
    """Return the link with a text as its label that sends it, or another one."""
    name = _NAMES.get(text)
    return Tap(text if name is None else words.text(name), mailto(*reply, sent or text))


_NAMES = {
    "legal": phrase("command.legal"),
    "show": phrase("command.show"),
    "history": phrase("command.history"),
    "preview": phrase("command.preview"),
    "draw?": phrase("command.offer-draw"),
    "draw": phrase("command.accept-draw"),
    "no draw": phrase("command.decline-draw"),
    "takeback?": phrase("command.ask-takeback"),
    "takeback": phrase("command.accept-takeback"),
    "no takeback": phrase("command.decline-takeback"),
    "abandon": phrase("command.accept-abandon"),
    "no abandon": phrase("command.decline-abandon"),
    "pause": phrase("command.accept-pause"),
    "no pause": phrase("command.decline-pause"),
    "resign": phrase("command.resign"),
    "claim": phrase("command.claim"),
    "wait 3 days": phrase("command.wait"),
    "confirm": phrase("command.confirm"),
    "rematch": phrase("command.rematch"),
    "accept": phrase("command.accept"),
    "decline": phrase("command.decline"),
    "never": phrase("command.never"),
    ".": phrase("action.end"),
}
"""Labels of links other than moves."""


_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# RFC 6068 section 5. Also after the text, so that a signature starts on a new line.
_LINE_BREAK = "%0D%0A"


def mailto(address: str, subject: str, text: str) -> str:
    """Return the address that opens an email with one line of text."""
    return f"{_headed(address, subject)}&body={_encoded(text)}{_LINE_BREAK}"


@lru_cache(16)  # links of one email differ only in their text
def _headed(address: str, subject: str) -> str:
    local, _, host = address.rpartition("@")
    return f"mailto:{_encoded(local)}@{_encoded(host)}?subject={_encoded(subject)}"


@lru_cache(1024)  # the same texts occur in many emails
def _encoded(text: str) -> str:
    octets = text.encode(errors="replace")
    return "".join(chr(each) if each in _UNRESERVED else f"%{each:02X}" for each in octets)


def in_block(match: int, text: str) -> str:
    """Return a text for a match in an answer to an email about several."""
    return f"match {match}:\r\n{text}"


BOARDS = ("picture", "letters", "ascii")
"""Ways to show a board, starting with the default."""


class AnswersLeft(NamedTuple):
    """The answers left today to emails that change nothing."""

    left: int
    most: int


@dataclass(frozen=True)
class Look:
    """A reader's chosen board, and the data for their links."""

    board: str = BOARDS[0]
    reply: ReplyTo | None = None
    """Address of answers, None if there is nothing to answer."""
    answers_left: AnswersLeft | None = None
    """Number of answers left today, shown at the bottom. None hides it."""


USUAL = Look()
