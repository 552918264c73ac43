"""Whether the fresh part of an answer is certain: a table of shapes, and clients' emails."""

from __future__ import annotations

import pytest

from pbem.mail.message.message import read_message
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import Fresh, fresh_text
from tests.mail.corpus import BY_NAME

OURS = """Anna, it is your turn as W, turn 3 of match 1.
Please answer by Friday 27 November, 05:24 (UTC): 5 days left.

Bert writes:

| I have no time today.
| resign

Just reply, with your move on a line of its own, for example

    [9-C]

9 moves are legal (send "legal" for the list). "help" explains the rest."""
MARKED = "\n".join(f"> {line}".rstrip() for line in OURS.split("\n"))
WROTE = "On Sat, 21 Nov 2026 at 18:40, pbem <club@games.example> wrote:"
BROKEN = WROTE.replace(", pbem", ",\npbem")
DIVIDER = "-----Original Message-----\nFrom: pbem\nSent: Saturday\nTo: Anna\nSubject: b"
SIGNED = "-- \nAnna Nowak\nresign"

CERTAIN = {
    "nothing else": "resign",
    "with more of one's own": "Well played!\n\nresign\n\nThank you.",
    "above a quote with marks": f"resign\n\n{MARKED}",
    "and an attribution": f"resign\n\n{WROTE}\n{MARKED}",
    "broken in two": f"resign\n\n{BROKEN}\n\n{MARKED}",
    "in some language": f"resign\n\nSobota 2026-11-21 18:40, <club@games.example> pisze:\n{MARKED}",
    "above one's signature": f"resign\n\n{SIGNED}",
    "above both": f"resign\n\n{SIGNED}\n\n{WROTE}\n{MARKED}",
    "signed below the quote": f"resign\n\n{WROTE}\n{MARKED}\n\n{SIGNED}",
    "above a phone's footer": f"resign\n\nSent from my iPhone\n\n{WROTE}\n{MARKED}",
    "two levels": f"resign\n\n> {WROTE}\n{MARKED.replace('>', '>>')}",
    "the ends of broken lines unmarked": "resign\n\n" + MARKED.replace('"help" ', '"help"\n'),
}
UNCERTAIN = {
    "below a quote": f"{WROTE}\n{MARKED}\n\nresign",
    "below a piece of it": "> it is your turn\n\nresign",
    "between quotes": f"{MARKED}\n\nresign\n\n{MARKED}",
    "above and below": f"No.\n\n{MARKED}\n\nresign",
    "above a divider": f"resign\n\n{DIVIDER}\n\n{OURS}",
    "above a divider, signed": f"resign\n\n{SIGNED}\n\n{DIVIDER}\n\n{OURS}",
    "above a quote without marks": f"resign\n\n{WROTE}\n\n{OURS}",
    "above our lines alone": f"resign\n\n{OURS}",
    "above bars": "resign\n\n" + MARKED.replace(">", "|"),
    "above a sign of the client's own": "resign\n\n" + MARKED.replace(">", "%"),
    "below a footer": "Sent from my iPhone\n\nresign",
    "with marks, then a divider": f"resign\n\n{MARKED}\n\n{DIVIDER}\n\n{OURS}",
    "a marked signature, then a divider": f"resign\n\n> Anna Nowak\n\n{DIVIDER}\n\n{OURS}",
    "a line of the answered mail, without all its form": "No, that was not me.\n\nresign",
}


def reading(text: str) -> Fresh:
    quotes_it = "your turn as W" in text or text.startswith("No, ")
    return fresh_text(text, "Anna Nowak", QuotedLetters((OURS,) if quotes_it else ()))


@pytest.mark.parametrize("case", CERTAIN)
def test_text_above_a_marked_quote_is_certain(case: str) -> None:
    assert "resign" in reading(CERTAIN[case]).fresh.split()
    assert reading(CERTAIN[case]).certain


@pytest.mark.parametrize("case", UNCERTAIN)
def test_other_shapes_are_uncertain(case: str) -> None:
    assert "resign" in reading(UNCERTAIN[case]).fresh.split()
    assert not reading(UNCERTAIN[case]).certain


BY_CLIENT = {
    True: """apple-iphone-en apple-iphone-pl gmail-app-pl-resign-with-capital gmail-web-de-top-post
        gmail-web-pl-signature-with-image-above-quote gmail-html-only-indented-move
        gmx-web-de-html-only k9-pl-top-post k9-en-signature-above-quote mutt-pl-top-post-latin2
        outlook-mobile-de-android yahoo-en-iphone
        thunderbird-pl-top-post two-levels-of-quote yahoo-de-web-top-post yahoo-web-html-only
        yahoo-android-en-unmarked-quote mime-move-in-an-attached-text-file""",
    False: """apple-mail-en-bottom-post-with-signature apple-mail-de-interleaved gmx-app-de
        gmail-app-pl-answers-between-the-lines gmail-html-only-answer-below-quote gmx-web-de-plain
        k9-fr-header-quote-unmarked mutt-en-bottom-post-latin1 mutt-de-quote-mark-bar
        outlook-desktop-en outlook-html-only-en outlook-mobile-en outlook-web-de
        outlook-web-en-signature-div quote-without-any-sign second-samsung-it-original-message
        quote-without-marks-answer-below-our-end thunderbird-pl-resign-bottom-post-latin2
        thunderbird-html-only-cite yahoo-en-classic-header-block""",
}


@pytest.mark.parametrize(
    ("certain", "case"),
    [(certain, case) for certain in BY_CLIENT for case in BY_CLIENT[certain].split()],
)
def test_certainty_of_clients_answers(certain: bool, case: str) -> None:
    message = read_message(BY_NAME[case].raw)
    assert fresh_text(message.text, message.from_name, BY_NAME[case].witness).certain is certain
