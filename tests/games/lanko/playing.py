"""Short helpers to play drawn positions in a test."""

from __future__ import annotations

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, Outcome, Seat
from pbem.games.lanko.position import LankoPosition
from pbem.games.replay import play_list


def game(position: LankoPosition) -> AnyGame:
    """Return the game of a position."""
    return game_of(position.terms.board.key)


def legal(position: LankoPosition) -> list[str]:
    """Return the canonical texts of the legal actions."""
    return [game(position).format(position, action) for action in position.legal]


def legal_from(position: LankoPosition, label: str) -> set[str]:
    """Return where a piece may go, without the start and the brackets: `-B`, `:C:E`."""
    moves = (text.strip("[]") for text in legal(position))
    return {move[len(label) :] for move in moves if move.startswith((f"{label}-", f"{label}:"))}


def play(position: LankoPosition, line: str, seat: Seat | None = None) -> LankoPosition:
    """Play the moves of a line, each by the seat to move, or all by the named one."""
    rules = game(position)
    for reading in rules.read(line):
        for text in reading.actions:
            by = seat or position.seat
            position = play_list(rules, position, by, (text,))[-1].position
    return position


def refusal(position: LankoPosition, text: str, seat: Seat | None = None) -> ActionError:
    """Return the error that refuses a text."""
    try:
        game(position).parse(position, text, seat or position.seat)
    except ActionError as error:
        return error
    raise AssertionError(f"{text} was read as a legal action")


def outcome(position: LankoPosition) -> Outcome:
    """Return the outcome of a position in which the game is over."""
    outcome = game(position).outcome(position)
    assert outcome is not None
    assert game(position).to_act(position) is None
    return outcome


def ended(position: LankoPosition) -> tuple[str, int]:
    """Return why the game is over, and White's points minus Black's.

    Checks that the rest agrees.
    """
    winners, termination, scores = outcome(position)
    balance = scores["S"]
    assert scores == {"S": balance, "W": -balance, "N": balance, "E": -balance}
    assert winners == (("S", "N") if balance > 0 else ("W", "E") if balance < 0 else ())
    return termination, balance


def goes_on(position: LankoPosition) -> bool:
    """Return whether the game is not over."""
    return game(position).outcome(position) is None
