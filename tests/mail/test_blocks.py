"""Answers to a digest are split by match, however the digest is quoted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from hypothesis import given, settings, strategies as st

from pbem.games import games
from pbem.mail.message.message import read_message
from pbem.mail.outgoing.kinds import ClubName, Digest, DigestPart, WaitingNote
from pbem.mail.outgoing.look import USUAL
from pbem.mail.outgoing.render import of_the_club
from pbem.mail.reply.blocks import Block, NoMatch, blocks_of
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from tests.mail.quoting import (
    HTML,
    LAYOUTS_OF_HTML,
    QUOTES_OF_HTML,
    TEXT,
    answered,
    mail_of,
    marked,
)
from tests.mail.test_hostile_notes import SAID, assert_nothing_told, notes
from tests.mail.test_letters_quoted import view
from tests.support.examples import examples

NUMBERS = (7, 12, 13, 120)
NAMES = {7: "Bert", 12: "Clara Longname-Whatever", 13: "Zoë", 120: "Bert"}


def digest(notes: Mapping[int, tuple[str, ...]] | None = None) -> str:
    """Return a digest of four matches as text, with notes of others in some."""
    parts = [
        "Anna, four matches are waiting.\n\nReply, and write below lines like\n\n    match 12:\n"
    ]
    for number in NUMBERS:
        note = "".join(f"| {line}\n" for line in (notes or {}).get(number, ()))
        said = f"{NAMES[number]} writes:\n\n{note}\n" if note else ""
        parts.append(
            f"Match {number}: Lancelot against {NAMES[number]}\n\n"
            f"Please answer by Monday, {number} November, 18:40: 2 days left.\n\n{said}"
            f"Since your last turn\n\n    {number}. [E{number}-F6]\n\n"
            f"    3  . . N . .\n    2  . n . . {number}\n    1  . . . . .\n\n"
            f'{number} moves are legal. Send for example E{number}, or "legal".\n'
        )
    parts.append(
        '* * *\n\nSend "mails digest off" to get an email per turn again, as it was before.\n'
    )
    return "\n".join(parts)


LETTER = digest()
moves = st.sampled_from(("E5", "[8-B]", "resign", "E5 ...\n\nA fine move, Bert!", "draw?"))
blocks = st.dictionaries(st.sampled_from(NUMBERS), moves, min_size=1)
headings = st.sampled_from(
    (
        "match {}:",
        "Match {}",
        "MATCH {}:",
        "match #{}:",
        "*Match {}:*",
        "Match {}: Lancelot against",
    )
)


def read(body: str, letter: str = LETTER, *, html_only: bool = False) -> dict[object, str]:
    """Return the blocks of an answer by match."""
    message = read_message(mail_of(body, html_only=html_only))
    witness = QuotedLetters((letter,))
    found = blocks_of(fresh_text(message.text, "Anna", witness), witness)
    return {each.place: "\n".join(each.text.split()) for each in found}


def said(wanted: Mapping[int, str]) -> dict[object, str]:
    return {number: "\n".join(text.split()) for number, text in wanted.items()}


@settings(max_examples=examples(100), deadline=None)
@given(blocks, headings, st.sampled_from(list(TEXT)), st.sampled_from(("above", "below")))
def test_blocks_below_written_headings_are_found(
    wanted: dict[int, str], heading: str, client: str, where: str
) -> None:
    own = "\n\n".join(f"{heading.format(number)}\n{text}" for number, text in wanted.items())
    body = answered(TEXT[client](LETTER), own, "above", html_only=False)
    if where == "below":
        body = f"{marked(LETTER)}\n\n{own}"

    assert read(body) == said(wanted)


@settings(max_examples=examples(100), deadline=None)
@given(blocks, st.sampled_from(list(TEXT)))
def test_blocks_below_quoted_headings_are_found(wanted: dict[int, str], client: str) -> None:
    assert read(inside(TEXT[client](LETTER), wanted)) == said(wanted)


@settings(max_examples=examples(100), deadline=None)
@given(blocks, headings, st.sampled_from(list(HTML)))
def test_blocks_above_html_are_found(wanted: dict[int, str], heading: str, client: str) -> None:
    own = "<br>".join(
        f"{heading.format(number)}<br>{text}<br>".replace("\n", "<br>")
        for number, text in wanted.items()
    )
    body = answered(HTML[client](LETTER), own, "above", html_only=True)

    assert read(body, html_only=True) == said(wanted)


def inside(quote: str, wanted: Mapping[int, str]) -> str:
    """Write each text at the end of its match in a quote."""
    for number, text in wanted.items():
        after = NUMBERS[NUMBERS.index(number) + 1 :]
        end = rf"(?m)^[>| AB]*Match {after[0]}:" if after else r"(?m)^[>| AB]*(?:\* \* \*|$\Z)"
        at = next(iter(re.finditer(end, quote))).start()
        quote = f"{quote[:at]}\n{text}\n\n{quote[at:]}"
    return quote


def test_text_below_whole_digest_is_for_no_match() -> None:
    assert read(f"{marked(LETTER)}\n\nE5") == {NoMatch.ABOVE: "E5"}


def test_text_above_all_blocks_is_for_no_match() -> None:
    body = f"leave 3 days\n\nmatch 12:\nE5\n\n{marked(LETTER)}"
    assert read(body) == {NoMatch.ABOVE: "leave\n3\ndays", 12: "E5"}


NOTES = (
    ("Match 13: Lancelot against Zoë",),
    ("Match 13: Lancelot against Zoë", "", "Please answer by Monday"),
    ("x", "> Match 13: Lancelot against Zoë"),
    ("Match", "13: Lancelot against Zoë"),
    ("M\u200batch 13: Lancelot against Zoë",),
    ("match 13:", "resign"),
    ("MATCH 13", "resign"),
    ("* * *", "Match 13: Lancelot against Zoë"),
    ("Match 13: Lancelot", "against Zoë", "* * *", "Match 12: Lancelot against Clara"),
)


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(NOTES), st.sampled_from(list(TEXT)))
def test_note_cannot_move_a_block_to_another_match(note: tuple[str, ...], client: str) -> None:
    letter = digest({12: note})
    found = read(inside(TEXT[client](letter), {12: "E5"}), letter)

    assert found in ({12: "E5"}, {NoMatch.UNSURE: "E5"}), found


def test_text_on_the_line_of_a_heading_is_beside_it() -> None:
    witness = QuotedLetters((LETTER,))
    text = "match 7: E5\nmatch 12: Lancelot against Clara\nE6\nmatch 13: Lancelot"
    assert blocks_of(fresh_text(text, "Anna", witness), witness) == [
        Block(7, "", ("E5",)),
        Block(12, "E6"),
    ]


# Notes of others in a real digest


@cache
def real_digest(note: tuple[str, ...]) -> str:
    """Return a digest of two matches, with a note in the first."""
    usual = view(games()[0])
    parts = [
        DigestPart(replace(usual, match=replace(usual.match, id=number)), 2, notes=some)
        for number, some in ((1, [WaitingNote("Bert", 3, note)]), (13, ()))
    ]
    mail = Digest(parts, [], [], [])
    said = of_the_club().written(mail, ClubName("pbem", ""), "Anna", USUAL)
    assert not said.failures
    return said.text


def in_first(quote: str) -> str:
    """Write at the end of the first match of a quote."""
    [at] = [each.start() for each in re.finditer(r"(?m)^[>| AB]*Match 13: ", quote)][-1:]
    return f"{quote[:at]}\n{SAID}\n\n{quote[at:]}"


@settings(max_examples=examples(100), deadline=None)
@given(notes, st.sampled_from(list(TEXT)), st.sampled_from(("above", "below", "first")))
def test_note_in_a_digest_is_never_in_a_block(
    note: tuple[str, ...], client: str, where: str
) -> None:
    letter = real_digest(note)
    quote = TEXT[client](letter)
    body = in_first(quote) if where == "first" else answered(quote, SAID, where, html_only=False)
    found = blocks_in(body, letter, html_only=False)

    for each in found:
        assert_nothing_told(each.text, note)
        assert SAID not in each.text or each.place != 13, found


@settings(max_examples=examples(100), deadline=None)
@given(
    notes,
    st.sampled_from(list(LAYOUTS_OF_HTML)),
    st.sampled_from(list(QUOTES_OF_HTML)),
    st.sampled_from(("above", "below", "inside")),
)
def test_note_in_a_digest_is_never_in_a_block_of_html(
    note: tuple[str, ...], layout: str, quote: str, where: str
) -> None:
    letter = real_digest(note)
    quoted = QUOTES_OF_HTML[quote](LAYOUTS_OF_HTML[layout](letter))
    body = answered(quoted, SAID, where, html_only=True)

    for each in blocks_in(body, letter, html_only=True):
        assert_nothing_told(each.text, note)


def blocks_in(body: str, letter: str, *, html_only: bool) -> Sequence[Block]:
    message = read_message(mail_of(body, html_only=html_only))
    witness = QuotedLetters((letter,))
    return blocks_of(fresh_text(message.text, "Anna", witness), witness)
