"""Time controls: agreements on players' time. Each is a file in `time_controls`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple, NewType, Protocol, Self

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.words import phrase

NOTHING = timedelta()

MOST_DAYS = 3650
"""Maximum time. Ten years exceeds anyone's patience, and no date overflows."""
MOST = timedelta(days=MOST_DAYS)

DeadlineKind = NewType("DeadlineKind", str)
"""Kind of deadline: the flag, or a reminder as its player writes it, such as `50%` or `6h`."""

FLAG = DeadlineKind("flag")
OVER = DeadlineKind("over")
"""The end of the grace after the flag, if there is any."""


class Due(NamedTuple):
    """A deadline of a turn."""

    kind: DeadlineKind
    due_at: datetime


class Fall(NamedTuple):
    """A deadline of a turn, by the time its player has used."""

    kind: DeadlineKind
    after: timedelta


class TimeAccount(NamedTuple):
    """A player's time in a match, without the current turn."""

    bank: timedelta | None = None
    """Time for the next turn. Negative if overdrawn, None without a limit."""
    used: timedelta = NOTHING
    turns: int = 0
    """Number of completed turns."""
    added: timedelta = NOTHING
    """Extra time, beyond what was agreed."""

    def given(self, time: timedelta) -> TimeAccount:
        """Return the account with more time, up to `MOST`."""
        if self.bank is None:
            return self
        bank = min(self.bank + time, max(self.bank, MOST))
        return self._replace(bank=bank, added=self.added + bank - self.bank)


class TimeControl(Protocol):
    """An agreement on a player's time, the cost of a turn, and the time added for the next one.

    A frozen value, made from its terms and equal to any other with the same terms.
    """

    keys: ClassVar[tuple[str, ...]]
    """Names of its terms, which no other control uses."""
    alone: ClassVar[tuple[str, ...]] = ()
    """Terms that are a single word without a value. Nobody would take them for names."""
    examples: ClassVar[tuple[str, ...]]
    """Examples for players."""

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Return the control for terms as players write them. Raises OptionError."""

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms that `read` turns into this control."""

    @property
    def agreed(self) -> Phrase | str:
        """The agreement, as emails describe it."""

    @property
    def opening(self) -> timedelta | None:
        """Time for the first turn, None without a limit."""

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the time for the next turn, after this many turns and with this much left."""

    def cost(self, spent: timedelta) -> timedelta:
        """Return the cost of a turn that used this much time."""
        return spent

    def lasting(self, cost: timedelta) -> timedelta:
        """Return the time that can be used for a turn at this cost."""
        return cost

    @property
    def grace(self) -> timedelta:
        """Length of the grace for a late turn."""
        return NOTHING

    @property
    def weekends_off(self) -> bool:
        """Whether time on Saturdays and Sundays is not charged."""
        return False

    def completed(self, account: TimeAccount, spent: timedelta) -> TimeAccount:
        """Return a player's account after a completed turn."""
        used, turns, bank = account.used + spent, account.turns + 1, account.bank
        if bank is not None:
            bank = min(self.next_bank(bank - self.cost(spent), turns), MOST)
        return account._replace(bank=bank, used=used, turns=turns)


OFF = "off"
"""Value with which a counter-proposal removes an agreed switch."""


@dataclass(frozen=True)
class Switch(TimeControl):
    """A control with one change. Everything else stays the same."""

    control: TimeControl

    keys: ClassVar[tuple[str, ...]] = ()
    """The name of its only term."""
    examples: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """Return a control with the switch on or off, as its term says. Raises OptionError."""
        raise NotImplementedError

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Never called. A switch is applied to the control of the other terms."""
        raise NotImplementedError

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms of the control. A switch adds its own."""
        return self.control.terms

    @property
    def agreed(self) -> Phrase | str:
        """The agreement. A switch adds its own words."""
        return self.control.agreed

    @property
    def opening(self) -> timedelta | None:
        """The opening time of the control, unchanged."""
        return self.control.opening

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """Return the next bank of the control, unchanged."""
        return self.control.next_bank(left, turns)

    def cost(self, spent: timedelta) -> timedelta:
        """Return the cost by the control, unchanged."""
        return self.control.cost(spent)

    def lasting(self, cost: timedelta) -> timedelta:
        """Return the duration by the control, unchanged."""
        return self.control.lasting(cost)

    @property
    def grace(self) -> timedelta:
        """The grace of the control, unchanged."""
        return self.control.grace

    @property
    def weekends_off(self) -> bool:
        """Whether the control leaves out weekends, unchanged."""
        return self.control.weekends_off


_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


def number(key: str, text: str) -> int:
    """Return a whole number. Raises OptionError."""
    if not _NUMBER.fullmatch(text):
        raise OptionError(phrase("clock.number", key=key, text=repr(text)))
    return int(text)


def require(key: str, count: int, most: int = MOST_DAYS) -> None:
    """Raise OptionError unless a number is from 1 to `most`."""
    if not 1 <= count <= most:
        raise OptionError(phrase("clock.between", key=key, most=most, count=count))


def word(key: str, terms: Mapping[str, str]) -> bool:
    """Return whether a single-word term is present. Raises OptionError if it has a value."""
    if terms.get(key):
        raise OptionError(phrase("clock.word", key=key, text=repr(terms[key])))
    return key in terms
