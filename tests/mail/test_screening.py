"""Which mails are never answered, one sign at a time; whole mails are in tests/data/mail."""

import pytest

from pbem.mail.incoming.message import read_message
from pbem.mail.incoming.screening import Screening, Verdict, screen

CLUB = "club@games.example"


def screened(*header: str, sender: str = "clara@mail.example", club: str = CLUB) -> Screening:
    lines = (*header, f"From: {sender}", "To: club@games.example", "", "[8-B]")
    return screen(read_message("\n".join(lines).encode()), club)


@pytest.mark.parametrize(
    "header",
    (
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: Auto-Generated; owner=x",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: auto_reply",
        "X-Auto-Response-Suppress: All",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "X-Autoreply: yes",
        "X-Autorespond: [pbem 12]",
        "X-Cron-Env: <SHELL=/bin/sh>",
        "Subject: Automatic reply: [pbem 12]",
        "Subject: =?utf-8?q?Odpowied=C5=BA_automatyczna=3A_pbem?=",
        "Subject: Abwesenheitsnotiz",
        "Subject: Respuesta automática: hola",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b",
    ),
)
def test_automatic(header: str) -> None:
    assert screened(header).verdict is Verdict.AUTOMATIC


@pytest.mark.parametrize(
    "header",
    (
        "Return-Path: <>",
        "Return-Path: <MAILER-DAEMON>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "Content-Type: Multipart/Report; boundary=b",
        "X-Failed-Recipients: clara@mail.example",
    ),
)
def test_bounce(header: str) -> None:
    assert screened(header).verdict is Verdict.BOUNCE


@pytest.mark.parametrize("sender", ("MAILER-DAEMON@mx.example", "postmaster@mx.example"))
def test_a_mail_server_is_never_answered(sender: str) -> None:
    assert screened(sender=sender).verdict is Verdict.BOUNCE


@pytest.mark.parametrize(
    "header",
    ("List-Id: <a.lists.example>", "List-Unsubscribe: <mailto:a>", "Precedence: list"),
)
def test_list(header: str) -> None:
    assert screened(header).verdict is Verdict.LIST


@pytest.mark.parametrize("sender", ("owner-games@a.example", "games-request@a.example"))
def test_the_keeper_of_a_list_is_never_answered(sender: str) -> None:
    assert screened(sender=sender).verdict is Verdict.LIST


@pytest.mark.parametrize("sender", ("no-reply@a.example", "NoReply@a.example", "do_not_reply@a.de"))
def test_an_address_that_nobody_reads_is_never_answered(sender: str) -> None:
    assert screened(sender=sender).verdict is Verdict.AUTOMATIC


@pytest.mark.parametrize(
    ("sender", "club"),
    (
        ("club@games.example", CLUB),
        ("Club@Games.Example", CLUB),
        ("pbem <club+12-15-n-k3v7q2mzt4hwa6xd@games.example>", CLUB),
        ("my+club+12-15-n-k3v7q2mzt4hwa6xd@games.example", "My+Club@games.example"),
    ),
)
def test_our_own_mail(sender: str, club: str) -> None:
    assert screened(sender=sender, club=club).verdict is Verdict.OWN


def test_our_own_mail_from_somebody_else() -> None:
    ours = "Message-ID: <12-15-n-k3v7q2mzt4hwa6xd.4711@games.example>"
    assert screened(ours).verdict is Verdict.OWN


@pytest.mark.parametrize(
    "sender",
    ("club@mail.example", "clubber@games.example", "club+12@mail.example", "my@games.example"),
)
def test_an_address_like_ours_is_somebody_else(sender: str) -> None:
    assert screened(sender=sender).verdict is Verdict.ANSWER


@pytest.mark.parametrize(
    "header",
    (
        "X-Nothing: y",
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "X-Auto-Response-Suppress: DR, RN",
        "X-Autoreply: no",
        "Return-Path: <clara@mail.example>",
        "Subject: Re: Automatic reply: [pbem 12]",
        "Subject: Re: [pbem 12] I am out of the office tomorrow",
        "In-Reply-To: <12-15-n-k3v7q2mzt4hwa6xd.4711@games.example>",
        "Content-Type: text/plain",
    ),
)
def test_answer(header: str) -> None:
    assert screened(header) == Screening(Verdict.ANSWER)


def test_only_the_return_path_of_the_delivering_server_counts() -> None:
    on_top = "Return-Path: <clara@mail.example>"
    assert not screened(on_top, "Received: by a", "Return-Path: <>").silent
    assert not screened("Subject: written by the sender", "Return-Path: <>").silent
    assert screened("Delivered-To: x", "Received: by a", "Return-Path: <>").silent


def test_a_vacation_answer_is_no_bounce() -> None:
    vacation = screened("Return-Path: <>", "Auto-Submitted: auto-replied (vacation)")
    assert vacation.verdict is Verdict.AUTOMATIC


def test_a_report_is_a_bounce_though_it_is_automatic() -> None:
    report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b"
    assert screened("Auto-Submitted: auto-replied", report).verdict is Verdict.BOUNCE


def test_there_is_nobody_to_answer() -> None:
    assert screened("From: eve@mail.example").verdict is Verdict.NOBODY
    assert screened(sender="").verdict is Verdict.NOBODY


def test_the_reason_is_told() -> None:
    assert screened("Precedence: bulk").reason == "it says Precedence: bulk"
