"""Bounces, form by form. Whole bounces of servers are in tests/data/mail."""

from __future__ import annotations

from base64 import b64encode

import pytest

from pbem.mail.bounce.bounce import read_bounce
from pbem.mail.bounce.failure import DeliveryFailure, Fault

HEAD = "From: MAILER-DAEMON@mx.example\nTo: club+b-u7@games.example\n"


def report(*fields: str, kind: str = "message/delivery-status") -> bytes:
    """Return a delivery status notification about one recipient."""
    lines = [
        *HEAD.splitlines(),
        "Message-ID: <its-own@mx.example>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        *("", "--b", "", "It could not be delivered.", "--b", f"Content-Type: {kind}", ""),
        *("Reporting-MTA: dns; mx.example", "", *fields, "--b--", ""),
    ]
    return "\n".join(lines).encode()


def about(status: str, words: str = "", action: str = "failed") -> DeliveryFailure:
    """Return the failure in a report on anna@mail.example."""
    fields = ["Final-Recipient: rfc822; Anna@Mail.example", f"Action: {action}"]
    fields += [f"Status: {status}"] if status else []
    fields += [f"Diagnostic-Code: smtp; {words}"] if words else []
    (failure,) = read_bounce(report(*fields)).recipients
    return failure


@pytest.mark.parametrize(
    ("status", "words", "fault"),
    (
        ("5.1.1", "550 5.1.1 User unknown", Fault.HARD),
        ("5.7.1", "554 5.7.1 Spam", Fault.SOFT),
        ("5.0.0", "", Fault.SOFT),
        ("511", "", Fault.HARD),
        ("5.2.2 (mailbox full)", "", Fault.SOFT),
        ("5.1.1", "host 5.2.2.7 said: 550 5.1.1 nobody", Fault.HARD),
    ),
)
def test_bounce_is_hard_or_soft_by_status_and_words(status: str, words: str, fault: Fault) -> None:
    assert about(status, words).fault is fault


def test_delay_does_not_count_as_failure() -> None:
    assert about("4.4.1", action="delayed (1 hour)").fault is Fault.DELAYED
    fields = ("Final-Recipient: rfc822; a@mail.example", "Action: delayed", "Status: 4.4.1")
    assert read_bounce(report(*fields)).failed == ()


@pytest.mark.parametrize("action", ("delivered", "relayed", "expanded"))
def test_delivered_email_does_not_count_as_failure(action: str) -> None:
    bounce = read_bounce(report("Final-Recipient: rfc822; a@mail.example", f"Action: {action}"))
    assert (bounce.recipients, bounce.reported, bounce.unnamed) == ((), True, False)


@pytest.mark.parametrize(("blank", "read"), ((1900, 1), (2100, 0)))
@pytest.mark.parametrize("end", ("\n", "\r\n", "\r"))
def test_blank_lines_are_read_up_to_a_limit(end: str, blank: int, read: int) -> None:
    raw = report(end * blank, "Final-Recipient: rfc822; a@mail.example", "Action: failed")
    assert len(read_bounce(raw).recipients) == read


def test_original_recipient_comes_before_the_final_one() -> None:
    fields = (
        "Original-Recipient: rfc822; anna@alias.example",
        "Final-Recipient: rfc822; box17@mail.example",
        "Action: failed",
    )
    (failure,) = read_bounce(report(*fields)).recipients
    assert failure.address == "anna@alias.example"


def test_several_recipients_are_read() -> None:
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
def test_returned_email_gives_its_message_id(part: str) -> None:
    head = f"{HEAD}Message-ID: <own@mx.example>\nContent-Type: multipart/mixed; boundary=b\n\n"
    assert read_bounce(f"{head}--b\n{part}\n--b--\n".encode()).message_ids == (RETURNED,)


def test_bounce_without_a_name_still_reports_a_failure() -> None:
    bounce = read_bounce(f"{HEAD}Subject: Mail\n\nIt could not\nbe delivered.\n".encode())
    assert (bounce.recipients, bounce.unnamed) == ((), True)
    bounce = read_bounce(f"{HEAD}Subject: Undeliverable\n\nSorry.\n".encode())
    assert (bounce.recipients, bounce.unnamed, bounce.words) == ((), True, "Sorry.")


def test_email_about_anything_else_does_not_count_as_bounce() -> None:
    bounce = read_bounce(b"From: a@b.example\n\nMy colleague bert@mail.example is here.\n")
    assert (bounce.recipients, bounce.unnamed) == ((), False)


def test_sender_in_eight_bit_letters_is_harmless() -> None:
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
def test_nested_parts_are_read_to_a_limited_depth(part: bytes) -> None:
    bounce = read_bounce(HEAD.encode() + part * 20_000)
    assert (bounce.recipients, bounce.message_ids) == ((), ())


def test_text_after_the_limit_is_not_read() -> None:
    late = b"\n" * 200_000 + b"Message-ID: <late@games.example>\n"
    assert read_bounce(HEAD.encode() + b"\n" + late).message_ids == ()


ANNA = "Final-Recipient: rfc822; anna@mail.example"


@pytest.mark.parametrize(
    "action", ("failed", "failure", "expired", "error", "Failed (gave up)", "rejected", "bounced")
)
def test_unknown_action_counts_as_failed(action: str) -> None:
    (failure,) = read_bounce(report(ANNA, f"Action: {action}", "Status: 5.1.1")).failed
    assert (failure.address, failure.fault) == ("anna@mail.example", Fault.HARD)


def test_recipient_without_an_action_is_judged_by_the_status() -> None:
    assert read_bounce(report(ANNA, "Status: 5.1.1")).failed[0].fault is Fault.HARD
    arrived = read_bounce(report(ANNA, "Status: 2.0.0"))
    assert (arrived.tells, arrived.recipients) == (True, ())


@pytest.mark.parametrize(
    "fields",
    (
        ("Action: failed", "Status: 5.1.1"),
        ("Final-Recipient: LOCAL;", "Action: failed", "Status: 5.1.1"),
        ("Final-Recipient: x500; /CN=ANNA/", "Action: failed", "Status: 5.1.1"),
    ),
)
def test_report_without_a_recipient_is_about_the_returned_emails_one(
    fields: tuple[str, ...],
) -> None:
    (failure,) = read_bounce(report(*fields)).failed
    assert (failure.address, failure.fault) == ("", Fault.HARD)
    part = "--b\nContent-Type: text/rfc822-headers\n\n"
    part += f"Message-ID: {RETURNED}\nTo: Anna <a@b.example>\n"
    raw = report(*fields).decode().replace("--b--", f"{part}--b--")
    (failure,) = read_bounce(raw.encode()).failed
    assert (failure.address, failure.fault) == ("a@b.example", Fault.HARD)


def test_report_on_nobody_still_reports_a_failure() -> None:
    bounce = read_bounce(report())
    assert (bounce.recipients, bounce.reported, bounce.unnamed) == ((), False, True)


@pytest.mark.parametrize(
    "kind", ("text/plain", "application/octet-stream", "message/global-delivery-status")
)
def test_report_fields_are_read_in_any_part(kind: str) -> None:
    (failure,) = read_bounce(report(ANNA, "Action: failed", "Status: 5.1.1", kind=kind)).failed
    assert (failure.address, failure.fault) == ("anna@mail.example", Fault.HARD)


def test_base64_fields_are_read() -> None:
    fields = f"Reporting-MTA: dns; mx.example\n\n{ANNA}\nAction: failed\nStatus: 5.1.1\n"
    told = "delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
    encoded = b64encode(fields.encode()).decode()
    instead = f"delivery-status\nContent-Transfer-Encoding: base64\n\n{encoded}\n"
    assert told in report().decode()
    (failure,) = read_bounce(report().decode().replace(told, instead).encode()).failed
    assert (failure.address, failure.fault) == ("anna@mail.example", Fault.HARD)


def test_report_inside_the_returned_email_is_not_believed() -> None:
    inner = report(ANNA, "Action: failed", "Status: 5.1.1").decode()
    raw = f"{HEAD}Content-Type: message/rfc822\n\n{inner}"
    assert not read_bounce(raw.encode()).reported


@pytest.mark.parametrize(
    ("text", "fault"),
    (
        ("Not delivered: the mailbox\nis full.\n\n<anna@mail.example>\n550", Fault.SOFT),
        ("<anna@mail.example> not delivered: 550 5.1.1\nMailbox\nfull.", Fault.SOFT),
        ("Mailbox full, not delivered:\n<anna@mail.example>: 550 5.1.1", Fault.SOFT),
        ("Not delivered to anna@mail.example: there is no such mailbox.", Fault.HARD),
        ("Not delivered to anna@mail.example: looks like spam.", Fault.SOFT),
        ("Not delivered to anna@mail.example.", Fault.SOFT),
        ("配信できませんでした。宛先:anna@mail.example 理由:ユーザが存在しません。", Fault.HARD),
        ("配信不能：anna@mail.exampleのメールボックスがいっぱいです。", Fault.SOFT),
        ("邮件无法送达：收件人（anna@mail.example）不存在。", Fault.HARD),
        ("您的邮件被退回：anna@mail.example，对方邮箱已满。", Fault.SOFT),
        ("退信：anna@mail.example，被判定为垃圾邮件，用户不存在或拒收", Fault.SOFT),
        ("메일이 전송되지 않았습니다: anna@mail.example 사용자가 존재하지 않습니다.", Fault.HARD),
        ("메일이 반송되었습니다: anna@mail.example 메일함이 가득 찼습니다.", Fault.SOFT),
        ("Ileti iletilemedi: anna@mail.example kullanıcı bulunamadı.", Fault.HARD),
        ("Το μήνυμα δεν παραδόθηκε: anna@mail.example, ο χρήστης δεν υπάρχει.", Fault.HARD),
        ("A levél nem kézbesíthető: anna@mail.example címzett nem létezik.", Fault.HARD),
    ),
)
def test_bounce_is_hard_or_soft_by_words_alone(text: str, fault: Fault) -> None:
    (failure,) = read_bounce(f"{HEAD}Subject: Undeliverable\n\n{text}\n".encode()).failed
    assert (failure.address, failure.fault) == ("anna@mail.example", fault)


@pytest.mark.parametrize(
    "told",
    (
        f"X-Original-Message-ID: {RETURNED}\n\n.",
        f"Subject: Undeliverable: {RETURNED}\n\n.",
        f"\nYour mail with the message id {RETURNED[1:-1]} was lost.",
        f"Content-Type: text/html\n\n<p>Message-ID: &lt;{RETURNED[1:-1]}&gt;</p>",
    ),
)
def test_message_id_is_found_in_odd_places(told: str) -> None:
    assert read_bounce(f"{HEAD}{told}\n".encode()).message_ids == (RETURNED,)


@pytest.mark.parametrize(
    ("disposition", "failed"),
    (
        ("automatic-action/MDN-sent-automatically; deleted", ["anna@mail.example"]),
        ("automatic-action/MDN-sent-automatically;deleted/error", ["anna@mail.example"]),
        ("manual-action/MDN-sent-manually; displayed", []),
    ),
)
def test_filter_that_refuses_by_a_receipt_names_the_recipient(
    disposition: str, failed: list[str]
) -> None:
    receipt = "\n".join(
        (
            f"{HEAD}Content-Type: multipart/report; report-type=disposition-notification;",
            " boundary=b\n\n--b\n\nI want no mail from machines.\n--b",
            "Content-Type: message/disposition-notification\n",
            "Final-Recipient: rfc822; anna@mail.example",
            f"Disposition: {disposition}\n\n--b--\n",
        )
    )
    bounce = read_bounce(receipt.encode())
    assert [each.address for each in bounce.failed] == failed
    assert all(each.fault is Fault.SOFT for each in bounce.failed)
