"""Count the modules that one ordinary move runs, from the mailbox to the queued emails.

Bert answers a turn email in a club of two, as in the conversation tests. A module counts if one of
its functions runs. `python -m bench.modules names` lists them.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from sqlalchemy import Engine

import pbem
from bench.aims import at_most
from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.migrate import upgrade
from pbem.adapters.db.unit_of_work import SqlStorage
from tests.conversations.house import House
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock

AIM = 120
ROOT = Path(pbem.__file__).parent


def main() -> None:
    clock = FakeClock()
    with (
        TemporaryDirectory() as folder,
        closing(SqlStorage(upgraded(f"sqlite:///{folder}/club.sqlite"))) as storage,
        closing(House(Fakes(clock), storage, clock, Path(folder))) as house,
    ):
        anna, bert = house.player("Anna"), house.player("Bert")
        house.match("lanko-68", anna, bert)
        anna.says("43-37", to=anna.receives()[-1])
        house.works()
        bert.says("18-19", to=bert.receives()[-1])
        modules, switches = walked(house)
        assert house.matches()[0].turn == 3, "the move is played"
    for name in sorted(modules) if "names" in sys.argv else ():
        print(name)
    print(f"{len(modules)} modules run, control passes between them {switches} times")
    at_most("modules run by a move", len(modules), AIM)


def upgraded(url: str) -> Engine:
    """Return a database with the newest schema."""
    engine = open_engine(url)
    upgrade(engine)
    return engine


def walked(house: House) -> tuple[set[str], int]:
    """Return the modules that run while the club handles email, and the switches between them."""
    modules = set[str]()
    switches, last = 0, ""

    def watch(frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal switches, last
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT) and not path.parts[-1].startswith("<"):
            name = str(path.relative_to(ROOT))
            switches += name != last
            last = name
            modules.add(name)

    sys.setprofile(watch)
    try:
        house.works()
    finally:
        sys.setprofile(None)
    return modules, switches


if __name__ == "__main__":
    main()
