"""Tapping: what a mail program does with the links of a mail that begin a new one (RFC 6068)."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import unquote

from tests.conversations.house import Person, Received

SIGNED = "\r\n\r\nSent from my iPhone"
"""What a phone writes below every mail."""


class Link(NamedTuple):
    """A link as its reader sees it."""

    label: str
    href: str

    @property
    def address(self) -> str:
        """To whom it writes."""
        return unquote(self.href.removeprefix("mailto:").partition("?")[0])

    @property
    def subject(self) -> str:
        """The subject it fills in."""
        return self._field("subject")

    @property
    def body(self) -> str:
        """The text it fills in."""
        return self._field("body")

    def _field(self, name: str) -> str:
        fields = self.href.partition("?")[2].split("&")
        return unquote(
            next(each for each in fields if each.startswith(f"{name}="))[len(name) + 1 :]
        )


def links_of(mail: Received) -> list[Link]:
    """Links of the HTML part that begin a mail, each place once."""
    parser = _Links()
    parser.feed(mail.html)
    return [link for link in parser.found if link.href.startswith("mailto:")]


class _Links(HTMLParser):
    """Finds the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Link] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._open = dict(attrs).get("href") or ""
            self.found.append(Link("", self._open))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            before = self.found.pop()
            self.found.append(Link(re.sub(r"\s+", " ", before.label + data).strip(), before.href))


def tapped(person: Person, link: Link, signature: str = SIGNED) -> bytes:
    """The new mail that a link begins, sent as it is: it answers nothing by its header."""
    message = EmailMessage()
    message["From"] = f"{person.name} <{person.address}>"
    message["To"] = link.address
    message["Subject"] = link.subject
    message["Message-ID"] = make_msgid(domain="mail.example")
    message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
    message.set_content(link.body.replace("\r\n", "\n") + signature.replace("\r\n", "\n"))
    return message.as_bytes(policy=SMTP)


def taps(person: Person, link: Link) -> None:
    """Follows a link, and sends the mail."""
    person.sends(tapped(person, link), link.address)
