"""Test `pbem doctor --send`, which sends a trial email to the club, with a real Dovecot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from imapclient import IMAPClient
from typer.testing import CliRunner, Result

from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.cli import command_line
from pbem.cli.doctor.mail_servers import Arrivals
from pbem.cli.new_config import Answers, MailServer, write_config
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.mail.outgoing.letter import Letter, to_bytes
from pbem.ports.inbound import InboundState
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import Config, load_config
from tests.support.dovecot import Dovecot
from tests.support.smtp import SmtpServer

PASSWORD = "open sesame"
BOUNCE = (
    b"From: MAILER-DAEMON@mail.example\r\nSubject: Undelivered Mail Returned to Sender\r\n"
    b"Message-ID: <bounce-%d@mail.example>\r\n"
    b'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\r\n\r\n'
    b"--x\r\nContent-Type: text/plain\r\n\r\nNobody here is called so.\r\n"
    b"--x\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\n"
    b"Final-Recipient: rfc822; %s\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
    b"--x\r\nContent-Type: message/rfc822\r\n\r\n%s\r\n--x--\r\n"
)


@dataclass
class Server:
    """A mail server with one mailbox, the club's, and behaviour that a test sets."""

    dovecot: Dovecot
    address: str
    knows: Callable[[str], bool] = lambda recipient: True
    bounces: Callable[[str], bool] = lambda recipient: False
    swallows: Callable[[str], bool] = lambda recipient: False
    after: Callable[[], None] = lambda: None
    taken: list[str] = field(default_factory=list)

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver to the mailbox, bounce or swallow an email."""
        self.taken.append(recipient)
        if self.bounces(recipient):
            returned = BOUNCE % (len(self.taken), recipient.encode(), raw)
            self.dovecot.deliver("", sender, returned)
        elif not self.swallows(recipient):
            self.dovecot.deliver(sender, recipient, raw)
        self.after()

    def has(self, recipient: str) -> bool:
        """Return whether the server currently accepts email for a recipient."""
        return self.knows(recipient)

    def unseen(self) -> int:
        """Return how many emails in the mailbox are unread."""
        with IMAPClient(self.dovecot.host, self.dovecot.imap_port, ssl=False) as client:
            client.login(self.address, PASSWORD)
            client.select_folder("INBOX", readonly=True)
            return len(client.search(["UNSEEN"]))


@pytest.fixture
def server(dovecot: Dovecot, domain: str) -> Server:
    address = f"club@{domain}"
    dovecot.add(address, PASSWORD)
    return Server(dovecot, address)


@pytest.fixture
def path(server: Server, tmp_path: Path) -> Iterator[Path]:
    """Return a configuration for the server."""
    path, dovecot = tmp_path / "pbem.toml", server.dovecot
    imap = MailServer(dovecot.host, dovecot.imap_port, "none")
    with SmtpServer(server.deliver, knows=server.has) as smtp:
        at = MailServer(smtp.host, smtp.port, "none")
        answers = Answers(address=server.address, imap=imap, smtp=at, user=server.address)
        write_config(path, answers)
        head, mark, tail = path.read_text().partition("\n[smtp]\n")
        head = head.replace('password = ""', f'password = "{PASSWORD}"')
        path.write_text(head + mark + tail.replace(f'user = "{server.address}"', 'user = ""'))
        yield path


def examined(path: Path) -> Result:
    return CliRunner().invoke(command_line(["doctor"]), ["doctor", "--send", "--config", str(path)])


def is_plus(recipient: str) -> bool:
    return "+test-" in recipient


def test_email_to_a_plus_address_arrives_and_is_cleaned_up(server: Server, path: Path) -> None:
    result = examined(path)
    assert result.exit_code == 0, result.output
    assert "ok   mail: emails arrive, at plus-addresses of the club too" in result.output
    assert f"sending an email to {server.taken[0]}, which has 60 seconds to arrive" in result.output
    assert is_plus(server.taken[0])
    assert len(server.taken) == 1
    assert server.unseen() == 0


def test_other_email_is_left_alone(server: Server, path: Path) -> None:
    now = build_club(load_config(path)).clock.now()
    to = server.address
    letter = Letter("<1@else.example>", "Anna", "a@else.example", "", to, "Hi", "Hi\n", now)
    mail = to_bytes(letter)
    server.after = lambda: server.dovecot.deliver("a@else.example", server.address, mail)
    assert examined(path).exit_code == 0
    assert server.unseen() == 1


@pytest.mark.parametrize(
    ("habit", "told"),
    (
        ("knows", "the server rejected it: 550 5.1.1 There is nobody of that name"),
        ("bounces", "it bounced: Nobody here is called so."),
    ),
)
@pytest.mark.parametrize("plain_too", (False, True))
def test_undelivered_email_is_reported_with_its_remedy(
    server: Server, path: Path, habit: str, told: str, plain_too: bool
) -> None:
    fails = (lambda recipient: True) if plain_too else is_plus
    setattr(server, habit, (lambda who: not fails(who)) if habit == "knows" else fails)
    result = examined(path)
    assert result.exit_code == 1
    assert "BAD  mail: " in result.output
    assert told in result.output
    if plain_too:
        assert f"email to {server.address} does not arrive" in result.output
        assert (
            "Does the address in [club] belong to the mailbox of user in [imap]?" in result.output
        )
    else:
        assert f"email to {server.address} arrives, but not to club+test-" in result.output
        assert "recipient_delimiter = +" in result.output
    assert server.unseen() == 0


def test_missing_email_is_given_up_after_the_announced_time(server: Server, path: Path) -> None:
    server.swallows = is_plus
    said: list[str] = []
    config = load_config(path)
    club, servers = build_club(config), servers_of(config)
    with closing(club.storage), closing(ImapMailbox(servers.imap)) as mailbox:
        arrivals = Arrivals(
            club, club.address, mailbox, SmtpTransport(servers.smtp), said.append, 1.0
        )
        trouble = arrivals.trouble()
    assert ": nothing arrived within 1 seconds." in trouble
    assert said[0].endswith("which has 1 seconds to arrive")


@pytest.mark.parametrize("bounced", (False, True))
def test_service_that_reads_the_email_first_ignores_it(
    server: Server, path: Path, bounced: bool
) -> None:
    path.write_text(path.read_text().replace('# done_folder = ""', 'done_folder = "Done"'))
    config = load_config(path)
    server.after = lambda: _serve_once(config)
    server.bounces = is_plus if bounced else server.bounces
    result = examined(path)
    assert result.exit_code == (1 if bounced else 0), result.output
    assert ("it bounced: Nobody here" if bounced else "ok   mail") in result.output
    club = build_club(config)
    with closing(club.storage), club.storage.reading() as uow:
        assert len(uow.inbound.in_state(InboundState.IGNORED)) == (2 if bounced else 1)
        assert uow.inbound.pending() == []
        assert uow.outbox.unsent() == 0


def _serve_once(config: Config) -> None:
    """Do what `pbem serve` does when email has arrived."""
    club = build_club(config)
    with closing(club.storage), closing(ImapMailbox(servers_of(config).imap)) as mailbox:
        poll(club, mailbox)
        process_pending(club)


def test_nothing_is_sent_while_something_else_is_wrong(server: Server, path: Path) -> None:
    path.write_text(path.read_text().replace(PASSWORD, "wrong"))
    result = examined(path)
    assert result.exit_code == 1
    assert "BAD  mail: no trial email is sent until everything else works." in result.output
    assert server.taken == []
