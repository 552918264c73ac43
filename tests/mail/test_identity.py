"""A member's name and address are found anywhere and removed. Other members' stay."""

from __future__ import annotations

import email.policy
from email.message import EmailMessage
from html import escape
from urllib.parse import quote

import pytest

from pbem.mail.identity import Identity

ANNE = Identity(("Änne Żółć",), ("Anne.Zolc@bücher.example",), "former member 1")
BORIS = Identity(("Борис",), ("boris@mail.example",), "former member 2")


@pytest.mark.parametrize(
    ("text", "without"),
    (
        ("Änne Żółć writes:", "former member 1 writes:"),
        ("| hello Änne\n| Żółć, well played", "| hello former member 1, well played"),
        ("<ANNE.zolc@BÜCHER.example>", "<former member 1>"),
        ("anne.zolc@xn--bcher-kva.example.", "former member 1."),
        ("mailto:Anne.Zolc%40xn--bcher-kva.example", "mailto:former member 1"),
        (quote("Änne Żółć"), "former member 1"),
        (escape("(Änne Żółć)"), "(former member 1)"),
        ("Änne Żółćka, XÄnne Żółć", "Änne Żółćka, XÄnne Żółć"),
        ("joanne.zolc@bücher.example", "joanne.zolc@bücher.example"),
        ("anne.zolc@bücher.example.org", "anne.zolc@bücher.example.org"),
        ("Änne", "Änne"),
    ),
)
def test_own_name_is_removed_from_text_and_others_are_not(text: str, without: str) -> None:
    assert ANNE.out_of(text) == without
    assert ANNE.is_in(text) is (without != text)


@pytest.mark.parametrize("charset", ("utf-8", "iso-8859-2", "utf-16"))
@pytest.mark.parametrize("encoding", ("base64", "quoted-printable", "8bit"))
def test_name_in_an_email_is_found_in_every_encoding(charset: str, encoding: str) -> None:
    if (charset, encoding) == ("utf-16", "8bit"):
        return
    for text, named in (("gewonnen hat Änne Żółć!\n", True), ("gewonnen hat Änne Żółćka\n", False)):
        message = EmailMessage()
        message.set_content(text * 20, charset=charset, cte=encoding)
        assert ANNE.is_in_mail(message.as_bytes(policy=email.policy.SMTP)) is named


def test_name_is_found_in_headers_and_attached_emails() -> None:
    inner = EmailMessage()
    inner["Subject"] = "[pbem 12] Lanko-68: Борис, Bert"
    inner.set_content("nothing")
    outer = EmailMessage()
    outer.set_content("see below")
    outer.add_attachment(inner)
    for message in (inner, outer):
        raw = message.as_bytes(policy=email.policy.SMTP)
        assert BORIS.is_in_mail(raw)
        assert not ANNE.is_in_mail(raw)


def test_unreadable_email_may_name_a_member() -> None:
    assert not ANNE.is_in_mail(b"\xff\xfe=?\n\n\0")
    assert BORIS.is_in_mail(b"Content-Type: text/plain; charset=koi8-r\n\n\xe2\xcf\xd2\xc9\xd3\n")
