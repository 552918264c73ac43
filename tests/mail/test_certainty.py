"""Whether it is certain which lines a person wrote: a table of what clients make of an answer."""

from __future__ import annotations

import pytest

from pbem.mail.incoming.reply_text import fresh_text

OURS = """Anna, it is your turn as S (White), turn 1 of match 12.
Please answer by Thursday 26 November, 20:00 (Warsaw): 5 days.

Just reply, with your move on a line of its own, for example

    [8-B]
"""
QUOTED = "\n".join(f"> {line}".rstrip() for line in OURS.split("\n"))
HEAD = "On Sat, 21 Nov 2026 at 18:40, pbem <club+12-1-s-abcdefghijklmnop@games.example> wrote:"
OUTLOOK = "From: pbem <club@games.example>\nSent: Saturday, November 21, 2026\nTo: Anna\nSubject: x"

CERTAIN = {
    "alone": "resign",
    "above a marked quote": f"resign\n\n{HEAD}\n{QUOTED}",
    "with a greeting": f"Dear Bert,\n\nresign\n\n{HEAD}\n\n{QUOTED}",
    "above an attribution that is broken": (
        "resign\n\nOn Sat, 21 Nov 2026 at 18:40, pbem\n"
        f"<club+12-1-s-abcdefghijklmnop@games.example> wrote:\n\n{QUOTED}"
    ),
    "above a signature": "resign\n\n-- \nAnna Nowak\nwww.example.org",
    "above a footer": "resign\n\nSent from my iPhone",
    "above a footer and a quote": f"resign\n\nSent from my iPhone\n\n{HEAD}\n\n{QUOTED}",
}
UNCERTAIN = {
    "below a quote": f"{HEAD}\n{QUOTED}\n\nresign",
    "between quotes": f"{QUOTED}\n\nresign\n\n{QUOTED}",
    "above and below": f"Well played.\n\n{QUOTED}\n\nresign",
    "above an unmarked quote": f"resign\n\n{HEAD}\n\n{OURS}",
    "above a block of Outlook's": f"resign\n\n-----Original Message-----\n{OUTLOOK}\n\n{OURS}",
    "above our mail without anything": f"resign\n\n{OURS}",
    "above bars": "resign\n\n" + "\n".join(f"| {line}" for line in OURS.split("\n")),
}


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN)
def test_an_answer_at_the_top_is_read_with_certainty(text: str) -> None:
    read = fresh_text(text, "Anna Nowak", OURS)
    assert "resign" in read.fresh.split("\n")
    assert read.certain


@pytest.mark.parametrize("text", UNCERTAIN.values(), ids=UNCERTAIN)
def test_an_answer_with_text_of_others_around_it_is_not(text: str) -> None:
    assert not fresh_text(text, "Anna Nowak", OURS).certain


def test_a_line_that_the_answered_mail_holds_too_may_be_its_own() -> None:
    assert not fresh_text("So be it.\nresign", "Anna", f"{OURS}\n| resign").certain
