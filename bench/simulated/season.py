"""A season of competitions of all kinds, which a director announces and members enter by email.

Members withdraw, vanish and are replaced, and the director decides matches that last too long.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations

from bench.answers import TurnMail
from bench.simulated.life import Life
from bench.simulated.mailroom import Taken
from bench.simulated.people import Crowd
from pbem.matches.announcement import OPEN, Phase
from pbem.matches.competition import Competition, index_of, round_of
from pbem.matches.competitions.league import League
from pbem.matches.competitions.set_league import SetLeague
from pbem.matches.match import MatchSummary
from pbem.service.work import reading, writing

DAY = timedelta(days=1)
ENTRY_DAYS, OPEN_DAYS = 3, 20
DECIDED_AFTER = 7 * DAY
"""The director decides matches that last longer."""
ENTERS, WITHDRAWS, VANISHES, RESIGNS = 0.8, 0.08, 0.002, 0.4
"""Probabilities that a member enters, withdraws, and at a turn vanishes or resigns."""
SUBSTITUTES = 0.04
"""Probability that the director replaces a player of a competition on a day."""
TERMS = {
    "tournament": "lanrick-1893 max=10",
    "league": "lanrick-1893 division=6",
    "swiss": "lanrick-1893 rounds=5",
    "knock-out": "lanrick-1893 order=lots third-place",
    "set-league": "lanko-68 rounds=4 concurrent",
    "team-match": "lanrick-1893 teams=Reds,Blues double",
    "ladder": "lanrick-1893 reach=3",
    "open-house": "lanrick-1893 until={until}",
}
MEETINGS = {"tournament": 1, "league": 1, "swiss": 1, "knock-out": 3, "team-match": 2}
"""How often two players may meet, with replays."""
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
        if (found := _CAN_ENTER.search(mail.text)) and self.chance.random() < ENTERS:
            self._later(mail, f"enter {found[1]}", taken, now, ENTRY_DAYS - 1)
            if self.chance.random() < WITHDRAWS:
                self._later(mail, f"withdraw {found[1]}", taken, now, OPEN_DAYS)
        if found := _LADDER.search(mail.text):
            for name in self.chance.choices(self.others, k=3):
                self._later(mail, f"ladder {found[1]} {name}", taken, now, OPEN_DAYS)

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
        for _ in range(round(30 * months)):
            competitions = self.competitions()
            kinds = [each for each in TERMS if each not in {of.kind for of, _ in competitions}]
            if kinds:
                self._announces(kinds[0])
            elif all(_phase(of) not in OPEN for of, _ in competitions):
                return
            self.life.lives(1 / 30)
            for of, matches in self.competitions():
                self._directs(of, matches)

    def competitions(self) -> list[tuple[Competition, Sequence[MatchSummary]]]:
        """Return all competitions with their matches."""
        with reading(self.life.club) as work:
            found = work.competitions.announced(tuple(Phase))
            return [(of, work.matches.of_competition(of.id)) for of in found]

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
        if _phase(of) is not Phase.RUNNING:
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


def report(season: Season) -> bool:
    """Print competitions by kind and what is wrong with them. Return whether nothing is."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    wrong: list[str] = []
    for of, matches in season.competitions():
        counts = found[of.kind]
        counts["announced"] += 1
        counts[_phase(of)] += 1
        counts["players"] += len(of.players)
        counts["withdrawn"] += len(of.players) - len(of.taking_part)
        counts["substitutes"] += len(of.successors)
        counts["matches"] += len(matches)
        ends = [each.result.termination for each in matches if each.result is not None]
        counts["flags"] += ends.count("flag")
        counts["decided"] += sum(each.startswith("adjudicat") for each in ends)
        mistakes = [f"{of.kind} {of.number}: {each}" for each in mistakes_of(of, matches)]
        counts["wrong"] += len(mistakes)
        wrong += mistakes
    head = (
        "announced",
        *Phase,
        "players",
        "withdrawn",
        "substitutes",
        "matches",
        "flags",
        "decided",
        "wrong",
    )
    print(f"\n{'Competitions':<12}", *(f"{each:>11}" for each in head))
    for kind, counts in found.items():
        print(f"{kind:<12}", *(f"{counts[each]:>11,}" for each in head))
    print(*wrong, sep="\n")
    return not wrong


def _phase(of: Competition) -> Phase:
    assert of.announcement is not None, "it was announced"
    return of.announcement.phase


def mistakes_of(of: Competition, matches: Sequence[MatchSummary]) -> Iterator[str]:
    """Yield what is wrong with a competition that should be over."""
    phase = _phase(of)
    if phase in OPEN:
        yield "it has not ended"
    if phase is not Phase.ENDED:
        return
    met = _meetings(of, matches)
    if of.kind in MEETINGS:
        often = [pair for pair, times in met.items() if times > MEETINGS[of.kind]]
        yield from (f"{sorted(pair)} met {met[pair]} times" for pair in often)
    for pair in _should_meet(of):
        if not met[pair]:
            yield f"{sorted(pair)} have not met"
    if isinstance(of, SetLeague):
        most = of.evenness.meetings[1]
        yield from (f"{sorted(pair)} met {n} times" for pair, n in met.items() if n > most + 1)
    if of.kind == "knock-out" and len(met) > len(of.players):
        # All but one lose a tie, and one is for third place.
        yield f"{len(met)} ties of {len(of.players)} players"


def _meetings(of: Competition, matches: Sequence[MatchSummary]) -> Counter[frozenset[int]]:
    """Return how often two entrants met. In a set, three of them meet once."""
    met = {
        (round_of(each) if isinstance(of, SetLeague) else index_of(each), pair)
        for each in matches
        for pair in map(frozenset, combinations(of.entrants(each, index_of(each)), 2))
        if len(pair) == 2
    }
    return Counter(pair for _, pair in met)


def _should_meet(of: Competition) -> Iterator[frozenset[int]]:
    """Yield the pairs that must have met: everybody in a division who has not withdrawn."""
    sizes = list(of.sizes) if isinstance(of, League) else [len(of.players)]
    if of.kind not in ("tournament", "league"):
        return
    first = 0
    for size in sizes:
        division = of.players[first : first + size]
        staying = [each for each in division if each in of.taking_part]
        yield from map(frozenset, combinations(staying, 2))
        first += size
