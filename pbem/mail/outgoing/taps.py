"""Taps: what can be answered by following a link of a mail, each a reply with its line written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from pbem.games.api import Action, AnyGame, Position
from pbem.games.phrases import Phrase, Words
from pbem.mail.outgoing.match_view import MatchView
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
MOST_BYTES = 36_000
"""What links to actions may add to a mail, of 60,000 for the whole; Gmail clips at 102,000."""
LINK_BYTES = 155
"""What a link in a list needs beside its address and label, with `&` written out."""
SQUARE_BYTES = 65
"""What one on the board needs; where a link is, no piece is drawn."""


def tap(words: Words, reply: ReplyTo, text: str) -> Tap:
    """The link that sends a text."""
    name = _NAMES.get(text)
    return Tap(text if name is None else words.text(name), mailto(*reply, text))


def taps(view: MatchView, reply: ReplyTo, *, on_board: bool = True) -> Taps:
    """What the reader of a mail about a match can tap.

    `on_board` tells whether squares of its board can be links: then what is told by a square alone
    is listed only where there is little to be listed.
    """
    commands = tuple(tap(view.words, reply, each) for each in commands_now(view))
    if not view.your_turn:
        return Taps(commands=commands)
    offered = list(choices(view.game, view.match.position, view.actions))
    linked = on_squares(offered) if on_board else {}
    simple = [each for each in offered if not each.several]
    if simple and len(offered) > FEW:
        offered = simple
    plans = (_Writer(view, *plan).actions(offered, linked) for plan in _plans(reply))
    light = next((plan for plan in plans if plan.bytes <= MOST_BYTES), Taps())
    return replace(light, commands=commands)


def commands_now(view: MatchView) -> Iterator[str]:
    """Commands that the reader can give now, by word."""
    match, you = view.match, view.you.id
    if match.result is not None:
        yield from ("show", "history")
        if view.rematch:
            yield "rematch"
        return
    if view.your_turn:
        yield "legal"
    if view.open.claim:
        yield from CLAIMS
    yield "show"
    in_play = not match.has_resigned(you)
    if view.open.offer:
        yield from ("draw", "no draw")
    elif match.offer is None and match.options.draw_offers and in_play:
        yield "draw?"
    pause = view.pending.pause
    if pause is not None and view.open.pause:
        yield from (pause.answer, "no pause")
    elif pause is not None and pause.reader == "author":
        yield "no pause"
    if in_play:
        yield "resign"


def _plans(reply: ReplyTo) -> Iterator[tuple[ReplyTo, bool, bool]]:
    """Yield ways to write the links, the best first: how, with which ends, and whether with lists.

    An answer under a shorter subject is understood as well, but stands outside the thread.
    """
    shorter = reply._replace(subject=f"{reply.subject.partition(']')[0]}]")
    yield from ((reply, True, True), (shorter, True, True), (shorter, False, True))
    yield from ((reply, False, False), (shorter, False, False))


CLAIMS = ("claim", "wait 3 days")
"""What can be answered where another's time is over."""
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
GOES_ON = "..."


def _order(choice: Choice, *, few: bool) -> tuple[bool, bool, str]:
    """What is sorted by: no square, then the pieces that go, then lines of the board from a on."""
    if few:
        return bool(choice.start or choice.square), False, ""
    return bool(choice.start or choice.square), bool(choice.square), choice.square[:1]


@dataclass(frozen=True)
class _Writer:
    """Writes the links of one mail."""

    view: MatchView
    reply: ReplyTo
    ends: bool = True
    """Whether a step that may be the last is offered so, too, and not only with more to come."""
    lists: bool = True
    """Whether actions that the board does not tell by a square are listed."""

    def tap(self, text: str) -> Tap:
        """The link that sends a text."""
        return tap(self.view.words, self.reply, text)

    def actions(self, offered: Sequence[Choice], linked: Mapping[str, Choice]) -> Taps:
        """The links to all actions: on squares of the board, and in groups."""
        few = sum(1 + (self.ends and each.open) for each in offered) <= FEW
        groups: dict[str, list[Tap]] = {}
        # What has no square, such as the end of a turn, is not to stand below long lists.
        for each in sorted(offered, key=lambda choice: _order(choice, few=few)):
            if self.lists and (few or linked.get(each.square) != each):
                groups.setdefault(self._title(each, few=few), []).extend(self._taps(each))
        squares = {square: mailto(*self.reply, each.text) for square, each in linked.items()}
        listed = tuple(TapGroup(title, tuple(some)) for title, some in groups.items())
        open_ended = any(each.open for each in offered)
        more = len(offered) < len(self.view.actions) or not self.lists
        hints = (
            squares and phrase("action.squares"),
            self.lists and open_ended and phrase("action.open"),
            (squares or listed) and more and phrase("action.more"),
        )
        said = (self.view.words.text(each) for each in hints if isinstance(each, Phrase))
        return Taps(squares, listed, hint=" ".join(said))

    def _taps(self, choice: Choice) -> Iterator[Tap]:
        if self.ends or not choice.open:
            yield self.tap(choice.text)
        if choice.open:
            yield self.tap(f"{choice.text} {GOES_ON}")

    def _title(self, choice: Choice, *, few: bool) -> str:
        if not (choice.start or choice.square):
            return ""
        place = ("", "") if few else (choice.start, choice.square[:1])
        return _title_of(self.view.words, *place)


@lru_cache(512)  # many links stand under one
def _title_of(words: Words, start: str, line: str) -> str:
    """Title of what begins on a square, of what is on a line of the board, or of all."""
    if start:
        return words.text(phrase("action.from", square=start))
    return words.text(phrase("action.on", line=line) if line else phrase("action.now"))


class Choice(NamedTuple):
    """An action, and whether the turn can go on after it."""

    text: str
    """Canonical."""
    start: str
    """Square at which its way begins; empty where it has none."""
    square: str
    """The one square that it is about, where it has no way; empty for any other."""
    open: bool
    """Whether the seat may go on after it, or end its turn there."""
    several: bool = False
    """Whether it does several things at once, as the king's force may: there are thousands."""


def choices(game: AnyGame, position: Position, actions: Iterable[Action]) -> Iterator[Choice]:
    """Legal actions of the seat to act, in their order."""
    for action in actions:
        text = game.format(position, action)
        paths = game.paths(text)
        goes_on = game.info.stepwise and game.closing(game.play(position, action)) is not None
        yield Choice(text, _start(paths), _square(paths), goes_on, len(paths) > 1)


def _start(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) > 1 else ""


def _square(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) == 1 else ""


def on_squares(offered: Sequence[Choice]) -> dict[str, Choice]:
    """Choices by the square that alone tells them: those that place something on it, or take it.

    Where a square has several, or an action is written as a square itself, only those that are so
    written count: a tap on a square never moves Excalibur where a knight can be placed.
    """
    by_square: dict[str, list[Choice]] = {}
    for each in offered:
        if each.square and not each.open:
            by_square.setdefault(each.square, []).append(each)
    written = {each.square: each for each in offered if each.square == each.text and not each.open}
    return written or {square: some[0] for square, some in by_square.items() if len(some) == 1}


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
