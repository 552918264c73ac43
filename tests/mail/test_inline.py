"""Texts that are more than text, or say wrongly how they are written."""

from __future__ import annotations

import base64

import pytest

from pbem.mail.message.message import read_message
from pbem.mail.reply.reply_text import fresh_text


def text_of(raw: str, charset: str = "utf-8") -> str:
    return read_message(raw.encode(charset)).text


def test_a_file_inside_the_text_is_left_out() -> None:
    file = "begin 644 board.gif\nM5&AI<R!I<R!N;W0@82!P:6-T=7)E+@``\n`\nend"

    assert text_of(f"\n[8-B]\n\n{file}\n\nBye").split() == ["[8-B]", "Bye"]


def test_who_only_writes_of_beginning_and_end_is_read() -> None:
    words = "\nbegin 644 what?\nI never say such a thing, it has no end\nend"

    assert text_of(words) == words[1:]


def test_a_dash_that_signing_put_before_a_line_is_taken_away() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - [8-B]\n- -- \nClara\n"
    ends = "-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n"

    assert fresh_text(text_of(f"\n{signed}{ends}")).fresh == "- [8-B]"


def test_a_dash_in_a_text_that_is_not_signed_stays() -> None:
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
def test_enriched_text(source: str, text: str) -> None:
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
def test_a_charset_that_is_declared_wrongly_is_guessed(
    charset: str, written: str, declared: str
) -> None:
    raw = f"Content-Type: text/plain; charset={declared}\n\n{written}"

    assert text_of(raw, charset) == written


def test_a_boundary_other_than_the_declared_one_is_found() -> None:
    raw = (
        "Content-Type: multipart/mixed; boundary=declared\n\n--used\n"
        "Content-Type: text/plain\n\n[8-B]\n--used\nContent-Type: image/png\n\nx\n--used--\n"
    )

    assert text_of(raw) == "[8-B]"


def test_an_emoji_instead_of_an_answer_is_all_there_is() -> None:
    raw = (
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n👍\nClara reacted\n--b\n"
        'Content-Type: text/vnd.google.email-reaction+json\n\n{"emoji": "👍", "version": 1}\n'
        "--b\nContent-Type: text/html\n\n<p>👍</p>\n--b--\n"
    )

    assert text_of(raw) == "👍"


@pytest.mark.parametrize("broken", ("{", "[]", '{"emoji": 1}', "[" * 10_000))
def test_a_broken_emoji_is_none(broken: str) -> None:
    raw = (
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n[8-B]\n--b\n"
        f"Content-Type: text/vnd.google.email-reaction+json\n\n{broken}\n--b--\n"
    )

    assert text_of(raw) == "[8-B]"


def test_a_sign_typed_at_the_beginning_of_a_flowed_line_is_no_quote() -> None:
    raw = "Content-Type: text/plain; format=flowed\n\n> old\n > 74 is more\n[8-B]"

    assert [line.strip("\u200c") for line in fresh_text(text_of(raw)).fresh.split("\n")] == [
        "> 74 is more",
        "[8-B]",
    ]


def test_the_name_that_outlook_puts_before_answers_is_left_out() -> None:
    raw = 'From: "Nowak, Clara" <clara@mail.example>\n\n[Nowak, Clara] [8-B]\n[Anna] hello'

    assert text_of(raw) == "[8-B]\n[Anna] hello"


@pytest.mark.parametrize("written", ("[8-B]", "[8-B]\nBye, Bert", "Well I play this now\nK4"))
def test_a_text_that_was_not_encoded_though_it_says_so_is_read(written: str) -> None:
    assert text_of(f"Content-Transfer-Encoding: base64\n\n{written}") == written


@pytest.mark.parametrize("written", ("[8-B]", "Hello Bert", "Żółw, jak zwykle. " * 50))
def test_what_is_encoded_is_decoded(written: str) -> None:
    encoded = base64.encodebytes(written.encode()).decode()

    assert text_of(f"Content-Transfer-Encoding: base64\n\n{encoded}") == written


@pytest.mark.parametrize("order", ("<", ">"))
def test_a_mark_of_byte_order_tells_the_charset(order: str) -> None:
    body = ("\ufeff[8-B] é").encode("utf-16-le" if order == "<" else "utf-16-be")

    assert read_message(b"Content-Type: text/plain; charset=utf-8\n\n" + body).text == "[8-B] é"


@pytest.mark.parametrize("place", ("[cid:a.png@01D]", "[image: a b.png]", "<IMG_1234.jpeg>"))
def test_the_place_of_a_picture_is_no_word_of_the_person(place: str) -> None:
    assert fresh_text(f"[8-B]\n{place}\nBye").fresh == "[8-B]\nBye"
