"""What stands in the mail that is answered is not new, whatever a client makes of it."""

from __future__ import annotations

import pytest

from pbem.mail.incoming.reply_text import fresh_text
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
    found = fresh_text(text, answered=ANSWERED).fresh
    return [line for line in found.split("\n") if line.strip()]


@pytest.mark.parametrize(
    "quote",
    (
        "just reply with your move on a line\nof its own, for example\n[C-18]\n9 moves are legal (",
        "turn 15 of match 12. Bert writes:\nI have\nno time\ntoday.\nresign\nJust reply, with",
        "* I have no time today.\n* resign\n* Just reply, with your move on a line",
    ),
)
def test_what_is_quoted_without_any_form_is_known(quote: str) -> None:
    assert "[C-18]" not in fresh(f"[8-B]\n\n{quote}")
    assert "resign" not in "".join(fresh(f"[8-B]\n\n{quote}"))
    assert fresh(f"[8-B]\n\n{quote}")[0] == "[8-B]"


@pytest.mark.parametrize("typed", ("[C-18]", "resign", "[8-B]", "I have no time today."))
def test_who_says_the_same_again_says_something_new(typed: str) -> None:
    assert fresh(f"{typed}\n\nOn 21/11/2026 18:40, pbem wrote:\n{marked(ANSWERED)}") == [typed]
    assert fresh(f"{marked(ANSWERED)}\n\n{typed}") == [typed]
    assert fresh(f"{ANSWERED}\n{typed}\n") == [typed]
    assert fresh(marked(ANSWERED).replace("18]\n", f"18]\n\n{typed}\n\n")) == [typed]
    assert fresh(f"> Bert writes:\n>\n\n{typed}\n\n> Just reply, with your move") == [typed]


def test_typographic_signs_are_known_again() -> None:
    note = ("it’s a nice day, isn’t it?", "resign", "it’s mine, so’s tomorrow’s, that’s it")
    ours = "\n".join(f"| {line}" for line in note)
    assert fresh_text("\n".join(note), answered=ours).fresh == ""
