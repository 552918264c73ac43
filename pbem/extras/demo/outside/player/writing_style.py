"""Styles of writing: words, place above or below the quote, and device."""

from __future__ import annotations

import html
import random
import tomllib
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Any

from .mail import PlayerMail

DATE = "21.11.2026"


class Pen:
    """One person's way of writing."""

    def __init__(self, name: str, address: str, chance: random.Random) -> None:
        self._name, self._address, self._chance = name, address, chance
        habits = tomllib.loads(Path(__file__).with_name("habits.toml").read_text("utf-8"))
        self._languages: list[dict[str, Any]] = habits["language"]

    def move(self, move: str) -> str:
        """Return a move as somebody might write it."""
        bare = move.strip("[]")
        forms = [move, move, f"{move}.", move.lower(), bare, bare.lower(), f"* {bare}"]
        forms += [bare.replace("-", "–"), move.replace("-", " – "), move.replace("(X)", "X")]
        if "X" not in bare:
            forms.append(bare.replace(":", "x"))
        return self._chance.choice(forms)

    def letter(self, mail: PlayerMail, lines: Sequence[str]) -> EmailMessage:
        """Return an answer to an email that contains these lines."""
        message = EmailMessage()
        answered = mail.header("Message-ID")
        message["From"] = f"{self._name} <{self._address}>"
        message["To"] = mail.header("Reply-To")
        message["Subject"] = f"Re: {mail.header('Subject')}"
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._address.partition("@")[2])
        message["In-Reply-To"] = answered
        message["References"] = f"{mail.header('References')} {answered}".strip()
        self._write(message, mail, lines)
        return message

    def _write(self, message: EmailMessage, mail: PlayerMail, lines: Sequence[str]) -> None:
        language = self._chance.choice(self._languages)
        own = self._own(language, lines)
        wrote, block = (_filled(language[part], self._name, mail) for part in ("wrote", "block"))
        texts = self._texts(own, wrote, block, self._chance.choice(language["footers"]), mail)
        layout = self._chance.choice([*texts, "browser", "page alone"])
        encoding = self._chance.choice(("base64", "quoted-printable"))
        if layout == "page alone":
            message.set_content(page(own, wrote, mail.text), subtype="html", cte=encoding)
            return
        message.set_content(texts.get(layout, texts["below"]), cte=encoding)
        if layout == "browser":
            message.add_alternative(page(own, wrote, mail.text), subtype="html")

    def _texts(
        self, own: str, wrote: str, block: str, footer: str, mail: PlayerMail
    ) -> dict[str, str]:
        """Return the same email as several email programs write it."""
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        signature = f"-- \n{self._name}\nhttps://lanko.example"
        return {
            "below": f"{own}\n\n{wrote}\n\n{quoted}\n",
            "above": f"{wrote}\n{quoted}\n\n{own}\n",
            "phone": f"{own}\n\n{footer}\n\n> {wrote}\n>\n{quoted}\n",
            "signed": f"{own}\n\n{signature}\n\n{wrote}\n{quoted}\n",
            "office": f"{own}\n\n{block}\n\n{mail.text}",
            "short": f"{own}\n\n{footer}\n",
        }

    def _own(self, language: dict[str, Any], lines: Sequence[str]) -> str:
        greeting, remark, closing = (
            self._chance.choice(language[part]).format(name=self._name)
            for part in ("greetings", "remarks", "closings")
        )
        return "\n\n".join(part for part in (greeting, *lines, remark, closing) if part)


def _filled(form: str, name: str, mail: PlayerMail) -> str:
    """Return an email program's line about the email being answered."""
    sender = mail.message["From"].addresses[0]
    return form.format(
        date=DATE,
        sender=sender.display_name,
        address=sender.addr_spec,
        name=name,
        subject=mail.header("Subject"),
    )


def page(own: str, wrote: str, quoted: str) -> str:
    """Return an email as a webmail program makes it."""
    own_lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in own.split("\n"))
    return (
        f'<div dir="ltr">{own_lines}</div><br><div class="gmail_quote">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(wrote)}<br></div>'
        f'<blockquote class="gmail_quote"><pre>{html.escape(quoted)}</pre></blockquote></div>'
    )
