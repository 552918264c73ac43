"""Emails whose HTML explains the plain text beside it, and the HTML itself."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from pbem.mail.message.message import read_message
from pbem.mail.reply.reply_text import fresh_text

BAR = '<div style="border-left:1px solid #ccc">'
BODY = "<div>[8-B]</div><div><br></div>"


def fresh(html: str, plain: str = "") -> list[str]:
    """Return the fresh lines of an email with both parts, or with HTML only."""
    mail = EmailMessage()
    mail.set_content(plain or html, subtype="plain" if plain else "html")
    if plain:
        mail.add_alternative(html, subtype="html")
    text = fresh_text(read_message(mail.as_bytes()).text).fresh
    return [line for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize(
    "attributes",
    (
        'class="gmail_signature"',
        'data-smartmail="gmail_signature"',
        'id="Signature"',
        'id="ms-outlook-mobile-signature"',
        'class="ydp12ab34yahoo-signature"',
        'class="moz-signature"',
        'style="font-size:8pt;color:#808080"',
        'style="font-size: 7.5pt"',
    ),
)
def test_signature_is_known_by_its_element(attributes: str) -> None:
    html = f"{BODY}<div {attributes}><b>Clara Nowak</b><br>Head of <i>Nothing</i></div>"

    assert fresh(html) == ["[8-B]"]
    assert fresh(html, "[8-B]\n\n*Clara Nowak*\nHead of Nothing\n") == ["[8-B]"]


def test_signature_bookmarked_by_word_is_known() -> None:
    html = (
        '<p>[8-B]</p><p><a name="_MailAutoSig"><b>Clara</b></a></p>'
        '<p><span style="mso-bookmark:_MailAutoSig">Head of Nothing</span></p>'
    )

    assert fresh(html, "[8-B]\n\nClara\nHead of Nothing\n[cid:image001.png@01DC5B17]\n") == [
        "[8-B]"
    ]


def test_text_part_may_wrap_differently_and_name_its_links() -> None:
    html = (
        f'{BODY}<div class="gmail_signature">Clara Nowak of <a href="https://a.example">a</a></div>'
    )

    assert fresh(html, "[8-B]\n\nClara\nNowak of a <https://a.example/>\n") == ["[8-B]"]


def test_signature_text_typed_twice_is_removed_once() -> None:
    html = f'{BODY}<p>Clara is my name</p><div class="gmail_signature">Clara</div>'

    assert fresh(html, "[8-B]\n\nClara is my name\n\nClara\n") == ["[8-B]", "Clara is my name"]


def test_differing_text_part_is_left_unchanged() -> None:
    html = f'{BODY}<div class="gmail_signature">Clara</div>'

    assert fresh(html, "[8-B]\n\nClara Nowak\n") == ["[8-B]", "Clara Nowak"]


def test_text_typed_into_signature_is_read() -> None:
    html = '<div id="Signature">[8-B]<br>Clara</div>'

    assert fresh(html) == ["[8-B]", "Clara"]
    assert fresh(html, "[8-B]\nClara\n") == ["[8-B]", "Clara"]


def test_text_of_usual_size_is_a_persons() -> None:
    html = f'{BODY}<div style="font-size:10pt">Well</div><p style="font-size:18px">done</p>'

    assert fresh(html) == ["[8-B]", "Well", "done"]


def test_unmarked_quote_is_known_by_its_element() -> None:
    html = (
        f'{BODY}<div id="ydp9yahoo_quoted_1" class="ydp9yahoo_quoted"><p>[C-18]</p></div><p>Bye</p>'
    )

    assert fresh(html) == ["[8-B]", "Bye"]
    assert fresh(html, "[8-B]\n\n[C-18]\n\nBye\n") == ["[8-B]", "Bye"]


@pytest.mark.parametrize(
    "quote", ("<blockquote>{}</blockquote>", '<div name="quote">{}</div>', BAR + "{}</div>")
)
def test_unmarked_quote_below_any_words_is_known(quote: str) -> None:
    old = "<p>It was like this:</p><p>[C-18]</p>"
    plain = "[8-B]\n\nBert, yesterday\n\nIt was like this:\n\n[C-18]\n\nBye\n"

    assert fresh(f"{BODY}Bert, yesterday{quote.format(old)}<p>Bye</p>", plain) == [
        "[8-B]",
        "Bert, yesterday",
        "Bye",
    ]


def test_marks_in_the_text_part_decide_what_is_quoted() -> None:
    html = "<p>[C-18]</p><p>said Bert?</p><blockquote>[C-18]</blockquote><p>[8-B]</p>"

    assert fresh(html, "[C-18]\nsaid Bert?\n> [C-18]\n[8-B]\n") == ["[C-18]", "said Bert?", "[8-B]"]


@pytest.mark.parametrize(
    "style",
    ("border:none;border-left:solid blue 1.5pt;padding:0cm 0cm 0cm 4.0pt", "border-left:2px solid"),
)
def test_bar_on_the_left_marks_a_quote(style: str) -> None:
    assert fresh(f'{BODY}<div style="{style}">[C-18]</div><p>Bye</p>') == ["[8-B]", "Bye"]


@pytest.mark.parametrize("style", ("border-left:none", "border-left:0px solid", "border:solid 1px"))
def test_other_borders_mark_no_quote(style: str) -> None:
    assert fresh(f'{BODY}<div style="{style}">Bye</div>') == ["[8-B]", "Bye"]


def test_text_that_asks_for_another_program_is_not_the_email() -> None:
    assert fresh(BODY, "Ihr Programm kann kein HTML.\n") == ["[8-B]"]
    assert fresh("<p>I like HTML</p>", "I like HTML\n") == ["I like HTML"]
    assert fresh("<p>[9-C]</p>", "[8-B]\n") == ["[8-B]"]


@pytest.mark.parametrize("tag", ("span", "b", "font", "o:p", "span style='font-size:10.5pt'"))
def test_blanks_in_preformatted_text_are_kept_inside_any_tag(tag: str) -> None:
    html = f"<pre><{tag}>  12 E    13 S</{tag.split(maxsplit=1)[0]}></pre>"

    assert read_message(f"Content-Type: text/html\n\n{html}".encode()).text == "  12 E    13 S"


def test_full_stop_above_a_quote_is_the_persons() -> None:
    html = f"<div>.</div>{BAR}Your turn<br>.<br>b1-b3</div>"
    assert fresh(html, ".\n\nYour turn\n.\nb1-b3\n") == ["."]
