"""Taps: choose which answers an email offers as links, within its size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from pbem.games.api import Action, AnyGame, GamePosition
from pbem.games.phrases import Phrase, Words
from pbem.mail.outgoing.look import FEW, ReplyTo, Tap, TapGroup, Taps, mailto, tap
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.other_position import OtherPosition, Preview
from pbem.mail.outgoing.words import phrase
from pbem.matches.match import OfferKind
from pbem.matches.match_offers import turns_to_wait
from pbem.matches.match_options import TAKEBACKS

MOST_BYTES, MOST_BESIDE_PICTURE = 36_000, 50_000
"""Maximum bytes of action links beside a board in letters and beside a picture.

An email's HTML has 60,000 bytes at most. Gmail clips at 102,000.
"""
MOST_WITH_ENDS = 96
"""Maximum number of links of which a step has two: as the turn's end, and with the turn open.

With more, the turn stays open, so that an email is no longer than three screens of a phone.
"""


def taps(view: MatchView, reply: ReplyTo, *, on_board: bool = True) -> Taps:
    """Return the links for the reader of an email about a match.

    `on_board` says whether squares of the board can be links. Then actions identified by a square
    are only listed if the list is short.
    """
    if isinstance(view, OtherPosition):
        offers = ((view.words.text(each.label), each.text) for each in view.offered)
        commands = tuple(Tap(label, mailto(*reply, text)) for label, text in offers)
        may_act = isinstance(view, Preview) and view.can_continue
    else:
        commands = tuple(tap(view.words, reply, each) for each in commands_now(view))
        may_act = view.your_turn
    if not may_act:
        return Taps(commands=commands)
    offered = list(choices(view.game, view.match.position, view.actions))
    linked = on_squares(offered) if on_board else {}
    simple = [each for each in offered if not each.several]
    if simple and len(offered) > FEW:
        offered = simple
    ends = len(offered) + sum(each.open for each in offered) <= MOST_WITH_ENDS
    plans = (_Writer(view, *plan).actions(offered, linked) for plan in _plans(reply, ends=ends))
    most = MOST_BYTES if on_board else MOST_BESIDE_PICTURE
    light = next((plan for plan in plans if plan.bytes <= most), None)
    if light is None:
        light = Taps(hint=view.words.text(phrase("action.none")))
    if isinstance(view, Preview):
        hint = f"{view.words.text(phrase('action.line'))} {light.hint}".rstrip()
        light = replace(light, hint=hint)
    first = isinstance(view, Preview) or bool(view.open.offers)
    return replace(light, commands=commands, commands_first=first)


def commands_now(view: MatchView) -> Iterator[str]:
    """Yield the commands that the reader can use now."""
    match, you = view.match, view.you.id
    if match.result is not None:
        yield from ("show", "history", "preview")
        if view.rematch:
            yield "rematch"
        return
    for kind in view.open.offers:
        yield from (kind, f"no {kind}")
    if view.your_turn:
        yield "legal"
    if view.open.claim:
        yield from CLAIMS
    yield from ("show", "preview")
    yield from _offers(view)
    pause = view.pending.pause
    if pause is not None and view.open.pause:
        yield from (pause.answer, "no pause")
    elif pause is not None and pause.reader == "author":
        yield "no pause"
    if not match.has_resigned(you):
        yield "resign"


def _offers(view: MatchView) -> Iterator[str]:
    """Yield the offers that the reader can make."""
    match = view.match
    if match.has_resigned(view.you.id):
        return
    if _may_offer(view, OfferKind.DRAW) and match.options.draw_offers:
        yield "draw?"
    if _may_offer(view, OfferKind.TAKEBACK) and _has_just_played(view):
        yield "takeback?"


def _may_offer(view: MatchView, kind: OfferKind) -> bool:
    match = view.match
    return match.offer(kind) is None and not turns_to_wait(match, kind, view.you.id)


def _has_just_played(view: MatchView) -> bool:
    """Return whether the reader was the last to act, so that they may want their turn back."""
    if view.your_turn or view.match.options.of(TAKEBACKS) == "off":
        return False
    return view.match.actions > 0 and not view.since


def _plans(reply: ReplyTo, *, ends: bool) -> Iterator[tuple[ReplyTo, bool, bool]]:
    """Yield ways to write the links, the best first.

    Each has the reply, whether steps may end the turn, and whether lists are included. An answer
    with a shorter subject works too, but is outside the thread.
    """
    shorter = reply._replace(subject=f"{reply.subject.partition(']')[0]}]")
    yield from ((reply, ends, True), (shorter, ends, True))
    if ends:
        yield shorter, False, True
    yield from ((reply, False, False), (shorter, False, False))


CLAIMS = ("claim", "wait 3 days")
"""Possible answers when another player has run out of time."""
GOES_ON = "..."


def _order(choice: OfferedAction, *, few: bool) -> tuple[bool, bool, str]:
    """Sort key: actions without a square, then by start and column of the board."""
    if few:
        return bool(choice.start or choice.square), False, ""
    return bool(choice.start or choice.square), bool(choice.square), choice.square[:1]


@dataclass(frozen=True)
class _Writer:
    """Writes the links of one email."""

    view: MatchView
    reply: ReplyTo
    ends: bool = True
    """Whether a step that may end the turn is also offered as its end."""
    lists: bool = True
    """Whether to list actions that no square of the board identifies."""

    def tap(self, text: str) -> Tap:
        """Return the link that plays an action, or adds it to a line."""
        return tap(self.view.words, self.reply, text, self.sent(text))

    def sent(self, text: str) -> str:
        """Return the text that plays an action, or adds it to a line."""
        return self.view.sent_with(text) if isinstance(self.view, Preview) else text

    def actions(
        self, offered: Sequence[OfferedAction], linked: Mapping[str, OfferedAction]
    ) -> Taps:
        """Return the links to all actions: on squares of the board, and in groups."""
        few = sum(1 + (self.ends and each.open) for each in offered) <= FEW
        # Short texts do not say which piece moves, so the titles do.
        few = few and all(each.start in each.text for each in offered)
        groups: dict[str, list[Tap]] = {}
        # Actions without a square, such as ending the turn, must not be below long lists.
        for each in sorted(offered, key=lambda choice: _order(choice, few=few)):
            if self.lists and (few or linked.get(each.square) != each):
                groups.setdefault(self._title(each, few=few), []).extend(self._taps(each, few=few))
        squares = {
            square: mailto(*self.reply, self.sent(each.text)) for square, each in linked.items()
        }
        listed = tuple(TapGroup(title, tuple(some)) for title, some in groups.items())
        open_ended = any(each.open for each in offered)
        more = len(offered) < len(self.view.actions) or not self.lists
        hints = (
            squares and phrase("action.squares"),
            self.lists
            and open_ended
            and (phrase("action.open") if self.ends else phrase("action.steps")),
            (squares or listed) and more and phrase("action.more"),
        )
        said = (self.view.words.text(each) for each in hints if isinstance(each, Phrase))
        return Taps(squares, listed, hint=" ".join(said))

    def _taps(self, choice: OfferedAction, *, few: bool) -> Iterator[Tap]:
        texts = [choice.text] if self.ends or not choice.open else []
        texts += [f"{choice.text} {GOES_ON}"] if choice.open else []
        for text in texts:
            link = self.tap(text)
            yield link if few else link._replace(label=choice.after_start(link.label))

    def _title(self, choice: OfferedAction, *, few: bool) -> str:
        if not (choice.start or choice.square):
            return ""
        return _title_of(self.view.words, "" if few else choice.start)


@lru_cache(512)  # many links share one
def _title_of(words: Words, start: str) -> str:
    """Return the title for actions that start on a square, or for all."""
    return words.text(phrase("action.from", square=start) if start else phrase("action.now"))


class OfferedAction(NamedTuple):
    """An action, and whether the turn can continue after it."""

    text: str
    """Canonical text."""
    start: str
    """Square where its path starts, empty if it has no path."""
    square: str
    """The only square it is about if it has no path, otherwise empty."""
    open: bool
    """Whether the seat may continue after it or end its turn."""
    several: bool = False
    """Whether it does several things at once, as for the king's force: there are thousands."""

    def after_start(self, label: str) -> str:
        """Return a label without the square where the path starts, which a title shows."""
        return label.replace(f"{self.start}-", "", 1) if self.start else label


def choices(
    game: AnyGame, position: GamePosition, actions: Iterable[Action]
) -> Iterator[OfferedAction]:
    """Yield the legal actions of the seat to move, in order."""
    for action in actions:
        text = game.format(position, action)
        paths = game.paths(text)
        if paths is None:
            paths = game.moved(position, action)
        goes_on = game.info.stepwise and game.closing(game.play(position, action)) is not None
        yield OfferedAction(text, _start(paths), _square(paths), goes_on, len(paths) > 1)


def _start(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) > 1 else ""


def _square(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) == 1 else ""


def on_squares(offered: Sequence[OfferedAction]) -> dict[str, OfferedAction]:
    """Return actions by the only square that identifies them: they place or take a piece there.

    If a square has several, or some action is written as just a square, only actions written so
    count. So a tap on a square never moves Excalibur if a knight can be placed there.
    """
    by_square: dict[str, list[OfferedAction]] = {}
    for each in offered:
        if each.square and not each.open:
            by_square.setdefault(each.square, []).append(each)
    written = {each.square: each for each in offered if each.square == each.text and not each.open}
    return written or {square: some[0] for square, some in by_square.items() if len(some) == 1}
