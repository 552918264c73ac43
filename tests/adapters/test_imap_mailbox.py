"""The IMAP mailbox against all kinds of servers, and with wrong settings."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.adapters.imap_mailbox import ImapError, ImapMailbox, ImapSettings
from pbem.ports.inbound import MailboxError
from tests.support.certificates import Certificates
from tests.support.dovecot import Dovecot
from tests.support.imap import HANG_UP, SAY_NOTHING, ScriptedImap
from tests.support.mail_servers import DovecotMail
from tests.support.relay import Relay
from tests.support.relayed_club import ClubAt, arrives

PASSWORD = "open sesame"
SOON = 5.0


def opened(settings: ImapSettings) -> ImapMailbox:
    mailbox = ImapMailbox(settings)
    mailbox.open()
    return mailbox


# Wrong settings


def refusal(settings: ImapSettings) -> tuple[str, str]:
    """Return the text of the error, and the setting that it names."""
    with closing(ImapMailbox(settings)) as mailbox, pytest.raises(ImapError) as caught:
        mailbox.open()
    said = str(caught.value)
    assert PASSWORD not in repr(caught.value) + repr(settings) + said
    assert "Errno" not in said
    assert "b'" not in said
    assert said.endswith(".")
    return said, caught.value.setting


@pytest.fixture
def right(dovecot: Dovecot, certificates: Certificates, domain: str) -> ImapSettings:
    """Return correct settings for Dovecot."""
    user = f"club@{domain}"
    dovecot.add(user, PASSWORD)
    return ImapSettings(
        "localhost",
        dovecot.imaps_port,
        user,
        PASSWORD,
        "tls",
        timeout_s=SOON,
        ca_file=certificates.ca_file,
    )


def test_every_kind_of_login_opens_the_same_folder(right: ImapSettings, dovecot: Dovecot) -> None:
    ways = (
        right,
        replace(right, security="starttls", port=dovecot.imap_port),
        replace(right, security="none", port=dovecot.imap_port, ca_file=None),
    )
    states = []
    for way in ways:
        with closing(ImapMailbox(way)) as mailbox:
            states.append(mailbox.open())
    assert len(set(states)) == 1


def test_wrong_setting_is_named_in_a_sentence(
    right: ImapSettings, dovecot: Dovecot, tmp_path: Path
) -> None:
    refused = f"refuses the login of {right.user}: [AUTHENTICATIONFAILED]"
    for wrong, named, said in (
        (replace(right, password="wrong"), "password", refused),
        (replace(right, password="fałsz"), "password", refused),
        (replace(right, host="nowhere.invalid"), "host", "nowhere.invalid cannot be found"),
        (replace(right, host="127.1"), "host", "certificate at 127.1 is for another name"),
        (replace(right, port=1), "port", "Nothing answers at localhost, port 1"),
        (replace(right, ca_file=None), "ca_file", "is not trusted"),
        (replace(right, ca_file=tmp_path / "none.pem"), "ca_file", "none.pem"),
        (replace(right, port=dovecot.imap_port), "security", "does not speak TLS"),
        (replace(right, folder="Nowhere"), "folder", "The folders are: INBOX."),
        (replace(right, done_folder="a//b"), "done_folder", "a//b cannot be created"),
    ):
        text, setting = refusal(wrong)
        assert setting == named, text
        assert said in text


def test_starttls_is_required_when_configured(scripted_imap: ScriptedImap) -> None:
    assert refusal(replace(scripted_imap.settings(SOON), security="starttls"))[1] == "security"


@pytest.mark.parametrize(
    ("verb", "answer", "setting"),
    (
        ("CAPABILITY", "* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n{tag} OK done", "security"),
        ("LOGIN", "{tag} NO [AUTHENTICATIONFAILED] open sesame is wrong", "password"),
        ("SELECT", "* 0 EXISTS\r\n{tag} OK [READ-WRITE] done", "folder"),
        ("SELECT", "* OK [UIDVALIDITY 7] valid\r\n{tag} OK [READ-ONLY] done", "folder"),
        ("GREETING", "* BYE too busy", ""),
        ("GREETING", "HTTP/1.0 400 Bad Request", ""),
        ("LOGIN", "{tag} BAD what?", "password"),
        ("LOGIN", HANG_UP, ""),
        ("SELECT", HANG_UP, ""),
    ),
)
def test_odd_servers_are_reported_in_a_sentence(
    scripted_imap: ScriptedImap, verb: str, answer: str, setting: str
) -> None:
    scripted_imap.answers[verb] = answer
    assert refusal(scripted_imap.settings(SOON))[1] == setting


def test_silent_server_times_out(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["GREETING"] = SAY_NOTHING
    assert "did not answer in time" in refusal(scripted_imap.settings(0.1))[0]


# Backoff


def test_attempt_after_a_failure_waits(scripted_imap: ScriptedImap) -> None:
    now = [100.0]
    scripted_imap.answers["LOGIN"] = "{tag} NO not today"
    with closing(ImapMailbox(scripted_imap.settings(), lambda: now[0])) as mailbox:
        for _ in range(3):
            with pytest.raises(MailboxError, match="not today"):
                mailbox.open()
        assert scripted_imap.connections == 1
        now[0] += 1
        with pytest.raises(MailboxError):
            mailbox.open()
        assert scripted_imap.connections == 2
        del scripted_imap.answers["LOGIN"]
        with pytest.raises(MailboxError, match=r"not today\. The next attempt is in 2 s\."):
            mailbox.open()
        now[0] += 2
        assert mailbox.open().uidvalidity == 7


def test_using_a_closed_mailbox_does_not_count_as_failure(scripted_imap: ScriptedImap) -> None:
    with closing(ImapMailbox(scripted_imap.settings(), lambda: 100.0)) as mailbox:
        for _ in range(3):
            with pytest.raises(MailboxError, match="not open"):
                mailbox.fetch([1])
        mailbox.open()


def test_connection_lost_between_polls_does_not_count_as_failure(
    scripted_imap: ScriptedImap,
) -> None:
    with closing(ImapMailbox(scripted_imap.settings(), lambda: 100.0)) as mailbox:
        mailbox.open()
        scripted_imap.answers["SELECT"] = "* BYE good night"
        with pytest.raises(MailboxError, match="good night"):
            mailbox.open()
        assert scripted_imap.connections == 2


# Servers with fewer extensions


@pytest.mark.parametrize(
    ("missing", "left", "moved"),
    (((b" MOVE",), 0, 3), ((b" MOVE", b" UIDPLUS"), 3, 0)),
)
def test_email_is_marked_done_on_servers_without_extensions(
    dovecot_mail: DovecotMail,
    domain: str,
    club: ClubAt,
    missing: tuple[bytes, ...],
    left: int,
    moved: int,
) -> None:
    def edit(said: bytes) -> bytes:
        for word in missing:
            said = said.replace(word, b"")
        return said

    arrives(dovecot_mail, domain, 3)
    with Relay(dovecot_mail.imap_port, edit) as relay:
        mailbox = opened(club(relay))
        mailbox.mark_done(mailbox.unhandled(0))
        mailbox.close()
        inbox = opened(replace(club(relay), done_folder=""))
        done = opened(replace(club(relay), folder="Done", done_folder=""))
        for folder, number in ((inbox, left), (done, moved)):
            assert len(folder.unhandled(0)) == number
            assert folder.unhandled(1000) == []
            folder.close()


# Closing from another thread


@pytest.fixture(params=("GREETING", "CAPABILITY", "LOGIN", "SELECT", "SEARCH"))
def stuck(request: pytest.FixtureRequest, scripted_imap: ScriptedImap) -> Iterator[ImapMailbox]:
    """Return a mailbox whose server falls silent at some command."""
    scripted_imap.answers[request.param] = SAY_NOTHING
    mailbox = ImapMailbox(scripted_imap.settings())
    yield mailbox
    mailbox.close()


def test_close_ends_a_call_in_another_thread(
    stuck: ImapMailbox, scripted_imap: ScriptedImap
) -> None:
    ended = threading.Event()

    def work() -> None:
        try:
            stuck.open()
            stuck.unhandled(0)
        except MailboxError:
            ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert scripted_imap.silent.wait(SOON)
    stuck.close()
    assert ended.wait(SOON)
    thread.join()


def test_server_that_skips_goodbye_is_left(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["LOGOUT"] = HANG_UP
    mailbox = opened(scripted_imap.settings())
    mailbox.close()
    assert scripted_imap.heard[-1].endswith("LOGOUT")


@pytest.mark.parametrize(
    "answer", ("{tag} NO it is damaged", "* 1 FETCH (UID 5 FLAGS ())\r\n{tag} OK done")
)
def test_message_that_server_withholds_does_not_block_others(
    scripted_imap: ScriptedImap, answer: str
) -> None:
    scripted_imap.answers["FETCH"] = answer
    mailbox = ImapMailbox(scripted_imap.settings())
    mailbox.open()
    assert mailbox.fetch([5, 6]) == []
    assert mailbox.unhandled(0) == [], "the connection still works"
    mailbox.close()
