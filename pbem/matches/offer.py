"""Offer: a challenge or table that waits for its players and starts once they all agree.

A challenge names its players, who must all accept. A table takes the first players who come. Both
start a match, a series or a set. Offers are values: each change returns another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.games.phrases import Phrase
from pbem.matches.match import PlayerId
from pbem.matches.match_options import NAMES
from pbem.matches.offer_terms import OfferError, OfferTerms
from pbem.matches.reliability import NO_CONDITIONS, Conditions
from pbem.matches.words import phrase

Chance = Callable[[int], int]
"""Function that returns a number from 0 to less than its argument, all equally likely."""


class State(StrEnum):
    """State of an offer."""

    STANDS = "stands"
    BEGUN = "begun"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


@dataclass(frozen=True)
class OfferEntry:
    """A player who has joined or is asked to."""

    player: PlayerId
    accepted: bool = True
    place: int | None = None
    """Requested place in the order of entry, which decides the seat. None for any place."""


def _countered(entry: OfferEntry, by: PlayerId, place: int | None) -> OfferEntry:
    """Return an entry after a counter. Only its author has accepted then."""
    if entry.player == by:
        return OfferEntry(by, place=place)
    wish = None if entry.place == place else entry.place
    return OfferEntry(entry.player, accepted=False, place=wish)


@dataclass(frozen=True)
class Reopening:
    """How a standing table opens again each time a match starts from it."""

    most: int
    """Maximum number of its matches, series or sets that its owner plays at once."""
    days: int
    """Days that it stays open if nobody takes a seat."""
    running: tuple[str, ...] = ()
    """Those it started that were running when the latest one started, for example `match 12`."""
    times: int = 0
    """How often something has started from it."""
    rests: bool = False
    """Whether it is closed for now: its owner is on leave, or plays as many as they want."""


@dataclass(frozen=True)
class Search:
    """A search for anybody who fits. The club answers it, and nobody else sees it."""

    waited: timedelta | None = None
    """How long it took. None if it has not started anything."""


@dataclass(frozen=True)
class Offer:
    """A challenge, an open table, or a search."""

    terms: OfferTerms
    entries: tuple[OfferEntry, ...]
    """Players who are in or asked, the author first."""
    created_at: datetime
    expires_at: datetime
    open: bool = False
    """Whether anyone may take a seat. Otherwise it is a challenge."""
    only: tuple[PlayerId, ...] = ()
    """The only players who may take a seat. Empty for everyone."""
    needs: Conditions = NO_CONDITIONS
    """Conditions for the players who take up the offer of its owner."""
    met: bool = True
    """Whether players whom its owner is playing now may take a seat."""
    search: Search | None = None
    """Set if its owner waits for anybody who fits. None for other offers."""
    again: Reopening | None = None
    """How a standing table opens again. None for an offer that starts once."""
    revision: int = 1
    """Number of the version of its terms."""
    state: State = State.STANDS
    begun: str = ""
    """Match or competition it started, for example `match 12`. The latest of a standing table."""
    number: int = 0

    @property
    def owner(self) -> PlayerId:
        """Player who made it."""
        return self.entries[0].player

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Players who joined or are asked, in the order in which they came."""
        return tuple(entry.player for entry in self.entries)

    @property
    def accepted(self) -> tuple[PlayerId, ...]:
        """Players who have accepted."""
        return tuple(entry.player for entry in self.entries if entry.accepted)

    @property
    def asked(self) -> tuple[PlayerId, ...]:
        """Players who have not answered a challenge yet."""
        return tuple(entry.player for entry in self.entries if not entry.accepted)

    @property
    def free(self) -> int:
        """Number of seats left."""
        return self.terms.players - len(self.entries)

    @property
    def complete(self) -> bool:
        """Whether it can start: all players are there and agree."""
        return self.stands and not self.free and not self.asked

    @property
    def stands(self) -> bool:
        """Whether it can be answered."""
        return self.state is State.STANDS

    @property
    def for_anybody(self) -> bool:
        """Whether anyone may see it and join."""
        seats = self.open and self.stands and not self.rests
        return seats and not self.only and not self.terms.private

    @property
    def rests(self) -> bool:
        """Whether it is a standing table that is closed for now."""
        return self.again is not None and self.again.rests

    @property
    def is_blind(self) -> bool:
        """Whether it is a table for a blind match, at which nobody is named."""
        return self.open and self.terms.options.of(NAMES) == "hidden"

    def place_of(self, player: PlayerId) -> int | None:
        """Return the place that a player requested."""
        return next((each.place for each in self.entries if each.player == player), None)

    @property
    def _over(self) -> Phrase:
        """Why it can no longer be answered."""
        match self.state:
            case State.DECLINED:
                return phrase("offer.declined", number=self.number)
            case State.WITHDRAWN:
                return phrase("offer.withdrawn", number=self.number)
            case State.LAPSED:
                return phrase("offer.lapsed", number=self.number)
        return phrase("offer.begun", number=self.number, begun=self.begun)

    def require_standing(self) -> None:
        """Raise OfferError if it can no longer be answered."""
        if not self.stands:
            raise OfferError(self._over)

    def accept(self, player: PlayerId, place: int | None = None) -> Offer:
        """Return the challenge after a player accepts. Raises OfferError."""
        self._require_asked(player)
        if player not in self.asked:
            raise OfferError(phrase("offer.accepted", number=self.number))
        wish = self.place_of(player) if place is None else place
        return self._with(OfferEntry(player, place=self._free_place(player, wish)))

    def decline(self, player: PlayerId) -> Offer:
        """Return the challenge after a player declines, which ends it. Raises OfferError."""
        self._require_asked(player)
        return replace(self, state=State.DECLINED)

    def counter(
        self, player: PlayerId, terms: OfferTerms, expires_at: datetime, place: int | None = None
    ) -> Offer:
        """Return the challenge on other terms, which all others must accept. Raises OfferError.

        If another player had requested the same place, their request is dropped.
        """
        self._require_asked(player)
        place = self.place_of(player) if place is None else place
        if (terms, place) == (self.terms, self.place_of(player)):
            raise OfferError(phrase("offer.same", number=self.number))
        entries = (_countered(entry, player, place) for entry in self.entries)
        return replace(
            self,
            terms=terms,
            entries=tuple(entries),
            expires_at=expires_at,
            revision=self.revision + 1,
        )

    def take(self, player: PlayerId, place: int | None = None) -> Offer:
        """Return the table with another player. Raises OfferError."""
        self._require_table(player)
        if player in self.players:
            raise OfferError(phrase("offer.sits", number=self.number))
        if not self.free:
            raise OfferError(phrase("offer.full", number=self.number))
        if self.only and player not in self.only:
            raise OfferError(phrase("offer.not-for-you", number=self.number))
        entry = OfferEntry(player, place=self._free_place(player, place))
        return replace(self, entries=(*self.entries, entry))

    def leave(self, player: PlayerId) -> Offer:
        """Return the table without a player. Raises OfferError."""
        self._require_table(player)
        if player == self.owner:
            raise OfferError(phrase("offer.owner", number=self.number))
        if player not in self.players:
            raise OfferError(phrase("offer.sits-not", number=self.number))
        return replace(
            self, entries=tuple(entry for entry in self.entries if entry.player != player)
        )

    def withdraw(self, player: PlayerId) -> Offer:
        """Return the offer after its owner withdraws it. Raises OfferError."""
        self._require_known(player)
        self.require_standing()
        if player != self.owner:
            raise OfferError(phrase("offer.not-owner", number=self.number))
        return replace(self, state=State.WITHDRAWN)

    def lapse(self) -> Offer:
        """Return the offer after it expires. Raises OfferError."""
        self.require_standing()
        return replace(self, state=State.LAPSED)

    def begin(self, begun: str) -> Offer:
        """Return the offer after it has started something."""
        return replace(self, state=State.BEGUN, begun=begun)

    def begin_and_reopen(
        self, begun: str, running: tuple[str, ...], now: datetime, *, rests: bool
    ) -> Offer:
        """Return a standing table after it has started something, with only its owner there."""
        assert self.again is not None
        times = self.again.times + 1
        again = replace(self.again, running=running, times=times, rests=rests)
        table = replace(self, entries=self.entries[:1], begun=begun, again=again)
        return table._open_until(now)

    def wake(self, now: datetime) -> Offer:
        """Return a standing table that rested, open again for all its days."""
        assert self.again is not None
        return replace(self, again=replace(self.again, rests=False))._open_until(now)

    def rest(self) -> Offer:
        """Return a standing table closed for now."""
        assert self.again is not None
        return replace(self, again=replace(self.again, rests=True))

    def _open_until(self, now: datetime) -> Offer:
        days = self.again.days if self.again is not None else 0
        return replace(self, expires_at=now + timedelta(days=days))

    def seated(self, chance: Chance) -> tuple[PlayerId, ...]:
        """Return its players in the order of entry, in the requested places or by chance."""
        wished = {entry.place: entry.player for entry in self.entries if entry.place is not None}
        others = [entry.player for entry in self.entries if entry.place is None]
        return tuple(
            wished[place] if place in wished else others.pop(chance(len(others)))
            for place in range(self.terms.players)
        )

    def _require_asked(self, player: PlayerId) -> None:
        self._require_known(player)
        if self.search is not None:
            raise OfferError(phrase("offer.search", number=self.number))
        if self.open:
            raise OfferError(phrase("offer.table", number=self.number))
        self.require_standing()

    def _require_table(self, player: PlayerId) -> None:
        self._require_known(player)
        if not self.open:
            raise OfferError(phrase("offer.challenge", number=self.number))
        self.require_standing()

    def _require_known(self, player: PlayerId) -> None:
        """Raise OfferError if a player is not in a challenge, without revealing that it exists."""
        if not self.open and player not in self.players:
            raise OfferError(phrase("offer.none", number=self.number))

    def _free_place(self, player: PlayerId, place: int | None) -> int | None:
        others = (entry.place for entry in self.entries if entry.player != player)
        if place is not None and place in others:
            raise OfferError(phrase("offer.seat-taken", number=self.number))
        return place

    def _with(self, entry: OfferEntry) -> Offer:
        entries = (entry if each.player == entry.player else each for each in self.entries)
        return replace(self, entries=tuple(entries))
