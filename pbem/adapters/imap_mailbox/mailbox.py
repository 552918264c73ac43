"""The club's folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC
from typing import Final

import structlog
from imapclient import DELETED, SEEN
from imapclient.exceptions import (
    IMAPClientAbortError,
    IMAPClientError,
    IMAPClientReadOnlyError,
)

from pbem.adapters.connection import Trouble
from pbem.adapters.imap_mailbox.link import Link
from pbem.adapters.imap_mailbox.settings import ImapError, ImapSettings
from pbem.adapters.imap_mailbox.wire import Client, words
from pbem.ports.inbound import MailboxError, MailboxState, ReceivedMail

log = structlog.get_logger(__name__)

BATCH: Final = 100
"""UIDs a command: fifty times as fast as one by one, and still a line of 1,100 octets at most
(RFC 9051 section 4 has servers take 8,192)."""

HEAD: Final = "HEADER.FIELDS (FROM TO CC DELIVERED-TO X-ORIGINAL-TO IN-REPLY-TO REFERENCES)"
HEAD_BYTES: Final = 4096

FOLDERS_NAMED: Final = 12
"""How many folders an error lists, so that a slip of the pen shows."""


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
        """Connects where there is no live connection, and selects the folder afresh."""
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
                raise ImapError(Trouble(why, "done_folder")) from error

    def unhandled(self, after: int) -> list[int]:
        """UIDs above `after` and unseen ones, ascending; some may be known already.

        Where handled mail is moved away, all that are there: some could not be moved.
        """
        with self._link.talking() as client:
            if self._settings.done_folder and _can_move(client):
                return sorted(client.search(["ALL"]))
            unseen = client.search(["UNSEEN"])
            # RFC 9051 section 9, seq-range: n:* names the last message even if it is below n.
            newer = [uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after]
            return sorted({*unseen, *newer})

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Bytes of the messages of these UIDs, as far as the server can tell."""
        with self._link.talking() as client:
            answers = [_sizes(client, batch) for batch in _batches(uids)]
        return {uid: size for answer in answers for uid, size in answer.items()}

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the header fields of messages that show the sender and the email they answer."""
        with self._link.talking() as client:
            answers = [_heads(client, batch) for batch in _batches(uids)]
        return {uid: head for answer in answers for uid, head in answer.items()}

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        """Messages of these UIDs that still exist, or their first bytes; no flag changes."""
        part = "" if most is None else f"<0.{most}>"
        with self._link.talking() as client:
            # Lets the server tell first what is gone; else it may answer NO, or from memory.
            client.noop()
            return [mail for batch in _batches(uids) for mail in self._fetch(client, batch, part)]

    def _fetch(self, client: Client, uids: Sequence[int], part: str) -> Iterator[ReceivedMail]:
        """What the server hands out; one message that it cannot must not hold up the others."""
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
        """Sets `\\Seen`, and moves the messages to the done folder if there is one."""
        with self._link.talking() as client:
            for batch in _batches(uids):
                client.add_flags(batch, [SEEN], silent=True)
                if self._settings.done_folder:
                    _move(client, batch, self._settings.done_folder)

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        """Takes messages away for good, those with these Message-IDs from the done folder.

        Where the server cannot take single ones away they are marked for it, which is as far as
        one can go: a plain EXPUNGE takes away what others have marked (RFC 4315).
        """
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
        """Ends the connection; never raises. A call in progress in another thread fails."""
        self._link.close()


def select(client: Client, settings: ImapSettings, *, readonly: bool = False) -> int:
    """Selects the folder; returns its UIDVALIDITY."""
    try:
        answer = client.select_folder(settings.folder, readonly=readonly)
    except IMAPClientReadOnlyError as error:
        why = f"The folder {settings.folder} may be read but not written."
        raise ImapError(Trouble(why, "folder")) from error
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        raise ImapError(_no_folder(client, settings, words(error))) from error
    if b"UIDVALIDITY" not in answer:
        raise ImapError(Trouble(f"{settings.host} keeps no UIDs in {settings.folder}.", "folder"))
    return int(answer[b"UIDVALIDITY"])


def _no_folder(client: Client, settings: ImapSettings, said: str) -> Trouble:
    names = [str(name) for _, _, name in client.list_folders()]
    listed = ", ".join(names[:FOLDERS_NAMED]) + (", …" if len(names) > FOLDERS_NAMED else "")
    return Trouble(
        f"The folder {settings.folder} cannot be opened: {said} There are: {listed}.", "folder"
    )


def _batches(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[at : at + BATCH] for at in range(0, len(uids), BATCH))


def _sizes(client: Client, uids: Sequence[int]) -> dict[int, int]:
    try:
        answers = client.fetch(uids, ["RFC822.SIZE"])
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        # Of a message that has just vanished, or is damaged; fetching tells them apart.
        return {}
    told = {uid: each.get(b"RFC822.SIZE") for uid, each in answers.items()}
    return {uid: size for uid, size in told.items() if isinstance(size, int)}


def _heads(client: Client, uids: Sequence[int]) -> dict[int, bytes]:
    try:
        answers = client.fetch(uids, [f"BODY.PEEK[{HEAD}]<0.{HEAD_BYTES}>"])
    except IMAPClientAbortError:
        raise
    except IMAPClientError:
        return {}
    wanted = f"BODY[{HEAD}]<0>".encode()
    return {uid: each[wanted] for uid, each in answers.items() if wanted in each}


def _can_move(client: Client) -> bool:
    return bool(client.has_capability("MOVE") or client.has_capability("UIDPLUS"))


def _move(client: Client, uids: Sequence[int], folder: str) -> None:
    if client.has_capability("MOVE"):
        client.move(uids, folder)
    elif client.has_capability("UIDPLUS"):
        client.copy(uids, folder)
        _expunge(client, uids)


def _expunge(client: Client, uids: Sequence[int]) -> None:
    """Never a plain EXPUNGE, which takes away what others have marked (RFC 4315)."""
    if not uids:
        return
    client.add_flags(uids, [DELETED], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)
