"""Count the moves that faulty templates lose: `python -m tests.faults.templates`.

A club runs in memory. Each template of its emails breaks in turn, in English and in another
language, by an undefined variable and by a syntax error. Then a director sends an illegal act, and
the players send questions, an illegal move and three good ones. `noticed` counts the templates that
`pbem status` names afterwards: those that were needed. The columns after it should all be 0.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader

from pbem.mail.outgoing.render import Renderer
from pbem.ports.inbound import InboundState
from pbem.resources import folder
from pbem.service.status import status_of
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage

MAIL = folder("templates") / "mail"
QUESTIONS = (
    ("show", "legal", "help", "matches", "set nothing", "pause? 400 days", "[8-B]", "history"),
    ("rules", "games", "members", "settings", "addresses", "leave", "leave 400 days", "claim"),
    ("challenge Bert lancelot", "offers", "draw?", "record", "calendar", "no draw", "so what?"),
)
"""Questions by players before each good move. Some are refused."""
FAULTS = {"an undefined variable": "{{ nobody.knows }}", "a syntax error": "{% if %}"}


def files() -> Iterator[str]:
    """Yield each file that emails are made of, by its name in the folder of a language."""
    for suffix in ("*.j2", "phrases.toml"):
        yield from sorted(
            str(each.relative_to(MAIL / "en")) for each in MAIL.glob(f"en/**/{suffix}")
        )


def breaks(house: House, language: str, name: str, fault: str) -> None:
    """Put a fault at the beginning of a file."""
    text = (MAIL / "en" / name).read_text("utf-8")
    loader = ChoiceLoader(
        [DictLoader({f"{language}/{name}": fault + text}), FileSystemLoader(MAIL)]
    )
    house.club = replace(house.club, templates=lambda: Renderer(loader), language=language)


def club(home: Path) -> tuple[House, Person, list[Person]]:
    """Make a club with a director who has a report to answer, and a match of two players."""
    clock = FakeClock()
    house = House(Fakes(clock), FakeStorage(), clock, home)
    dora, *players = (house.player(name) for name in ("Dora", "Anna", "Bert"))
    assert dora.player is not None
    with writing(house.club) as work:
        work.players.choose(dora.player.id, "role", "director")
    house.match("lanko-68", *players)
    for each in players:
        each.receives()
    players[0].says("appeal What now?")
    house.works()
    dora.receives()
    return house, dora, players


def plays(house: House, dora: Person, players: list[Person]) -> Counter[str]:
    """Count what goes wrong while everybody writes."""
    wrong: Counter[str] = Counter()
    dora.says("act 1 S [41-1]")
    _works(house, wrong)
    for number, questions in enumerate(QUESTIONS):
        mover, other = players[number % 2], players[(number + 1) % 2]
        for text in questions:
            mover.says(text, quoting=False)
        _works(house, wrong)
        for each in players:
            each.receives()
        mover.says(_good_move(house), quoting=False)
        _works(house, wrong)
        wrong["lost"] += len(house.moves()) != number + 1
        wrong["not told"] += not other.receives()
    wrong["set aside"] = len(house.inbound(InboundState.SHUNTED))
    wrong["noticed"] = bool(status_of(house.club).failed_templates)
    return wrong


def _works(house: House, wrong: Counter[str]) -> None:
    try:
        house.works()
    except Exception:  # noqa: BLE001 a crash is what is counted
        wrong["crashes"] += 1


def _good_move(house: House) -> str:
    game, position = house.state().game, house.position()
    return str(game.format(position, next(iter(game.legal_actions(position)))))


def tried(language: str, fault: str) -> Counter[str]:
    """Count what goes wrong with each template in turn."""
    results: Counter[str] = Counter()
    for name in files():
        with TemporaryDirectory() as home:
            house, dora, players = club(Path(home))
            with closing(house):
                breaks(house, language, name, fault)
                results += plays(house, dora, players) + Counter(templates=1)
    return results


def main() -> int:
    """Print the table; return 1 if anything was lost."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    aims = ("lost", "not told", "set aside", "crashes")
    columns, lost = ("templates", "noticed", *aims), 0
    print(f"{'':36}" + "".join(f"{each:>10}" for each in columns))
    for language, fault in product(("en", "de"), FAULTS):
        results = tried(language, FAULTS[fault])
        numbers = "".join(f"{results[each]:10}" for each in columns)
        print(f"{fault + ' in ' + language:36}{numbers}", flush=True)
        lost += sum(results[each] for each in aims)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
