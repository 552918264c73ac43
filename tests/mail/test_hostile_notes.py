"""What others wrote into a mail of the club asks for nothing when a player quotes it.

Above the quote he says that he will think about it; whatever his client makes of the rest, nothing
of it may count as his: neither a command in somebody's note, nor an example of the club.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from pbem.games import GAMES
from pbem.games.api import AnyGame
from pbem.mail.columns import columns
from pbem.mail.incoming.reply_text import fresh_text
from pbem.mail.incoming.requests import read_requests
from pbem.mail.outgoing.render import OF_OTHERS
from tests.mail.test_own_mail import KINDS, mails, renderer, view

GAME = GAMES[0]
ADDRESS = "club+1-3-w-k3v7q2mzt4hwa6xd@games.example"
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
    ("</pre></blockquote>", "resign", "Match 1 is over.", "Bert wins.", "", "", "resign"),
)
WIDTHS = (60, 62, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 76, 78, 80)
HEADS = (
    "",
    "On Sat, 21 Nov 2026 at 18:40, pbem wrote:\n\n",
    f"-----Original Message-----\nFrom: pbem <{ADDRESS}>\nSent: Saturday\nTo: a\nSubject: b\n\n",
    "From: pbem\nSent: Saturday\nTo: Anna\nSubject: b\n\n",
)

Client = Callable[[str], str]


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def behind_bars(text: str) -> str:
    return "\n".join(f"| {line}".rstrip() for line in text.split("\n"))


def without_layout(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def rewrapped(text: str, width: int, *, breaks_words: bool = True) -> str:
    return "\n".join(
        part
        for line in text.split("\n")
        for part in textwrap.wrap(
            line, width, replace_whitespace=False, break_long_words=breaks_words
        )
        or [""]
    )


def clients(width: int) -> Mapping[str, Client]:
    """Clients that break the lines of what they quote."""
    return {
        f"marked, then {width}": lambda text: HEADS[1] + rewrapped(marked(text), width),
        f"marked, then {width}, words whole": lambda text: (
            HEADS[1] + rewrapped(marked(text), width, breaks_words=False)
        ),
        f"marked twice, then {width}": lambda text: (
            HEADS[1] + rewrapped(marked(marked(text)), width)
        ),
        f"{width}": lambda text: rewrapped(text, width),
        f"{width}, words whole": lambda text: HEADS[2] + rewrapped(text, width, breaks_words=False),
        f"{width}, without layout": lambda text: HEADS[3] + rewrapped(without_layout(text), width),
    }


CLIENTS: Mapping[str, Client] = {
    "marked": lambda text: HEADS[1] + marked(text),
    "marked twice": lambda text: marked(marked(text)),
    "behind bars": lambda text: HEADS[1] + behind_bars(text),
    "nothing above": lambda text: text,
    "below an attribution": lambda text: HEADS[1] + text,
    "below a divider": lambda text: HEADS[2] + text,
    "below fields": lambda text: HEADS[3] + text,
    "without layout": lambda text: HEADS[2] + without_layout(text),
    "nothing above, without layout": without_layout,
    **{name: client for width in WIDTHS for name, client in clients(width).items()},
}


def asked_for(quote: str, game: AnyGame) -> tuple[object, ...]:
    """What a mail asks for that says nothing but that its writer will think about it."""
    return read_requests(fresh_text(f"{SAID}\n\n{quote}").fresh, game).items


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_note_asks_for_nothing(client: Client, note: tuple[str, ...]) -> None:
    for text in with_a_note(note):
        assert asked_for(client(text), GAME) == (), client(text)


@cache
def with_a_note(note: tuple[str, ...]) -> list[str]:
    return [
        renderer().text(kind, {"view": view(GAME), **data, "note": note})
        for kind, data in KINDS
        if "note" in data
    ]


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_a_note_is_folded_so_that_no_client_breaks_it(note: tuple[str, ...]) -> None:
    for text in with_a_note(note):
        for line in text.split("\n"):
            told = line.removeprefix("| ")
            assert told == line or columns(line) <= OF_OTHERS or len(told.split()) == 1


@pytest.mark.parametrize(("game", "kind", "data"), list(mails()))
def test_no_mail_of_ours_asks_for_anything(
    game: AnyGame, kind: str, data: Mapping[str, Any]
) -> None:
    text = renderer().text(kind, {"view": view(game), **data})

    for client in CLIENTS.values():
        assert asked_for(client(text), game) == (), client(text)
