"""The club's own emails are recognised when a client quotes them without marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.games import games
from pbem.games.api import AnyGame
from pbem.games.phrases import ENGLISH
from pbem.mail.message.size_limits import TOO_MANY_PARTS
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.kinds import (
    ClubName,
    Confirm,
    Mail,
    Position,
    Receipt,
    RefusalMail,
    Reminder,
    Turn,
    Unclear,
)
from pbem.mail.outgoing.kinds.refusals import (
    AmbiguousAction,
    ConfirmAlone,
    IllegalAction,
    InvalidAction,
    NoCommand,
    NotYourTurn,
    OldMail,
    OldTurn,
    Refusal,
    TooLarge,
)
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import of_the_club
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from pbem.matches.competition_place import Place
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.event import Resigned
from pbem.matches.match import MatchOptions, Player, new_match
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
MEANT = ("[9-C]", "[9-D]")
CHANGED = in_columns(("12 E  [30:G:11]", "13 S  [N-30]"))
ASKED: Mapping[str, Any] = {"lines": ("[9-C]", "resign"), "left_out": 2, "days": 7}
Kind = Callable[[MatchView], Mail]


def refused(refusal: Refusal) -> Kind:
    return lambda view: RefusalMail(refusal, view, changed=CHANGED)


KINDS: Mapping[str, Kind] = {
    "turn": Turn,
    "turn after a mail": lambda view: Turn(view, **NEWS, taken=("[9-C]", "draw?"), noted=True),
    "turn after another's mail": lambda view: Turn(view, **NEWS),
    "position": lambda view: Position(view, **NEWS),
    "receipt": lambda view: Receipt(view, **NEWS, taken=("[9-C]",), noted=True),
    "reminder": Reminder,
    "illegal": refused(IllegalAction("[9-C]", "square 9 is vacant", MEANT)),
    "invalid": refused(InvalidAction("[9-C]", "there is no square 999", MEANT)),
    "ambiguous": refused(AmbiguousAction("[9-C]", "", MEANT)),
    "not your turn": refused(NotYourTurn()),
    "old turn": refused(OldTurn()),
    "old mail": refused(OldMail()),
    "too large": refused(TooLarge(TOO_MANY_PARTS)),
    "no command": refused(NoCommand(note=("hello",), mentioned=("[9-C]",))),
    "did you send this": lambda view: Confirm(view, **ASKED, requests=("[9-C]", "resign")),
    "is this what you want": lambda view: Unclear(view, **ASKED, requests=("resign",)),
    "confirm alone": refused(ConfirmAlone(asked=True, waiting=True)),
    "confirm too late": refused(ConfirmAlone(asked=True)),
    "confirm in between": refused(ConfirmAlone(asked=False, proven=True)),
    "confirm, not proven": refused(ConfirmAlone(asked=False)),
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
    for game in games():
        for name, kind in KINDS.items():
            yield pytest.param(game, kind, id=f"{game.info.key}: {name}")


def fresh(text: str, *letters: str) -> list[str]:
    found = fresh_text(text, witness=QuotedLetters(letters)).fresh
    return [line for line in found.split("\n") if line.strip()]


@pytest.mark.parametrize(("game", "kind"), list(mails()))
def test_nothing_in_our_email_is_read_as_an_answer(game: AnyGame, kind: Kind) -> None:
    ours = written(kind(view(game)))

    assert fresh(f"[8-B]\n\n{ours}", ours) == ["[8-B]"]
    assert fresh(ours, ours) == []


@pytest.mark.parametrize("game", games(), ids=lambda game: game.info.key)
@pytest.mark.parametrize(
    "above", ("", "On 21/11/2026 18:40, pbem wrote:\n\n", "From: pbem\nTo: a\nSubject: b\n\n")
)
def test_text_typed_below_and_inside_is_new(game: AnyGame, above: str) -> None:
    ours = written(Turn(view(game)))
    parts = ours.split("Just reply")

    assert fresh(f"{above}{ours}\n[8-B]\n", ours) == ["[8-B]"]
    assert fresh(f"{above}{ours}[8-B]\n", ours) == ["[8-B]"]
    assert fresh(f"{above}{parts[0]}Well done!\n\nJust reply{parts[1]}", ours) == ["Well done!"]


def test_quote_that_lost_its_layout_has_nothing_new() -> None:
    ours = written(Turn(view(games()[0]), **NEWS))

    flat = "\n".join(line.strip() for line in ours.split("\n"))
    assert fresh(f"[8-B]\n\n{flat}", ours) == ["[8-B]"]
