"""One of two checkouts measured in alternating rounds: plays on request and reports the cost.

It runs with the checkout as working directory, so that the checkout's own `bench` measures its own
`pbem`. Both must have the names imported below.
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
    """Yield a function that returns the number of SQL statements since the block began."""
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
    """Print a line of JSON for each line of input."""
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
