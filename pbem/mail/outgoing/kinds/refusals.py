"""Refusals: why nothing of a mail was done, each a type that holds what its mail tells.

The template of a refusal is named after it: `IllegalAction`, `illegal_action.txt.j2`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from pbem.games.api import ActionError
from pbem.games.phrases import ENGLISH, Phrase
from pbem.mail.outgoing.kinds.mail import snake_case
from pbem.mail.outgoing.time_view import DueTime
from pbem.matches.match import CommandError


@dataclass(frozen=True)
class Refusal:
    """A reason why nothing of a mail was done; its fields are what its template is given."""

    @classmethod
    def name(cls) -> str:
        """Name of its template."""
        return snake_case(cls.__name__)

    @property
    def data(self) -> Mapping[str, Any]:
        """What its template is given."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __str__(self) -> str:
        reason = ENGLISH.text(self.data.get("reason", ""))
        return f"{self.name()}: {reason}".rstrip(": ")


class RefusedError(Exception):
    """Nothing of a mail is done; it is answered by a refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


# What cannot be read


@dataclass(frozen=True)
class TooLarge(Refusal):
    """More of something than is read of one mail."""

    reason: Phrase


class ArgumentHelp(NamedTuple):
    """What is to be written behind a command."""

    name: str
    required: bool
    help: str


class Usage(NamedTuple):
    """How a command is written."""

    word: str
    summary: str
    arguments: Sequence[ArgumentHelp]


@dataclass(frozen=True)
class NotTogether(Refusal):
    """What is shown first, decided or agreed on stands in one mail with what changes a match."""


@dataclass(frozen=True)
class NoCommand(Refusal):
    """Nothing in the mail is to be done."""

    note: Sequence[str]
    mentioned: Sequence[str]
    """Words in it that look like actions; later those of them that are legal."""
    meant: Sequence[str] = ()
    """Commands that may have been meant."""
    usages: Sequence[Usage] = ()
    """Commands that stand in it without what belongs behind them."""
    back: bool = False
    """Whether their seat is theirs again by it, which a computer opponent has kept."""


@dataclass(frozen=True)
class WhichRules(Refusal):
    """The rules of no game we know."""

    games: Sequence[str]


@dataclass(frozen=True)
class ForTheDirector(Refusal):
    """A command that the director alone can give."""


@dataclass(frozen=True)
class AtTheShell(Refusal):
    """What a director decides who is no member, and of whom no mail proves enough."""


# Which match


@dataclass(frozen=True)
class WhichMatch(Refusal):
    """What is to be done needs a match, and the mail is about none."""


@dataclass(frozen=True)
class UnknownMatch(Refusal):
    """No match of that number is there for who asks about it."""

    number: int


@dataclass(frozen=True)
class NoRecord(Refusal):
    """There is no record of a match that who asks for it may have."""

    number: int


@dataclass(frozen=True)
class TwoMatches(Refusal):
    """The mail answers two matches at once."""


# Whose mail


@dataclass(frozen=True)
class NotSigned(Refusal):
    """The mail needs a signature, and has none that counts."""


@dataclass(frozen=True)
class NothingToConfirm(Refusal):
    """`confirm`, but nothing waits for it."""


@dataclass(frozen=True)
class WhichConfirmed(Refusal):
    """`confirm`, but more than one mail waits for it."""


@dataclass(frozen=True)
class ConfirmAlone(Refusal):
    """`confirm` where it does not count, or something else where it alone counts."""

    asked: bool
    """Whether the mail answers a question of ours."""
    waiting: bool = False
    """Whether that question still waits."""
    proven: bool = False
    """Whether the mail is proven, though it answers no question."""


@dataclass(frozen=True)
class TooManyUnasked(Refusal):
    """The email would cause one email too many to somebody who did not ask for it."""

    whom: str
    """Name of the player, or an address."""
    until: DueTime
    """When there is room for one more."""


# When


@dataclass(frozen=True)
class OldMail(Refusal):
    """What counts only in answer to the newest mail came in answer to an older one."""


@dataclass(frozen=True)
class OldDirectorMail(Refusal):
    """What a director decides came in answer to another mail than the newest to them."""


@dataclass(frozen=True)
class OldTurn(Refusal):
    """Actions in answer to a turn that is over."""


@dataclass(frozen=True)
class NotYourTurn(Refusal):
    """Actions while somebody else is to act."""


@dataclass(frozen=True)
class AddressTooNew(Refusal):
    """Somebody decides from an address that is new, and no older one can be asked."""

    days: int
    """For how many days an address is new."""


@dataclass(frozen=True)
class NotYourMatch(Refusal):
    """The match has been handed over to somebody else."""

    match_id: int


@dataclass(frozen=True)
class MatchHasEnded(Refusal):
    """The match is over."""

    reason: str = ""


# What the game or the match does not allow


@dataclass(frozen=True)
class OfAction(Refusal):
    """An action that the game does not take."""

    text: str
    reason: Phrase | str
    candidates: Sequence[str]
    """What may have been meant, or would be legal."""


@dataclass(frozen=True)
class InvalidAction(OfAction):
    """A text that is no action."""


@dataclass(frozen=True)
class IllegalAction(OfAction):
    """An action that is not legal now."""


@dataclass(frozen=True)
class AmbiguousAction(OfAction):
    """A text that can mean more than one action."""


_OF_ACTION = {"invalid": InvalidAction, "illegal": IllegalAction, "ambiguous": AmbiguousAction}


def of_action(error: ActionError) -> OfAction:
    """An error of a game as a refusal."""
    return _OF_ACTION[error.kind](error.text, error.reason, error.candidates)


@dataclass(frozen=True)
class DrawNotAllowed(Refusal):
    """Draw offers are not part of the match."""

    reason: str


@dataclass(frozen=True)
class NoDrawOffer(Refusal):
    """There is no offer that the player could answer."""

    reason: str


@dataclass(frozen=True)
class NoPauseOffer(Refusal):
    """There is no pause that the player could agree to."""

    reason: str


@dataclass(frozen=True)
class WhichPause(Refusal):
    """More than one pause was asked for, and it is not certain to which the player agrees."""

    reason: str


@dataclass(frozen=True)
class TooLongAPause(Refusal):
    """A pause is asked for that is too long."""

    reason: str


@dataclass(frozen=True)
class HasResigned(Refusal):
    """Whoever has resigned has no say in a draw."""

    reason: str


_OF_MATCH = {
    each.name(): each
    for each in (
        MatchHasEnded,
        DrawNotAllowed,
        NoDrawOffer,
        NoPauseOffer,
        TooLongAPause,
        WhichPause,
        HasResigned,
    )
}


def of_match(error: CommandError) -> Refusal:
    """An error of a match as a refusal."""
    return _OF_MATCH[error.key](error.reason)
