"""Taps: choose which answers an email offers as links, within its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from pbem.games.api import Action, AnyGame, Position
from pbem.games.phrases import Phrase, Words
from pbem.mail.outgoing.look import FEW, ReplyTo, Tap, TapGroup, Taps, mailto, tap
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.words import phrase

MOST_BYTES = 36_000
"""What links to actions may add to a mail, of 60,000 for the whole; Gmail clips at 102,000."""


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
GOES_ON = "..."


def _order(choice: OfferedAction, *, few: bool) -> tuple[bool, bool, str]:
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

    def actions(
        self, offered: Sequence[OfferedAction], linked: Mapping[str, OfferedAction]
    ) -> Taps:
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

    def _taps(self, choice: OfferedAction) -> Iterator[Tap]:
        if self.ends or not choice.open:
            yield self.tap(choice.text)
        if choice.open:
            yield self.tap(f"{choice.text} {GOES_ON}")

    def _title(self, choice: OfferedAction, *, few: bool) -> str:
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


class OfferedAction(NamedTuple):
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


def choices(
    game: AnyGame, position: Position, actions: Iterable[Action]
) -> Iterator[OfferedAction]:
    """Legal actions of the seat to act, in their order."""
    for action in actions:
        text = game.format(position, action)
        paths = game.paths(text)
        goes_on = game.info.stepwise and game.closing(game.play(position, action)) is not None
        yield OfferedAction(text, _start(paths), _square(paths), goes_on, len(paths) > 1)


def _start(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) > 1 else ""


def _square(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) == 1 else ""


def on_squares(offered: Sequence[OfferedAction]) -> dict[str, OfferedAction]:
    """Choices by the square that alone tells them: those that place something on it, or take it.

    Where a square has several, or an action is written as a square itself, only those that are so
    written count: a tap on a square never moves Excalibur where a knight can be placed.
    """
    by_square: dict[str, list[OfferedAction]] = {}
    for each in offered:
        if each.square and not each.open:
            by_square.setdefault(each.square, []).append(each)
    written = {each.square: each for each in offered if each.square == each.text and not each.open}
    return written or {square: some[0] for square, some in by_square.items() if len(some) == 1}
