"""One by one: threads of a process write to one file in the order in which they came.

SQLite lets whoever waits look now and then whether nobody writes. One that writes again and again
is not found at rest for seconds then, and what others have to write waits as long as mail does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident

from pbem.adapters.db.engine import LOCK_WAIT, unusable


class OneByOne:
    """A line of threads, of which the first may write."""

    def __init__(self) -> None:
        self._line: deque[int] = deque()
        self._moved = Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A block that is entered by one thread at a time; raises StorageUnavailable."""
        me = get_ident()
        self._line.append(me)
        try:
            with self._moved:
                if not self._moved.wait_for(lambda: self._line[0] == me, LOCK_WAIT):
                    raise unusable("database is locked")
            yield
        finally:
            with self._moved:
                self._line.remove(me)
                self._moved.notify_all()
