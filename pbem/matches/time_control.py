"""Time control: what was agreed on a player's time. Each is one file in `time_controls`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple, NewType, Protocol, Self

from pbem.games.phrases import Phrase

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


class Account(NamedTuple):
    """A player's time in a match, without the turn being played."""

    bank: timedelta | None = None
    """What they have for their next turn, negative if they are over it; None is without a limit."""
    used: timedelta = NOTHING
    turns: int = 0
    """How many turns they have completed."""
    added: timedelta = NOTHING
    """What they were given beside what was agreed."""

    def given(self, time: timedelta) -> Account:
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

    def completed(self, account: Account, spent: timedelta) -> Account:
        """What a player has once a turn is completed."""
        used, turns, bank = account.used + spent, account.turns + 1, account.bank
        if bank is not None:
            bank = min(self.next_bank(bank - self.cost(spent), turns), MOST)
        return account._replace(bank=bank, used=used, turns=turns)
