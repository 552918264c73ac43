"""Links that start a new email (RFC 6068), followed as an email program follows them."""

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
"""The text a phone adds below every email."""


class Link(NamedTuple):
    """A link as its reader sees it."""

    label: str
    href: str

    @property
    def address(self) -> str:
        """Return the address it writes to."""
        return unquote(self.href.removeprefix("mailto:").partition("?")[0])

    @property
    def subject(self) -> str:
        """Return the subject it fills in."""
        return self._field("subject")

    @property
    def body(self) -> str:
        """Return the text it fills in."""
        return self._field("body")

    def _field(self, name: str) -> str:
        fields = self.href.partition("?")[2].split("&")
        return unquote(
            next(each for each in fields if each.startswith(f"{name}="))[len(name) + 1 :]
        )


def links_of(mail: Received) -> list[Link]:
    """Return the links of the HTML part that start an email, without repeats."""
    parser = _Links()
    parser.feed(mail.html)
    return [link for link in parser.found if link.href.startswith("mailto:")]


class _Links(HTMLParser):
    """Collect the links of a page."""

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
    """Return the new email that a link starts, unedited. Its header names no email it answers."""
    message = EmailMessage()
    message["From"] = f"{person.name} <{person.address}>"
    message["To"] = link.address
    message["Subject"] = link.subject
    message["Message-ID"] = make_msgid(domain="mail.example")
    message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
    message.set_content(link.body.replace("\r\n", "\n") + signature.replace("\r\n", "\n"))
    return message.as_bytes(policy=SMTP)


def taps(person: Person, link: Link) -> None:
    """Follow a link and send the email."""
    person.sends(tapped(person, link), link.address)
