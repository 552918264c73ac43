"""Pending: open offers, pauses and resignations in a match, as shown to one reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.matches.match import Match, PlayerId
from pbem.matches.off_time import write_span
from pbem.matches.player_actions import standing_offer, unanswered
from pbem.matches.time_over import can_claim

Names = Mapping[PlayerId, str]


@dataclass(frozen=True)
class PendingOffer:
    """A draw offer, for the template."""

    by: str
    """Name of its author."""
    left: Sequence[str]
    """Names of the players who have not answered yet."""
    reader: str
    """`author`, `asked`, `accepted` or `resigned`, empty for a reader who does not play."""


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

    offer: PendingOffer | None = None
    resignations: Sequence[PendingResignation] = ()
    pause: PendingPause | None = None

    def __bool__(self) -> bool:
        """Return whether anything is open."""
        return self.offer is not None or self.pause is not None or bool(self.resignations)


@dataclass(frozen=True)
class Open:
    """Requests that a player may answer when it is not their turn."""

    offer: bool = False
    pause: bool = False
    would_resign: Sequence[str] = ()
    """Names of partners with whom they can resign."""
    claim: bool = False
    """Whether the player to move has run out of time, so that they can claim the match or wait."""

    def __bool__(self) -> bool:
        """Return whether there is anything to answer."""
        return self.offer or self.pause or bool(self.would_resign) or self.claim


def pending(match: Match, names: Names, you: PlayerId | None, now: datetime) -> Pending:
    """Return what is open, as shown to one player, or to others if `you` is None."""
    if match.result is not None:
        return Pending()
    resignations = [_resignation(match, names, player, you) for player in sorted(match.resigned)]
    return Pending(_offer(match, names, you), resignations, _pause(match, names, you, now))


def open_to(match: Match, names: Names, you: PlayerId, now: datetime) -> Open:
    """Return what a player may answer."""
    if match.result is not None:
        return Open()
    claim, paused = can_claim(match, you, now), you in unanswered(match, now)
    if match.offer is not None and you in _unanswered(match):
        return Open(offer=True, pause=paused, claim=claim)
    waiting = match.resigned.intersection(match.side_of(you)) - {you}
    would_resign = () if you in match.resigned else _named(names, waiting)
    return Open(pause=paused, would_resign=would_resign, claim=claim)


def _unanswered(match: Match) -> list[PlayerId]:
    accepted = match.offer.accepted if match.offer is not None else frozenset()
    return [player for player in match.asked if player not in accepted]


def _offer(match: Match, names: Names, you: PlayerId | None) -> PendingOffer | None:
    if match.offer is None:
        return None
    left = _unanswered(match)
    reader = "" if you is None else _reader(match, left, you)
    return PendingOffer(names[match.offer.by], _named(names, left), reader)


def _pause(match: Match, names: Names, you: PlayerId | None, now: datetime) -> PendingPause | None:
    offer, left = standing_offer(match, now), unanswered(match, now)
    if offer is None:
        return None
    reader = "author" if you == offer.by else "asked" if you in left else ""
    answer = f"pause {write_span(offer.span)}" if offer.named else "pause"
    return PendingPause(names[offer.by], offer.span, _named(names, left), reader, answer)


def _reader(match: Match, left: Sequence[PlayerId], you: PlayerId) -> str:
    if match.offer is not None and match.offer.by == you:
        return "author"
    if match.has_resigned(you):
        return "resigned"
    return "asked" if you in left else "accepted"


def _resignation(
    match: Match, names: Names, player: PlayerId, you: PlayerId | None
) -> PendingResignation:
    left = [each for each in match.side_of(player) if each not in match.resigned]
    return PendingResignation(names[player], player == you, _named(names, left), you in left)


def _named(names: Names, players: Iterable[PlayerId]) -> tuple[str, ...]:
    return tuple(names[player] for player in players)
