"""Texts that are more than text, or that declare a wrong encoding."""

from __future__ import annotations

import base64

import pytest

from pbem.mail.message.message import read_message
from pbem.mail.reply.reply_text import fresh_text


def text_of(raw: str, charset: str = "utf-8") -> str:
    return read_message(raw.encode(charset)).text


def test_uuencoded_file_inside_the_text_is_left_out() -> None:
    file = "begin 644 board.gif\nM5&AI<R!I<R!N;W0@82!P:6-T=7)E+@``\n`\nend"

    assert text_of(f"\n[8-B]\n\n{file}\n\nBye").split() == ["[8-B]", "Bye"]


def test_sentence_with_begin_and_end_is_read() -> None:
    words = "\nbegin 644 what?\nI never say such a thing, it has no end\nend"

    assert text_of(words) == words[1:]


def test_dash_escape_of_a_signed_text_is_removed() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - [8-B]\n- -- \nClara\n"
    ends = "-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n"

    assert fresh_text(text_of(f"\n{signed}{ends}")).fresh == "- [8-B]"


def test_dash_in_an_unsigned_text_is_kept() -> None:
    assert text_of("\n- [8-B]") == "- [8-B]"


@pytest.mark.parametrize(
    ("source", "text"),
    (
        ("one\ntwo\n\nthree\n\n\nfour", "one two\nthree\n\nfour"),
        ("<bold>[8-B]</bold> 8 << 12", "[8-B] 8 < 12"),
        ("<nofill>one\ntwo\n</nofill>three\nfour", "one\ntwo\nthree four"),
        ("<color><param>red</param>[8-B]</color>", "[8-B]"),
        ("yes<excerpt>one\ntwo\n\nthree</excerpt>\nno", "yes\n> one two\n> three\n no"),
        ("<Excerpt><nofill>one\ntwo</nofill></Excerpt>yes", "\n> one\n> two\nyes"),
    ),
)
def test_enriched_text_is_read(source: str, text: str) -> None:
    assert text_of(f"Content-Type: text/enriched\n\n{source}") == text


@pytest.mark.parametrize(
    ("charset", "written"),
    (
        ("cp1250", "Cześć, gram tak: zażółć gęślą jaźń"),
        ("iso8859-2", "Dziękuję! Na pewno się spóźnię"),
        ("cp1252", "Schöne Grüße aus Köln – bis bald"),
        ("cp1252", "Voilà, c’est décidé : même très tôt"),
        ("cp1252", "¿Qué tal? Mañana más"),
        ("cp1251", "Привет, мой ход"),
        ("koi8-r", "Привет, мой ход"),
    ),
)
@pytest.mark.parametrize("declared", ("utf-8", ""))
def test_wrong_charset_is_corrected(charset: str, written: str, declared: str) -> None:
    raw = f"Content-Type: text/plain; charset={declared}\n\n{written}"

    assert text_of(raw, charset) == written


def test_undeclared_boundary_is_found() -> None:
    raw = (
        "Content-Type: multipart/mixed; boundary=declared\n\n--used\n"
        "Content-Type: text/plain\n\n[8-B]\n--used\nContent-Type: image/png\n\nx\n--used--\n"
    )

    assert text_of(raw) == "[8-B]"


def test_emoji_reaction_is_the_whole_answer() -> None:
    raw = (
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n👍\nClara reacted\n--b\n"
        'Content-Type: text/vnd.google.email-reaction+json\n\n{"emoji": "👍", "version": 1}\n'
        "--b\nContent-Type: text/html\n\n<p>👍</p>\n--b--\n"
    )

    assert text_of(raw) == "👍"


@pytest.mark.parametrize("broken", ("{", "[]", '{"emoji": 1}', "[" * 10_000))
def test_broken_emoji_reaction_is_ignored(broken: str) -> None:
    raw = (
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n[8-B]\n--b\n"
        f"Content-Type: text/vnd.google.email-reaction+json\n\n{broken}\n--b--\n"
    )

    assert text_of(raw) == "[8-B]"


def test_mark_typed_at_the_start_of_a_flowed_line_makes_no_quote() -> None:
    raw = "Content-Type: text/plain; format=flowed\n\n> old\n > 74 is more\n[8-B]"

    assert [line.strip("\u200c") for line in fresh_text(text_of(raw)).fresh.split("\n")] == [
        "> 74 is more",
        "[8-B]",
    ]


def test_name_that_outlook_puts_before_answers_is_removed() -> None:
    raw = 'From: "Nowak, Clara" <clara@mail.example>\n\n[Nowak, Clara] [8-B]\n[Anna] hello'

    assert text_of(raw) == "[8-B]\n[Anna] hello"


@pytest.mark.parametrize("written", ("[8-B]", "[8-B]\nBye, Bert", "Well I play this now\nK4"))
def test_text_that_only_claims_to_be_base64_is_read(written: str) -> None:
    assert text_of(f"Content-Transfer-Encoding: base64\n\n{written}") == written


@pytest.mark.parametrize("written", ("[8-B]", "Hello Bert", "Żółw, jak zwykle. " * 50))
def test_base64_text_is_decoded(written: str) -> None:
    encoded = base64.encodebytes(written.encode()).decode()

    assert text_of(f"Content-Transfer-Encoding: base64\n\n{encoded}") == written


@pytest.mark.parametrize("order", ("<", ">"))
def test_byte_order_mark_decides_the_charset(order: str) -> None:
    body = ("\ufeff[8-B] é").encode("utf-16-le" if order == "<" else "utf-16-be")

    assert read_message(b"Content-Type: text/plain; charset=utf-8\n\n" + body).text == "[8-B] é"


@pytest.mark.parametrize("place", ("[cid:a.png@01D]", "[image: a b.png]", "<IMG_1234.jpeg>"))
def test_picture_placeholder_is_not_the_persons_text(place: str) -> None:
    assert fresh_text(f"[8-B]\n{place}\nBye").fresh == "[8-B]\nBye"
