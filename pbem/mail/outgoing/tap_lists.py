"""Tap lists: which links to tap a mail has, and under which titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.mail.outgoing.choices import Choice, choices, on_squares
from pbem.mail.outgoing.mailto import mailto
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.taps import ReplyTo, Tap, TapGroup, Taps

FEW = 16
"""Links that are shown in one group, whatever pieces they belong to."""
MOST_BYTES = 26_000
"""What the links to actions may add to a mail, which clients clip when it is too long."""
LINK_BYTES = 110
"""What an HTML part needs for a link beside its address and label."""

Words = Mapping[str, str]
"""What stands on and above the links, by `[taps]` of the phrases of a language."""


class Line(NamedTuple):
    """What a link says, and what is sent by it."""

    label: str
    text: str


Lines = Mapping[str, Sequence[Line]]
"""By title."""


def taps_of(view: MatchView, words: Words, reply_to: ReplyTo, *, on_board: bool) -> Taps:
    """The taps of a mail about a match.

    `on_board` tells whether squares of its board can be links; then what is told by a square alone
    is listed only if there is not much of it.
    """
    commands = tuple(_tap(reply_to, _named(words, each)) for each in commands_now(view))
    if not view.your_turn:
        return Taps(commands=commands)
    offered = choices(view.game, view.match.position)
    for subject, listed in _plans(reply_to, offered, words, on_board=on_board):
        taps = Taps(_squares(subject, offered, on_board=on_board), _groups(subject, listed))
        if _weight(taps) <= MOST_BYTES:
            return replace(taps, commands=commands)
    return Taps(commands=commands)


def confirming(words: Words, reply_to: ReplyTo) -> Taps:
    """The one tap of a question, which nothing else answers."""
    return Taps(commands=(_tap(reply_to, _named(words, "confirm")),))


def commands_now(view: MatchView) -> Iterator[str]:
    """Commands that the reader can give now, by word."""
    match, you = view.match, view.you.id
    if match.result is not None:
        yield from ("show", "history")
        return
    if view.your_turn:
        yield "legal"
    yield "show"
    if match.offer is None and match.options.draw_offers and not match.has_resigned(you):
        yield "draw?"
    if view.open.offer:
        yield from ("draw", "no draw")
    if not match.has_resigned(you):
        yield "resign"


def _plans(
    reply_to: ReplyTo, offered: Sequence[Choice], words: Words, *, on_board: bool
) -> Iterator[tuple[ReplyTo, Lines]]:
    """Ways to list the choices, the best first and the lightest last.

    An answer under a shorter subject is understood as well, but stands outside the thread.
    """
    shorter = replace(reply_to, subject=f"{reply_to.subject.partition(']')[0]}]")
    whole = _listed(offered, words, on_board=on_board)
    yield reply_to, whole
    yield shorter, whole
    steps = [each._replace(ends=False) if each.open else each for each in offered]
    yield shorter, _listed(steps, words, on_board=on_board)
    yield shorter, {}


def _listed(offered: Sequence[Choice], words: Words, *, on_board: bool) -> Lines:
    """What is listed, in one group while it is little, else by piece."""
    groups: dict[str, list[Line]] = {}
    if any(each.open for each in offered):
        groups[words["open"]] = []
    few = sum(len(list(_lines(each, words))) for each in offered) <= FEW
    linked = on_squares(offered) if on_board and not few else {}
    for each in offered:
        if linked.get(each.square) != each:
            title = words["now"] if few else _title(each, words)
            groups.setdefault(title, []).extend(_lines(each, words))
    return groups


def _title(choice: Choice, words: Words) -> str:
    if choice.start:
        return words["from"].format(square=choice.start)
    return words["on"].format(line=choice.square[0]) if choice.square else words["more"]


def _lines(choice: Choice, words: Words) -> Iterator[Line]:
    if choice.ends:
        yield _named(words, choice.text)
    if choice.open:
        yield Line(f"{choice.text} …", f"{choice.text} ...")


def _named(words: Words, text: str) -> Line:
    return Line(words.get(text, text), text)


def _squares(
    reply_to: ReplyTo, offered: Sequence[Choice], *, on_board: bool
) -> Mapping[str, str]:
    linked = on_squares(offered) if on_board else {}
    return {square: mailto(reply_to, each.text) for square, each in linked.items()}


def _groups(reply_to: ReplyTo, listed: Lines) -> tuple[TapGroup, ...]:
    return tuple(
        TapGroup(title, tuple(_tap(reply_to, line) for line in lines))
        for title, lines in listed.items()
    )


def _tap(reply_to: ReplyTo, line: Line) -> Tap:
    return Tap(line.label, mailto(reply_to, line.text))


def _weight(taps: Taps) -> int:
    in_groups = (len(tap.label) + len(tap.href) for group in taps.groups for tap in group.taps)
    return sum(LINK_BYTES + each for each in _weights(in_groups, taps.squares.values()))


def _weights(listed: Iterable[int], squares: Iterable[str]) -> Iterator[int]:
    yield from listed
    yield from map(len, squares)
