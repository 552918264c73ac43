"""The mailboxes in memory, and what reads them out by IMAP."""

from __future__ import annotations

import asyncio
import ssl
from argparse import Namespace
from datetime import UTC, datetime
from functools import cached_property
from secrets import compare_digest
from typing import Self

from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.concurrent import Event, Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.selected import SelectedMailbox
from pymap.user import UserMetadata
from pysasl import SASLAuth
from pysasl.hashing import Cleartext


class Store:
    """The mailboxes, and who may read them."""

    def __init__(self) -> None:
        self._config = _Config.quick()
        self._login = Login(self._config)

    def add(self, address: str, password: str) -> None:
        name = address.casefold()
        self._login.users_dict[name] = UserMetadata(self._config, name, password=password)
        self._config.set_cache.setdefault(name, (_Folders(), FilterSet()))

    def owner(self, address: str) -> str | None:
        """The mailbox that mail for an address goes to."""
        local, _, domain = address.casefold().rpartition("@")
        names = (f"{local}@{domain}", f"{local.partition('+')[0]}@{domain}")
        return next((name for name in names if name in self._config.set_cache), None)

    def knows(self, name: str, password: str) -> bool:
        user = self._login.users_dict.get(name.casefold())
        return user is not None and compare_digest(str(user.password).encode(), password.encode())

    async def put(self, owner: str, raw: bytes) -> None:
        folders, _ = self._config.set_cache[owner]
        inbox = await folders.get_mailbox("INBOX")
        await inbox.append(AppendMessage(raw, datetime.now(UTC)), recent=True)

    def imap_server(self) -> IMAPServer:
        """What converses with one that reads his mail."""
        return IMAPServer(self._login, self._config)


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
            await self._serve(reader, writer, SocketInfo.get(writer, None))
        finally:
            self._conversations.discard(task)


class _Config(Config):
    """pymap's settings, without what costs time a connection or serves other purposes."""

    @classmethod
    def quick(cls) -> Self:
        arguments = Namespace(
            debug=False, host=None, port=0, cert=None, key=None, tls=False,
            proxy_protocol=None, passlib_cfg=None,
            demo_data=False, demo_user="", demo_password="",
        )  # fmt: skip
        return cls.from_args(
            arguments,
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0.0,
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
        )

    @cached_property
    def tls_auth(self) -> SASLAuth:
        """Kept: pysasl looks through all installed packages each time it is asked."""
        return SASLAuth.defaults()

    @property
    def greeting(self) -> bytes:
        """pymap's asks the name service for our name."""
        return b"pbem, embedded"


class _Inbox(MailboxData):
    """pymap's folder, with news that came just before an IDLE told at once.

    pymap waits for the next change without looking whether there has been one, and so keeps
    silent about mail that came between two commands.
    """

    async def update_selected(
        self, selected: SelectedMailbox, *, wait_on: Event | None = None
    ) -> SelectedMailbox:
        if selected.mod_sequence != self._mod_sequences.highest:
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)


class _Folders(MailboxSet):
    """The folders of one mailbox."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)
