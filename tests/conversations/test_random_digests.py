"""Whatever happens in a club, a member with a digest gets few emails and misses nothing.

Random people play random matches for weeks. They offer draws, write notes, take leave, ask for
boards and change their minds about emails, and the director intervenes.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import islice

import pytest

from pbem.matches.director_actions import DecisionError
from pbem.matches.zones import day_at
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, decide
from pbem.service.waiting_news import MARGIN
from pbem.service.work import reading, writing
from pbem.settings.mails import digest_time
from tests.conversations.house import House, Person, Received

OTHER_NEWS = re.compile(
    r"^\| |^  [A-Z][a-z]+ [a-z]|offers a draw|declines|taken back", re.MULTILINE
)
HEADING = re.compile(r"^Match (\d+): ", re.MULTILINE)
STEP, WARNED = timedelta(hours=2), timedelta(hours=9)
ASIDE = ("leave 1 day", "back", "digest", "mails 1 usual", "settings")
GAMES = ("lanrick-1893", "lancelot", "lanko-68")


Turn = tuple[int, int, int]
"""A match, how many turns were taken back in it, and a turn."""


@dataclass
class Watched:
    """A member with a digest, and what was seen of their emails."""

    person: Person
    zone: str
    digests: Counter[date] = field(default_factory=Counter)
    """Digests that they did not ask for, by day of their zone."""
    told: Counter[Turn] = field(default_factory=Counter)
    """Unasked emails that said that it is their turn, unless they had other news."""
    named: set[Turn] = field(default_factory=set)
    """Turns of theirs of which an email has told them."""
    read: int = 0
    """Number of emails looked at."""


def _parts(mail: Received) -> Iterator[tuple[int, str]]:
    """Yield the matches of a digest with the text below each heading."""
    pieces = HEADING.split(mail.text)
    for at in range(1, len(pieces), 2):
        yield int(pieces[at]), pieces[at + 1]


def _tell(house: House, seen: Watched, match: int, text: str, *, plain: bool) -> None:
    found = re.search(r"your\s+turn\s+as.+?turn\s+(\d+)\b", text, re.DOTALL)
    if found is None:
        found = re.search(r"left\s+for\s+turn\s+(\d+)\b", text)
    if found is None:
        return
    turn = match, house.state(match).lead, int(found[1])
    seen.named.add(turn)
    seen.told[turn] += plain


def _read(house: House, seen: Watched) -> None:
    """Read new emails, each of which must have a reason."""
    now = house.clock.now()
    with reading(house.club) as work:
        assert seen.person.player is not None
        member = work.players.get(seen.person.player.id)
    time = digest_time(member)
    assert time is not None
    safe = time.after(now, member.time_zone) + MARGIN
    seen.person.receives()
    new, seen.read = seen.person.read[seen.read :], len(seen.person.read)
    for mail in new:
        asked = mail.message["Auto-Submitted"] == "auto-replied"
        if "+g" in mail.reply_to:
            seen.digests[day_at(now, seen.zone)] += not asked
            for match, text in _parts(mail):
                others = "| " in text or re.search(
                    r"^  [A-Z][a-z]+ [a-z]|offers a draw", text, re.MULTILINE
                )
                _tell(house, seen, match, text, plain=not (asked or others))
            continue
        about = re.search(r"\[pbem (\d+)\]", str(mail.message["Subject"]))
        if about is None or asked:
            continue
        match = int(about[1])
        plain = mail.kind == "your turn" and not re.search(
            r"offers a draw|^\| ", mail.text, re.MULTILINE
        )
        _tell(house, seen, match, mail.text, plain=plain)
        if mail.kind != "a reminder":
            _require_reason(house, seen, match, mail, safe)


def _require_reason(
    house: House, seen: Watched, match_id: int, mail: Received, safe: datetime
) -> None:
    """Assert that an email could not wait: an offer, an end in a competition, or little time."""
    match, own = house.state(match_id), seen.person.player
    assert own is not None
    flag_at = match.clock.flag_at
    short = match.player_to_act == own.id and (flag_at is None or flag_at < safe)
    placed = match.result is not None and match.place is not None
    late = "ran out of time" in mail.text or "run out of time" in mail.text
    assert short or placed or late or "offers a draw" in mail.text, mail.text


def _acts(house: House, person: Person, chance: random.Random) -> None:
    """Let someone write something."""
    person.receives()
    if not person.read:
        return
    if chance.random() < 0.15:
        person.says(chance.choice(ASIDE))
        house.works()
        return
    with reading(house.club) as work:
        assert person.player is not None
        mine = work.matches.of_player(person.player.id)
        asked = [work.whole(each) for each in mine if each.player_to_act == person.player.id]
    if not mine:
        return
    match = chance.choice(asked) if asked else None
    person.says(f"match {(match or chance.choice(mine)).id}")
    house.works()
    [*_, shown] = person.receives()
    if match is not None:
        some = list(islice(match.game.legal_actions(match.position), 12))
        note = "\n\nHello!" if chance.random() < 0.1 else ""
        person.says(f"{match.game.format(match.position, chance.choice(some))}{note}", shown)
    elif chance.random() < 0.1:
        person.says("draw?", shown)
    house.works()


def _directs(house: House, chance: random.Random) -> None:
    number = chance.choice(house.matches()).id
    turn = max(1, house.state(number).turn - 1)
    with suppress(DecisionError), writing(house.club) as work:
        decide(work, orders.undoing(number, turn, "A slip"), SHELL)
    house.works()


def _require_told(house: House, seen: Watched) -> None:
    """Assert that an email has told them of each turn of theirs in which time is short."""
    own = seen.person.player
    for match in house.matches():
        flag_at = match.clock.flag_at
        if own is None or match.player_to_act != own.id or flag_at is None:
            continue
        if flag_at < house.clock.now() + WARNED:
            assert (match.id, match.lead, match.turn) in seen.named, match.id


STEPS = 60


@pytest.mark.parametrize("seed", range(2))
def test_member_with_a_digest_gets_few_emails_and_misses_nothing(house: House, seed: int) -> None:
    chance = random.Random(seed)
    zones = ("UTC", "Asia/Tokyo", "America/New_York")
    days = ("digest 07:30", "digest 19:00 mo-fr", "digest 00:15")
    watched = [
        Watched(house.player(name, mails=mails, time_zone=zone), zone)
        for name, mails, zone in zip(("Anna", "Bert", "Clara"), days, zones, strict=True)
    ]
    people = [*(each.person for each in watched), house.player("Dora", mails="all")]
    for number in range(7):
        seated = chance.sample(people, 2 if number % 2 else 3)
        house.match(
            GAMES[number % 3] if len(seated) == 2 else "lancelot",
            *seated,
            days=chance.choice((1, 2, 5, 9)),
        )
    house.series("lanrick-1893", people[0], people[3], games=1)
    for _ in range(STEPS):
        for person in chance.sample(people, 2):
            _acts(house, person, chance)
            for seen in watched:
                _read(house, seen)
        if chance.random() < 0.05:
            _directs(house, chance)
        house.clock.advance(seconds=STEP.total_seconds())
        with writing(house.club) as work:
            work.service.beat(house.clock.now())
        house.sweeps()
        for seen in watched:
            _read(house, seen)
            _require_told(house, seen)
    assert any(sum(seen.digests.values()) > 2 for seen in watched)
    for seen in watched:
        assert max(seen.digests.values(), default=0) <= 1, seen.digests
        assert all(times <= 1 for times in seen.told.values()), seen.told
