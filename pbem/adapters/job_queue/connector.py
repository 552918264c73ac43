"""Connector: the runner's connections to PostgreSQL, and whether data on them was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, LiteralString

from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg import OperationalError
from psycopg_pool import AsyncConnectionPool

from pbem.adapters.postgresql_line import CLIENT_WORDS, SERVER_SETTINGS, session_options

CONNECT_SECONDS = 5.0

IN_ORDER = {"enable_sort": "off", "enable_bitmapscan": "off"}
"""The next job is the first in an index. The planner believes the table almost empty and would sort
all waiting jobs for each one taken, which slows down long queues.
"""


class _Pool(AsyncConnectionPool):
    """Connections that open within seconds or fail."""

    async def open(self, wait: bool = False, timeout: float = 0.0) -> None:
        """Wait less than the default half minute, since the server may be back sooner."""
        await super().open(wait, timeout or CONNECT_SECONDS)


class Connector(PsycopgConnector):
    """A connector that knows whether something may not have been stored.

    If the queue does not know that a job is done, the job keeps its lock while its worker lives. So
    a worker that was not heard stops and starts again as a new one.
    """

    def __init__(self, reached: Callable[[], None], **options: Any) -> None:
        super().__init__(**options)
        self._reached = reached
        self.broken = asyncio.Event()
        self._why: ConnectorException | None = None

    async def open_async(self, pool: Any = None) -> None:
        """Open new connections, of which nothing is known yet."""
        self.broken.clear()
        self._why = None
        try:
            await super().open_async(pool)
        except BaseException:
            # Close after a failure. Otherwise it would count as open next time.
            await self.close_async()
            raise

    async def execute_query_one_async(
        self, query: LiteralString, **arguments: Any
    ) -> dict[str, Any]:
        """Run a query that stores data. Workers start and get jobs with it, so it proves access."""
        row: dict[str, Any] = await super().execute_query_one_async(query, **arguments)
        self._reached()
        return row

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        """Run a query. Raises ConnectorException and remembers it."""
        try:
            await super().execute_query_async(query, **arguments)
        except ConnectorException as error:
            if isinstance(error.__cause__, OperationalError):
                self._why = error
                self.broken.set()
            raise

    def raise_if_broken(self) -> None:
        """Raise the remembered error, if any."""
        if self._why is not None:
            raise self._why


def connector(server: Mapping[str, Any], reached: Callable[[], None]) -> Connector:
    """Return a connector with the driver's arguments. `reached` is called after each answer."""
    return Connector(
        reached,
        pool_factory=_Pool,
        min_size=1,
        max_size=4,
        timeout=CONNECT_SECONDS,
        kwargs={
            **server,
            **CLIENT_WORDS,
            "connect_timeout": round(CONNECT_SECONDS),
            "options": session_options({**SERVER_SETTINGS, **IN_ORDER}),
        },
    )
