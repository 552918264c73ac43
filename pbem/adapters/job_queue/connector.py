"""Connector: the runner's connections to PostgreSQL, and whether something was lost on them."""

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
"""The next job is the first of an index. The planner, who knows the table as nearly empty, would
sort all that waits for each job that is taken: the longer the queue, the slower."""


class _Pool(AsyncConnectionPool):
    """Connections that are there within seconds, or it is known that they are not."""

    async def open(self, wait: bool = False, timeout: float = 0.0) -> None:
        """Half a minute, as it is otherwise, is lost where the server is back before that."""
        await super().open(wait, timeout or CONNECT_SECONDS)


class Connector(PsycopgConnector):
    """A connector that knows whether something that was to be stored perhaps was not.

    A job of which the queue was not told that it is done holds its lock for as long as its worker
    is alive. So who has not been heard is a worker no more, and begins as another one.
    """

    def __init__(self, reached: Callable[[], None], **options: Any) -> None:
        super().__init__(**options)
        self._reached = reached
        self.broken = asyncio.Event()
        self._why: ConnectorException | None = None

    async def open_async(self, pool: Any = None) -> None:
        """Nothing is known of the new connections yet."""
        self.broken.clear()
        self._why = None
        try:
            await super().open_async(pool)
        except BaseException:
            # What could not be opened is closed, or it would pass for open the next time.
            await self.close_async()
            raise

    async def execute_query_one_async(
        self, query: LiteralString, **arguments: Any
    ) -> dict[str, Any]:
        """So a worker begins and gets its jobs; where a server only reads, it does not."""
        row: dict[str, Any] = await super().execute_query_one_async(query, **arguments)
        self._reached()
        return row

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        """Raises ConnectorException, and remembers it."""
        try:
            await super().execute_query_async(query, **arguments)
        except ConnectorException as error:
            if isinstance(error.__cause__, OperationalError):
                self._why = error
                self.broken.set()
            raise

    def raise_if_broken(self) -> None:
        """Raises what it remembers."""
        if self._why is not None:
            raise self._why


def connector(server: Mapping[str, Any], reached: Callable[[], None]) -> Connector:
    """One to a server, by the words of its driver; `reached` is called when it has answered."""
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
