"""Replies that quote the HTML of an email: the outbox stores that part, too."""

from __future__ import annotations

import pytest

from tests.conversations.house import House, Received
from tests.mail.quoting_letters import CLIENTS, Sent


def quoted(turn: Received) -> str:
    """Return what a client without quote marks and links leaves of an email's HTML."""
    return CLIENTS["nothing above"](Sent(turn.text, turn.html)).text


@pytest.mark.parametrize("references", (True, False), ids=("answered", "by its thread"))
def test_quoted_html_is_not_played_but_text_typed_over_it_is(
    house: House, references: bool
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    [turn] = anna.receives()
    game, position = house.state().game, house.position()
    legal = game.format(position, next(iter(game.legal_actions(position))))

    anna.says(quoted(turn), quoting=False, references=references)
    house.works()
    assert house.moves() == []
    [answer] = anna.receives()
    assert "writes" not in answer.text

    anna.says(f"{legal}\n\n{quoted(turn)}", turn, quoting=False, references=references)
    house.works()
    assert house.moves() == [legal]
    assert all("Anna writes" not in mail.text for mail in bert.receives())
