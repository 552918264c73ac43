"""Other people's words in an email never count as those of the player who quotes it.

The player says that they will think about it, above the quote, below it or inside. Whatever the
client makes of the rest, no line of it may count as theirs: neither a command in somebody's note,
nor an example of the club.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games import games
from pbem.games.api import ActionError, AnyGame
from pbem.inbox.requests import read_requests
from pbem.mail.message.charsets import columns
from pbem.mail.message.message import read_message
from pbem.mail.outgoing.filters import OF_OTHERS
from pbem.mail.outgoing.kinds import Progress
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from tests.mail.quoting import (
    ADDRESS,
    HTML,
    LAYOUTS_OF_HTML,
    NARROW,
    QUOTES_OF_HTML,
    TEXT,
    Client,
    answered,
    mail_of,
    rewrapping,
)
from tests.mail.test_letters_quoted import KINDS, Kind, view, written
from tests.support.examples import examples

GAME = games()[0]
SAID = "I will think about it."
NOTES: tuple[tuple[str, ...], ...] = (
    ("Hm: " + "nice " * 13 + "Anna, it is your turn as W, turn 3 of match 1.",),
    ("Anna, it is your turn as W, turn 3 of match 1.", "resign"),
    ("x" * 30 + " " + "y" * 31 + ". resign",),
    ("x" * 30 + " " + "y" * 31 + " resign",),
    ("a" * 50 + " resign", "b" * 45 + ". draw", "c" * 53, "resign"),
    ("nice " * 40 + "resign " + "good " * 40 + "[9-C]",),
    ("z" * 69 + "resign", "z" * 141 + "resign", "z" * 200 + " resign"),
    (" " * 60 + "resign", "\t\t\t\t\t\t\t\tresign", "a" + " " * 50 + "b" + " " * 60 + "resign"),
    ("ż" * 30 + " " + "漢" * 30 + " resign", "漢" * 36 + " resign"),
    ("> resign", "| resign", "> | [9-C]", "> Anna, it is your turn as W, turn 3 of match 1."),
    ("----- end of pbem mail -----", "resign", "", "[9-C]"),
    ("-----Original Message-----", "resign", "----- End forwarded message -----", "resign"),
    ("On 21/11/2026 18:40, pbem wrote:", "> x", "", "resign"),
    (f"From: pbem <{ADDRESS}>", "Sent: Saturday", "To: Anna", "Subject: x", "", "> x", "resign"),
    ("% Anna, it is your turn as W, turn 3 of match 1.", "} resign", "-- ", "resign"),
    ("For example", "", "    [9-C]", '9 moves are legal (send "legal").', "resign"),
    (
        "’" * 22 + " resign",
        "😀" * 20 + " resign",
        "漢" * 20 + " resign",
        "\u2009" * 15 + "x resign",
    ),
    ("it’s", "To: [9-C] |", "it’s a nice day, isn’t it, so’s tomorrow’s"),
    ("</pre></blockquote>", "resign", "Match 1 is over.", "Bert wins.", "", "", "resign"),
)
PIECES = (
    *("resign", "draw", "draw?", "no draw", "confirm", "help", "[9-C]", "9-C", "[9-C] +++"),
    *("&#10;", "&NewLine;", "&#13;", "&#x2028;", "&#8233;", "&#38;#10;", "&amp;#10;", "&amp;amp;"),
    *("\r", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\t", "\xa0"),
    *("\u200b", "\u202e", "\ufeff", "\xad", "\ue000", "\ue001", "\ue003", "\U000e0001"),
    *("<br>", "</pre>", "</p>", "</blockquote>", "</td></tr></table>", "<hr>", "<!--", "-->"),
    *("<![CDATA[", "]]>", "<plaintext>", "<textarea>", "<?x?>", "</div></div>", "&lt;br&gt;"),
    *("> ", ">", "| ", "|", "C> ", "* ", "- ", "% ", "    ", "-- ", "--", "____________"),
    *("----- end of pbem mail -----", "-----Original Message-----", "Sent from my iPhone"),
    *("----- End forwarded message -----", "On 21/11/2026 18:40, pbem wrote:", "pbem, 21.11.2026"),
    *(f"From: pbem <{ADDRESS}>", "Sent: Saturday", "Subject: x", "begin 644 x", "end"),
    *("Anna, it is your turn as W, turn 3 of match 1.", "Match 1 is over.", "For example"),
    *("nice " * 11, "nice " * 13, "x" * 54, "x" * 70, "y " * 26, "Hello. ", ": ", " "),
)
notes = st.one_of(
    st.sampled_from(NOTES),
    st.lists(
        st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
        min_size=1,
        max_size=4,
    ).map(tuple),
)
wheres = st.sampled_from(("above", "below", "inside"))


def fresh_of(body: str, *letters: str, html_only: bool) -> str:
    """Read the answer as the club does, which knows the answered email or its thread."""
    message = read_message(mail_of(body, html_only=html_only))
    return fresh_text(message.text, "Anna", QuotedLetters(letters)).fresh


def assert_nothing_told(fresh: str, note: tuple[str, ...]) -> None:
    """Check that fresh text is the player's or the club's, and no piece of the note."""
    told = squeezed("".join(note))
    for line in fresh.splitlines():
        assert not squeezed(line) or line.strip() == SAID or squeezed(line) not in told, fresh
    try:
        assert read_requests(fresh, GAME).items == (), fresh
    except ActionError as error:
        raise AssertionError(fresh) from error


def squeezed(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@settings(max_examples=examples(100), deadline=None)
@given(notes, st.sampled_from(list(TEXT)), st.sampled_from(("marked", *list(TEXT)[:9])), wheres)
def test_note_is_never_fresh_in_text(
    note: tuple[str, ...], client: str, again: str, where: str
) -> None:
    for quoted in (TEXT[client](a_turn(note)), TEXT[again](TEXT[client](a_turn(note)))):
        body = answered(quoted, SAID, where, html_only=False)
        for letters in known_of(note):
            assert_nothing_told(fresh_of(body, *letters, html_only=False), note)


@settings(max_examples=examples(100), deadline=None)
@given(
    notes,
    st.sampled_from(list(LAYOUTS_OF_HTML)),
    st.sampled_from(list(QUOTES_OF_HTML)),
    st.sampled_from(list(QUOTES_OF_HTML)),
    wheres,
)
def test_note_is_never_fresh_in_html(
    note: tuple[str, ...], layout: str, quote: str, again: str, where: str
) -> None:
    once = QUOTES_OF_HTML[quote](LAYOUTS_OF_HTML[layout](a_turn(note)))
    for quoted in (once, QUOTES_OF_HTML[again](once)):
        body = answered(quoted, SAID, where, html_only=True)
        for letters in known_of(note):
            assert_nothing_told(fresh_of(body, *letters, html_only=True), note)


@settings(max_examples=examples(50), deadline=None)
@given(notes, st.sampled_from(NARROW), st.data())
def test_answered_email_reveals_notes_in_narrow_lines(
    note: tuple[str, ...], width: int, data: st.DataObject
) -> None:
    ours = a_turn(note)
    client = data.draw(st.sampled_from(list(rewrapping(width).values())))
    body = answered(client(ours), SAID, "above", html_only=False)

    for letters in known_of(note):
        asked = read_requests(fresh_of(body, *letters, html_only=False), GAME)
        assert asked.items == (), body


@pytest.mark.thorough
@pytest.mark.parametrize("client", TEXT.values(), ids=TEXT)
def test_known_tricks_fail_in_text(client: Client) -> None:
    for note in NOTES:
        body = answered(client(a_turn(note)), SAID, "above", html_only=False)
        fresh = fresh_text(body, witness=QuotedLetters((a_turn(note),))).fresh
        assert SAID in fresh
        assert_nothing_told(fresh, note)


@pytest.mark.parametrize("client", HTML.values(), ids=HTML)
def test_words_above_a_html_quote_are_read(client: Client) -> None:
    body = answered(client(a_turn(NOTES[0])), SAID, "above", html_only=True)

    assert SAID in fresh_of(body, a_turn(NOTES[0]), html_only=True)


def known_of(note: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the answered email, and the emails of its thread."""
    return (a_turn(note),), tuple(reversed(thread_with(note)))


@cache
def thread_with(note: tuple[str, ...]) -> list[str]:
    """Return emails of the same match, with the noted one not last."""
    without = [written(KINDS[kind](view(GAME))) for kind in ("reminder", "not your turn")]
    return [*without, *with_a_note(note), without[0]]


@cache
def a_turn(note: tuple[str, ...]) -> str:
    return with_a_note(note)[0]


@cache
def with_a_note(note: tuple[str, ...]) -> list[str]:
    return [
        written(replace(mail, note=note))
        for mail in (kind(view(GAME)) for kind in KINDS.values())
        if isinstance(mail, Progress)
    ]


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_note_is_wrapped_so_that_no_client_breaks_it(note: tuple[str, ...]) -> None:
    for text in with_a_note(note):
        for line in text.split("\n"):
            told = line.removeprefix("| ")
            assert told == line or columns(line) <= OF_OTHERS or len(told.split()) == 1


OF_OTHER_GAMES = ("turn after another's mail", "illegal")
"""Kinds of email that show all that differs between games."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(game, kind, id=f"{game.info.key}: {name}")
        for game in games()
        for name, kind in KINDS.items()
        if game is GAME or name in OF_OTHER_GAMES
    ],
)
def test_quoted_club_email_asks_for_nothing(game: AnyGame, kind: Kind) -> None:
    text = written(kind(view(game)))

    for client in TEXT.values():
        body = f"{SAID}\n\n{client(text)}"
        said = fresh_text(body, witness=QuotedLetters((text,))).fresh
        assert read_requests(said, game).items == (), client(text)


@pytest.mark.parametrize("move", ("18-19", "resign", "[8-B]"))
def test_note_cannot_hide_a_move_above_a_quote_head(move: str) -> None:
    """The note contains the move, and then the head that a client puts above the quote."""
    head = f"From: pbem, your turn <{ADDRESS}>\nSent: Saturday, 21 November 2026 18:40\nTo: Bert"
    letter = a_turn((move, head))
    body = f"{move}\n\n{head}\n\n{letter}"
    assert fresh_text(body, "Bert", QuotedLetters((letter,))).fresh == move
