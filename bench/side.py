"""One of two checkouts that are measured by turns: plays when it is told, and says what it cost.

Run with the checkout as working directory, whose own `bench` knows its own `pbem`; only what is
imported below must be there under the same names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Engine, event

from bench.house import House, servers
from bench.pace import timed
from bench.path import begun
from pbem.cli.logs import log_from

MATCHES = 100


@contextmanager
def _counting() -> Iterator[Callable[[], int]]:
    """How many statements the database has been told since the block began."""
    told = 0

    def count(*_: object) -> None:
        nonlocal told
        told += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield lambda: told
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def main() -> None:
    """A line of JSON for each line that comes."""
    log_from("error")
    with servers() as found, closing(House(found)) as house:
        matches = list(begun(house, MATCHES))
        for _ in sys.stdin:
            house.mail_answers(matches)
            with _counting() as statements:
                pace = timed(MATCHES, house.works)
            house.require_played(MATCHES)
            said = {**pace._asdict(), "statements": statements() / MATCHES}
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
