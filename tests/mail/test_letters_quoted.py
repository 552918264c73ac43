"""The club's letters, whatever they say, are known where a client quotes them without a mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from jinja2 import FileSystemLoader

from pbem.games import GAMES
from pbem.games.api import AnyGame
from pbem.games.phrases import ENGLISH
from pbem.mail.incoming.reply_text import fresh_text
from pbem.mail.incoming.witness import Witness
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import Renderer
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.match import MatchOptions, Player, new_match
from pbem.matches.place import Place
from pbem.matches.record import opened
from pbem.matches.score import TurnLine
from pbem.resources import folder

NOW = datetime(2026, 11, 21, 18, 40, tzinfo=UTC)
NAMES = dict(enumerate(("Anna", "Bert", "Clara Nowak", "Dora", "Emil"), start=1))
TOURNAMENT = CompetitionView(
    RoundRobin("lanrick-1893", (1, 2, 3), MatchOptions(), NOW, number=4), (), NAMES, Place(1, 2, 2)
)
NEWS = {
    "events": ("Bert offers a draw; answer `draw`, or `no draw`.",),
    "note": ("Well played!", "", "[9-C]", "draw"),
    "author": "Bert",
    "sections": (),
}
NOTHING: Mapping[str, Any] = {"events": (), "note": (), "author": "", "sections": ()}
REFUSED = {"candidates": ("[9-C]", "[9-D]"), "changed": "  12 E  [30:G:11]    13 S  [N-30]"}
KINDS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("turn", {**NOTHING, "taken": (), "noted": False}),
    ("turn", {**NEWS, "taken": ("[9-C]", "draw?"), "noted": True}),
    ("turn", {**NEWS, "taken": (), "noted": False}),
    ("position", {**NEWS, "noted": False}),
    ("receipt", {**NEWS, "taken": ("[9-C]",), "noted": True}),
    ("reminder", {"last": False}),
    ("reminder", {"last": True}),
    ("illegal_action", {**REFUSED, "text": "[9-C]", "reason": "square 9 is vacant"}),
    ("invalid_action", {**REFUSED, "text": "[9-C]", "reason": "there is no square 999"}),
    ("ambiguous_action", {**REFUSED, "text": "[9-C]"}),
    ("not_your_turn", REFUSED),
    ("old_turn", REFUSED),
    ("old_mail", REFUSED),
    ("too_large", {"reason": "it has more than 100 parts", "changed": ""}),
    ("no_command", {"note": ("hello",), "mentioned": ("[9-C]",), "changed": ""}),
    (
        "confirm",
        {"lines": ("[9-C]", "resign"), "left_out": 2, "requests": ("[9-C]", "resign"), "days": 7},
    ),
    ("unclear", {"lines": ("resign",), "left_out": 0, "requests": ("resign",), "days": 7}),
    ("confirm_alone", {**REFUSED, "asked": True, "waiting": True}),
    ("confirm_alone", {**REFUSED, "asked": True, "waiting": False}),
    ("confirm_alone", {**REFUSED, "asked": False, "proven": True}),
    ("confirm_alone", {**REFUSED, "asked": False, "proven": False}),
    ("in_vain", {**REFUSED, "answers": 10}),
)


@cache
def renderer() -> Renderer:
    return Renderer(FileSystemLoader(folder("templates") / "mail"))


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


def written(kind: str, view: MatchView, data: Mapping[str, Any]) -> str:
    return renderer().text(kind, {"view": view, **data}, view.history_line)


def mails() -> Iterator[Any]:
    for game in GAMES:
        for number, (kind, data) in enumerate(KINDS):
            yield pytest.param(game, kind, data, id=f"{game.info.key}-{kind}-{number}")


def fresh(text: str, *letters: str) -> list[str]:
    found = fresh_text(text, witness=Witness(letters)).fresh
    return [line for line in found.split("\n") if line.strip()]


@pytest.mark.parametrize(("game", "kind", "data"), list(mails()))
def test_nothing_of_our_mail_is_taken_for_an_answer(
    game: AnyGame, kind: str, data: Mapping[str, Any]
) -> None:
    ours = written(kind, view(game), data)

    assert fresh(f"[8-B]\n\n{ours}", ours) == ["[8-B]"]
    assert fresh(ours, ours) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.key)
@pytest.mark.parametrize(
    "above", ("", "On 21/11/2026 18:40, pbem wrote:\n\n", "From: pbem\nTo: a\nSubject: b\n\n")
)
def test_what_is_typed_below_and_inside_is_new(game: AnyGame, above: str) -> None:
    ours = written("turn", view(game), KINDS[0][1])
    parts = ours.split("Just reply,")

    assert fresh(f"{above}{ours}\n[8-B]\n", ours) == ["[8-B]"]
    assert fresh(f"{above}{ours}[8-B]\n", ours) == ["[8-B]"]
    assert fresh(f"{above}{parts[0]}Well done!\n\nJust reply,{parts[1]}", ours) == ["Well done!"]


def test_a_quote_that_has_lost_its_form_holds_nothing_new() -> None:
    ours = written("turn", view(GAMES[0]), KINDS[2][1])

    flat = "\n".join(line.strip() for line in ours.split("\n"))
    assert fresh(f"[8-B]\n\n{flat}", ours) == ["[8-B]"]
