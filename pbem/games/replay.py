"""Replay: play a list of actions, or a whole match from its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pbem.games.api import (
    ActionError,
    AmbiguousActionError,
    AnyGame,
    CountedTurns,
    GamePosition,
    IllegalActionError,
    Options,
    Seat,
)
from pbem.games.phrases import Phrase
from pbem.games.words import phrase


class Played(NamedTuple):
    """An action that was played."""

    turn: int
    """Number of its turn."""
    seat: Seat
    text: str
    """Canonical text."""
    passed: tuple[Seat, ...]
    """Seats for which the engine passed right after it."""
    position: Any
    """Position after the action and the passes."""
    declaration: bool = False
    """Whether it is a declaration, not a move."""


class ReplayError(Exception):
    """A stored action that cannot be played: its index from 0, and the reason."""

    def __init__(self, index: int, error: ActionError) -> None:
        super().__init__(f"action {index + 1}: {error}")
        self.index = index
        self.error = error


def play_list(
    game: AnyGame, position: GamePosition, seat: Seat, texts: Sequence[str]
) -> tuple[Played, ...]:
    """Play one seat's actions from an email, in order, all or none.

    Raises the ActionError of the first action that fails.
    """
    return tuple(_play_each(game, position, ((seat, text) for text in texts)))


def play_written(
    game: AnyGame, position: GamePosition, seat: Seat, texts: Sequence[str], *, begun: bool = False
) -> tuple[Played, ...]:
    """Play actions that a person wrote. Unlike `play_list`, ignore ends of turns that already
    ended.

    `begun` says whether earlier actions of the same email were played. The candidates of an error
    start with the actions played before it, so that a player can send one instead of the list. If
    the turn ended before the error, the candidates are just the actions played.
    """
    played: list[Played] = []
    for text in texts:
        try:
            played.append(play_one(game, position, seat, text))
        except ActionError as error:
            if (played or begun) and ends_nothing(game, position, seat, text):
                continue
            error.candidates = _with_all_before(played, error.candidates)
            if played and game.to_act(position) != seat:
                error.candidates = _with_all_before(played, [""])  # the last action is too much
            raise
        position = played[-1].position
    return tuple(played)


def counts_of(game: AnyGame, before: GamePosition, played: Iterable[Played]) -> tuple[Phrase, ...]:
    """Return the length of each turn after some actions, if the game limits it."""
    if not isinstance(game, CountedTurns):
        return ()
    counts: dict[int, Phrase] = {}
    for each in played:
        said = game.counted(before, game.parse(before, each.text, each.seat))
        if said is not None:
            counts[each.turn] = said
        before = each.position
    return tuple(counts.values())


def _with_all_before(played: Sequence[Played], candidates: Iterable[str]) -> tuple[str, ...]:
    before = [each.text for each in played]
    return tuple(" ".join([*before, candidate]).rstrip() for candidate in candidates)


def ends_nothing(game: AnyGame, position: GamePosition, seat: Seat, text: str) -> bool:
    """Return whether a text only ends a turn that has already ended."""
    try:
        game.parse(position, text, seat)
    except ActionError as error:
        return error.ends_nothing
    return False


def suggestions(
    game: AnyGame, position: GamePosition, seat: Seat, words: Iterable[str]
) -> tuple[str, ...]:
    """Return canonical texts that words may mean for a seat now. Each is legal if sent alone."""
    found: dict[str, None] = {}
    for word in words:
        try:
            text = play_one(game, position, seat, word).text
        except AmbiguousActionError as error:
            found |= dict.fromkeys(error.candidates)
        except ActionError:
            continue
        else:
            found[text] = None
    return tuple(found)


def replay(
    game: AnyGame, players: int, options: Options, actions: Iterable[tuple[Seat, str]]
) -> Iterator[Played]:
    """Yield a match from its start. Raises ReplayError at the first action that fails."""
    return replay_from(game, game.initial(players, options), actions)


def replay_from(
    game: AnyGame, position: GamePosition, actions: Iterable[tuple[Seat, str]]
) -> Iterator[Played]:
    """Yield a match from a position. Raises ReplayError with an index counted from there."""
    done = 0
    try:
        for played in _play_each(game, position, actions):
            yield played
            done += 1
    except ActionError as error:
        raise ReplayError(done, error) from error


def _play_each(
    game: AnyGame, position: GamePosition, actions: Iterable[tuple[Seat, str]]
) -> Iterator[Played]:
    for seat, text in actions:
        played = play_one(game, position, seat, text)
        position = played.position
        yield played


def play_one(game: AnyGame, position: GamePosition, seat: Seat, text: str) -> Played:
    """Play one action of a seat. Raises an ActionError if it is not legal."""
    to_act = game.to_act(position)
    if to_act is None:
        raise IllegalActionError(phrase("match-over"), text=text)
    action = game.parse(position, text, seat)
    if seat != to_act and not action.declaration:
        asked, asking = game.info.name_of(to_act), game.info.name_of(seat)
        raise IllegalActionError(phrase("not-your-turn", to_act=asked, seat=asking), text=text)
    after = game.play(position, action)
    canonical = game.format(position, action)
    return Played(position.turn, action.seat, canonical, after.passed, after, action.declaration)


__all__ = [
    "Played",
    "ReplayError",
    "play_list",
    "replay",
]
