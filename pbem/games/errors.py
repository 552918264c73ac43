"""The errors of games: three of a text that cannot be played, and one of options."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.phrases import ENGLISH, Phrase


class ActionError(Exception):
    """A text that could not be played: what was read, why not, and the nearest legal readings."""

    kind = "illegal"
    ends_nothing = False
    """Whether the text only ends a turn, and there is none to be ended.

    A mail may hold it after actions that have ended the turn by themselves.
    """

    def __init__(self, reason: Phrase, candidates: Sequence[str] = (), text: str = "") -> None:
        """A game gives the reason and what could be played; `Game.parse` adds the text."""
        self.text = text
        self.reason = reason
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return f"{self.text}: {ENGLISH.text(self.reason)}"


class InvalidAction(ActionError):
    """A text without the form of an action of the game, or one that names what does not exist."""

    kind = "invalid"


class IllegalAction(ActionError):
    """A well-formed action that the rules do not allow in the position."""

    kind = "illegal"


class AmbiguousAction(ActionError):
    """A text that fits several legal actions; `candidates` are their canonical texts."""

    kind = "ambiguous"


class OptionError(ValueError):
    """A match option that the game does not have, or a value it does not take.

    The reason is a phrase; text where nobody but the director at the shell is told of it.
    """

    def __init__(self, reason: Phrase | str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)
