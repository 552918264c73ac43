"""HTML emails: any client shows them, they match the text, and contain nobody else's markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from pbem.commands import all_commands
from pbem.commands.help import by_heading
from pbem.games import game_of, games
from pbem.games.api import AnyGame
from pbem.games.text_diagram import paint_board, paint_legend
from pbem.mail.message.html_text import html_text
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.kinds import (
    Answer,
    ClubName,
    DirectorJoining,
    Mail,
    MatchOver,
    Position,
    Section,
    Turn,
    Welcome,
)
from pbem.mail.outgoing.look import BOARDS, Look, ReplyTo
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.other_position import previewed
from pbem.mail.outgoing.render import WrittenMail, of_the_club
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.set import MatchSet
from pbem.matches.line import read_line
from pbem.matches.match import MatchOptions, Player, Result, new_match
from pbem.matches.record import opened
from pbem.settings import players_settings
from pbem.testing.random_matches import walk
from tests.games.every_game import every_match
from tests.mail.client_support import assert_shown
from tests.mail.test_letters_quoted import KINDS, NAMES, NOW, view

CLUB = ClubName("pbem", "director@club.example")
REPLY = ReplyTo(
    "club+12-15-n-k3v7q2mzt4hwa6xd@games.example",
    "Re: [pbem 12] Lanko-103: Anna, Bert, Clara Nowak, Dora, Emil",
)
MARKUP = "<b onclick=x>&lt;</b></blockquote> \ue0000\ue001 {{ 7 }} \"'"


def letter(mail: Mail, board: str = "letters") -> WrittenMail:
    name = mail.about.you.name if mail.about else ""
    return of_the_club().written(mail, CLUB, name, Look(board, REPLY))


def in_play(game: AnyGame, players: int, actions: int = 24) -> MatchView:
    """Return a match as the player to move sees it after some random turns."""
    match = opened(new_match(game, list(range(1, players + 1)), MatchOptions(), NOW))
    for step in islice(walk(game, players, 1, {}), actions):
        if (seat := game.to_act(step.after)) is not None:
            match = replace(match, position=step.after, to_act=seat)
    assert match.to_act is not None
    you = match.seats[match.to_act]
    return replace(view(game), match=match, you=Player(you, NAMES[you], ("anna@mail.example",)))


def answered(name: str, seen: MatchView | None = None, **data: Any) -> Mail:
    return Answer(seen, [Section(name, data)], ("a note of mine",))


def others() -> Iterator[Any]:
    """Return kinds of emails without a board, and the end of a match."""
    settings = [(each, each.default) for each in players_settings()]
    yield "help", answered("help", headings=list(by_heading(all_commands())), match=None)
    yield "welcome", Welcome("Anna", [game.info for game in games()], "club@games.example")
    yield "joining", DirectorJoining("Anna", "anna@mail.example", 31, 60)
    yield (
        "settings",
        answered(
            "settings",
            called="Anna",
            settings=settings,
            of_matches=(),
            feed="https://games.example/x",
            turns="https://games.example/y",
        ),
    )
    for game in games():
        rules = game.rules("en")
        yield f"rules of {game.info.key}", answered("rules", title="", rules=rules)
    seen = in_play(games()[0], 3)
    many = in_columns((f"[{number}:G:11]" for number in range(500)), gap=2)
    yield "history", answered("history", seen, turns=many, taken_back=None, limits=(), link="")
    yield "legal", answered("legal", seen, actions=many, whole=False)
    yield "show", answered("show", seen)
    ended = replace(seen.match, result=Result(("S", "N"), "agreed", {}, NOW), to_act=None)
    of_set = CompetitionView(
        MatchSet("lanko-88", (1, 2, 3), MatchOptions(), NOW, number=2), (), NAMES, seen.match.place
    )
    assert ended.result is not None
    scored = replace(ended.result, scores=dict.fromkeys(ended.seats, 0))
    over = replace(seen, match=replace(ended, result=scored), competition=of_set)
    yield "match over", MatchOver(over)
    board = Section("show", {})
    yield "two boards", Turn(in_play(game_of("lancelot"), 5), sections=(board,))
    names = {number: f"Player {number}" for number in range(1, 17)}
    wide = RoundRobin("lanko-88", tuple(names), MatchOptions(), NOW, number=4)
    yield "tournament", Turn(replace(seen, competition=CompetitionView(wide, (), names)))


@cache
def turn_of(key: str, players: int) -> MatchView:
    return in_play(game_of(key), players)


@every_match
@pytest.mark.parametrize("board", BOARDS)
def test_clients_show_the_turn_email_of_every_game(game: AnyGame, players: int, board: str) -> None:
    written = letter(Turn(turn_of(game.info.key, players)), board)
    assert_shown(written.html)
    assert bool(written.picture) == (board == "picture") == ("<img" in written.html)
    if board != "ascii":  # screen readers say which board it is
        assert turn_of(game.info.key, players).alt in (written.picture or written.html)
    assert written.text == letter(Turn(turn_of(game.info.key, players))).text


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_clients_show_every_kind_of_email(kind: Any) -> None:
    seen = turn_of("lancelot", 2)
    written = letter(kind(seen))
    assert_shown(written.html)
    assert missing(written, seen) == set()


@pytest.mark.parametrize("mail", [pytest.param(mail, id=name) for name, mail in others()])
def test_clients_show_emails_without_a_board(mail: Mail) -> None:
    written = letter(mail)
    assert_shown(written.html)
    assert missing(written, mail.about) == set()


def test_clients_show_a_preview_with_links_or_instructions() -> None:
    """Alone in an email, its links replace the instructions. Beside another board, it has none."""
    seen = in_play(games()[0], 3)
    line = read_line(seen.game, tuple(seen.match.seats), seen.match.position, "[1-2] nonsense")
    tried = previewed(seen, line)
    alone = letter(answered("preview", seen, shown=replace(tried, alone=True)))
    assert_shown(alone.html)
    assert "To add a turn" in alone.text
    assert "To add a turn" not in alone.html
    beside = letter(Turn(seen, sections=(Section("preview", {"shown": tried}),)))
    assert_shown(beside.html)
    assert missing(beside, seen) == set()


def missing(written: WrittenMail, seen: MatchView | None) -> set[str]:
    """Return words of the text that the HTML lacks."""
    text = written.text
    if seen is not None:  # a board has its own symbols in HTML
        board, legend = paint_board(seen.board_diagram), paint_legend(seen.captions)
        text = text.replace(board, "").replace(legend, "")
    return words(text) - words(html_text(written.html))


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w@.-]*\w", re.sub("[*`#]", " ", text)))


def test_text_of_people_is_never_markup() -> None:
    seen = replace(turn_of("lanko-88", 2), names=dict.fromkeys(NAMES, MARKUP))
    mail = Position(seen, note=(MARKUP,), author=MARKUP)
    for board in BOARDS:
        html = letter(mail, board).html
        assert_shown(html)
        assert "<b onclick" not in html
        assert "&lt;b onclick=x&gt;&amp;lt;&lt;/b&gt;&lt;/blockquote&gt; \ue0000\ue001" in html


def test_paragraphs_flow_and_words_of_others_are_in_a_quote() -> None:
    html = letter(
        Position(turn_of("lanko-88", 2), note=("so long " * 30, "[9-C]"), author="B")
    ).html
    said = re.sub(r"\s+", " ", html)
    assert re.search(r"<blockquote [^>]*>(so long ){29}so long<br> \[9-C\]</blockquote>", said)
    assert "to move." in re.sub("<[^>]*>", "", said)
    assert not re.search(r"<p [^>]*>[^<]*<br>", html)


def test_each_board_setting_sends_its_kind_of_board() -> None:
    view_of_all = {board: letter(Turn(turn_of("lanko-88", 2)), board).html for board in BOARDS}
    assert "<pre" in view_of_all["ascii"]
    assert 'src="cid:' in view_of_all["picture"]
    assert "<table" in view_of_all["letters"]
