"""Time control: what was agreed on a player's time. Each is one file in `time_controls`."""

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
"""What anybody can have; ten years is beyond every patience, and no date overflows."""
MOST = timedelta(days=MOST_DAYS)

DeadlineKind = NewType("DeadlineKind", str)
"""What is due: the flag, or a reminder as its player writes it: `50%`, `6h`."""

FLAG = DeadlineKind("flag")
OVER = DeadlineKind("over")
"""The end of the grace behind the flag, where there is any."""


class Due(NamedTuple):
    """One thing that falls due in a turn."""

    kind: DeadlineKind
    due_at: datetime


class Fall(NamedTuple):
    """One thing that falls due in a turn, by the time that its player has used for it."""

    kind: DeadlineKind
    after: timedelta


class TimeAccount(NamedTuple):
    """A player's time in a match, without the turn being played."""

    bank: timedelta | None = None
    """What they have for their next turn, negative if they are over it; None is without a limit."""
    used: timedelta = NOTHING
    turns: int = 0
    """How many turns they have completed."""
    added: timedelta = NOTHING
    """What they were given beside what was agreed."""

    def given(self, time: timedelta) -> TimeAccount:
        """The same with so much more; nobody has more than `MOST`."""
        if self.bank is None:
            return self
        bank = min(self.bank + time, max(self.bank, MOST))
        return self._replace(bank=bank, added=self.added + bank - self.bank)


class TimeControl(Protocol):
    """How much time a player has, what a turn costs of it, and what there is for the next.

    A frozen value, made of its terms and equal to any other of the same terms.
    """

    keys: ClassVar[tuple[str, ...]]
    """Names of its terms; no other control has any of them."""
    alone: ClassVar[tuple[str, ...]] = ()
    """Those of them that are written as a word alone, which nobody takes for a name."""
    examples: ClassVar[tuple[str, ...]]
    """What players can write, to choose from."""

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """The control of terms as players write them; raises OptionError."""

    @property
    def terms(self) -> Mapping[str, str]:
        """Terms that `read` reads back."""

    @property
    def agreed(self) -> Phrase | str:
        """What was agreed, as a mail tells it."""

    @property
    def opening(self) -> timedelta | None:
        """What a player has for their first turn; None is without a limit."""

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """What a player has for their next turn, with so much left and so many turns completed."""

    def cost(self, spent: timedelta) -> timedelta:
        """What a turn costs for which so much time was used."""
        return spent

    def lasting(self, cost: timedelta) -> timedelta:
        """How much time can be used for a turn that costs so much."""
        return cost

    @property
    def grace(self) -> timedelta:
        """How long a late turn is waited for."""
        return NOTHING

    @property
    def weekends_off(self) -> bool:
        """Whether no time is charged on Saturdays and Sundays."""
        return False

    def completed(self, account: TimeAccount, spent: timedelta) -> TimeAccount:
        """What a player has once a turn is completed."""
        used, turns, bank = account.used + spent, account.turns + 1, account.bank
        if bank is not None:
            bank = min(self.next_bank(bank - self.cost(spent), turns), MOST)
        return account._replace(bank=bank, used=used, turns=turns)


OFF = "off"
"""The value by which a counter removes an agreed switch."""


@dataclass(frozen=True)
class Switch(TimeControl):
    """A control with one thing changed; all the rest is as it is there."""

    control: TimeControl

    keys: ClassVar[tuple[str, ...]] = ()
    """The one name of its term."""
    examples: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def on(cls, control: TimeControl, text: str) -> TimeControl:
        """A control with the switch on or off, by the text of its term; raises OptionError."""
        raise NotImplementedError

    @classmethod
    def read(cls, terms: Mapping[str, str]) -> Self:
        """Never called: a switch is put on the control of the other terms."""
        raise NotImplementedError

    @property
    def terms(self) -> Mapping[str, str]:
        """Those of the control, to which a switch adds its own."""
        return self.control.terms

    @property
    def agreed(self) -> Phrase | str:
        """What was agreed, to which a switch adds its own words."""
        return self.control.agreed

    @property
    def opening(self) -> timedelta | None:
        """As without the switch."""
        return self.control.opening

    def next_bank(self, left: timedelta, turns: int) -> timedelta:
        """As without the switch."""
        return self.control.next_bank(left, turns)

    def cost(self, spent: timedelta) -> timedelta:
        """As without the switch."""
        return self.control.cost(spent)

    def lasting(self, cost: timedelta) -> timedelta:
        """As without the switch."""
        return self.control.lasting(cost)

    @property
    def grace(self) -> timedelta:
        """As without the switch."""
        return self.control.grace

    @property
    def weekends_off(self) -> bool:
        """As without the switch."""
        return self.control.weekends_off


_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


def number(key: str, text: str) -> int:
    """A whole number; raises OptionError."""
    if not _NUMBER.fullmatch(text):
        raise OptionError(phrase("clock.number", key=key, text=repr(text)))
    return int(text)


def require(key: str, count: int, most: int = MOST_DAYS) -> None:
    """Raises OptionError unless a number is between 1 and the most."""
    if not 1 <= count <= most:
        raise OptionError(phrase("clock.between", key=key, most=most, count=count))


def word(key: str, terms: Mapping[str, str]) -> bool:
    """Whether a term that is a word alone is there; raises OptionError if it has a value."""
    if terms.get(key):
        raise OptionError(phrase("clock.word", key=key, text=repr(terms[key])))
    return key in terms
