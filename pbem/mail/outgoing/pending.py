"""Pending: open offers, pauses and resignations in a match, as shown to one reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.matches.match import Match, MatchOffer, OfferKind, PlayerId
from pbem.matches.off_time import write_span
from pbem.matches.player_actions import standing_offer, unanswered
from pbem.matches.time_over import can_claim

Names = Mapping[PlayerId, str]


@dataclass(frozen=True)
class PendingOffer:
    """An offer, for the template."""

    kind: OfferKind
    by: str
    """Name of its author."""
    left: Sequence[str]
    """Names of the players who have not answered yet."""
    to: int
    """The turn that would be played again. 0 if no turn is taken back."""
    reader: str
    """`author`, `asked`, `accepted`, `resigned` or `other`; empty if the reader does not play."""


@dataclass(frozen=True)
class PendingPause:
    """A requested pause, for the template."""

    by: str
    span: timedelta
    left: Sequence[str]
    """Names of the players who have not answered yet."""
    reader: str
    """`author` or `asked`, empty for anyone else."""
    answer: str
    """The command to agree."""


@dataclass(frozen=True)
class PendingResignation:
    """A resignation that waits for a partner's, for the template."""

    of: str
    own: bool
    """Whether it is the reader's."""
    left: Sequence[str]
    """Names of partners who have not resigned yet."""
    waits_for_reader: bool


@dataclass(frozen=True)
class Pending:
    """Everything that is open in a match. Empty after its end."""

    offers: Sequence[PendingOffer] = ()
    resignations: Sequence[PendingResignation] = ()
    pause: PendingPause | None = None

    def __bool__(self) -> bool:
        """Return whether anything is open."""
        return self.pause is not None or bool(self.offers or self.resignations)


@dataclass(frozen=True)
class Open:
    """Requests that a player may answer when it is not their turn."""

    offers: tuple[OfferKind, ...] = ()
    pause: bool = False
    would_resign: Sequence[str] = ()
    """Names of partners with whom they can resign."""
    claim: bool = False
    """Whether the player to move has run out of time, so that they can claim the match or wait."""

    def __bool__(self) -> bool:
        """Return whether there is anything to answer."""
        return bool(self.offers or self.would_resign) or self.pause or self.claim

    def has_more_than(self, before: Open) -> bool:
        """Return whether there is anything to answer that was not there before."""
        named = {*self.offers, *self.would_resign} - {*before.offers, *before.would_resign}
        return bool(named) or self.pause > before.pause or self.claim > before.claim


def pending(match: Match, names: Names, you: PlayerId | None, now: datetime) -> Pending:
    """Return what is open, as shown to one player, or to others if `you` is None."""
    if match.result is not None:
        return Pending()
    resignations = [_resignation(match, names, player, you) for player in sorted(match.resigned)]
    offers = [_offer(match, offer, names, you) for offer in match.offers]
    return Pending(offers, resignations, _pause(match, names, you, now))


def open_to(match: Match, names: Names, you: PlayerId, now: datetime) -> Open:
    """Return what a player may answer."""
    if match.result is not None:
        return Open()
    claim, paused = can_claim(match, you, now), you in unanswered(match, now)
    offers = tuple(each.kind for each in match.offers if you in match.unanswered(each))
    if offers:
        return Open(offers, pause=paused, claim=claim)
    waiting = match.resigned.intersection(match.side_of(you)) - {you}
    would_resign = () if you in match.resigned else _named(names, waiting)
    return Open(pause=paused, would_resign=would_resign, claim=claim)


def _offer(match: Match, offer: MatchOffer, names: Names, you: PlayerId | None) -> PendingOffer:
    left = _named(names, match.unanswered(offer))
    reader = "" if you is None else _reader(match, offer, you)
    return PendingOffer(offer.kind, names[offer.by], left, offer.to, reader)


def _pause(match: Match, names: Names, you: PlayerId | None, now: datetime) -> PendingPause | None:
    offer, left = standing_offer(match, now), unanswered(match, now)
    if offer is None:
        return None
    reader = "author" if you == offer.by else "asked" if you in left else ""
    answer = f"pause {write_span(offer.span)}" if offer.named else "pause"
    return PendingPause(names[offer.by], offer.span, _named(names, left), reader, answer)


def _reader(match: Match, offer: MatchOffer, you: PlayerId) -> str:
    if offer.by == you:
        return "author"
    if match.has_resigned(you):
        return "resigned"
    if you not in match.asked(offer):
        return "other"
    return "accepted" if you in offer.accepted else "asked"


def _resignation(
    match: Match, names: Names, player: PlayerId, you: PlayerId | None
) -> PendingResignation:
    left = [each for each in match.side_of(player) if each not in match.resigned]
    return PendingResignation(names[player], player == you, _named(names, left), you in left)


def _named(names: Names, players: Iterable[PlayerId]) -> tuple[str, ...]:
    return tuple(names[player] for player in players)
