"""Count the takeovers that one leaked email allows: `python -m tests.faults.takeover`.

Eve has one email of the club to Dora, of each kind and age, and forges Dora's From. She tries each
way to have Dora's email come to her, and then to act as Dora: lose her match, rename her, remove
her from the club, or decide as the director. Dora answers nothing and undoes nothing. Eve continues
for DAYS. The last column is for a second weapon: she also forges a bounce of the leaked email, so
that Dora's address seems to be dead.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, product
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from pbem.service.club import Joining, Policy
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.post_office import Fakes
from tests.conversations.returned import REPORT, UNKNOWN
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage

DAYS = 13
AGES = (0, 1, 7, 30, 60, 89, 90)
EVE = "eve@evil.example"
DORA = "dora@mail.example"
LINES = (
    (f"address add {EVE}",),
    (f"address add {EVE}", f"address first {EVE}"),
    (f"address add {EVE}", f"address remove {DORA}"),
    (f"address add {EVE}", f"address first {EVE}\naddress remove {DORA}"),
    (f"address add {EVE}\naddress first {EVE}\naddress remove {DORA}",),
    ("address add director@games.example", f"address remove {DORA}"),
)
ACTS = ("resign", "confirm", "set name Eve", "forget me", "forfeit 1 Anna")
_NUMBERS = count(1)


@dataclass
class Scene:
    """A club in which Dora has an email of each kind."""

    house: House
    dora: Person
    eve: Person
    leaks: dict[str, Received]


def scene(home: Path, *, director: bool) -> Scene:
    """Make the club, and let Dora get an email of each kind."""
    clock = FakeClock()
    policy = Policy(mails_an_hour=0, match_mails_an_hour=0, joining=Joining.OPEN)
    house = House(Fakes(clock), FakeStorage(), clock, home, policy=policy)
    dora, eve = house.player("Dora"), house.stranger(EVE)
    assert dora.player is not None
    if director:
        with writing(house.club) as work:
            work.players.choose(dora.player.id, "role", "director")
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=300)
    leaks: dict[str, Received] = {}

    def keeps(kind: str) -> None:
        leaks[kind] = dora.receives()[-1]

    dora.says("settings", recipient=house.address, references=False)
    house.works()
    keeps("answer")
    house.match("lanko-68", dora, bert, days=300)
    keeps("turn")
    dora.says("[8-B]")
    house.works()
    keeps("refused")
    dora.says("[41-36]")
    house.works()
    keeps("receipt")
    dora.says("set name Dorothea", recipient=house.address, references=False, quoting=False)
    house.works()
    keeps("question")
    bert.receives()
    bert.says("settings", recipient=house.address, references=False, quoting=False)
    house.works()
    bert.receives()
    bert.says("challenge Dora lancelot", quoting=False)
    house.works()
    if "hallenge" not in str(dora.receives()[-1:]):
        bert.receives()
        bert.says("confirm")
        house.works()
    dora.receives()
    leaks["challenge"] = dora.latest
    if director:
        anna.receives()
        anna.says("appeal What now?")
        house.works()
        keeps("report")
        dora.says("pause 1 2w We wait", to=dora.latest)
        house.works()
        keeps("decided")
    return Scene(house, dora, eve, leaks)


def attacks(of: Scene, leaked: Received, lines: tuple[str, ...], *, bounce: bool) -> None:
    """Let Eve do all she can to get Dora's email, and act on what she gets.

    She never shows the leaked token under her own name, which would spend it.
    """
    eve, house = of.eve, of.house
    if bounce:
        _bounces(of, leaked)
    for line in lines:
        eve.says(line, to=leaked, sender=of.dora.address, quoting=False)
        house.works()
        _confirms(of)
    if bounce:
        _bounces(of, leaked)
    house.skips(days=2)
    for line in (*lines[1:], *ACTS):
        for to in (*eve.read[-3:], *([leaked] if line in lines else [])):
            for sender in (of.dora.address, EVE) if to is not leaked else (of.dora.address,):
                named = line != "confirm"  # any question can be meant
                eve.says(line, to=to, sender=sender, quoting=False, references=named)
        house.works()
        _confirms(of)
        house.skips(days=(DAYS - 2) / (len(ACTS) + len(lines)))


def _confirms(of: Scene) -> None:
    for mail in of.eve.receives():
        of.eve.says("confirm", to=mail)
        of.eve.says("confirm", to=mail, sender=of.dora.address)
    of.house.works()


def _bounces(of: Scene, leaked: Received) -> None:
    """Write as a server that has no such mailbox."""
    action, status, words = UNKNOWN
    text = REPORT.format(
        to=of.house.address,
        subject="Undelivered",
        number=f"forged{next(_NUMBERS)}",
        address=of.dora.address,
        action=action,
        status=status,
        words=words,
        message_id=leaked.message_id,
    )
    of.eve.sends(text.replace("\n", "\r\n").encode())
    of.house.works()


def taken(of: Scene) -> Iterator[str]:
    """Return what Eve has gained."""
    assert of.dora.player is not None
    with reading(of.house.club) as work:
        now = work.players.get(of.dora.player.id)
        if now.former:
            yield "membership"
            return
        if now.addresses[0] != DORA:
            yield "address"
        if now.name != "Dora":
            yield "name"
    if of.house.state(2).result is not None:
        yield "match"
    if of.house.state(1).result is not None:
        yield "decision"


def tried(*, director: bool, bounce: bool, said: Callable[[str], None]) -> Counter[str]:
    """Count what was taken, over all kinds of email, ages and lines."""
    results: Counter[str] = Counter()
    with TemporaryDirectory() as home:
        first = scene(Path(home, "first"), director=director)
        with closing(first.house):
            kinds = list(first.leaks)
        for number, (kind, age, lines) in enumerate(product(kinds, AGES, LINES)):
            of = scene(Path(home, str(number)), director=director)
            with closing(of.house):
                of.house.clock.advance(days=age, minutes=1)
                attacks(of, of.leaks[kind], lines, bounce=bounce)
                results["tried"] += 1
                got = list(taken(of))
                results["taken"] += bool(got)
                for each in got:
                    results[each] += 1
                if got:
                    said(f"  {kind}, {age} days, {' / '.join(lines)!r}: {', '.join(got)}")
    return results


def main() -> int:
    """Print the table; return 1 if anything was taken over."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    worst = 0
    for director, bounce in product((False, True), (False, True)):
        found: list[str] = []
        results = tried(director=director, bounce=bounce, said=found.append)
        who = "director" if director else "member"
        weapon = "one email and a forged bounce" if bounce else "one email"
        print(f"{who:8} {weapon:30} {results['tried']:4} tried {results['taken']:4} taken over")
        print("\n".join(found[:10]), flush=True)
        worst += results["taken"]
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
