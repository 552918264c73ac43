"""The promises of `ports.Mailbox` and `ports.MailboxWatch` about connections and new mail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from pbem.ports.inbound import Mailbox, MailboxError, MailboxWatch
from tests.support.posts import MAIL, Post, arrive

SOON = 10.0
"""Seconds for what should happen at once."""


def test_calls_fail_before_open_and_after_close(post: Post) -> None:
    mailbox = post.mailbox()
    for _ in range(2):
        for refused in (lambda: mailbox.unhandled(0), lambda: mailbox.fetch([1])):
            with pytest.raises(MailboxError):
                refused()
        with pytest.raises(MailboxError):
            mailbox.mark_done([1])
        mailbox.open()
        mailbox.close()


def test_close_is_allowed_at_any_time_and_open_after_it(post: Post) -> None:
    mailbox = post.mailbox()
    mailbox.close()
    first = mailbox.open()
    mailbox.close()
    mailbox.close()
    assert mailbox.open() == first


def test_open_repairs_a_broken_connection(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 1)
    post.cut()
    mailbox.open()
    assert mailbox.unhandled(0) == uids


def test_broken_connection_is_an_error_until_open(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 1)
    mailbox.open()
    post.cut()
    for _ in range(2):
        with pytest.raises(MailboxError):
            mailbox.fetch(uids)
    mailbox.open()
    assert [mail.uid for mail in mailbox.fetch(uids)] == uids


@pytest.fixture
def watch(post: Post) -> MailboxWatch:
    """A connected watch. Its first wait, which reports earlier mail, is over."""
    watch = post.watch()
    assert watch.wait(SOON)
    return watch


@contextmanager
def waiting(watch: MailboxWatch) -> Iterator[list[bool]]:
    """Wait in a thread. The list has the result once the block has ended."""
    told: list[bool] = []
    thread = threading.Thread(target=lambda: told.append(watch.wait(SOON)))
    thread.start()
    yield told
    thread.join(SOON / 2)
    assert not thread.is_alive(), "it is still asleep"


def test_quiet_wait_ends_in_time(watch: MailboxWatch) -> None:
    assert not watch.wait(0.2)
    assert not watch.wait(0.0)


def test_email_wakes_the_watch(post: Post, watch: MailboxWatch) -> None:
    assert not watch.wait(0.05)
    with waiting(watch) as told:
        post.deliver(MAIL)
    assert told == [True]


def test_email_between_two_waits_wakes_the_second(post: Post, watch: MailboxWatch) -> None:
    for _ in range(3):
        post.deliver(MAIL)
        assert watch.wait(SOON)
    assert not watch.wait(0.2)


def test_watch_sees_email_while_the_mailbox_is_busy(
    post: Post, mailbox: Mailbox, watch: MailboxWatch
) -> None:
    for _ in range(3):
        uids = arrive(post, 1)
        assert watch.wait(SOON)
        mailbox.open()
        mailbox.fetch(uids)
        mailbox.mark_done(uids)


def test_close_ends_the_wait(watch: MailboxWatch) -> None:
    with waiting(watch) as told:
        watch.close()
    assert told == [False]
    assert not watch.wait(SOON)


def test_watch_may_be_closed_before_it_starts(post: Post) -> None:
    watch = post.watch()
    watch.close()
    assert not watch.wait(SOON)


def test_watch_reports_a_broken_connection_and_repairs_it(post: Post, watch: MailboxWatch) -> None:
    post.cut()
    with pytest.raises(MailboxError):
        watch.wait(SOON)
    post.deliver(MAIL)
    assert watch.wait(SOON), "email may have come while it was disconnected"
    assert not watch.wait(0.1)
    post.deliver(MAIL)
    assert watch.wait(SOON)


def test_connection_broken_during_a_wait_is_an_error(post: Post, watch: MailboxWatch) -> None:
    failed = threading.Event()

    def wait() -> None:
        try:
            watch.wait(SOON)
        except MailboxError:
            failed.set()

    thread = threading.Thread(target=wait)
    thread.start()
    post.cut()
    assert failed.wait(SOON / 2)
    thread.join()


def test_mailbox_and_watch_have_separate_connections(
    post: Post, mailbox: Mailbox, watch: MailboxWatch
) -> None:
    mailbox.close()
    post.deliver(MAIL)
    with closing(watch):
        assert watch.wait(SOON)
