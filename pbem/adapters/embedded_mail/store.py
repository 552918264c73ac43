"""The mailboxes, and who may read them."""

from __future__ import annotations

import ssl
from argparse import Namespace
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from secrets import compare_digest
from typing import Self
from urllib.parse import quote

from pymap.backend.dict import Config, Identity, Login
from pymap.backend.dict.filter import FilterSet
from pymap.concurrent import Subsystem
from pymap.exceptions import InvalidAuth
from pymap.imap import IMAPServer
from pymap.interfaces.login import IdentityInterface
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl import SASLAuth
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext

from pbem.adapters.embedded_mail.folders import Folders


class Store:
    """The mailboxes, in memory, or kept in a folder as well."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._config = _Config.quick()
        self._login = _Login(self._config)

    def add(self, address: str, password: str) -> None:
        name = address.casefold()
        self._login.users_dict[name] = UserMetadata(self._config, name, password=password)
        if name not in self._config.set_cache:
            self._config.set_cache[name] = (Folders(self._place_of(name)), FilterSet())

    def _place_of(self, name: str) -> Path | None:
        if self._folder is None:
            return None
        place = self._folder / quote(name, safe="@+")
        for each in (self._folder, place):
            each.mkdir(exist_ok=True, mode=0o700)
        return place

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
        """What converses with a client that reads its mail."""
        return IMAPServer(self._login, self._config)


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


class _Login(Login):
    """pymap's login, with names in whatever case: they are addresses."""

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        user = self.users_dict.get(credentials.authcid.casefold())
        if user is None or not credentials.verify(replace(user, name=credentials.authcid)):
            raise InvalidAuth
        return Identity(user.name, self, None, frozenset())

    async def authorize(self, authenticated: IdentityInterface, authzid: str) -> Identity:
        return await super().authorize(authenticated, authzid.casefold())
