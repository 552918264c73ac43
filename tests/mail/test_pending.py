"""Open offers and questions of a match, as shown to each player and to others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.mail.outgoing.pending import Open, open_to, pending
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.match import MatchOffer, OfferKind
from tests.matches.playing import ANNA, BERT, CLARA, DORA, NAMES, START, Contest, started

ANSWER = 'Reply "draw" to accept it, or "no draw" to decline it. Moving also declines it.'
LAPSES = ("It lapses when another player moves.", "It lapses when anyone except Anna moves.")
OFFER = {"offers": (MatchOffer(OfferKind.DRAW, ANNA, frozenset({BERT})),)}
RESIGNATION = {"resigned": frozenset({ANNA})}


def contest(**standing: Any) -> Contest:
    """Return four players of Lancelot, of whom Dora has resigned, or four of Lanko."""
    if "offers" in standing:
        made = Contest(started("lancelot", 4)).says(DORA, "resign")
    else:
        made = Contest(started("lanko-68", 4))
    made.match = replace(made.match, **standing)
    return made


@pytest.mark.parametrize(
    ("standing", "you", "lines"),
    (
        (OFFER, ANNA, [f"Your draw offer stands. Clara has not answered yet. {LAPSES[0]}"]),
        (
            OFFER,
            BERT,
            [
                "Anna offers a draw.",
                f"You have accepted it. Clara has not answered yet. {LAPSES[1]}",
            ],
        ),
        (OFFER, CLARA, ["Anna offers a draw.", ANSWER]),
        (
            OFFER,
            DORA,
            [
                "Anna offers a draw.",
                "The remaining players have been asked. Clara has not answered yet.",
            ],
        ),
        (OFFER, None, ["Anna offers a draw.", "Clara has not answered yet."]),
        (
            RESIGNATION,
            ANNA,
            [
                "You want to resign.",
                "The match ends if Clara also resigns before you move again.",
            ],
        ),
        (
            RESIGNATION,
            CLARA,
            [
                "Anna wants to resign.",
                "The match ends if you also resign before Anna moves again.",
            ],
        ),
        (
            RESIGNATION,
            None,
            [
                "Anna wants to resign.",
                "The match ends if Clara also resigns before Anna moves again.",
            ],
        ),
        ({}, ANNA, []),
    ),
)
def test_open_matters_are_listed_for_each_reader(
    standing: dict[str, Any], you: int | None, lines: list[str]
) -> None:
    made = contest(**standing)
    said = of_the_club().part(
        ["_pending.txt.j2"], {"pending": pending(made.match, NAMES, you, START)}
    )
    assert said.splitlines() == lines


@pytest.mark.parametrize(
    ("standing", "you", "answer"),
    (
        (OFFER, ANNA, Open()),
        (OFFER, BERT, Open()),
        (OFFER, CLARA, Open((OfferKind.DRAW,))),
        (OFFER, DORA, Open()),
        (RESIGNATION, ANNA, Open()),
        (RESIGNATION, BERT, Open()),
        (RESIGNATION, CLARA, Open(would_resign=("Anna",))),
        ({}, CLARA, Open()),
    ),
)
def test_open_questions_of_each_reader_are_known(
    standing: dict[str, Any], you: int, answer: Open
) -> None:
    made = contest(**standing)
    assert open_to(made.match, NAMES, you, START) == answer
