"""Years of a club with a few matches, by its use cases. Naive clocks check its clocks."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from datetime import date
from itertools import islice
from pathlib import Path

from pbem.inbox.poll import poll
from pbem.jobs.sweep import sweep
from pbem.matches.match import Match, MatchSummary, PlayerId
from pbem.service.delivery.deliver import deliver
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import Order
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House, Person, Received, as_read
from tests.conversations.post_office import Fakes
from tests.fakes.storage import FakeStorage
from tests.years.checks import Checks
from tests.years.happenings import happenings
from tests.years.naive_table import NaiveTable, Someone
from tests.years.naive_time import DAY, HOUR, MINUTE
from tests.years.still_clock import StillClock, moment

UP = 10 * MINUTE
"""The longest time between two sweeps that does not count as an outage."""
FIRST_DAY = 20458
"""5 January 2026."""
LISTED = 12
"""Number of legal actions considered."""


class Years:
    """A club over a long time. `chance` makes all random choices."""

    def __init__(self, home: Path, chance: random.Random) -> None:
        self.chance = chance
        self.clock = StillClock(moment(FIRST_DAY * DAY + chance.randrange(300 * DAY)))
        self.house = House(Fakes(self.clock), FakeStorage(), self.clock, home)
        self.people = [self.house.player(name) for name in ("Anna", "Bert", "Clara", "Dora")]
        self.someone = {number(person): Someone(number(person)) for person in self.people}
        self.tables: dict[int, NaiveTable] = {}
        self.club_breaks: list[tuple[float, float]] = []
        """Pauses of the club with a known end."""
        self.holidays = frozenset[date]()
        self.waiting: dict[int, int] = {}
        """The player whose unread email has played the turn, by match."""
        self.lived: list[str] = []
        """A log of events, to be read after a failure."""
        self.checks = Checks(self.house, self.tables)
        sweep(self.house.club)

    def lives(self, steps: int) -> None:
        """Let this many things happen, with some time between them."""
        happen, weights = zip(*happenings(), strict=True)
        for _ in range(steps):
            unit = self.chance.choice((MINUTE, HOUR, HOUR, DAY, DAY, DAY))
            self.goes_on(self.now + self.chance.randrange(1, 12 * unit))
            [happens] = self.chance.choices(happen, weights)
            self.notes(happens.__name__)
            happens(self)
            self.agrees()

    def notes(self, what: str) -> None:
        """Log what happens now."""
        self.lived.append(f"{self.clock.now():%Y-%m-%d %H:%M:%S} {what}")

    # People and matches

    @property
    def now(self) -> int:
        """Return the current second."""
        return self.clock.second

    def person(self, player: int) -> Person:
        """Return a member by number."""
        return next(each for each in self.people if number(each) == player)

    def state(self, match: int) -> MatchSummary:
        """Return a match as stored."""
        return self.house.state(match)

    def playing(self) -> list[int]:
        """Return running matches."""
        return [match for match in self.tables if self.state(match).result is None]

    def some_match(self) -> int | None:
        """Return a running match whose last email has been read, or None."""
        matches = [each for each in self.playing() if each not in self.waiting]
        return self.chance.choice(matches) if matches else None

    def newest(self, person: Person, match: int) -> Received:
        """Return someone's newest email of a match."""
        mails = self.house.post.inbox(person.address)
        about = f"Subject: [pbem {match}]".encode()
        return as_read(next(raw for raw in reversed(mails) if about in raw))

    def has_mail(self, player: int, match: int) -> bool:
        """Return whether someone ever got an email of a match."""
        mails = self.house.post.inbox(self.person(player).address)
        return any(f"Subject: [pbem {match}]".encode() in raw for raw in mails)

    def plays_on(self, player: int, match: int) -> bool:
        """Return whether someone is still playing, in a match that others may continue."""
        with reading(self.house.club) as work:
            return not work.match(match).has_resigned(PlayerId(player))

    # Passing time

    def goes_on(self, until: int, *, mailbox_away: bool = False) -> None:
        """Let the service sweep every few minutes, skipping sweeps without work."""
        while self.now < until:
            with reading(self.house.club) as work:
                dues = work.deadlines.due(moment(until))
            coming = [at for due in dues if (at := int(due.due_at.timestamp())) >= self.now]
            at = min(coming, default=until) + self.chance.randrange(1, UP)
            self._is_up(min(at, until), mailbox_away=mailbox_away)

    def _is_up(self, until: int, *, mailbox_away: bool) -> None:
        """Let the service run until then, and sweep."""
        before = moment(max(self.now, until - UP))
        with writing(self.house.club) as work:
            work.service.beat(before)
            if not mailbox_away:
                work.service.polled(before)
        self.clock.is_at(until)
        if not mailbox_away:
            poll(self.house.club, self.house.mailbox)
        self.sweeps(judges=not mailbox_away)

    def stands_still(self, until: int) -> None:
        """Stop the service until then."""
        self.clock.is_at(until)
        for table in self.tables.values():
            table.stands_still(until)

    def sweeps(self, *, judges: bool = False) -> None:
        """Sweep. Flags are judged if all emails have been read."""
        while sweep(self.house.club):  # after a day of leave the flag falls again on the next
            deliver(self.house.club, self.house.transport)
        self.passes()
        if judges:
            self._judges()
        self.agrees()
        self.checks.reminders(self.someone, certain=not self.waiting)
        if judges:
            for match in self.tables:
                self.checks.flags(match)

    def _judges(self) -> None:
        """Let players who ran out of time lose, if that was agreed."""
        for match, table in self.tables.items():
            if table.flag == "loss" and table.to_act is not None and table.is_over:
                self.notes(f"match {match}: player {table.to_act} loses on time")
                table.ends()
                self.begins(match)

    def works(self) -> None:
        """Read all emails and send the answers."""
        self.house.works()
        for player in set(self.waiting.values()):
            self.is_reached(player)
        for match in sorted(self.waiting):
            self.begins(match)
        self.waiting.clear()

    def agrees(self) -> None:
        """Check both clocks of every match whose last email has been read."""
        self.passes()
        for match in self.tables.keys() - self.waiting.keys():
            self.checks.agrees(match)

    def passes(self) -> None:
        """Advance the naive clocks, too. Leave is taken in all matches at once."""
        while self.judged:
            before = copy.deepcopy({each: vars(table) for each, table in self._going()}, self._kept)
            for _, table in self._going():
                table.goes_on(self.now)
            wanted = [table for _, table in self._going() if table.wants_leave]
            if not wanted:
                return
            first = min(table.now for table in wanted)
            for match, table in self._going():
                vars(table).update(before[match])
                table.goes_on(first)
            for _, table in self._going():
                if table.wants_leave:
                    self._takes_leave(table)
        for _, table in self._going():
            table.goes_on(self.now)

    @property
    def judged(self) -> bool:
        """Check whether leave may be taken automatically. If so, flags are always judged."""
        return any(each.leaves.auto for each in self.someone.values())

    def _going(self) -> list[tuple[int, NaiveTable]]:
        """Return the naive matches whose last email has been read."""
        return [each for each in self.tables.items() if each[0] not in self.waiting]

    @property
    def _kept(self) -> dict[int, object]:
        """Return what all tables share, which is not copied."""
        return {id(each): each for each in (self.someone, self.club_breaks)}

    def _takes_leave(self, table: NaiveTable) -> None:
        """Take a day of leave where a flag would have fallen."""
        assert table.to_act is not None, "the flag belongs to someone"
        table.wants_leave = False
        today = self.someone[table.to_act].leaves.today(table.now)
        table.refused = not self.takes_leave(table.to_act, today, today, table.now)

    def takes_leave(self, player: int, first: date, last: date, at: float) -> bool:
        """Take leave if days are left. Return whether someone is on leave."""
        leaves = self.someone[player].leaves
        taken = leaves.take(first, last, at)
        for table in self.tables.values() if taken else ():
            table.is_too_late_for(player, leaves.count)
        return taken

    # Parts of several happenings

    def begins(self, match: int) -> None:
        """Start a turn."""
        table, state = self.tables[match], self.state(match)
        table.now, player = self.now, state.player_to_act
        has_partner = player is not None and len(state.side_of(player)) > 1
        asked = has_partner and table.flag in ("loss", "claim")
        table.begins(player, 2 * DAY if asked else 0)

    def knows(self, match: int) -> bool:
        """Return whether the player to move has a turn email."""
        state = self.state(match)
        assert state.player_to_act is not None, "it is someone's turn"
        if not self.has_mail(state.player_to_act, match):
            return False
        told = self.newest(self.person(state.player_to_act), match).reply_to
        return told.split("-")[1] == str(state.token_turn)

    def plays(self, match: int, *, down: bool = False) -> None:
        """Put an email with a whole turn on the server. No time passes during an outage."""
        player = self.state(match).player_to_act
        assert player is not None, "it is someone's turn"
        with reading(self.house.club) as work:
            texts = self._turn(work.match(match))
        person = self.person(player)
        person.says("\n".join(texts), self.newest(person, match), quoting=False)
        if not down:
            self.passes()
        self.tables[match].ends()
        self.waiting[match] = player

    def _turn(self, match: Match) -> list[str]:
        texts, position = [], match.position
        while position.turn == match.turn and match.game.outcome(position) is None:
            legal = list(islice(match.game.legal_actions(position), LISTED))
            action = self.chance.choice(legal)
            texts.append(match.game.format(position, action))
            position = match.game.play(position, action)
        return texts

    def is_reached(self, player: int) -> None:
        """Note that emails reach someone, perhaps again."""
        self.passes()
        self.someone[player].reachable = True
        for table in self.tables.values():
            if table.to_act == player:
                table.paused.discard("unreachable")

    def decides(self, order: Callable[[Work], Order], *, reads: bool = True) -> None:
        """Decide as the director on the command line, perhaps while no emails are read."""
        with writing(self.house.club) as work:
            decide(work, order(work), SHELL)
        if reads:
            self.house.works()
        self.passes()


def number(person: Person) -> int:
    """Return a member's number."""
    assert person.player is not None, "a member"
    return person.player.id
