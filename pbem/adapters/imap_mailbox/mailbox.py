"""The club's folder on an IMAP server, and a watch on it (IDLE)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC
from typing import Final

from imapclient import DELETED, SEEN
from imapclient.exceptions import (
    IMAPClientAbortError,
    IMAPClientError,
    IMAPClientReadOnlyError,
)

from pbem.adapters.connection import ConnectionProblem
from pbem.adapters.imap_mailbox.imap_session import Link
from pbem.adapters.imap_mailbox.settings import ImapError, ImapSettings
from pbem.adapters.imap_mailbox.wire import ImapConnection, words
from pbem.log import get_logger
from pbem.ports.inbound import MailboxError, MailboxState, ReceivedMail

log = get_logger(__name__)

BATCH: Final = 100
"""UIDs per command: fifty times as fast as one each, and a line of at most 1,100 octets (RFC 9051
section 4 requires servers to accept 8,192).
"""

HEAD: Final = "HEADER.FIELDS (FROM TO CC DELIVERED-TO X-ORIGINAL-TO IN-REPLY-TO REFERENCES)"
HEAD_BYTES: Final = 4096

FOLDERS_NAMED: Final = 12
"""Maximum number of folders listed in an error, so that a typo shows."""


class ImapMailbox:
    """The club's folder on an IMAP server."""

    def __init__(
        self, settings: ImapSettings, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._link = Link(settings, monotonic)
        self._place = settings.place or settings.folder
        self._state = MailboxState(self._place, 0)

    def open(self) -> MailboxState:
        with self._link.busy:
            if self._link.live:
                with suppress(MailboxError):
                    return self._selected()
                # A connection that died between two polls says nothing about the server.
                self._link.healthy()
            self._link.connect()
            self._ensure_done_folder()
            return self._selected()

    def _selected(self) -> MailboxState:
        with self._link.talking() as client:
            self._state = MailboxState(self._place, select(client, self._settings))
        self._link.healthy()
        return self._state

    def _ensure_done_folder(self) -> None:
        name = self._settings.done_folder
        with self._link.talking() as client:
            if not name or client.folder_exists(name):
                return
            try:
                client.create_folder(name)
                client.subscribe_folder(name)
            except IMAPClientError as error:
                why = f"The folder {name} cannot be created: {words(error)}"
                raise ImapError(ConnectionProblem(why, "done_folder")) from error

    def unhandled(self, after: int) -> list[int]:
        with self._link.talking() as client:
            if self._settings.done_folder and _can_move(client):
                return sorted(client.search(["ALL"]))
            unseen = client.search(["UNSEEN"])
            # RFC 9051 section 9, seq-range: n:* names the last message even if it is below n.
            newer = [uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after]
            return sorted({*unseen, *newer})

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        with self._link.talking() as client:
            answers = [_sizes(client, batch) for batch in _batches(uids)]
        return {uid: size for answer in answers for uid, size in answer.items()}

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        with self._link.talking() as client:
            answers = [_heads(client, batch) for batch in _batches(uids)]
        return {uid: head for answer in answers for uid, head in answer.items()}

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        part = "" if most is None else f"<0.{most}>"
        with self._link.talking() as client:
            # Lets the server report removed messages first. Otherwise it may answer NO, or return
            # stale data.
            client.noop()
            return [mail for batch in _batches(uids) for mail in self._fetch(client, batch, part)]

    def _fetch(
        self, client: ImapConnection, uids: Sequence[int], part: str
    ) -> Iterator[ReceivedMail]:
        """Yield the emails that the server returns. A broken one does not block the others."""
        try:
            # BODY[] would set \Seen (RFC 9051 section 6.4.5).
            answers = client.fetch(uids, [f"BODY.PEEK[]{part}", "INTERNALDATE"])
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            if len(uids) == 1:
                log.error("mail not fetched", uid=uids[0], error=words(error))
                return
            for uid in uids:
                yield from self._fetch(client, [uid], part)
            return
        content = b"BODY[]<0>" if part else b"BODY[]"
        for uid in sorted(answers):
            if content in answers[uid] and b"INTERNALDATE" in answers[uid]:
                received_at = answers[uid][b"INTERNALDATE"].astimezone(UTC)
                yield ReceivedMail(*self._state, uid, received_at, answers[uid][content])
            else:
                log.error("mail not fetched", uid=uid, error="the answer has no content")

    def mark_done(self, uids: Sequence[int]) -> None:
        with self._link.talking() as client:
            for batch in _batches(uids):
                client.add_flags(batch, [SEEN], silent=True)
                if self._settings.done_folder:
                    _move(client, batch, self._settings.done_folder)

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        done = self._settings.done_folder
        with self._link.talking() as client:
            for batch in _batches(uids):
                _expunge(client, batch)
            if not done or not message_ids:
                return
            client.select_folder(done)
            try:
                for each in filter(None, message_ids):
                    _expunge(client, client.search(["HEADER", "Message-ID", each]))
            finally:
                select(client, self._settings)

    def close(self) -> None:
        self._link.close()


def select(client: ImapConnection, settings: ImapSettings, *, readonly: bool = False) -> int:
    """Select the folder. Return its UIDVALIDITY. Raises ImapError."""
    try:
        answer = client.select_folder(settings.folder, readonly=readonly)
    except IMAPClientReadOnlyError as error:
        why = f"The folder {settings.folder} is read-only."
        raise ImapError(ConnectionProblem(why, "folder")) from error
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        raise ImapError(_no_folder(client, settings, words(error))) from error
    if b"UIDVALIDITY" not in answer:
        raise ImapError(
            ConnectionProblem(
                f"{settings.host} has no permanent UIDs in {settings.folder}.", "folder"
            )
        )
    return int(answer[b"UIDVALIDITY"])


def _no_folder(client: ImapConnection, settings: ImapSettings, said: str) -> ConnectionProblem:
    names = [str(name) for _, _, name in client.list_folders()]
    listed = ", ".join(names[:FOLDERS_NAMED]) + (", …" if len(names) > FOLDERS_NAMED else "")
    return ConnectionProblem(
        f"The folder {settings.folder} cannot be opened: {said} The folders are: {listed}.",
        "folder",
    )


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[at : at + BATCH] for at in range(0, len(uids), BATCH))


def _sizes(client: ImapConnection, uids: Sequence[int]) -> dict[int, int]:
    try:
        answers = client.fetch(uids, ["RFC822.SIZE"])
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        # A message has just disappeared or is damaged. Fetching shows which.
        return {}
    told = {uid: each.get(b"RFC822.SIZE") for uid, each in answers.items()}
    return {uid: size for uid, size in told.items() if isinstance(size, int)}


def _heads(client: ImapConnection, uids: Sequence[int]) -> dict[int, bytes]:
    try:
        answers = client.fetch(uids, [f"BODY.PEEK[{HEAD}]<0.{HEAD_BYTES}>"])
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        return {}
    wanted = f"BODY[{HEAD}]<0>".encode()
    return {uid: each[wanted] for uid, each in answers.items() if wanted in each}


def _can_move(client: ImapConnection) -> bool:
    return bool(client.has_capability("MOVE") or client.has_capability("UIDPLUS"))


def _move(client: ImapConnection, uids: Sequence[int], folder: str) -> None:
    if client.has_capability("MOVE"):
        client.move(uids, folder)
    elif client.has_capability("UIDPLUS"):
        client.copy(uids, folder)
        _expunge(client, uids)


def _expunge(client: ImapConnection, uids: Sequence[int]) -> None:
    """Remove messages. A plain EXPUNGE would also remove what others marked (RFC 4315)."""
    if not uids:
        return
    client.add_flags(uids, [DELETED], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)


IDLE_LIMIT_S: Final = 28 * 60.0
"""RFC 2177 advises ending an IDLE at least every 29 minutes."""


class ImapWatch:
    """A second connection that waits for new email, if the server has IDLE (RFC 2177).

    The first wait on a new connection returns at once, since email may have come unnoticed.
    """

    def __init__(
        self, settings: ImapSettings, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._link = Link(settings, monotonic)
        self._has_idle = True
        self._closed = threading.Event()

    def wait(self, seconds: float) -> bool:
        try:
            return self._waited(self._monotonic() + seconds)
        except MailboxError:
            if self._closed.is_set():
                return False
            raise

    def _waited(self, until: float) -> bool:
        if not self._has_idle or self._link.backing_off() >= self._left(until):
            self._closed.wait(self._left(until))
            return False
        if self._closed.wait(self._link.backing_off()):
            return False
        if self._link.live:
            return self._idle(until)
        return self._connected() or self._waited(until)

    def _connected(self) -> bool:
        self._link.connect()
        with self._link.talking() as client:
            self._has_idle = bool(client.has_capability("IDLE"))
            select(client, self._settings, readonly=True)
        if self._closed.is_set() or not self._has_idle:
            self._link.close()
        return self._has_idle

    def _idle(self, until: float) -> bool:
        while (left := self._left(until)) > 0:
            with self._link.talking() as client:
                announced = client.hears_of_mail(min(left, IDLE_LIMIT_S))
            self._link.healthy()
            if announced:
                return True
        return False

    def _left(self, until: float) -> float:
        return max(0.0, until - self._monotonic())

    def close(self) -> None:
        self._closed.set()
        self._link.close()
