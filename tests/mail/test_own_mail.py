"""The club's own mails, whatever they say, are known where a client quotes them without a mark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.games import GAMES
from pbem.games.api import AnyGame
from pbem.games.phrases import ENGLISH
from pbem.mail.incoming.reply_text import fresh_text
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.kinds import (
    ClubName,
    Confirm,
    Mail,
    Position,
    Receipt,
    Refusal,
    Reminder,
    Turn,
    Unclear,
)
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.event import Resigned
from pbem.matches.match import MatchOptions, Player, new_match
from pbem.matches.place import Place
from pbem.matches.record import opened
from pbem.matches.score import TurnLine

NOW = datetime(2026, 11, 21, 18, 40, tzinfo=UTC)
NAMES = dict(enumerate(("Anna", "Bert", "Clara Nowak", "Dora", "Emil"), start=1))
TOURNAMENT = CompetitionView(
    RoundRobin("lanrick-1893", (1, 2, 3), MatchOptions(), NOW, number=4), (), NAMES, Place(1, 2, 2)
)
NEWS: Mapping[str, Any] = {
    "events": (Resigned(2, 3, "E", waits=False),),
    "note": ("Well played!", "", "[9-C]", "draw"),
    "author": "Bert",
}
REFUSED: Mapping[str, Any] = {"candidates": ("[9-C]", "[9-D]")}
CHANGED = "  12 E  [30:G:11]    13 S  [N-30]"
ASKED: Mapping[str, Any] = {"lines": ("[9-C]", "resign"), "left_out": 2, "days": 7}
Kind = Callable[[MatchView], Mail]


def refusal(name: str, **details: Any) -> Kind:
    return lambda view: Refusal(name, {**REFUSED, **details}, view, changed=CHANGED)


KINDS: Mapping[str, Kind] = {
    "turn": Turn,
    "turn after a mail": lambda view: Turn(view, **NEWS, taken=("[9-C]", "draw?"), noted=True),
    "turn after another's mail": lambda view: Turn(view, **NEWS),
    "position": lambda view: Position(view, **NEWS),
    "receipt": lambda view: Receipt(view, **NEWS, taken=("[9-C]",), noted=True),
    "reminder": lambda view: Reminder(view, last=False),
    "last reminder": lambda view: Reminder(view, last=True),
    "illegal": refusal("illegal_action", text="[9-C]", reason="square 9 is vacant"),
    "invalid": refusal("invalid_action", text="[9-C]", reason="there is no square 999"),
    "ambiguous": refusal("ambiguous_action", text="[9-C]"),
    "not your turn": refusal("not_your_turn"),
    "old turn": refusal("old_turn"),
    "old mail": refusal("old_mail"),
    "too large": refusal("too_large", reason="it has more than 100 parts"),
    "no command": refusal("no_command", note=("hello",), mentioned=("[9-C]",)),
    "did you send this": lambda view: Confirm(view, **ASKED, requests=("[9-C]", "resign")),
    "is this what you want": lambda view: Unclear(view, **ASKED, requests=("resign",)),
    "confirm alone": refusal("confirm_alone", asked=True, waiting=True),
    "confirm too late": refusal("confirm_alone", asked=True, waiting=False),
    "confirm in between": refusal("confirm_alone", asked=False, proven=True),
    "confirm, not proven": refusal("confirm_alone", asked=False, proven=False),
    "in vain": refusal("in_vain", answers=10),
}


def view(game: AnyGame) -> MatchView:
    players = min(game.info.holders)
    match = opened(new_match(game, list(range(1, players + 1)), MatchOptions(), NOW))
    seat = match.to_act
    assert seat is not None
    return MatchView(
        match=match,
        you=Player(match.seats[seat], NAMES[match.seats[seat]], ("anna@mail.example",)),
        names=NAMES,
        now=NOW,
        words=ENGLISH,
        since=(TurnLine(12, "E", ("[30:G:11]",)), TurnLine(13, "S", ("[N-30]",))),
        due_at=NOW + timedelta(days=5),
        competition=TOURNAMENT,
    )


def written(mail: Mail) -> str:
    assert mail.about is not None
    club = ClubName("pbem", "director@club.example")
    return of_the_club().written(mail, club, mail.about.you.name).text


def mails() -> Iterator[Any]:
    for game in GAMES:
        for name, kind in KINDS.items():
            yield pytest.param(game, kind, id=f"{game.info.key}: {name}")


def fresh(text: str) -> list[str]:
    return [line for line in fresh_text(text).fresh.split("\n") if line.strip()]


@pytest.mark.parametrize(("game", "kind"), list(mails()))
def test_nothing_of_our_mail_is_taken_for_an_answer(game: AnyGame, kind: Kind) -> None:
    ours = written(kind(view(game)))

    assert fresh(f"[8-B]\n\n{ours}") == ["[8-B]"]
    assert fresh(ours) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)
@pytest.mark.parametrize(
    "above", ("", "On 21/11/2026 18:40, pbem wrote:\n\n", "From: pbem\nTo: a\nSubject: b\n\n")
)
def test_what_is_typed_below_and_inside_is_new(game: AnyGame, above: str) -> None:
    ours = written(Turn(view(game)))
    parts = ours.split("Just reply,")

    assert fresh(f"{above}{ours}\n[8-B]\n") == ["[8-B]"]
    assert fresh(f"{above}{ours}[8-B]\n") == ["[8-B]"]
    assert fresh(f"{above}{parts[0]}Well done!\n\nJust reply,{parts[1]}") == ["Well done!"]


def test_a_quote_that_has_lost_its_form_holds_nothing_new() -> None:
    ours = written(Turn(view(GAMES[0]), **NEWS))

    assert fresh("[8-B]\n\n" + "\n".join(line.strip() for line in ours.split("\n"))) == ["[8-B]"]
