"""Emails in any form, as they are read."""

from dataclasses import fields
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import assume, given, settings, strategies as st

from pbem.mail.message import size_limits
from pbem.mail.message.message import Message, digest, read_message
from pbem.mail.message.size_limits import MAX_DEPTH, MAX_PARTS, MAX_TEXT
from pbem.mail.reply.reply_text import fresh_text
from tests.mail.corpus import CASES
from tests.support.examples import examples


def read(*header: str, body: str = "", charset: str = "utf-8") -> Message:
    return read_message(("\n".join(header) + "\n\n" + body).encode(charset))


def texts_of(message: Message) -> list[str]:
    values: list[str] = [value for pair in message.headers.fields for value in pair]
    for field in fields(message):
        value = getattr(message, field.name)
        if isinstance(value, str):
            values.append(value)
        elif isinstance(value, tuple):
            values += value
    return values


# Headers


def test_headers_are_unfolded_and_decoded() -> None:
    message = read(
        "Message-ID:",
        "  <a@b.example>",
        "From: =?utf-8?q?J=C3=B6rg?= =?utf-8?q?_M?= <Joerg@Mail.Example>",
        "Subject: =?utf-8?b?xbvDs8WC?=",
        " =?utf-8?b?dw==?= and more",
        "Date: Sat, 21 Nov 2026",
        "  19:12:01 +0100",
    )

    assert message.message_id == "<a@b.example>"
    assert message.from_address == "joerg@mail.example"
    assert message.from_name == "Jörg M"
    assert message.subject == "Żółw and more"
    assert message.date_header == "Sat, 21 Nov 2026 19:12:01 +0100"


def test_character_split_over_two_encoded_words_is_joined() -> None:
    assert read("Subject: =?utf-8?b?xQ==?= =?utf-8?b?uw==?=").subject == "Ż"


def test_encoded_line_break_stays_in_its_header() -> None:
    message = read("From: =?utf-8?q?Eve=0D=0ABcc:_all?= <eve@mail.example>", "Subject: a\0b\x1b[1m")

    assert message.from_name == "Eve Bcc: all"
    assert message.subject == "ab[1m"


def test_references_start_with_the_answered_email() -> None:
    message = read("References: <1@a> <2@a>", "  <3@a> <1@a>", "In-Reply-To: <3@a>")

    assert message.in_reply_to == ("<3@a>",)
    assert message.references == ("<3@a>", "<1@a>", "<2@a>")


def test_every_recipient_header_counts() -> None:
    message = read(
        'To: "pbem, your turn" <Club+1-2-n-aaaa@games.example>, Bert <bert@mail.example>',
        "Cc: group: anna@mail.example;",
        "Delivered-To: club@games.example",
        "X-Original-To: club+1-2-n-aaaa@games.example",
        "Envelope-To: <other@games.example>",
    )

    assert message.recipients == (
        "club+1-2-n-aaaa@games.example",
        "bert@mail.example",
        "anna@mail.example",
        "club@games.example",
        "other@games.example",
    )


@pytest.mark.parametrize(
    ("value", "address", "name"),
    (
        ("clara@mail.example", "clara@mail.example", ""),
        ("<clara@mail.example>", "clara@mail.example", ""),
        ("clara@mail.example (Clara)", "clara@mail.example", "Clara"),
        ('"Nowak, Clara" <clara@mail.example>', "clara@mail.example", "Nowak, Clara"),
        ("Nowak, Clara <clara@mail.example>", "clara@mail.example", "Nowak, Clara"),
        (r'"Clara \"C\" N" <clara@mail.example>', "clara@mail.example", 'Clara "C" N'),
        ('"=?utf-8?q?J=C3=B6rg?=" <j@mail.example>', "j@mail.example", "Jörg"),
        ("anna@good.example <eve@mail.example>", "eve@mail.example", "anna@good.example"),
        ('"anna@good.example" <eve@mail.example>', "eve@mail.example", "anna@good.example"),
        (
            "=?utf-8?q?anna=40good.example=2C?= <eve@a.example>",
            "eve@a.example",
            "anna@good.example,",
        ),
    ),
)
def test_sender_has_address_and_name(value: str, address: str, name: str) -> None:
    message = read(f"From: {value}")

    assert (message.from_address, message.from_name) == (address, name)


@pytest.mark.parametrize(
    "header",
    (
        (),
        ("From:",),
        ("From: Clara",),
        ("From: clara@a.example, eve@b.example",),
        ("From: Clara <clara@a.example>, Eve <eve@b.example>",),
        ("From: <clara@a.example> <eve@b.example>",),
        ("From: clara@a.example", "From: clara@a.example"),
        ("From: group: clara@a.example;",),
        ("From: clara@a.example@b.example",),
        ("From: <@a.example:clara@b.example>",),
        ("From: <clara@a.example", " , eve@b.example>"),
        ("From: =?utf-8?q?clara=40a.example?=",),
        ("From: cl(x)ara@a.example",),
        ("From: Clara <cl(x)ara@a.example>",),
        ("From: clara(x)@a.example",),
        ("From: clara@(x)a.example",),
        ("From: clara@a(x).example",),
        ("From: Clara <(x)clara@a.example>",),
        ("From: Clara <clara@a.example (x)>",),
        ("From: clara@a. example",),
        ("From: clara@a.", " example"),
        ('From: "clara"@a.example',),
        ("From: Clara <=?utf-8?q?clara?=@a.example>",),
        ("From: \N{KELVIN SIGN}arl@a.example",),
    ),
)
def test_email_without_exactly_one_sender_has_no_sender(header: tuple[str, ...]) -> None:
    assert read(*header).from_address == ""


UNSEEN = (
    *("\u200b", "\u00ad", "\U000e0063", "\x01", "\x7f", "\x00", "\u2060", "\ufeff", "\u202e"),
    *("\u200d", "\ufe0f", "\x1c", "\u3164", "\x85"),
)


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
@pytest.mark.parametrize(
    "value",
    (
        *("cl{}ara@a.example", "{}clara@a.example", "clara@a.exam{}ple", "clara@a.example{}"),
        *("Clara <cl{}ara@a.example>", "<clara{}@a.example>", "Clara <{}clara@a.example>"),
    ),
)
def test_invisible_character_in_a_sender_is_not_dropped(character: str, value: str) -> None:
    """That is another address: somebody else's, perhaps at the same provider."""
    assert read(f"From: {value.format(character)}").from_address == ""


@pytest.mark.parametrize(
    "name", ("\u200fClara", "Cla\u00adra", "Clara\u200b", "\x01Clara", "C(x)l")
)
def test_name_may_contain_what_its_address_may_not(name: str) -> None:
    message = read(f"From: {name} <clara@a.example>")
    assert message.from_address == "clara@a.example"
    assert message.from_name.isprintable()


def test_body_cannot_smuggle_in_a_header() -> None:
    message = read("From: eve@mail.example", "no header", "From: clara@mail.example")

    assert message.from_address == "eve@mail.example"
    assert "clara@mail.example" in message.text


def test_mbox_line_does_not_count_as_header() -> None:
    assert read("From clara Sat Nov 21", "From: clara@mail.example").from_address


def test_headers_over_the_limit_are_left_out() -> None:
    message = read(*(f"X-{n}: y" for n in range(5000)), "From: clara@mail.example", body="hello")

    assert message.excess == size_limits.TOO_MANY_FIELDS
    assert message.from_address == ""


# Bodies


@pytest.mark.parametrize(
    ("charset", "declared"),
    (
        ("utf-8", "utf-8"),
        ("utf-8", "us-ascii"),
        ("utf-8", ""),
        ("utf-8", "no-such-charset"),
        ("utf-8", "unicode_escape"),
        ("utf-8", "idna"),
        ("cp1252", "windows-1252"),
        ("cp1252", "iso-8859-1"),
        ("cp1252", "us-ascii"),
        ("cp1252", ""),
        ("cp1252", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-7", "UTF-7"),
    ),
)
def test_text_is_read_despite_a_wrong_charset(charset: str, declared: str) -> None:
    written = "Grüße – é"
    content_type = f"Content-Type: text/plain; charset={declared}\n\n".encode()

    assert read_message(content_type + written.encode(charset)).text == written


def test_broken_byte_does_not_spoil_the_rest() -> None:
    body = "Żółw".encode() + b" \xff " + "zółty".encode()
    raw = b"Content-Type: text/plain; charset=utf-8\n\n" + body

    assert read_message(raw).text == "Żółw \ufffd zółty"


def test_truncated_base64_is_read_as_far_as_possible() -> None:
    raw = b"Content-Transfer-Encoding: base64\n\nWzgtQl0KVGhhbm\n!!"

    assert read_message(raw).text.startswith("[8-B]\nThan")


def test_part_without_headers_is_text() -> None:
    assert read_message(b"\n[8-B]\n").text == "[8-B]\n"


def test_flowed_text_is_unwrapped() -> None:
    message = read(
        "Content-Type: text/plain; format=flowed",
        body="one \ntwo\n> three \n> four\n>> five \n six\n-- \nClara",
    )

    assert message.text == "one two\n> three four\n>> five \nsix\n-- \nClara"


def test_flowed_text_may_ask_to_delete_the_blanks() -> None:
    message = read("Content-Type: text/plain; format=flowed; delsp=yes", body="[8 \n-B]\n")

    assert message.text == "[8-B]\n"


def test_text_that_is_not_flowed_keeps_its_lines() -> None:
    assert read("Content-Type: text/plain", body="one \ntwo").text == "one \ntwo"


def test_plain_text_is_preferred_and_files_are_not_read() -> None:
    mail = EmailMessage()
    mail.set_content("[8-B]\n")
    mail.add_alternative("<p>[9-C]</p>", subtype="html")
    mail.add_attachment("[10-D]", filename="moves.txt")
    mail.add_attachment(b"\0\1", "application", "ms-tnef", filename="winmail.dat")

    assert read_message(mail.as_bytes()).text.strip() == "[8-B]"


def test_only_text_part_is_read_although_it_has_a_file_name() -> None:
    assert read("Content-Type: text/plain; name=letter.txt", body="[8-B]").text == "[8-B]"


def test_html_alone_is_read_with_its_quotes_marked() -> None:
    body = "<p>Hi<br>there</p><blockquote type=cite><p>old</p><pre>a  b\n c</pre></blockquote>[8-B]"

    text = read("Content-Type: text/html", body=body).text

    assert [line for line in text.split("\n") if line.strip("> ")] == [
        "Hi",
        "there",
        "> old",
        "> a  b",
        ">  c",
        "[8-B]",
    ]


def test_table_cells_are_lines() -> None:
    body = "<table><tr><td>[8-B]</td><td>please</td></tr><tr><td>Clara</td></tr></table>"

    assert read("Content-Type: text/html", body=body).text.split("\n") == [
        "[8-B]",
        "please",
        "Clara",
    ]


def test_html_that_repeats_the_text_is_left_out() -> None:
    mail = "--b\n\n[8-B]\n--b\nContent-Type: text/html\n\n<p>[8-B]</p>\n--b--"

    assert read("Content-Type: multipart/mixed; boundary=b", body=mail).text == "[8-B]"


def test_hidden_html_is_not_read() -> None:
    body = (
        '<p style="x: y; display: none !important">[9-C]</p><style>[9-D]</style><!-- [9-E] -->[8-B]'
    )

    assert read("Content-Type: text/html", body=body).text.strip() == "[8-B]"


def test_attached_email_is_not_read() -> None:
    inner = EmailMessage()
    inner.set_content("[9-C]")
    mail = EmailMessage()
    mail.set_content("[8-B]\n")
    mail.add_attachment(inner)

    assert read_message(mail.as_bytes()).text.strip() == "[8-B]"


def test_multipart_without_parts_is_text() -> None:
    assert read("Content-Type: multipart/mixed; boundary=x", body="[8-B]").text == "[8-B]"
    assert read("Content-Type: multipart/mixed", body="[8-B]").text == "[8-B]"


def test_parts_end_at_their_own_boundary() -> None:
    mail = (
        "preamble\n--a\nContent-Type: multipart/alternative; boundary=ab\n\n"
        "--ab\n\none\n--a b is text\n--ab--\n--a  \n\ntwo\n--a--\nepilogue"
    )

    assert read('Content-Type: multipart/mixed; boundary="a"', body=mail).text == (
        "one\n--a b is text\ntwo"
    )


def test_deep_nesting_is_not_followed() -> None:
    depth = MAX_DEPTH + 5
    opens = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth)
    )

    assert read_message(f"{opens}\n[8-B]".encode()).excess == size_limits.TOO_DEEP


def test_excessive_parts_are_not_read() -> None:
    parts = "--b\n\nx\n" * (MAX_PARTS + 5)

    message = read("Content-Type: multipart/mixed; boundary=b", body=parts)

    assert message.excess == size_limits.TOO_MANY_PARTS
    assert message.text.count("x") == MAX_PARTS


def test_inline_pictures_do_not_count_towards_the_limit() -> None:
    body = f'<img src="data:image/png;base64,{"QUJD" * 300_000}"><p>[8-B]</p>'

    message = read("Content-Type: text/html", body=body)

    assert (message.text.strip(), message.excess) == ("[8-B]", None)


@given(text=st.text(max_size=300), encoding=st.sampled_from(("8bit", "base64", "quoted-printable")))
def test_email_of_the_standard_library_is_read_back(text: str, encoding: str) -> None:
    readable = "".join(char for char in text if char.isprintable() or char == "\n") + "\n"
    assume("html" not in readable.casefold())  # it might announce HTML to be read instead
    mail = EmailMessage(policy=SMTP)
    mail.set_content(readable, cte=encoding)
    mail.add_alternative("<p>no</p>", subtype="html")

    text = read_message(mail.as_bytes()).text

    # The line break before a boundary belongs to the boundary. A blank text counts as no text.
    assert text.rstrip("\n") == readable.rstrip("\n") or not readable.strip()


# The digest


def test_digest_ignores_what_servers_add_and_repair() -> None:
    mail = b"From: clara@mail.example\nDate: today\nSubject: x\n\n[8-B]\n"
    again = b"Received: by b\n" + mail.replace(b"\n", b"\r\n") + b"\r\n"

    assert digest(mail) == digest(again)


@pytest.mark.parametrize(
    "other",
    (
        b"From: bert@mail.example\nDate: today\n\n[8-B]\n",
        b"From: clara@mail.example\nDate: tomorrow\n\n[8-B]\n",
        b"From: clara@mail.example\nDate: today\n\n[9-C]\n",
    ),
)
def test_digest_differs_between_emails(other: bytes) -> None:
    assert digest(b"From: clara@mail.example\nDate: today\n\n[8-B]\n") != digest(other)


# Arbitrary input


def check_any(raw: bytes) -> None:
    message = read_message(raw)
    for text in texts_of(message):
        text.encode("utf-8")
        assert "\0" not in text
        assert "\x1b" not in text
    assert len(digest(raw)) == 64


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(raw: bytes) -> None:
    check_any(raw)


@given(data=st.data())
@settings(max_examples=examples(200))
def test_any_damage_to_an_email_is_survived(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from(CASES)).raw)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, max(0, len(raw) - 1)))
        length = data.draw(st.integers(0, 40))
        raw[at : at + length] = data.draw(st.binary(max_size=20))

    check_any(bytes(raw))


HOSTILE = (
    b"From: " + b"," * 2**20,
    b"From: " + b"(" * 2**20,
    b"From: " + b'"\\' * 2**19,
    b"To: " + b"a@" * 2**19,
    b"Subject: " + b"=?utf-8?q?" * 2**17,
    b"Subject: " + b"=?utf-8?b?YQ==?= " * 2**16,
    b"References: " + b"<" * 2**20,
    b"Content-Type: text/plain; " + b'a="' * 2**18,
    b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b" * 2**18,
    b"Content-Type: multipart/mixed; boundary=b\n\n" + b"\n--b " * 2**18,
    b"Content-Type: text/html\n\n" + b"<div>" * 2**18,
    b"Content-Type: text/html\n\n" + b"<blockquote>a" * 2**16,
    b"Content-Type: text/html\n\n" + b"<!--" * 2**18,
    b"Content-Type: text/html\n\n" + b"<p>a" * 2**18,
    b"Content-Type: text/html\n\n" + b'<p style="margin-top:99999em;padding-left:99999em">a' * 9**5,
    b"Content-Type: text/html\n\n<table><td><pre>" + b"a" * 2**19 + b"\n" * 2**19,
    b"Content-Type: text/plain; format=flowed\n\n" + b"> \n" * 2**18,
    b"Content-Type: text/plain; charset=utf-7\n\n" + b"+" * 2**20,
    b"Content-Transfer-Encoding: base64\n\n" + b"A=" * 2**19,
    b"X: y\n" * 2**18,
    b"\n" * 2**20,
    b"\x00" * 2**20,
    b"Subject: a\n" + b" b\n" * 2**18,
    b"Content-Type: text/plain" + b"; a*0*=utf-8''x" * 2**16,
    b"Content-Type: text/plain; charset*0=" + b"x" * 2**20,
    b"Content-Type: message/rfc822\n\n" * 2**15,
    b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 2**14,
    b"Content-Type: text/html\n\n" + b"<b><div>" * 100_000 + b"[8-B]" + b"</div>" * 100_000,
    b"Content-Type: text/html\n\n" + b"<table><tr><td>" * 6_000 + b"[8-B]",
    b"Content-Type: text/html\n\n" + b'<p class="signature">a' * 19_000,
    b"Content-Type: text/html\n\n" + b"&#x202e;&#57344;" * 2**16,
    b"Content-Type: text/enriched\n\n" + b"<nofill>\n\n" * 2**16,
    b"\nbegin 644 a\n" + b"M" * 60 + b"\n" * 2**20,
    b"\n" + b"begin 644 a\n" * 2**16 + b"\nend\n",
    b"\n-----BEGIN PGP SIGNED MESSAGE-----\n" + b"- " * 2**19,
    b"Content-Type: multipart/alternative; boundary=b\n\n--b\n\n" + b"ab\n" * 2**13 + b"\n--b\n"
    b"Content-Type: text/html\n\n" + b'<p class="signature">ab</p><p>ab</p>' * 2**12 + b"\n--b--\n",
)


@pytest.mark.thorough
@pytest.mark.timeout(60)
@pytest.mark.parametrize("raw", HOSTILE, ids=lambda raw: repr(raw[:60]))
def test_megabyte_of_anything_is_read_in_time(raw: bytes) -> None:
    """Linear code takes a second. Anything else would take hours."""
    message = read_message(raw)

    assert len(message.text) <= MAX_TEXT * 2
    assert len(fresh_text(message.text).fresh) <= len(message.text)
