"""Type the lines of deploy/mail-server/dkim.md, and play as players whose email must be signed.

Postfix, Dovecot and OpenDKIM run as on the pages, on a throwaway machine. Around it are a DNS with
the records that the page shows, and a provider at another address.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.cli.new_config import Answers, MailServer, write_config
from pbem.extras.demo.outside.player.mail import PlayerMail
from tests.deploy.machine import Machine, missing, throwaway_machine
from tests.deploy.overlay import packages_missing, prepare, type_lines
from tests.deploy.pages import OPERATORS, ROOT, sections
from tests.deploy.typist import do_without

pytestmark = pytest.mark.servers

PAGE = sections((ROOT / "deploy" / "mail-server" / "dkim.md").read_text("utf-8"))
SERVER = sections(OPERATORS)["Set up a mail server"]
CLUB, WORLD = "192.0.2.1", "192.0.2.9"
MAIL_LOG = "/var/log/mail.log"
PATIENCE_S = 20.0
NETWORK = (
    f"ip addr add {CLUB}/24 dev lo",
    f"ip addr add {WORLD}/24 dev lo",
    "rm -rf /etc/opendkim /etc/resolv.conf /var/spool/postfix/etc/resolv.conf",
    "echo nameserver 127.0.0.1 >/etc/resolv.conf",
    # The outside world's address is also on this machine.
    f"postconf -e inet_interfaces=127.0.0.1,{CLUB} maillog_file={MAIL_LOG}",
)
PLAYERS = f"""\
@ IN MX 10 mx
mx IN A {WORLD}
"""
SELECTOR = "2026"


class World:
    """The DNS and the provider around the club's mail server."""

    def __init__(self, process: subprocess.Popen[str], machine: Machine, key: Path) -> None:
        self._process = process
        self._machine = machine
        self._key = key
        self._told: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._told.put(line)

    def takes(self) -> tuple[str, bytes]:
        """Return the next email that arrives at the provider, and its recipient."""
        try:
            told = json.loads(self._told.get(timeout=PATIENCE_S))
        except queue.Empty:
            pytest.fail(f"no mail comes\n{self._machine.types(f'cat {MAIL_LOG}').output}")
        return told["to"], told["raw"].encode("latin-1")

    def sends(self, mail: bytes, sender: str, to: str) -> None:
        """Send an email to the club."""
        assert self._process.stdin is not None
        told = {"sender": sender, "to": to, "raw": mail.decode("latin-1")}
        self._process.stdin.write(f"{json.dumps(told)}\n")
        self._process.stdin.flush()

    def has_written_on_the_machine(self, mail: bytes) -> None:
        """Send an email from the club's machine without SMTP."""
        (self._machine.files / "tmp/mail").write_bytes(mail)
        sent = self._machine.types("/usr/sbin/sendmail -t -f bert@players.example </tmp/mail")
        assert sent.status == 0, sent.output

    def signed(self, mail: bytes, domain: str = "players.example") -> bytes:
        """Sign an email for a domain."""
        words = ["opendkim-testmsg", "-C", "-d", domain, "-s", SELECTOR, "-k", str(self._key)]
        done = subprocess.run(words, input=mail, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def verifies(self, mail: bytes) -> bool:
        """Return whether an email's signature is valid according to the DNS."""
        (self._machine.files / "tmp/mail").write_bytes(mail)
        return self._machine.types("opendkim-testmsg </tmp/mail").status == 0


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """Start a machine with the mail server from the pages."""
    lines = [line for part in PAGE.values() for line in part]
    if lacking := missing() or packages_missing(lines):
        do_without(lacking)
    with throwaway_machine() as machine:
        prepare(machine)
        type_lines(machine, NETWORK, {})
        yield machine


@contextmanager
def around(machine: Machine, tmp_path: Path, records: str) -> Iterator[World]:
    """Run the outside world for a block."""
    of = ["-s", SELECTOR, "-d", "players.example", "-D", str(tmp_path)]
    # Without this, opendkim-testmsg signs only with SHA-1, unlike providers.
    subprocess.run(["opendkim-genkey", "--hash-algorithms=sha1:sha256", *of], check=True)
    published = (tmp_path / f"{SELECTOR}.txt").read_text()
    zones = {
        "example.org": records,
        "players.example": f"{PLAYERS}{published}",
        "evil.example": published,
    }
    for name, text in zones.items():
        (tmp_path / name).write_text(f"$TTL 60\n{text}")
    files = [str(tmp_path / name) for name in zones]
    with process(machine, "tests/deploy/world.py", WORLD, *files) as world:
        assert world.stdout is not None
        assert world.stdout.readline() == "{}\n"
        yield World(world, machine, tmp_path / f"{SELECTOR}.private")


@contextmanager
def process(machine: Machine, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run one of our processes in a machine's network, and kill it at the end."""
    line = ["nsenter", "--target", str(machine.pid), "--net", sys.executable, *words]
    with subprocess.Popen(
        line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def configured(path: Path, password: str) -> Callable[..., None]:
    """Write the configuration of a club, and return a function that runs commands for it."""
    imap, smtp = MailServer("localhost", 143, "none"), MailServer("localhost", 587, "none")
    answers = Answers(
        address="club@example.org",
        director="director@players.example",
        imap=imap,
        smtp=smtp,
        user="club@example.org",
        password=password,
    )
    write_config(path, answers)
    text = re.sub(r"(?m)^(proof|trusted_hosts) = .*\n", "", path.read_text())
    path.write_text(text.replace("[policy]", "\n".join(PAGE["Require signatures from players"])))

    def pbem(*words: str) -> None:
        told = CliRunner().invoke(command_line(words), [*words, "--config", str(path)])
        assert told.exit_code == 0, told.output

    return pbem


def answer(asked: PlayerMail, text: str) -> EmailMessage:
    """Answer an email from the club."""
    mail = EmailMessage()
    mail["From"] = asked.header("To")
    mail["To"] = asked.header("Reply-To")
    mail["Subject"] = f"Re: {asked.header('Subject')}"
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain="players.example")
    mail["In-Reply-To"] = asked.header("Message-ID")
    mail.set_content(f"{text}\n")
    return mail


@pytest.mark.timeout(120)
def test_only_a_valid_signature_of_the_players_provider_counts(
    machine: Machine, tmp_path: Path
) -> None:
    password = type_lines(machine, SERVER, {}).output
    records = type_lines(machine, PAGE["Sign and verify email"], {}).output
    path = tmp_path / "pbem.toml"
    with around(machine, tmp_path, records) as world:
        key = type_lines(machine, PAGE["Add the DNS records"], {}).output
        assert key.endswith("key not secure"), "the DNS of the test has no DNSSEC"

        pbem = configured(path, password)
        pbem("member", "add", "Anna", "anna@players.example")
        pbem("member", "add", "Bert", "gone@players.example", "bert@players.example")
        pbem("match", "new", "lanko-88", "Anna", "Bert", "--days", "5")
        with process(machine, "-m", "pbem", "serve", "--config", str(path)):
            _play(world)


def _play(world: World) -> None:
    earlier = _mail(world, "anna@players.example", "turn")
    _says(world, earlier, world.signed)

    # Bert's first address refuses email. After the bounce, the club writes to his second one.
    asked = _mail(world, "bert@players.example", "turn")
    forgeries: dict[str, Callable[[bytes], bytes]] = {
        "without a signature": lambda mail: mail,
        "changed on the way": lambda mail: world.signed(mail) + b"resign\r\n",
        "signed by somebody else": lambda mail: world.signed(mail, "evil.example"),
    }
    for how, forged in forgeries.items():
        _says(world, asked, forged)
        refused = _mail(world, "bert@players.example", "refusal")
        assert "didn't sign your email" in refused.text, f"{how}: {refused.shown}"

    # An email's own claim that it is signed does not count, even from an account on the machine.
    _says(world, earlier, lambda mail: FORGED + mail)
    assert "didn't sign your email" in _mail(world, "anna@players.example", "refusal").text
    world.has_written_on_the_machine(FORGED + bytes(answer(earlier, earlier.example)))
    assert "didn't sign your email" in _mail(world, "anna@players.example", "refusal").text

    _says(world, asked, lambda mail: world.signed(FORGED + mail))
    assert _mail(world, "anna@players.example", "turn").turn == 3


FORGED = b"Authentication-Results: mail.example.org; dkim=pass header.d=players.example\r\n"


def _says(world: World, asked: PlayerMail, signed: Callable[[bytes], bytes]) -> None:
    mail = answer(asked, asked.example)
    raw = bytes(mail).replace(b"\n", b"\r\n")
    world.sends(signed(raw), asked.header("To"), mail["To"])


def _mail(world: World, reader: str, kind: str) -> PlayerMail:
    """Return the next email of a kind to a reader, checking that each one is signed."""
    while True:
        to, raw = world.takes()
        mail = PlayerMail.read(raw)
        assert "d=example.org" in mail.header("DKIM-Signature"), mail.shown
        assert world.verifies(raw), mail.shown
        if (to, mail.kind) == (reader, kind):
            return mail
