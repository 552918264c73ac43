"""The errors of games: three for texts that can't be played, and one for options."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.phrases import ENGLISH, Phrase


class ActionError(Exception):
    """A text that can't be played, with the reason and the nearest legal readings."""

    kind = "illegal"
    ends_nothing = False
    """Whether the text only ends a turn that has already ended.

    An email may hold such a text after actions that ended the turn automatically.
    """

    def __init__(self, reason: Phrase, candidates: Sequence[str] = (), text: str = "") -> None:
        """Take the reason and the playable candidates from a game. `Game.parse` adds the text."""
        self.text = text
        self.reason = reason
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return f"{self.text}: {ENGLISH.text(self.reason)}"


class InvalidActionError(ActionError):
    """A text that is not an action of the game, or that names something that does not exist."""

    kind = "invalid"


class IllegalActionError(ActionError):
    """A well-formed action that the rules do not allow in the position."""

    kind = "illegal"


class AmbiguousActionError(ActionError):
    """A text that fits several legal actions. `candidates` holds their canonical texts."""

    kind = "ambiguous"


class OptionError(ValueError):
    """An unknown match option, or a value it does not accept.

    The reason is a phrase, or plain text if only the director sees it, on the command line.
    """

    def __init__(self, reason: Phrase | str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return ENGLISH.text(self.reason)
