"""A player of the demonstration: a program that has nothing but e-mail.

It imports nothing of pbem. What it is told is one JSON line on its standard input: host and ports,
address, password, seed. Whose turn it is, what is legal and how a match ended it learns from its
mails; it answers the way people do, and gets four things wrong, each once. It tells of every mail
by a JSON line on its standard output; when its input ends, it takes a last look and reports.
"""

from __future__ import annotations

import email
import email.policy
import html
import imaplib
import json
import random
import re
import select
import smtplib
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

LONGEST_WAIT_S = 1.0
QUIET_S = 0.4
"""With no mail for so long after the end, nothing more is on its way."""
LABEL = re.compile(r"(?<![\w#])(?:#?[A-Z]|\d+)(?!\w)")
ACTION = re.compile(r"\[[^\]]+\]")
KINDS = (
    ("refusal", r"^Nothing has changed in the match\.$"),
    ("legal", r"^Legal now in match \d+"),
    ("over", r"^\w+, match \d+ is over\. "),
    ("turn", r"^\w+, it is your turn as \w"),
    ("receipt", r"^Thank you, \w+\. Taken: "),
    ("position", r"^\w+, turn \d+ of match \d+: .* is to act\.$"),
)
"""Kinds of mail, each by a line in it; the first that fits counts."""
ANSWERS = {"move": ("receipt", "turn", "over"), "legal": ("legal",)}
"""Kinds of mail that may answer what was sent; everything else is to be refused."""
ADVERSE = {"S": "WE", "N": "WE", "W": "SN", "E": "SN"}
DATE = "21.11.2026"


@dataclass(frozen=True)
class Mail:
    """One mail as its reader understands it."""

    message: EmailMessage
    text: str

    @classmethod
    def read(cls, raw: bytes) -> Mail:
        """Mail of its bytes."""
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        body = message.get_body(("plain",))
        text = str(body.get_content()) if body else ""
        return cls(message, text.replace("\r\n", "\n"))

    def header(self, name: str) -> str:
        """A header as text, empty if there is none."""
        return str(self.message[name] or "")

    @cached_property
    def kind(self) -> str:
        """What sort of mail it is."""
        return next((k for k, line in KINDS if re.search(line, self.text, re.MULTILINE)), "other")

    def _found(self, pattern: str) -> str:
        match = re.search(pattern, self.text, re.MULTILINE)
        return match[1] if match else ""

    @property
    def match(self) -> int:
        """Number of the match."""
        return int(re.findall(r"\[\S+ (\d+)\]", self.header("Subject"))[0])

    @property
    def turn(self) -> int:
        """Number of the turn, 0 after the end."""
        return int(self._found(r"\b[Tt]urn (\d+)") or 0)

    @property
    def example(self) -> str:
        """The move the mail gives as an example."""
        return self._found(r"for example\n\n +(\[.*\])$")

    @property
    def choice(self) -> bool:
        """Whether more than one move is legal."""
        return " moves are legal" in self.text

    @property
    def legal(self) -> list[str]:
        """Moves of the list that was asked for."""
        return ACTION.findall(self._found(r"^Legal now in .*:\n\n((?: .*\n)+)"))

    @property
    def candidates(self) -> list[str]:
        """Moves that a refusal proposes."""
        return ACTION.findall(self._found(r"^Legal would be:\n\n((?: .*\n)+)"))

    @property
    def taken(self) -> list[str]:
        """Moves of mine that were carried out."""
        return ACTION.findall(self._found(r"^Thank you, \w+\. Taken: (.*)$"))

    @property
    def seat(self) -> str:
        """Seat I am to play."""
        return self._found(r"it is your turn as (\w)")

    def pieces(self, seat: str, kind: str = "") -> list[str]:
        """Squares of a seat's pieces (of one kind), from the list below the board."""
        listed = self._found(rf"^  {seat} \(\w+\): (.+(?:\n    .+)*)")
        kinds = [part for part in listed.split(";") if kind in part]
        return [label for part in kinds for label in LABEL.findall(part)]

    @property
    def scores(self) -> dict[str, int]:
        """Score of each player at the end of a match."""
        found = self._found(r"^Score: (.*)\.$").split(", ")
        return {name: int(score) for name, score in (pair.split() for pair in found)}

    @property
    def table(self) -> dict[str, list[int]]:
        """Rows of the cross-table, a match not ended counting 0."""
        rows = re.findall(r"^  (\w+)((?: +(?:[+-]?\d+|\.)){4})$", self.text, re.MULTILINE)
        return {name: [int(n.strip(".") or 0) for n in row.split()] for name, row in rows}


def squares(move: str) -> list[str]:
    """Squares a move names: its start and its landings."""
    return re.split("[-:]", move.strip("[]"))


def fitting(short: Sequence[str], legal: Sequence[str]) -> list[str]:
    """Captures that a shortened one can mean: landings may have been left out."""
    found = []
    for move in legal:
        start, *landings = squares(move)
        rest = iter(landings)
        if ":" in move and start == short[0] and all(square in rest for square in short[1:]):
            found.append(move)
    return found


def shortened(legal: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Every shortened capture, with all that it can mean."""
    full = [squares(move) for move in legal]
    for start, *landings in full:
        for length in range(1, len(landings)):
            for some in combinations(landings, length):
                short = [start, *some]
                if short not in full:
                    yield f"[{':'.join(short)}]", fitting(short, legal)


class Mailbox:
    """The player's mail program: one connection for reading, one for sending."""

    def __init__(self, settings: dict[str, Any]) -> None:
        host, self.address = settings["host"], settings["address"]
        self._imap = imaplib.IMAP4(host, settings["imap_port"])
        self._imap.login(self.address, settings["password"])
        self._imap.select("INBOX")
        self._smtp = smtplib.SMTP(host, settings["smtp_port"], local_hostname="localhost")
        self._seen = 0

    def new(self) -> list[Mail]:
        """Mails that have come since the last look, oldest first."""
        found = self._imap.uid("SEARCH", f"UID {self._seen + 1}:*")[1][0] or b""
        uids = sorted(uid for uid in map(int, found.split()) if uid > self._seen)
        self._seen = max(uids, default=self._seen)
        return [Mail.read(self._fetched(uid)) for uid in uids]

    def _fetched(self, uid: int) -> bytes:
        answer = self._imap.uid("FETCH", str(uid), "(BODY.PEEK[])")[1]
        return next(bytes(part[1]) for part in answer if isinstance(part, tuple))

    def wait(self, seconds: float, *others: Any) -> list[Any]:
        """Waits for news of the server (IDLE, RFC 2177) or of others; returns who has some."""
        self._imap.send(b"wait IDLE\r\n")
        self._line()
        ready = select.select([self._imap.socket(), *others], [], [], seconds)[0]
        self._imap.send(b"DONE\r\n")
        while not self._line().startswith(b"wait "):
            pass
        return ready

    def _line(self) -> bytes:
        line: bytes = self._imap.readline()
        if not line:
            raise ConnectionError("the mail server has hung up")
        return line

    def send(self, to: str, raw: bytes) -> None:
        """Sends a mail, as it is."""
        self._smtp.sendmail(self.address, [to], raw)


class Pen:
    """How a person writes: in which words, below or above what is quoted, from which device."""

    def __init__(self, name: str, address: str, chance: random.Random) -> None:
        self._name, self._address, self._chance = name, address, chance
        habits = tomllib.loads(Path(__file__).with_name("habits.toml").read_text("utf-8"))
        self._languages = habits["language"]

    def move(self, move: str) -> str:
        """A move as somebody writes it down."""
        bare = move.strip("[]")
        forms = [move, move, bare, f"{move}.", bare.lower(), move.lower(), f"* {bare}"]
        forms += [bare.replace("-", "–"), move.replace("-", " – "), move.replace("(X)", "x")]
        return self._chance.choice(forms)

    def letter(self, mail: Mail, lines: Sequence[str]) -> EmailMessage:
        """An answer to a mail, with these lines in it."""
        message = EmailMessage()
        message["From"] = f"{self._name} <{self._address}>"
        message["To"] = mail.header("Reply-To")
        message["Subject"] = f"Re: {mail.header('Subject')}"
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._address.partition("@")[2])
        message["In-Reply-To"] = mail.header("Message-ID")
        message["References"] = f"{mail.header('References')} {mail.header('Message-ID')}".strip()
        self._write(message, mail, lines)
        return message

    def _write(self, message: EmailMessage, mail: Mail, lines: Sequence[str]) -> None:
        language = self._chance.choice(self._languages)
        own = self._own(language, lines)
        sender = mail.message["From"].addresses[0]
        known = {"date": DATE, "sender": sender.display_name, "address": sender.addr_spec}
        known |= {"name": self._name, "subject": mail.header("Subject")}
        wrote, block = language["wrote"].format(**known), language["block"].format(**known)
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        footer = self._chance.choice(language["footers"])
        layouts = {
            "below": f"{own}\n\n{wrote}\n\n{quoted}\n",
            "above": f"{wrote}\n{quoted}\n\n{own}\n",
            "phone": f"{own}\n\n{footer}\n\n> {wrote}\n> \n{quoted}\n",
            "signed": f"{own}\n\n-- \n{self._name}\n{self._address}\n\n{wrote}\n{quoted}\n",
            "office": f"{own}\n\n{block}\n\n{mail.text}",
            "short": f"{own}\n",
            "web": f"{own}\n\n{wrote}\n\n{quoted}\n",
        }
        layout = self._chance.choice(list(layouts))
        message.set_content(layouts[layout], cte=self._chance.choice(("base64", "quoted-printable")))
        if layout == "web":
            message.add_alternative(_page(own, wrote, mail.text), subtype="html")

    def _own(self, language: dict[str, Any], lines: Sequence[str]) -> str:
        greeting, remark, closing = (
            self._chance.choice(language[part]).format(name=self._name)
            for part in ("greetings", "remarks", "closings")
        )
        return "\n\n".join(part for part in (greeting, *lines, remark, closing) if part)


def _page(own: str, wrote: str, quoted: str) -> str:
    divs = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in own.split("\n"))
    return (
        f'<div dir="ltr">{divs}</div><br><div class="gmail_quote"><div class="gmail_attr">'
        f'{html.escape(wrote)}</div><blockquote class="gmail_quote">'
        f"<pre>{html.escape(quoted)}</pre></blockquote></div>"
    )


@dataclass
class Sent:
    """A mail of the player, and what became of it."""

    kind: str
    move: str
    to: str
    raw: bytes
    may_mean: Sequence[str] = ()
    answers: int = 0


@dataclass
class Report:
    """What the player has lived through."""

    name: str
    received: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    taken: list[tuple[int, str]] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    scores: dict[int, dict[str, int]] = field(default_factory=dict)
    table: dict[str, list[int]] = field(default_factory=dict)
    last_mail: str = ""
    turn_mail: str = ""
    problems: list[str] = field(default_factory=list)


class Player:
    """One person: takes mails one after the other, and answers them."""

    def __init__(self, settings: dict[str, Any]) -> None:
        address = settings["address"]
        self.report = Report(address.partition("@")[0].capitalize())
        # Two generators: how often somebody greets must not change what he plays.
        self._moves = random.Random(f"{settings['seed']} {address} moves")
        self._habits = random.Random(f"{settings['seed']} {address} habits")
        self._mailbox = Mailbox(settings)
        self._pen = Pen(self.report.name, address, self._habits)
        self._sent: dict[str, Sent] = {}
        self._to_get_wrong = {
            kind: self._habits.randrange(4, 40)
            for kind in ("illegal", "ambiguous", "out of turn", "repeated")
        }
