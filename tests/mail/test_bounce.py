"""What a bounce says, form by form; whole ones as servers write them are in tests/data/mail."""

from __future__ import annotations

import pytest

from pbem.mail.incoming.bounce import read_bounce
from pbem.mail.incoming.failure import Failure, Fault, refusal

HEAD = "From: MAILER-DAEMON@mx.example\nTo: club+b-u7@games.example\n"


def report(*fields: str, kind: str = "message/delivery-status") -> bytes:
    """A delivery status notification about one recipient."""
    lines = [
        *HEAD.splitlines(),
        "Message-ID: <its-own@mx.example>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        *("", "--b", "", "It could not be delivered.", "--b", f"Content-Type: {kind}", ""),
        *("Reporting-MTA: dns; mx.example", "", *fields, "--b--", ""),
    ]
    return "\n".join(lines).encode()


def about(status: str, words: str = "", action: str = "failed") -> Failure:
    """The failure in a report on anna@mail.example."""
    fields = ["Final-Recipient: rfc822; Anna@Mail.example", f"Action: {action}"]
    fields += [f"Status: {status}"] if status else []
    fields += [f"Diagnostic-Code: smtp; {words}"] if words else []
    (failure,) = read_bounce(report(*fields)).recipients
    return failure


@pytest.mark.parametrize(
    ("status", "words", "fault"),
    (
        ("5.1.1", "550 5.1.1 User unknown", Fault.HARD),
        ("5.7.1", "554 5.7.1 Spam", Fault.HARD),
        ("5.0.0", "", Fault.HARD),
        ("", "550 no such user", Fault.HARD),
        ("5.2.2", "552 5.2.2 Mailbox full", Fault.SOFT),
        ("5.0.0", "552 5.2.2 over quota", Fault.SOFT),
        ("5.0.0", "550 The mailbox is full", Fault.SOFT),
        ("4.4.7", "expired after five days", Fault.SOFT),
        ("4.0.0", "", Fault.SOFT),
        ("5.2.2 (mailbox full)", "", Fault.SOFT),
        ("5.1.1", "host 5.2.2.7 said: 550 5.1.1 mailbox full of nobody", Fault.HARD),
    ),
)
def test_hard_or_soft_by_status_and_words(status: str, words: str, fault: Fault) -> None:
    assert about(status, words).fault is fault


def test_what_is_told_of_a_recipient() -> None:
    failure = about("5.0.0", "550-5.1.1 There is\n\tnobody of that name")
    words = "550-5.1.1 There is nobody of that name"
    assert failure == Failure("anna@mail.example", Fault.HARD, "5.1.1", words)


def test_a_delay_is_no_failure() -> None:
    assert about("4.4.1", action="delayed (1 hour)").fault is Fault.DELAYED
    fields = ("Final-Recipient: rfc822; a@mail.example", "Action: delayed", "Status: 4.4.1")
    assert read_bounce(report(*fields)).failed == ()


@pytest.mark.parametrize("action", ("delivered", "relayed", "expanded"))
def test_what_has_arrived_is_none_either(action: str) -> None:
    bounce = read_bounce(report("Final-Recipient: rfc822; a@mail.example", f"Action: {action}"))
    assert (bounce.recipients, bounce.reported, bounce.unnamed) == ((), True, False)


@pytest.mark.parametrize(("blank", "read"), ((1900, 1), (2100, 0)))
@pytest.mark.parametrize("end", ("\n", "\r\n", "\r"))
def test_so_many_blank_lines_are_read_and_no_more(end: str, blank: int, read: int) -> None:
    raw = report(end * blank, "Final-Recipient: rfc822; a@mail.example", "Action: failed")
    assert len(read_bounce(raw).recipients) == read


def test_the_address_that_was_written_to_comes_before_the_one_it_led_to() -> None:
    fields = (
        "Original-Recipient: rfc822; anna@alias.example",
        "Final-Recipient: rfc822; box17@mail.example",
        "Action: failed",
    )
    (failure,) = read_bounce(report(*fields)).recipients
    assert failure.address == "anna@alias.example"


def test_several_recipients() -> None:
    fields = (
        *("Final-Recipient: rfc822; a@mail.example", "Action: failed", "Status: 5.1.1", ""),
        *("Final-Recipient: rfc822; b@mail.example", "Action: failed", "Status: 4.4.7", ""),
        *("Final-Recipient: rfc822; c@mail.example", "Action: delayed", "Status: 4.4.7"),
    )
    bounce = read_bounce(report(*fields))
    assert [(each.address[0], each.fault) for each in bounce.recipients] == [
        ("a", Fault.HARD),
        ("b", Fault.SOFT),
        ("c", Fault.DELAYED),
    ]
    assert [each.address[0] for each in bounce.failed] == ["a", "b"]


RETURNED = "<12-15-n-k3v7q2mzt4hwa6xd.u1@games.example>"


@pytest.mark.parametrize(
    "part",
    (
        f"Content-Type: message/rfc822\n\nFrom: a@b.example\nMessage-ID: {RETURNED}\n\nbody",
        f"Content-Type: message/rfc822\n\nMessage-ID:\n {RETURNED}\n\nbody",
        f"Content-Type: text/rfc822-headers\n\nFrom: a@b.example\nMessage-Id: {RETURNED}",
        f"Content-Type: text/plain\n\n--- Below is a copy\n\nmessage-id: {RETURNED}",
        f"Content-Type: text/plain\n\n> Message-ID: {RETURNED}",
        f"Content-Type: message/delivery-status\n\nX-Original-Message-ID: {RETURNED}",
    ),
)
def test_the_mail_that_is_returned_tells_its_message_id(part: str) -> None:
    head = f"{HEAD}Message-ID: <own@mx.example>\nContent-Type: multipart/mixed; boundary=b\n\n"
    assert read_bounce(f"{head}--b\n{part}\n--b--\n".encode()).message_ids == (RETURNED,)


def test_a_text_that_names_nobody_still_says_that_something_failed() -> None:
    bounce = read_bounce(f"{HEAD}Subject: Mail\n\nIt could not\nbe delivered.\n".encode())
    assert (bounce.recipients, bounce.unnamed) == ((), True)
    bounce = read_bounce(f"{HEAD}Subject: Undeliverable\n\nSorry.\n".encode())
    assert (bounce.recipients, bounce.unnamed, bounce.words) == ((), True, "Sorry.")


def test_a_mail_about_anything_else_is_no_bounce() -> None:
    bounce = read_bounce(b"From: a@b.example\n\nMy colleague bert@mail.example is here.\n")
    assert (bounce.recipients, bounce.unnamed) == ((), False)


def test_a_sender_in_eight_bit_letters_upsets_nothing() -> None:
    head = "From: Zustelldienst für Post <MAILER-DAEMON@mx.example>\n\n"
    text = "Hi. This is the qmail-send program.\n\n<anna@old.example>:\nNo mailbox. (#5.1.1)\n"
    (failure,) = read_bounce((head + text).encode("latin-1")).recipients
    assert (failure.address, failure.status) == ("anna@old.example", "5.1.1")


@pytest.mark.parametrize(
    "part",
    (
        b"Content-Type: message/rfc822\n\n",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n",
        b"Content-Type: multipart/digest; boundary=b\n\n--b\n\n",
    ),
)
def test_parts_inside_each_other_are_read_to_some_depth_only(part: bytes) -> None:
    bounce = read_bounce(HEAD.encode() + part * 20_000)
    assert (bounce.recipients, bounce.message_ids) == ((), ())


def test_nothing_that_stands_too_late_is_read() -> None:
    late = b"\n" * 200_000 + b"Message-ID: <late@games.example>\n"
    assert read_bounce(HEAD.encode() + b"\n" + late).message_ids == ()


@pytest.mark.parametrize(
    ("reply", "fault"),
    (
        ("550 5.1.1 <anna@mail.example>: Recipient address rejected: User unknown", Fault.HARD),
        ("550 No such user", Fault.HARD),
        ("550 5.4.4 Unable to route: no such domain", Fault.HARD),
        ("552 5.2.2 Mailbox full", Fault.SOFT),
        ("552 Mailbox full", Fault.SOFT),
        ("451 4.3.0 Try again later", Fault.HARD),
        ("The connection was lost.", Fault.HARD),
    ),
)
def test_what_a_server_that_took_no_mail_says_of_the_recipient(reply: str, fault: Fault) -> None:
    failure = refusal("Anna@mail.example", reply)
    assert failure is not None
    assert (failure.address, failure.fault, failure.words) == ("anna@mail.example", fault, reply)


@pytest.mark.parametrize(
    "reply",
    (
        "550 5.7.60 Client does not have permissions to send as this sender",
        "553 Sender address rejected: not owned by user",
        "550 5.1.8 Bad sender's system address",
        "554 5.7.1 Spam",
        "552 5.3.4 Message too big",
        "554 Transaction failed",
    ),
)
def test_what_it_says_of_the_mail(reply: str) -> None:
    assert refusal("anna@mail.example", reply) is None
