"""Attaching: files of the archive as attachments of emails, among them the winner's certificate."""

from __future__ import annotations

from base64 import b64encode

from pbem.archive.competition_file import name_of
from pbem.archive.files import ArchiveFile
from pbem.archive.site.certificate import certificates
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.letter import BINARY, PDF, Attachment
from pbem.matches.match import PlayerId

TYPES = {
    ".txt": "text/plain",
    ".json": "application/json",
    ".html": "text/html",
    ".pdf": PDF,
}
"""Media types of files, by suffix."""


def attached(file: ArchiveFile) -> Attachment:
    """Return a file as an attachment."""
    kind = TYPES[f".{file.name.rpartition('.')[2]}"]
    text = b64encode(file.data).decode() if kind in BINARY else file.data.decode()
    return Attachment(file.name, kind, text)


def certificate_of(view: CompetitionView, player: PlayerId, club: str) -> tuple[Attachment, ...]:
    """Return a winner's certificate as PDF. Empty for others, and if Typst is not installed."""
    stem = name_of(view.of).removesuffix(".txt")
    names = {each: name for each, name in view.names.items() if each == player}
    found = (file for _, file in certificates(view.overview, names, club, stem, ("pdf",)))
    return tuple(map(attached, found))
