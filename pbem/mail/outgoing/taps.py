"""Taps: what can be answered by following a link of a mail, each a reply with its line written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from pbem.games.phrases import Phrase, Words
from pbem.mail.outgoing.choices import Choice, choices, on_squares
from pbem.mail.outgoing.mailto import mailto
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
