"""The words of the answered email are never new, whatever a client makes of them."""

from __future__ import annotations

import textwrap

import pytest

from pbem.mail.reply.extent import MOST_LINES, extent_of
from pbem.mail.reply.letters import content_of
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from tests.mail.quoting import marked

ANSWERED = """\
Clara, it is your turn as N (White), turn 15 of match 12.

Bert writes:

| I have no time today. resign

Just reply, with your move on a line of its own, for example

    [C-18]

9 moves are legal (send "legal" for the list). "help" explains the rest.
"""


def fresh(text: str) -> list[str]:
    found = fresh_text(text, witness=QuotedLetters((ANSWERED,))).fresh
    return [line for line in found.split("\n") if line.strip()]


@pytest.mark.parametrize(
    "quote",
    (
        "just reply with your move on a line\nof its own, for example\n[C-18]\n9 moves are legal (",
        "turn 15 of match 12. Bert writes:\nI have\nno time\ntoday.\nresign\nJust reply, with",
        "* I have no time today.\n* resign\n* Just reply, with your move on a line",
    ),
)
def test_quote_without_any_form_is_known(quote: str) -> None:
    assert "[C-18]" not in fresh(f"[8-B]\n\n{quote}")
    assert "resign" not in "".join(fresh(f"[8-B]\n\n{quote}"))
    assert fresh(f"[8-B]\n\n{quote}")[0] == "[8-B]"


@pytest.mark.parametrize("typed", ("[C-18]", "resign", "[8-B]", "I have no time today."))
def test_same_words_typed_again_are_new(typed: str) -> None:
    assert fresh(f"{typed}\n\nOn 21/11/2026 18:40, pbem wrote:\n{marked(ANSWERED)}") == [typed]
    assert fresh(f"{marked(ANSWERED)}\n\n{typed}") == [typed]
    assert fresh(f"{ANSWERED}\n{typed}\n") == [typed]
    assert fresh(marked(ANSWERED).replace("18]\n", f"18]\n\n{typed}\n\n")) == [typed]
    assert fresh(f"> Bert writes:\n>\n\n{typed}\n\n> Just reply, with your move") == [typed]


def test_typographic_signs_are_recognised() -> None:
    note = ("it’s a nice day, isn’t it?", "resign", "it’s mine, so’s tomorrow’s, that’s it")
    ours = "\n".join(f"| {line}" for line in note)
    assert fresh_text("\n".join(note), witness=QuotedLetters((ours,))).fresh == ""


@pytest.mark.parametrize("width", (20, 30, 40, 55, 200))
def test_email_is_known_at_any_line_width(width: int) -> None:
    lines = (textwrap.wrap(line, width) or [""] for line in ANSWERED.split("\n"))
    assert fresh("Yes.\n\n" + "\n".join(part for each in lines for part in each)) == ["Yes."]


@pytest.mark.parametrize("form", ("• {}", "» {}", "**{}**", "_{}_", "| {}", "‘{}’", "{}\u200b"))
def test_email_is_known_in_any_form(form: str) -> None:
    quote = "\n".join(form.format(line) if line else "" for line in ANSWERED.split("\n"))
    assert fresh(f"Yes.\n\n{quote}\n[8-B]") == ["Yes.", "[8-B]"]


def test_text_typed_into_an_email_is_new() -> None:
    first, rest = ANSWERED.split("Just", 1)
    for typed in ("Tomorrow then.", "[8-B]", "8-B\nSee you!"):
        text = f"{first}{typed}\n\nJust{rest.replace('[C-18]', '[C-18]' + chr(10) + typed)}{typed}"
        assert fresh(text) == typed.split("\n") * 3


def test_text_typed_where_an_email_was_cut_is_new() -> None:
    _, middle, end = ANSWERED.partition("Just")
    assert fresh(f"{ANSWERED[:57]}\n[8-B]\n\n{middle}{end}") == ["[8-B]"]


def test_slightly_changed_line_is_still_quoted() -> None:
    for changed in ("[N-30]", "[C–18] (picture)", "[C-18] <see attachment>"):
        assert fresh(f"Yes.\n\n{ANSWERED.replace('[C-18]', changed)}") == ["Yes."]
    swapped = ANSWERED.replace("no time today", "no time 😀 today 😀")
    assert fresh(f"Yes.\n\n{swapped}") == ["Yes."]


def test_somebody_elses_email_below_a_head_is_quoted_to_its_end() -> None:
    theirs = ANSWERED.replace("Clara", "Bert").replace("[C-18]", "[N-30]") + "Last line.\n"
    assert fresh(f"Yes.\n\nFrom: pbem\nTo: Bert\nSubject: x\n\n{theirs}\nresign") == ["Yes."]


def test_each_email_of_a_thread_is_known() -> None:
    other = "Es ist nicht Ihr Zug: Anna ist am Zug.\n\n| draw\n\nBitte sehen Sie auf das Brett.\n"
    witness = QuotedLetters((other, ANSWERED))
    found = fresh_text(f"[8-B]\n\n{ANSWERED}\n\n{other}\n[9-C]", witness=witness).fresh
    assert found.split() == ["[8-B]", "[9-C]"]


def test_emails_of_any_length_take_linear_time() -> None:
    letter = "\n".join(f"| {'nice ' * 10}" for _ in range(2_000))
    assert fresh_text(f"[8-B]\n\n{letter}", witness=QuotedLetters((letter,) * 10)).fresh == "[8-B]"


def test_quoted_email_is_identified_by_the_start_of_a_long_text() -> None:
    assert extent_of(QuotedLetters((ANSWERED,)), marked(ANSWERED)) == len(content_of(ANSWERED))
    assert extent_of(QuotedLetters((ANSWERED,)), "so it is\n" * MOST_LINES + marked(ANSWERED)) == 0
