"""The promises of `ports.Mailbox` about email, tested on fakes and real servers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbem.ports.inbound import Mailbox, MailboxError
from tests.support.posts import MAIL, Post, arrive, wholly

# open


def test_open_returns_folder_and_uidvalidity(post: Post) -> None:
    mailbox = post.mailbox()
    state = mailbox.open()
    assert state.folder == "INBOX"
    assert state.uidvalidity > 0
    assert mailbox.open() == state


def test_every_open_looks_again(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 2)
    mailbox.open()
    assert mailbox.unhandled(0) == uids


def test_recreated_folder_has_another_uidvalidity(post: Post) -> None:
    post.make("Club")
    mailbox = post.mailbox("Club")
    first = mailbox.open()
    post.make("Club")
    assert mailbox.open() != first


def test_missing_folder_is_an_error(post: Post) -> None:
    with pytest.raises(MailboxError, match="Nowhere"):
        post.mailbox("Nowhere").open()


# unhandled


def test_unhandled_lists_higher_uids_and_unseen_email(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 6)
    post.see(uids[0], uids[2], uids[4])
    mailbox.open()
    assert mailbox.unhandled(uids[3]) == [uids[1], uids[3], uids[4], uids[5]]


def test_nothing_is_unhandled_in_an_empty_folder(mailbox: Mailbox) -> None:
    assert mailbox.unhandled(0) == []
    assert mailbox.unhandled(1_000_000) == []


def test_last_message_is_not_unhandled_for_being_last(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 2)
    post.see(*uids)
    mailbox.open()
    assert mailbox.unhandled(uids[-1]) == []
    assert mailbox.unhandled(uids[-1] + 5) == []


def test_gaps_between_uids_do_no_harm(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 5)
    post.expunge(uids[0], uids[2])
    mailbox.open()
    assert mailbox.unhandled(0) == [uids[1], uids[3], uids[4]]
    assert mailbox.unhandled(uids[2]) == [uids[1], uids[3], uids[4]]


def test_email_marked_done_but_not_moved_is_unhandled(post: Post) -> None:
    uids = arrive(post, 3)
    mailbox = post.mailbox()
    mailbox.open()
    mailbox.mark_done(uids[:2])
    mailbox = post.mailbox(done_folder="Done")
    mailbox.open()
    assert mailbox.unhandled(uids[-1]) == uids
    mailbox.mark_done(uids)
    assert mailbox.unhandled(0) == []


# sizes


def test_sizes_of_messages_are_returned(post: Post, mailbox: Mailbox) -> None:
    first, gone, last = arrive(post, 3)
    post.expunge(gone)
    mailbox.open()
    told = mailbox.sizes([first, gone, last, last + 7])
    assert told == {mail.uid: len(mail.raw) for mail in mailbox.fetch([first, last])}
    assert mailbox.sizes([]) == {}


# fetch


def test_fetch_leaves_the_flags_alone(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 2)
    mailbox.open()
    assert mailbox.fetch(uids) == mailbox.fetch(uids)
    assert post.messages() == dict.fromkeys(uids, False)
    assert mailbox.unhandled(uids[-1]) == uids


def test_email_has_its_folder_uidvalidity_and_uid(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 2)
    state = mailbox.open()
    mails = mailbox.fetch(uids)
    assert [(mail.folder, mail.uidvalidity, mail.uid) for mail in mails] == [
        (*state, uid) for uid in uids
    ]


@pytest.mark.parametrize(
    "body",
    (
        b"one\r\n",
        b"no line end",
        b".\r\n..\r\n.dots at the beginning\r\n",
        "Grüße, żółw\r\n".encode(),
        b"latin \xe9\xff and a nul-less octet \x01\r\n",
        b"\r\n\r\nblank lines\r\n\r\n\r\n",
        b"a) FETCH {12}\r\n* 3 EXISTS\r\n",
        b"x" * 900 + b"\r\n",
    ),
)
def test_every_byte_comes_through(post: Post, mailbox: Mailbox, body: bytes) -> None:
    post.append(MAIL + body, datetime.now(UTC))
    state = mailbox.open()
    (mail,) = mailbox.fetch(mailbox.unhandled(0))
    assert mail.raw == MAIL + body
    assert mail.uidvalidity == state.uidvalidity


def test_big_email_comes_through(post: Post, mailbox: Mailbox) -> None:
    big = MAIL + b"0123456789abcdef\r\n" * 100_000
    post.append(big, datetime.now(UTC))
    mailbox.open()
    (mail,) = mailbox.fetch(mailbox.unhandled(0))
    assert mail.raw == big


def test_only_the_start_of_a_large_email_is_fetched(post: Post, mailbox: Mailbox) -> None:
    post.append(MAIL + b"x" * 10_000, datetime.now(UTC))
    post.append(MAIL, datetime.now(UTC))
    mailbox.open()
    most = len(MAIL) + 5
    mails = mailbox.fetch(mailbox.unhandled(0), most)
    assert [mail.raw for mail in mails] == [MAIL + b"x" * 5, MAIL]


def test_email_to_a_plus_address_arrives_at_the_club(post: Post, mailbox: Mailbox) -> None:
    post.deliver(MAIL, plus="12-3-s-abcdefgh")
    mailbox.open()
    (mail,) = mailbox.fetch(mailbox.unhandled(0))
    assert mail.raw.endswith(MAIL)


def test_received_at_is_the_time_of_arrival(post: Post, mailbox: Mailbox) -> None:
    before = wholly(datetime.now(UTC))
    post.deliver(MAIL)
    mailbox.open()
    (mail,) = mailbox.fetch(mailbox.unhandled(0))
    assert mail.received_at.tzinfo is UTC
    assert before <= mail.received_at <= datetime.now(UTC) + timedelta(seconds=1)


@pytest.mark.parametrize("hours", (-7, 0, 5.5, 14))
def test_received_at_is_in_utc_whatever_the_server_sends(
    post: Post, mailbox: Mailbox, hours: float
) -> None:
    at = datetime(2026, 3, 29, 2, 30, 7, tzinfo=timezone(timedelta(hours=hours)))
    post.append(MAIL, at)
    mailbox.open()
    (mail,) = mailbox.fetch(mailbox.unhandled(0))
    assert mail.received_at.tzinfo is UTC
    assert mail.received_at == at


def test_vanished_messages_are_left_out(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 3)
    mailbox.open()
    post.expunge(uids[1])
    assert [mail.uid for mail in mailbox.fetch([*uids, uids[-1] + 7])] == [uids[0], uids[2]]


def test_empty_request_fetches_nothing(mailbox: Mailbox) -> None:
    assert mailbox.fetch([]) == []


def test_message_that_never_existed_is_left_out(mailbox: Mailbox) -> None:
    assert mailbox.fetch([77]) == []


def test_many_emails_are_fetched_and_moved(post: Post) -> None:
    uids = arrive(post, 230)
    mailbox = post.mailbox(done_folder="Done")
    mailbox.open()
    assert [mail.uid for mail in mailbox.fetch(uids)] == uids
    mailbox.mark_done(uids)
    assert post.messages() == {}
    assert len(post.messages("Done")) == 230


# mark_done


def test_done_email_is_seen(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 3)
    mailbox.open()
    mailbox.mark_done(uids[:2])
    assert post.messages() == {uids[0]: True, uids[1]: True, uids[2]: False}
    assert mailbox.unhandled(uids[-1]) == [uids[2]]


def test_done_email_is_moved_if_there_is_a_done_folder(post: Post) -> None:
    uids = arrive(post, 3)
    mailbox = post.mailbox(done_folder="Done")
    mailbox.open()
    mailbox.mark_done(uids[:2])
    assert post.messages() == {uids[2]: False}
    assert list(post.messages("Done").values()) == [True, True]
    assert mailbox.unhandled(0) == [uids[2]]


def test_existing_done_folder_is_kept(post: Post) -> None:
    post.make("Played/Games")
    post.append(MAIL, datetime.now(UTC), "Played/Games")
    (uid,) = arrive(post, 1)
    mailbox = post.mailbox(done_folder="Played/Games")
    mailbox.open()
    mailbox.mark_done([uid])
    assert len(post.messages("Played/Games")) == 2


def test_marking_done_twice_is_harmless(post: Post) -> None:
    uids = arrive(post, 2)
    mailbox = post.mailbox(done_folder="Done")
    mailbox.open()
    mailbox.mark_done(uids)
    mailbox.mark_done(uids)
    mailbox.mark_done([])
    assert len(post.messages("Done")) == 2


def test_marking_a_vanished_email_done_is_harmless(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 2)
    mailbox.open()
    post.expunge(uids[0])
    mailbox.mark_done(uids)
    assert post.messages() == {uids[1]: True}


# remove


def test_removed_email_is_gone_for_good(post: Post, mailbox: Mailbox) -> None:
    uids = arrive(post, 4)
    mailbox.open()
    mailbox.remove([uids[0], uids[2], uids[3] + 7])
    assert sorted(post.messages()) == [uids[1], uids[3]]
    mailbox.remove([uids[0]])
    mailbox.remove([])
    assert sorted(post.messages()) == [uids[1], uids[3]]


def test_removed_email_is_also_found_in_the_done_folder(post: Post) -> None:
    mailbox = post.mailbox(done_folder="Done")
    mailbox.open()
    for number in range(3):
        post.deliver(f"Message-ID: <{number}@mail.example>\r\n".encode() + MAIL)
    uids = sorted(post.messages())
    mailbox.open()
    mailbox.mark_done(uids[:2])
    mailbox.remove(uids, ["<0@mail.example>", "", "<9@mail.example>"])
    assert post.messages() == {}
    assert len(post.messages("Done")) == 1
    post.deliver(MAIL)
    mailbox.open()
    assert len(mailbox.fetch(mailbox.unhandled(0))) == 1
