"""Answers of a bot that looks ahead: to a draw offer, and in a lost position."""

from __future__ import annotations

import random
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from pbem.games import game_of
from pbem.inbox.poll import poll
from pbem.jobs.play_bots import play_bots, record_answers
from pbem.matches.bots import BOTS, Scene, Thinking, turn
from pbem.matches.match import Match, MatchOptions
from pbem.matches.player_actions import play
from pbem.ports.inbound import InboundState
from pbem.service.play.change import apply
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def steady(house: House) -> Person:
    [bot] = house.bots("steady")
    return bot


def begun(house: House, *people: Person) -> None:
    """Start a match of Lanko whose first emails wait, with no answers yet."""
    with writing(house.club) as work:
        players = [each.player for each in people if each.player is not None]
        start_match(work, game_of("lanko-68"), players, MatchOptions())


def played_until(house: House, bot: Person, comes: Callable[[Match], bool]) -> None:
    """Let the bot move at random against a greedy opponent until something comes up."""
    thinking = Thinking(random.Random(0).randrange)
    with writing(house.club) as work:
        while not comes(match := work.lock_match(1)):
            player = match.player_to_act
            assert player is not None, "the match ended too early"
            kind = "random" if bot.player is not None and player == bot.player.id else "greedy"
            texts = turn(Scene(match.game, 2, match.position), BOTS[kind], thinking)
            apply(work, match, play(match, player, texts, work.now), work.now)


def points(match: Match, person: Person) -> int:
    """Return the bot's lead in points, as the game counts it."""
    assert person.player is not None
    return match.game.standing(match.position)[match.seats_of(person.player.id)[0]]


def test_bot_declines_a_draw_at_once_in_an_even_match(
    house: House, anna: Person, steady: Person
) -> None:
    house.match("lanko-68", anna, steady)
    anna.receives()
    anna.says("draw?")
    house.works()
    assert "bot-steady declines the draw" in anna.receives()[-1].text
    anna.says("[41-36]\ndraw?")
    house.works()
    [_, told] = anna.receives()
    assert "bot-steady declines the draw" in told.text
    assert told.kind == "your turn"
    assert len(house.moves()) == 2


def test_bot_that_is_behind_accepts_a_draw(house: House, anna: Person, steady: Person) -> None:
    begun(house, anna, steady)

    def is_behind(match: Match) -> bool:
        return match.to_act == "S" and points(match, steady) < -1500

    played_until(house, steady, is_behind)
    house.works()
    anna.receives()
    anna.says("draw?")
    house.works()
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("draw", ())
    assert not house.inbound(InboundState.REFUSED)


def test_bot_resigns_a_hopeless_match(house: House, anna: Person, steady: Person) -> None:
    begun(house, anna, steady)
    begun(house, steady, anna)

    def is_hopeless(match: Match) -> bool:
        return match.to_act == "W" and points(match, steady) < -5000

    played_until(house, steady, is_hopeless)
    house.works()
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("resignation", ("S", "N"))
    [over] = (mail for mail in anna.receives() if mail.kind == "the match is over")
    assert "the other side resigned" in over.text
    assert house.state(2).result is None, "an even match continues"


def test_bot_repeats_interrupted_thinking(house: House, anna: Person, steady: Person) -> None:
    begun(house, steady, anna)
    asked = iter((False, False, True))
    assert record_answers(house.club, lambda: next(asked, True)) == 0
    with reading(house.club) as work:
        assert not work.inbound.pending()
    assert record_answers(house.club) == 1


def test_players_email_waits_for_one_bot_at_most(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    bert = house.player("Bert")
    house.match("lanko-68", bert, anna)
    bert.receives()
    for _ in range(4):
        begun(house, bot, anna)
    sent: list[EmailMessage] = []
    before: list[int] = []
    """Moves of the bot in its four matches while Bert's email waits."""

    def stopping() -> bool:
        moves = sum(len(house.moves(match)) for match in range(2, 6))
        if not house.moves(1):
            before.append(moves)
        if moves and not sent:
            sent.append(bert.says("[41-36]"))
            poll(house.club, house.mailbox)
        return False

    play_bots(house.club, stopping)
    assert house.moves(1) == ["[41-36]"]
    assert max(before) <= 2
