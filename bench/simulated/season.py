"""A season of competitions of all kinds, which a director announces and members enter by email.

Members withdraw, vanish and are replaced, and the director decides matches that last too long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from bench.answers import TurnMail
from bench.simulated.checks import differences, phase_of
from bench.simulated.life import Life
from bench.simulated.mailroom import Taken
from bench.simulated.people import Crowd
from pbem.matches.announcement import OPEN, Phase
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary
from pbem.service.work import reading, writing

DAY = timedelta(days=1)
ENTRY_DAYS, OPEN_DAYS = 3, 12
DECIDED_AFTER = 7 * DAY
"""The director decides matches that last longer."""
ENTERS, LATE, BYES, WITHDRAWS, VANISHES = 0.8, 0.5, 0.1, 0.08, 0.002
"""Probabilities that a member enters, or else enters late, asks for a bye, withdraws, and at a turn
vanishes."""
RESIGNS = 0.6
"""Probability that a player resigns at a turn, so that matches are short."""
SUBSTITUTES, PUT_OUT = 0.04, 0.02
"""Probabilities that the director replaces or withdraws a player of a competition on a day."""
PROGRESS_DAYS = 10
TERMS = {
    "tournament": "lanrick-1893 max=10",
    "league": "lanrick-1893 division=6 max=60",
    "swiss": "lanrick-1893 rounds=5",
    "knock-out": "lanrick-1893 order=lots third-place",
    "set-league": "lanko-68 rounds=3 concurrent max=60",
    "team-match": "lanrick-1893 teams=Reds,Blues double",
    "ladder": "lanrick-1893 reach=3 max=60",
    "open-house": "lanrick-1893 until={until} max=60",
}
"""What is announced of each kind. The limits keep a season of 200 members short."""
_CAN_ENTER = re.compile(r"you can enter competition (\d+)")
_LADDER = re.compile(r"competition (\d+) \(ladder.* has started", re.DOTALL)


class Entrants(Crowd):
    """Members who enter competitions, and lose patience with them."""

    def __init__(self, life: Life) -> None:
        super().__init__(life.chance)
        self.vanished = set[str]()
        self.latest = dict[str, TurnMail]()
        """The newest email of each member that is not a question."""
        self.others = [player.name for player in life.players]

    def reads(self, taken: Taken, now: datetime) -> None:
        """Enter what is announced, challenge on ladders, and play."""
        if taken.recipient in self.vanished:
            return
        super().reads(taken, now)
        mail = TurnMail.read(taken.raw)
        if "did you send this?" in mail.text:
            self._writes(mail, "confirm", taken.recipient, now)
        elif "confirm" not in mail.text:
            self.latest[taken.recipient] = mail
        if found := _CAN_ENTER.search(mail.text):
            self._reads_announcement(mail, found[1], taken, now)
        if found := _LADDER.search(mail.text):
            for name in self.chance.choices(self.others, k=3):
                self._later(mail, f"ladder {found[1]} {name}", taken, now, OPEN_DAYS)

    def _reads_announcement(self, mail: TurnMail, number: str, taken: Taken, now: datetime) -> None:
        if self.chance.random() < ENTERS:
            self._later(mail, f"enter {number}", taken, now, ENTRY_DAYS - 1)
        elif self.chance.random() < LATE:
            self._later(mail, f"enter {number}", taken, now + ENTRY_DAYS * DAY, ENTRY_DAYS)
        for command, probability in (("withdraw", WITHDRAWS), ("bye", BYES)):
            if self.chance.random() < probability:
                self._later(mail, f"{command} {number}", taken, now, OPEN_DAYS)

    def _later(self, mail: TurnMail, fresh: str, taken: Taken, now: datetime, days: float) -> None:
        at = self._awake(now + self.chance.uniform(0.1, days) * DAY)
        self._writes(mail, fresh, taken.recipient, at)

    def _fresh(self, mail: TurnMail) -> str:
        return "resign" if self.chance.random() < RESIGNS else super()._fresh(mail)

    def _writes(self, mail: TurnMail, fresh: str, sender: str, at: datetime) -> None:
        if self.chance.random() < VANISHES and fresh != "confirm":
            self.vanished.add(sender)
        if sender not in self.vanished:
            super()._writes(mail, fresh, sender, at)

    def orders(self, club: str, text: str, sender: str, at: datetime) -> None:
        """Write a director's email, in answer to their newest one if there is one."""
        self.vanished.discard(sender)
        first = TurnMail("<none@mail.example>", club, "", "", "")
        self._writes(self.latest.get(sender, first), text, sender, at)


class Season:
    """A club whose members only play competitions. Its first member is the director."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.compared = 0
        """Number of tables that were compared with an independent computation."""
        self.wrong: list[str] = []
        """What was wrong with them, in their order."""
        self._over = set[int]()
        life.matches_each = 0
        life.step = timedelta(hours=8)

    def begins(self, members: int) -> None:
        """Have members join, and make the first one director."""
        life = self.life
        life.begins(members)
        self.director, *_ = life.players
        with writing(life.club) as work:
            work.players.choose(self.director.id, "role", "director")
        self.crowd = life.crowd = Entrants(life)

    def lives(self, months: float) -> None:
        """Run day by day until every competition has ended. The director announces one a day."""
        for day in range(round(30 * months)):
            competitions = self.competitions()
            if day % PROGRESS_DAYS == 0:
                started = sum(len(matches) for _, matches in competitions)
                print(
                    f"day {day}: {len(competitions)} competitions, {started:,} matches", flush=True
                )
            kinds = [each for each in TERMS if each not in {of.kind for of, _ in competitions}]
            if kinds:
                self._announces(kinds[0])
            elif all(phase_of(of) not in OPEN for of, _ in competitions):
                return
            self.life.lives(1 / 30)
            for of, matches in self.competitions():
                self._compares(of, matches)
                self._directs(of, matches)

    def competitions(self) -> list[tuple[Competition, Sequence[MatchSummary]]]:
        """Return all competitions with their matches."""
        with reading(self.life.club) as work:
            found = work.competitions.announced(tuple(Phase))
            return [(of, work.matches.of_competition(of.id)) for of in found]

    def _compares(self, of: Competition, matches: Sequence[MatchSummary]) -> None:
        """Compare the table of the day, also of a competition that has just ended."""
        if phase_of(of) is Phase.RUNNING or (
            phase_of(of) is Phase.ENDED and of.id not in self._over
        ):
            self.compared += 1
            self.wrong += [f"{of.kind} {of.number}: {each}" for each in differences(of, matches)]
        if phase_of(of) not in OPEN:
            self._over.add(of.id)

    def _announces(self, kind: str) -> None:
        today = self.life.clock.now()
        until = f"{today + OPEN_DAYS * DAY:%Y-%m-%d}"
        entry = f"enter-until={today + ENTRY_DAYS * DAY:%Y-%m-%d}"
        self._orders(f"competition new {kind} {TERMS[kind].format(until=until)} days=5 {entry}")

    def _orders(self, text: str) -> None:
        club = self.life.club.address
        self.crowd.orders(club, text, self.director.address, self.life.clock.now())

    def _directs(self, of: Competition, matches: Sequence[MatchSummary]) -> None:
        life, now = self.life, self.life.clock.now()
        if phase_of(of) is not Phase.RUNNING:
            return
        names = {each.id: each.name for each in life.players}
        for match in matches:
            if match.result is None and now - match.started_at > DECIDED_AFTER:
                result = life.chance.choice(["draw", *(names[each] for each in match.players)])
                self._orders(f"adjudicate {match.id} {result} It takes too long.")
        if of.kind == "ladder" and now - of.created_at > OPEN_DAYS * DAY:
            self._orders(f"competition close {of.number}")
        outside = [each for each in life.players if each.id not in of.players]
        if outside and life.chance.random() < SUBSTITUTES:
            gone, new = life.chance.choice(of.taking_part), life.chance.choice(outside)
            self._orders(f"replace {names[gone]} {new.name} in {of.kind} {of.number}")
        elif of.taking_part and life.chance.random() < PUT_OUT:
            gone = life.chance.choice(of.taking_part)
            self._orders(f"competition withdraw {of.number} {names[gone]} Never answers.")
