"""The IMAP watch against all kinds of servers."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from pbem.adapters.imap_mailbox import ImapMailbox, ImapWatch
from pbem.ports.inbound import MailboxError
from tests.support.imap import HANG_UP, ScriptedImap
from tests.support.mail_servers import DovecotMail
from tests.support.posts import MAIL
from tests.support.relay import Relay
from tests.support.relayed_club import ClubAt, arrives

SOON = 5.0


def test_server_that_drops_each_idle_is_not_hammered(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["IDLE"] = HANG_UP
    ends = time.monotonic() + 1.5
    with closing(ImapWatch(scripted_imap.settings())) as watch:
        while (left := ends - time.monotonic()) > 0:
            try:
                watch.wait(left)
            except MailboxError:
                continue
    assert 1 <= scripted_imap.connections <= 3


def test_new_email_announced_together_with_idle_is_noticed(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["IDLE"] = "+ idling\r\n* 3 EXISTS"
    with closing(ImapWatch(scripted_imap.settings())) as watch:
        assert watch.wait(SOON)
        assert watch.wait(SOON)


@pytest.mark.parametrize(
    "chatter", ("* OK Still here", "* 1 EXPUNGE", "* 1 FETCH (FLAGS (\\Seen))")
)
def test_chatter_does_not_count_as_new_email(scripted_imap: ScriptedImap, chatter: str) -> None:
    scripted_imap.answers["IDLE"] = f"+ idling\r\n{chatter}\r\n{chatter}"
    with closing(ImapWatch(scripted_imap.settings())) as watch:
        assert watch.wait(SOON)
        assert not watch.wait(0.1)
        assert not watch.wait(0.1)
    assert scripted_imap.connections == 1


@pytest.mark.parametrize(
    "answer", ("+ idling\r\n* BYE going down", "{tag} NO", "{tag} BAD", HANG_UP)
)
def test_failed_idle_raises_an_error(scripted_imap: ScriptedImap, answer: str) -> None:
    scripted_imap.answers |= {"IDLE": answer, "DONE": HANG_UP}
    with closing(ImapWatch(scripted_imap.settings())) as watch:
        assert watch.wait(SOON)
        with pytest.raises(MailboxError):
            watch.wait(0.1)


def test_watch_sleeps_until_closed_without_idle(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["CAPABILITY"] = "* CAPABILITY IMAP4rev1\r\n{tag} OK done"
    watch = ImapWatch(scripted_imap.settings())
    assert not watch.wait(0.05)
    threading.Timer(0.05, watch.close).start()
    assert not watch.wait(60)
    assert scripted_imap.connections == 1


def test_answers_in_single_bytes_are_understood(
    dovecot_mail: DovecotMail, domain: str, club: ClubAt
) -> None:
    with (
        Relay(dovecot_mail.imap_port, dribble=True) as relay,
        closing(ImapWatch(club(relay))) as watch,
        closing(ImapMailbox(club(relay))) as mailbox,
    ):
        mailbox.open()
        assert watch.wait(SOON)
        for _ in range(3):
            arrives(dovecot_mail, domain)
            assert watch.wait(SOON)
            mailbox.open()  # a server need not announce new mail before this
            uids = mailbox.unhandled(0)
            assert [mail.raw.endswith(MAIL) for mail in mailbox.fetch(uids)] == [True]
            mailbox.mark_done(uids)
        assert not watch.wait(0.1)
