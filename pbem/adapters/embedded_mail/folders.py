"""The folders of a mailbox: pymap's, in memory, and kept on the disk where that is wanted."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import UTC
from pathlib import Path
from urllib.parse import quote, unquote

from pymap.backend.dict.mailbox import MailboxData, MailboxSet, Message
from pymap.concurrent import Event
from pymap.flags import FlagOp
from pymap.interfaces.message import CachedMessage
from pymap.mime import MessageContent
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import ObjectId
from pymap.parsing.specials.flag import Flag
from pymap.selected import SelectedMailbox

from pbem.adapters.embedded_mail.drawer import Drawer, KeptMail

INBOX = "INBOX"


class Folders(MailboxSet):
    """The folders of one mailbox; without a path they live in memory alone."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self._path = path
        self._inbox = self._folder(INBOX)
        for name in self._kept():
            self._set[name] = self._folder(name)

    def _kept(self) -> list[str]:
        paths = sorted(self._path.iterdir()) if self._path else []
        return [name for each in paths if (name := unquote(each.name)) != INBOX]

    def _folder(self, name: str) -> Folder:
        where = self._where(name)
        return Folder(self, None if where is None else Drawer(where))

    def _where(self, name: str) -> Path | None:
        # A point would let a name lead out of the mailbox.
        return self._path / quote(name, safe=" ").replace(".", "%2E") if self._path else None

    def understood(self, raw: bytes) -> tuple[MessageContent, ObjectId, ObjectId]:
        """A mail taken apart, and what pymap calls it and its thread."""
        content = MessageContent.parse(raw)
        return content, self._content_cache.add(content), self._thread_cache.add(content)

    async def add_mailbox(self, name: str) -> ObjectId:
        await super().add_mailbox(name)
        made = self._set[name] = self._folder(name)
        return made.mailbox_id

    async def delete_mailbox(self, name: str) -> None:
        await super().delete_mailbox(name)
        where = self._where(name)
        if where is not None:
            shutil.rmtree(where, ignore_errors=True)

    async def rename_mailbox(self, before: str, after: str) -> None:
        await super().rename_mailbox(before, after)
        for name, folder in self._set.items():
            assert isinstance(folder, Folder)
            folder.called(self._where(name))
        if not isinstance(self._inbox, Folder):  # INBOX is begun anew then (RFC 9051, 6.3.6)
            self._inbox = self._folder(INBOX)


class Folder(MailboxData):
    """pymap's folder, each change of it written to the disk too."""

    def __init__(self, folders: Folders, drawer: Drawer | None) -> None:
        super().__init__(folders._content_cache, folders._thread_cache)
        self._drawer = drawer
        if drawer is None:
            return
        self._uid_validity, self._max_uid = drawer.uid_validity, drawer.max_uid
        for mail in drawer.mails():
            content, email_id, thread_id = folders.understood(mail.raw)
            self._messages[mail.uid] = Message(
                mail.uid,
                mail.received_at,
                mail.flags,
                email_id=email_id,
                thread_id=thread_id,
                content=content,
            )

    def called(self, where: Path | None) -> None:
        """It has this place on the disk now."""
        if self._drawer is not None and where is not None:
            self._drawer.move(where)

    async def update_selected(
        self, selected: SelectedMailbox, *, wait_on: Event | None = None
    ) -> SelectedMailbox:
        """Tells at once of news that came just before an IDLE.

        pymap waits for the next change without looking whether there has been one, and so keeps
        silent about mail that came between two commands.
        """
        if selected.mod_sequence != self._mod_sequences.highest:
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> Message:
        message = await super().append(append_msg, recent=recent)
        self._keep(message.uid)
        return message

    async def copy(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        there = await super().copy(uid, destination, recent=recent)
        assert isinstance(destination, Folder)
        destination._keep(there)
        return there

    async def move(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        there = await super().move(uid, destination, recent=recent)
        assert isinstance(destination, Folder)
        destination._keep(there)
        if there is not None and self._drawer is not None:
            self._drawer.remove(uid)
        return there

    async def update(
        self, uid: int, cached_msg: CachedMessage, flag_set: frozenset[Flag], mode: FlagOp
    ) -> Message:
        message = await super().update(uid, cached_msg, flag_set, mode)
        if self._drawer is not None:
            self._drawer.flag(uid, message.permanent_flags)
        return message

    async def delete(self, uids: Iterable[int]) -> None:
        gone, drawer = list(uids), self._drawer
        await super().delete(gone)
        for uid in gone if drawer is not None else ():
            assert drawer is not None
            drawer.remove(uid)

    def _keep(self, uid: int | None) -> None:
        message = self._messages.get(uid) if uid is not None else None
        if self._drawer is None or message is None:
            return
        at, flags = message.internal_date.astimezone(UTC), message.permanent_flags
        self._drawer.put(KeptMail(message.uid, at, flags, bytes(message._content or b"")))
