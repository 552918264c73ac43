"""An email quoted as HTML or as a client's text of it: only the typed words are read.

The emails are real ones of the club in random positions, with boards as tables and links to tap.
Whatever a client makes of them, the legal actions that they list are not played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games import game_of, games
from pbem.games.api import AnyGame
from pbem.inbox.requests import read_requests
from pbem.mail.message.html_alternative import marked_by
from pbem.mail.message.message import read_message
from pbem.mail.outgoing.kinds import ClubName, Turn
from pbem.mail.outgoing.look import Look, ReplyTo
from pbem.mail.outgoing.render import of_the_club
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import Fresh, fresh_text
from pbem.testing.random_matches import texts, walk
from tests.mail.quoting_letters import (
    ADDRESS,
    CLIENTS,
    SUBJECT,
    Reply,
    Sent,
    above,
    below,
    between,
    mail_of,
)
from tests.mail.test_hostile_notes import NOTES, PIECES, SAID, assert_nothing_told
from tests.mail.test_letters_quoted import NEWS, view
from tests.support.examples import examples

BOARDS = tuple(map(game_of, ("lanko-88", "lanko-103", "lanrick-1893", "lancelot")))
PLACES = 6
"""Positions of each game."""
LINKS = (
    f"<mailto:{ADDRESS}?subject=x&body=",
    "%5B8-B%5D",
    "x>",
    f'HYPERLINK "mailto:{ADDRESS}?subject=x',
    '"',
    f"[1] mailto:{ADDRESS}?subject=x&body=y",
    "[1]",
    "Links:",
    f"mailto:{ADDRESS}?subject=x&body=resign",
    "Legal now",
    "All legal moves Show the board Offer a draw Resign",
    "4 moves are legal:",
    "Just reply, with your move on a line of its own, for example",
)
"""Texts by which an opponent may imitate an email's list, or the target of a link."""
notes = st.one_of(
    st.sampled_from(NOTES),
    st.lists(
        st.lists(st.sampled_from((*PIECES, *LINKS)), min_size=1, max_size=3).map("".join),
        min_size=1,
        max_size=4,
    ).map(tuple),
)


@cache
def position(key: str, seed: int) -> Any:
    """Return a position of a random match, its player to move, and a legal action."""
    game = game_of(key)
    steps = list(islice(walk(game, min(game.info.holders), seed, {}), 12 * seed + 1))
    return steps[-1].before, steps[-1].seat, Random(seed).choice(texts(game, steps[-1].before))


def letter(
    game: AnyGame, seed: int, note: tuple[str, ...] = (), board: str = "letters"
) -> tuple[Sent, str]:
    """Return the club's email in such a position, and a legal action."""
    before, seat, action = position(game.info.key, seed)
    about = view(game)
    about = replace(about, match=replace(about.match, position=before, to_act=seat))
    mail = Turn(about, **{**NEWS, "note": note}) if note else Turn(about)
    look = Look(board, ReplyTo(ADDRESS, SUBJECT))
    written = of_the_club().written(mail, ClubName("pbem", "director@club.example"), "Anna", look)
    return Sent(written.text, written.html), action


def read(reply: Reply, sent: Sent) -> Fresh:
    message = read_message(mail_of(reply))
    return fresh_text(message.text, "Anna", QuotedLetters((sent.text,), (sent.html,)))


def bare(action: str) -> str:
    return action.strip("[]")


@settings(max_examples=examples(80), deadline=None)
@given(
    game=st.sampled_from(games()),
    seed=st.integers(0, PLACES - 1),
    client=st.sampled_from(list(CLIENTS)),
    note=st.sampled_from(((), ("nice one",), ("Well played!", "", "[9-C]", "resign"))),
    board=st.sampled_from(("letters", "picture", "ascii")),
)
def test_only_the_typed_action_is_played(
    game: AnyGame, seed: int, client: str, note: tuple[str, ...], board: str
) -> None:
    sent, action = letter(game, seed, note, board)
    quote = CLIENTS[client](sent)

    assert read(quote, sent).fresh == ""
    for typed in (above(quote, action), below(quote, action)):
        fresh = read(typed, sent).fresh
        if typed != above(quote, action) and action == ".":
            # A full stop right below a quote may belong to the quote. Then it is refused, not
            # played.
            assert fresh.strip() in (action, "")
            continue
        assert fresh.strip() == action
        assert [*map(bare, read_requests(fresh, game).told)] == [bare(action)]


@pytest.mark.parametrize("client", CLIENTS)
def test_action_typed_between_the_rows_of_a_board_is_played(client: str) -> None:
    for game in BOARDS:
        sent, action = letter(game, 2)
        quote = CLIENTS[client](sent)
        if quote.text:
            fresh = read(between(quote, action, 0.18), sent).fresh
            assert fresh.strip() == action


def below_the_board(html: str, typed: str, closing: str = "", opening: str = "") -> str:
    """Return HTML with text typed under its first table, and the quote closed around it."""
    head, end, rest = html.partition("</table></div>")
    assert end
    return f'{head}{end}{closing}<div style="color:red">{typed}</div>{opening}{rest}'


BREAKS = {
    "Gmail, HTML alone": (
        "</div></div></blockquote>",
        '<blockquote class="gmail_quote"><div><div>',
    ),
    "Apple Mail": ("</div></div></div></blockquote>", '<blockquote type="cite"><div><div><div>'),
    "Outlook for Windows, HTML alone": ("", ""),
    "Outlook on the web, HTML alone": ("", ""),
    "nothing above, HTML alone": ("", ""),
}


@pytest.mark.parametrize("client", BREAKS)
def test_action_typed_under_the_board_of_a_html_quote_is_played(client: str) -> None:
    for game in BOARDS:
        sent, action = letter(game, 3, ("nice one", action_of(game)))
        page = below_the_board(CLIENTS[client](sent).html, action, *BREAKS[client])
        assert read(Reply("", page), sent).fresh.strip() == action


def action_of(game: AnyGame) -> str:
    return str(position(game.info.key, 3)[2])


@settings(max_examples=examples(60), deadline=None)
@given(
    game=st.sampled_from(BOARDS),
    note=notes,
    client=st.sampled_from(list(CLIENTS)),
    put=st.sampled_from((above, below)),
)
def test_note_never_passes_for_the_readers_own_words(
    game: AnyGame, note: tuple[str, ...], client: str, put: Callable[[Reply, str], Reply]
) -> None:
    """Nor does it hide the reader's move by repeating it."""
    action = action_of(game)
    sent, _ = letter(game, 3, (*note, action))
    quote = CLIENTS[client](sent)

    assert_nothing_told(read(put(quote, SAID), sent).fresh, note)
    assert [*map(bare, read_requests(read(put(quote, action), sent).fresh, game).told)] == [
        bare(action)
    ]


@pytest.mark.parametrize("client", CLIENTS)
def test_note_does_not_hide_the_same_move_above_it(client: str) -> None:
    """For example the only legal move, or what looks like a quote of it."""
    game = BOARDS[-1]
    action = action_of(game)
    for note in ((action,), (f"> {action}",), ("", action, "", f"> {action}", "x")):
        sent, _ = letter(game, 3, note)
        fresh = read(above(CLIENTS[client](sent), action), sent).fresh
        assert [*map(bare, read_requests(fresh, game).told)] == [bare(action)]


def test_marked_line_in_html_differs_from_the_same_line_typed_above() -> None:
    bar = "border:none;border-left:solid #9A8F78 2.25pt"
    page = f"<p>[8-B]</p><p>Bert writes:</p><div style='{bar}'><p>[8-B]</p></div><p>So far.</p>"
    text = "[8-B]\n\nBert writes:\n\n{}[8-B]\n\nSo far."
    assert marked_by(page, text.format("")) == text.format("> ")


@pytest.mark.parametrize("typed", ("[8-B]", "resign", "draw?"))
@pytest.mark.parametrize("under", ("", "\n\nSent from my iPhone", "\n\n-- \nAnna Nowak\n"))
def test_tapped_answer_is_read_with_certainty(typed: str, under: str) -> None:
    sent, _ = letter(BOARDS[0], 2)
    fresh = read(Reply(f"{typed}\n{under}"), sent)
    assert (fresh.fresh, fresh.certain) == (typed, True)
