"""What lets mail be read by IMAP."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from proxyprotocol.sock import SocketInfo

from pbem.adapters.embedded_mail.store import Store


class ReadingRoom:
    """What lets mail be read by IMAP."""

    def __init__(self, store: Store) -> None:
        self._serve = store.imap_server()
        self._conversations: set[asyncio.Task[None] | None] = set()

    async def receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes a connection.

        The loop holds tasks weakly, and on Python 3.13 pymap's own way of taking connections
        loses them to the garbage collector in mid-conversation.
        """
        task = asyncio.current_task()
        self._conversations.add(task)
        try:
            gathering = cast(asyncio.StreamWriter, _Gathering(writer))
            await self._serve(reader, gathering, SocketInfo.get(writer, None))
        finally:
            self._conversations.discard(task)


class _Gathering:
    """A writer that sends an answer in one piece.

    pymap writes line by line, and after each a busy program would have to wait for its turn.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._pending: list[bytes] = []

    def write(self, data: bytes) -> None:
        self._pending.append(bytes(data))

    async def drain(self) -> None:
        self._flush()
        await self._writer.drain()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._pending:
            self._writer.write(b"".join(self._pending))
            self._pending.clear()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)
