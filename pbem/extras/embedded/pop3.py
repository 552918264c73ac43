"""POP3 (RFC 1939), so that any email program can read a Maildir."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

Login = Callable[[str, str], Path | None]
"""Returns the Maildir of a user with this password, None if either is wrong."""

_LINE_END = re.compile(rb"\r?\n")
_LONGEST_ID = 70


def maildir_of(folder: Path, address: str) -> Path:
    """Return the Maildir of an address."""
    return folder / quote(address, safe="@+")


class _Mail(NamedTuple):
    """An email in the mailbox at the start of the session."""

    file: Path

    @property
    def size(self) -> int:
        """Return its size. That reads the file, and most programs never ask."""
        return len(_content(self.file))

    @property
    def unique_id(self) -> str:
        """Return the file's name without flags. The unique part comes first."""
        return self.file.name.partition(":")[0][:_LONGEST_ID]


class Pop3Session:
    """One connection of an email program."""

    def __init__(self, login: Login, writer: asyncio.StreamWriter) -> None:
        self._login = login
        self._writer = writer
        self._user = ""
        self._logged_in = False
        self._mails: dict[int, _Mail] = {}
        """Emails by number, without emails marked as deleted."""
        self._deleted: dict[int, _Mail] = {}

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Answer every command until QUIT, or until the connection ends."""
        self._say("+OK pbem, embedded")
        with suppress(ConnectionError, ValueError):  # ValueError: an endless line
            while line := await reader.readline():
                word, _, rest = line.decode(errors="replace").strip().partition(" ")
                self._answer(word.upper(), rest)
                await self._writer.drain()
                if word.upper() == "QUIT":
                    break
        self._writer.close()

    def _say(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())

    def _answer(self, word: str, rest: str) -> None:
        match word:
            case "CAPA":
                self._say("+OK", "USER", "UIDL", "TOP", ".")
            case "USER":
                self._user = rest
                self._say("+OK")
            case "PASS":
                self._take_password(rest)
            case "QUIT":
                for mail in self._deleted.values():
                    mail.file.unlink(missing_ok=True)
                self._say("+OK")
            case _ if self._logged_in:
                try:
                    self._answer_reader(word, *map(int, rest.split()))
                except (ValueError, KeyError, FileNotFoundError):
                    self._say("-ERR There is no such mail or command.")
            case _:
                self._say("-ERR Log in first.")

    def _take_password(self, password: str) -> None:
        folder = self._login(self._user, password)
        if folder is None:
            self._say("-ERR [AUTH] The name or the password is wrong.")
            return
        self._mails = dict(enumerate(map(_Mail, _delivered(folder)), 1))
        self._deleted = {}
        self._logged_in = True
        self._say("+OK")

    def _answer_reader(self, word: str, *numbers: int) -> None:
        match word, numbers:
            case "STAT", ():
                self._say(
                    f"+OK {len(self._mails)} {sum(each.size for each in self._mails.values())}"
                )
            case (("LIST" | "UIDL"), ()):
                self._say("+OK", *(self._row(word, number) for number in self._mails), ".")
            case (("LIST" | "UIDL"), (number,)):
                self._say(f"+OK {self._row(word, number)}")
            case "RETR", (number,):
                self._send(_content(self._mails[number].file))
            case "TOP", (number, lines):
                head, _, body = _content(self._mails[number].file).partition(b"\r\n\r\n")
                self._send(b"\r\n".join([head, b"", *body.split(b"\r\n")[:lines]]))
            case "DELE", (number,):
                self._deleted[number] = self._mails.pop(number)
                self._say("+OK")
            case "RSET", ():
                self._mails = dict(sorted({**self._mails, **self._deleted}.items()))
                self._deleted = {}
                self._say("+OK")
            case "NOOP", ():
                self._say("+OK")
            case _:
                raise ValueError(word)

    def _row(self, word: str, number: int) -> str:
        mail = self._mails[number]
        return f"{number} {mail.size if word == 'LIST' else mail.unique_id}"

    def _send(self, content: bytes) -> None:
        self._say("+OK")
        self._writer.write((b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:])
        self._writer.write(b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n")


def _delivered(folder: Path) -> list[Path]:
    """Return the emails of a Maildir, oldest first. Files in `tmp` are still being written."""
    return sorted(
        (file for part in ("new", "cur") for file in (folder / part).iterdir()),
        key=lambda file: (file.stat().st_mtime_ns, file.name),
    )


def _content(file: Path) -> bytes:
    """Return an email with CRLF line ends."""
    return _LINE_END.sub(b"\r\n", file.read_bytes())
