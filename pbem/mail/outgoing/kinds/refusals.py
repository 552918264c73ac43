"""Refusals: reasons why an email was not carried out, each a class with the data of its answer.

The template of a refusal has its name: `IllegalAction` uses `illegal_action.txt.j2`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from pbem.games.api import ActionError
from pbem.games.phrases import ENGLISH, Phrase
from pbem.mail.outgoing.kinds.mail import snake_case
from pbem.mail.outgoing.time_view import DueTime
from pbem.matches.match import CommandError, OfferKind
from pbem.matches.match_offers import CannotOfferError, NoOfferError, Why


@dataclass(frozen=True)
class Refusal:
    """A reason why an email was not carried out. Its fields are the data of its template."""

    @classmethod
    def name(cls) -> str:
        """Name of the template."""
        return snake_case(cls.__name__)

    @property
    def data(self) -> Mapping[str, Any]:
        """Data of the template."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __str__(self) -> str:
        reason = ENGLISH.text(self.data.get("reason", ""))
        return f"{self.name()}: {reason}".rstrip(": ")


class RefusedError(Exception):
    """An email is not carried out. A refusal answers it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


# Not readable


@dataclass(frozen=True)
class TooLarge(Refusal):
    """The email is over a limit."""

    reason: Phrase


class ArgumentHelp(NamedTuple):
    """An argument of a command, as shown in a usage."""

    name: str
    required: bool
    help: str


class Usage(NamedTuple):
    """The usage of a command."""

    word: str
    summary: str
    arguments: Sequence[ArgumentHelp]


@dataclass(frozen=True)
class NotTogether(Refusal):
    """A change that is previewed, decided or agreed was combined with moves."""


@dataclass(frozen=True)
class NoCommand(Refusal):
    """The email contains no command."""

    note: Sequence[str]
    mentioned: Sequence[str]
    """Words that look like actions, later reduced to the legal ones."""
    meant: Sequence[str] = ()
    """Suggested commands."""
    usages: Sequence[Usage] = ()
    """Usages of commands that lack arguments."""
    back: bool = False
    """Whether the player got their seat back from a bot by this email."""


@dataclass(frozen=True)
class WhichRules(Refusal):
    """The rules of an unknown game were requested."""

    games: Sequence[str]
    competitions: Sequence[str] = ()
    """Kinds of competitions."""


@dataclass(frozen=True)
class ForTheDirector(Refusal):
    """A command for directors only."""


@dataclass(frozen=True)
class AtTheShell(Refusal):
    """A decision by a director who is not a member. Their emails never prove enough."""


# Unknown match


@dataclass(frozen=True)
class WhichMatch(Refusal):
    """A command needs a match, but the email is about none."""

    digest: bool = False
    """Whether it answers a digest, where a line can name the match."""
    number: int = 0
    """Their match that a line such as `show 12` may mean."""


@dataclass(frozen=True)
class UnknownMatch(Refusal):
    """No match with this number is visible to the sender."""

    number: int


@dataclass(frozen=True)
class NoRecord(Refusal):
    """There is no record of the match that the sender may have."""

    number: int


@dataclass(frozen=True)
class BookTooLarge(Refusal):
    """The book of a match is too large for an email."""

    number: int
    link: str
    """Address of the match in the reading room. Empty if it is not there."""


@dataclass(frozen=True)
class TwoMatches(Refusal):
    """The email answers two matches at once."""


@dataclass(frozen=True)
class OnlyWatching(Refusal):
    """A watcher answers the email about a match with more than commands."""


# Unproven sender


@dataclass(frozen=True)
class NotSigned(Refusal):
    """The email needs a signature and has no valid one."""


@dataclass(frozen=True)
class NothingToConfirm(Refusal):
    """`confirm`, but nothing waits for it."""


@dataclass(frozen=True)
class WhichConfirmed(Refusal):
    """`confirm`, but several emails wait for it."""


@dataclass(frozen=True)
class ConfirmAlone(Refusal):
    """A `confirm` that does not count, or other text in an email where only `confirm` counts."""

    asked: bool
    """Whether the email answers one of our questions."""
    waiting: bool = False
    """Whether that question still waits."""
    proven: bool = False
    """Whether the email is proven, although it answers no question."""


@dataclass(frozen=True)
class TooManyUnasked(Refusal):
    """The email would send one email too many to someone who did not ask for it."""

    whom: str
    """Name of the player, or an address."""
    until: DueTime
    """When another one can be sent."""


# Too early or too late


@dataclass(frozen=True)
class OldMail(Refusal):
    """A command needs an answer to the newest email, but this answers an older one."""


@dataclass(frozen=True)
class OldDirectorMail(Refusal):
    """A director's decision answers an email other than the newest to them."""


@dataclass(frozen=True)
class OldTurn(Refusal):
    """Actions or a plan that answer an old turn."""

    plan: bool = False


@dataclass(frozen=True)
class MovedOn(Refusal):
    """A part of an answer to a digest, about a match with turns since then."""


@dataclass(frozen=True)
class NotInDigest(Refusal):
    """A part of an answer to a digest that did not show that match."""

    match_id: int


@dataclass(frozen=True)
class AnswerAlone(Refusal):
    """A part of an answer to a digest that needs a confirmation, and so an email of its own."""

    lines: Sequence[str]
    """The lines to send."""
    proven: bool
    """Whether the sender is proven."""


@dataclass(frozen=True)
class HeadingInText(Refusal):
    """A part of an answer to a digest that a line `match 12:` may have torn out of a text."""


@dataclass(frozen=True)
class NotYourTurn(Refusal):
    """Actions of a player who is not to move."""

    ahead: str = ""
    """The line that plays them as soon as it is the player's turn, if there is one."""


@dataclass(frozen=True)
class AddressTooNew(Refusal):
    """A decision from a new address, with no older address to ask."""

    days: int
    """Days for which an address is new."""


@dataclass(frozen=True)
class NotYourMatch(Refusal):
    """Somebody else has taken over the sender's seat."""

    match_id: int


@dataclass(frozen=True)
class GameMissing(Refusal):
    """The game of the match is not installed, or does not know its rules."""

    match_id: int
    title: str
    running: bool
    """Whether the match is still played, so that it waits."""


@dataclass(frozen=True)
class MatchHasEnded(Refusal):
    """The match has ended."""

    reason: str = ""


@dataclass(frozen=True)
class NoSuchTurn(Refusal):
    """A turn that nobody has played."""

    turn: int
    last: int
    """The last turn that was played."""


@dataclass(frozen=True)
class NotInMatch(Refusal):
    """Somebody who does not play in the match, nor is one of its seats."""

    wanted: str
    seats: Sequence[str]
    players: Sequence[str]


# Not possible in the game or the match


@dataclass(frozen=True)
class OfAction(Refusal):
    """An action that the game does not accept."""

    text: str
    reason: Phrase | str
    candidates: Sequence[str]
    """Suggested or legal actions."""


@dataclass(frozen=True)
class InvalidAction(OfAction):
    """A text that is not an action."""


@dataclass(frozen=True)
class IllegalAction(OfAction):
    """An action that is not legal now."""


@dataclass(frozen=True)
class AmbiguousAction(OfAction):
    """A text that could be several actions."""


_OF_ACTION = {"invalid": InvalidAction, "illegal": IllegalAction, "ambiguous": AmbiguousAction}


def of_action(error: ActionError) -> OfAction:
    """Return an error of a game as a refusal."""
    return _OF_ACTION[error.kind](error.text, error.reason, error.candidates)


@dataclass(frozen=True)
class DrawNotAllowed(Refusal):
    """The match does not allow draw offers."""

    reason: str


@dataclass(frozen=True)
class NoDrawOffer(Refusal):
    """There is no draw offer, or no other offer of a kind, to answer."""

    kind: OfferKind


@dataclass(frozen=True)
class CannotOffer(Refusal):
    """A player cannot make an offer now."""

    kind: OfferKind
    why: Why
    turn: int
    """First turn in which they can. 0 if that is unknown."""


@dataclass(frozen=True)
class NoPauseOffer(Refusal):
    """There is no pause request to agree to."""

    reason: str


@dataclass(frozen=True)
class WhichPause(Refusal):
    """There are several pause requests, and it is unclear which one the player means."""

    reason: str


@dataclass(frozen=True)
class TooLongAPause(Refusal):
    """The requested pause is too long."""

    reason: str


@dataclass(frozen=True)
class HasResigned(Refusal):
    """A player who has resigned cannot take part in a draw."""

    reason: str


_OF_MATCH = {
    each.name(): each
    for each in (
        MatchHasEnded,
        DrawNotAllowed,
        NoPauseOffer,
        TooLongAPause,
        WhichPause,
        HasResigned,
    )
}


def of_match(error: CommandError) -> Refusal:
    """Return an error of a match as a refusal."""
    if isinstance(error, NoOfferError):
        return NoDrawOffer(error.kind)
    if isinstance(error, CannotOfferError):
        return CannotOffer(error.kind, error.why, error.turn)
    return _OF_MATCH[error.key](error.reason)
