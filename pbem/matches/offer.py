"""Offer: what waits for its players, and begins once they are all agreed.

A challenge names them, and all must accept; an open table takes whoever comes first. It begins a
match, a series or a set. Values alone: who changes one gets another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from pbem.games.phrases import Phrase
from pbem.matches.match import PlayerId
from pbem.matches.offer_terms import OfferError, OfferTerms
from pbem.matches.words import phrase

Chance = Callable[[int], int]
"""A number from 0 up to, not including, the one given; each as likely as any other."""


class State(StrEnum):
    """What has become of an offer."""

    STANDS = "stands"
    BEGUN = "begun"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


@dataclass(frozen=True)
class OfferEntry:
    """Somebody who is in, or is asked to be."""

    player: PlayerId
    accepted: bool = True
    place: int | None = None
    """Where they wish to be in the order of entry, which gives their seat; None: anywhere."""


def _countered(entry: OfferEntry, by: PlayerId, place: int | None) -> OfferEntry:
    """An entry after a counter by somebody, who alone is in then."""
    if entry.player == by:
        return OfferEntry(by, place=place)
    wish = None if entry.place == place else entry.place
    return OfferEntry(entry.player, accepted=False, place=wish)


@dataclass(frozen=True)
class Offer:
    """A challenge or an open table."""

    terms: OfferTerms
    entries: tuple[OfferEntry, ...]
    """Who made it first."""
    created_at: datetime
    expires_at: datetime
    open: bool = False
    """Whether anybody may take a seat; else it is a challenge."""
    only: tuple[PlayerId, ...] = ()
    """Who alone may take a seat; nobody named: everybody."""
    met: bool = True
    """Whether those may take a seat with whom its owner is playing now."""
    revision: int = 1
    """Counts changes of its terms."""
    state: State = State.STANDS
    begun: str = ""
    """What it has begun: `match 12`."""
    number: int = 0

    @property
    def owner(self) -> PlayerId:
        """Who made it."""
        return self.entries[0].player

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who is in or asked, in the order in which they came."""
        return tuple(entry.player for entry in self.entries)

    @property
    def accepted(self) -> tuple[PlayerId, ...]:
        """Who is in."""
        return tuple(entry.player for entry in self.entries if entry.accepted)

    @property
    def asked(self) -> tuple[PlayerId, ...]:
        """Who has not answered a challenge yet."""
        return tuple(entry.player for entry in self.entries if not entry.accepted)

    @property
    def free(self) -> int:
        """Seats that are left to be taken."""
        return self.terms.players - len(self.entries)

    @property
    def complete(self) -> bool:
        """Whether it can begin: everybody is there and agrees."""
        return self.stands and not self.free and not self.asked

    @property
    def stands(self) -> bool:
        """Whether it can be answered."""
        return self.state is State.STANDS

    @property
    def for_anybody(self) -> bool:
        """Whether everybody may read of it, and sit down."""
        return self.open and self.stands and not self.only and not self.terms.private

    def place_of(self, player: PlayerId) -> int | None:
        """Where somebody wishes to be."""
        return next((each.place for each in self.entries if each.player == player), None)

    @property
    def _over(self) -> Phrase:
        """Why it can be answered no more."""
        match self.state:
            case State.DECLINED:
                return phrase("offer.declined", number=self.number)
            case State.WITHDRAWN:
                return phrase("offer.withdrawn", number=self.number)
            case State.LAPSED:
                return phrase("offer.lapsed", number=self.number)
        return phrase("offer.begun", number=self.number, begun=self.begun)

    def require_standing(self) -> None:
        """Raises OfferError if it cannot be answered any more."""
        if not self.stands:
            raise OfferError(self._over)

    def accept(self, player: PlayerId, place: int | None = None) -> Offer:
        """A challenge with somebody's yes; raises OfferError."""
        self._require_asked(player)
        if player not in self.asked:
            raise OfferError(phrase("offer.accepted", number=self.number))
        wish = self.place_of(player) if place is None else place
        return self._with(OfferEntry(player, place=self._free_place(player, wish)))

    def decline(self, player: PlayerId) -> Offer:
        """A challenge that is off, since somebody does not want it; raises OfferError."""
        self._require_asked(player)
        return replace(self, state=State.DECLINED)

    def counter(
        self, player: PlayerId, terms: OfferTerms, expires_at: datetime, place: int | None = None
    ) -> Offer:
        """A challenge on other terms, which all others are asked about; raises OfferError.

        Who else wished for the place that is asked for now has no wish any more.
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
        """A table with one more who sits there; raises OfferError."""
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
        """A table without somebody who sat there; raises OfferError."""
        self._require_table(player)
        if player == self.owner:
            raise OfferError(phrase("offer.owner", number=self.number))
        if player not in self.players:
            raise OfferError(phrase("offer.sits-not", number=self.number))
        return replace(
            self, entries=tuple(entry for entry in self.entries if entry.player != player)
        )

    def withdraw(self, player: PlayerId) -> Offer:
        """The offer taken back by who made it; raises OfferError."""
        self._require_known(player)
        self.require_standing()
        if player != self.owner:
            raise OfferError(phrase("offer.not-owner", number=self.number))
        return replace(self, state=State.WITHDRAWN)

    def lapse(self) -> Offer:
        """The offer after nobody has answered it in time; raises OfferError."""
        self.require_standing()
        return replace(self, state=State.LAPSED)

    def begin(self, begun: str) -> Offer:
        """The offer once it has begun something."""
        return replace(self, state=State.BEGUN, begun=begun)

    def seated(self, chance: Chance) -> tuple[PlayerId, ...]:
        """Its players in the order of entry: where they wish to be, the others by chance."""
        wished = {entry.place: entry.player for entry in self.entries if entry.place is not None}
        others = [entry.player for entry in self.entries if entry.place is None]
        return tuple(
            wished[place] if place in wished else others.pop(chance(len(others)))
            for place in range(self.terms.players)
        )

    def _require_asked(self, player: PlayerId) -> None:
        self._require_known(player)
        if self.open:
            raise OfferError(phrase("offer.table", number=self.number))
        self.require_standing()

    def _require_table(self, player: PlayerId) -> None:
        self._require_known(player)
        if not self.open:
            raise OfferError(phrase("offer.challenge", number=self.number))
        self.require_standing()

    def _require_known(self, player: PlayerId) -> None:
        """Others are told nothing of a challenge, not even that there is one."""
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
