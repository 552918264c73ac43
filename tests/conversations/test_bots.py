"""Computer opponents: their moves go the same way as everyone's, and nobody emails them."""

from __future__ import annotations

import random
from email.message import EmailMessage

import pytest

from pbem.games import game_of
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll
from pbem.jobs.play_bots import play_bots, record_answers
from pbem.mail.topic import match_key
from pbem.matches.bots import BOTS, Scene, Thinking, turn
from pbem.matches.match import MatchOptions
from pbem.ports.inbound import InboundState
from pbem.service.delivery.deliver import deliver
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person

QUIET = 30
"""Turns without a capture that end a match in these tests."""


class Newcomer:
    """A player who moves at random by email and counts the emails received."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.chance = random.Random(11)

    def answers(self, house: House) -> None:
        """Return a whole turn for one email."""
        scene = Scene(house.state().game, 2, house.position())
        texts = turn(scene, BOTS["random"], Thinking(self.chance.randrange))
        self.person.says("\n".join(texts), quoting=False)
        house.works()


@pytest.mark.thorough
@pytest.mark.parametrize("game", ("lanko-68", "lanrick-1893"))
def test_new_member_plays_a_whole_match(house: House, game: str) -> None:
    anna, (greedy,) = house.player("Anna"), house.bots("greedy")
    house.match(game, anna, greedy, quiet_limit=QUIET)
    newcomer = Newcomer(anna)
    mails = anna.receives()
    assert [mail.kind for mail in mails] == ["your turn"]
    while house.state().result is None:
        newcomer.answers(house)
        news = [mail.kind for mail in anna.receives()]
        own = [kind for kind in news if kind in ("your turn", "the match is over")]
        assert len(own) == 1, news
        assert "please look again" not in news
    assert not house.inbound(InboundState.REFUSED)
    assert not house.inbound(InboundState.SHUNTED)
    assert len(house.records()) == 2


def test_move_against_a_bot_gets_one_email_with_the_answer(house: House) -> None:
    anna = house.player("Anna")
    house.match("lancelot", anna, *house.bots("random", "greedy"))
    anna.receives()
    for _ in range(5):
        sent = moves(house, anna)
        house.works()
        (mail,) = anna.receives()
        assert (mail.kind, mail.message["Auto-Submitted"]) == ("your turn", "auto-replied")
        assert mail.message["In-Reply-To"] == sent["Message-ID"]
        _, _, told = mail.text.partition("Your last turn and what followed")
        shown = told.partition("*" if "*" in told else "\n\n\n")[0]
        assert all(text in shown for text in house.moves()[-3:]), mail.text
    with reading(house.club) as work:
        assert work.outbox.unsent() == 0


def test_receipt_waits_two_minutes_for_a_slow_bot(house: House) -> None:
    anna, (bot,) = house.player("Anna"), house.bots("random")
    house.match("lancelot", anna, bot)
    anna.receives()
    moves(house, anna)
    poll(house.club, house.mailbox)
    process_pending(house.club)
    deliver(house.club, house.transport)
    assert anna.receives() == []
    house.clock.advance(minutes=2)
    deliver(house.club, house.transport)
    (receipt,) = anna.receives()
    assert "Done: " in receipt.text
    house.works()
    (turn,) = anna.receives()
    assert (turn.kind, turn.message["Auto-Submitted"]) == ("your turn", "auto-generated")
    assert "Since your last turn" in turn.text


@pytest.mark.parametrize("also", ("A note to nobody but me.", "legal"))
def test_receipt_that_says_more_does_not_wait_for_a_bot(house: House, also: str) -> None:
    anna, (bot,) = house.player("Anna"), house.bots("random")
    house.match("lancelot", anna, bot)
    anna.receives()
    moves(house, anna, also)
    house.works()
    receipt, turn = anna.receives()
    assert also in receipt.text or "legal moves" in receipt.text
    assert turn.kind == "your turn"


def moves(house: House, person: Person, *more: str) -> EmailMessage:
    """Send a legal turn of the player to act, and further lines."""
    state = house.state()
    scene = Scene(state.game, len(state.seats), house.position())
    texts = turn(scene, BOTS["random"], Thinking(random.Random(11).randrange))
    return person.says("\n".join([*texts, *more]), quoting=False)


def test_two_bots_play_a_whole_match(house: House) -> None:
    house.match("lanrick-1893", *house.bots("greedy", "random"), quiet_limit=QUIET)
    assert house.state().result is not None
    assert list(house.names().values()) == ["bot-greedy", "bot-random"]
    assert not house.inbound(InboundState.REFUSED)
    with reading(house.club) as work:
        assert work.outbox.unsent() == 0


def test_second_bot_of_a_kind_is_another_person(house: House) -> None:
    first, second = house.bots("random", "random")
    assert (first.name, second.name) == ("bot-random", "bot-random-2")
    assert [bot.address for bot in house.bots("random", "random")] == [
        first.address,
        second.address,
    ]


def test_bot_leaves_a_taken_name_to_its_owner(house: House) -> None:
    house.player("bot-greedy")
    (bot,) = house.bots("greedy")
    assert (bot.name, bot.address) == ("bot-greedy-2", "bot-greedy@games.example")


def test_crash_after_recording_the_answer_does_not_double_it(house: House) -> None:
    anna, (bot,) = house.player("Anna"), house.bots("random")
    with_bot_first(house, bot, anna)
    assert record_answers(house.club) == 1
    assert record_answers(house.club) == 0, "as after a crash here"
    assert play_bots(house.club) == 0
    process_pending(house.club)
    assert len(house.moves()) == 1
    assert play_bots(house.club) == 0


def with_bot_first(house: House, bot: Person, anna: Person) -> None:
    """Start a match and send its first emails, with no answers yet."""
    assert bot.player is not None
    assert anna.player is not None
    with writing(house.club) as work:
        players = [bot.player, anna.player]
        start_match(work, game_of("lanko-68"), players, MatchOptions(5, False))


def test_nobody_emails_a_bot_or_waits_for_it(house: House) -> None:
    anna, (bot,) = house.player("Anna"), house.bots("random")
    with_bot_first(house, bot, anna)
    assert house.flag_at() is None
    with reading(house.club) as work:
        queued = work.outbox.thread(match_key(1), bot.player.id if bot.player else 0)
    assert not queued
    house.works()
    assert house.flag_at() is not None
    with reading(house.club) as work:
        assert not work.outbox.thread(match_key(1), bot.player.id if bot.player else 0)


def test_email_in_a_bots_name_moves_nothing(house: House) -> None:
    anna, (bot,) = house.player("Anna"), house.bots("random")
    with_bot_first(house, bot, anna)
    house.stranger("mallory@mail.example").says(
        "resign", sender=bot.address, recipient=house.address, subject="[pbem 1]"
    )
    house.works()
    assert house.state().result is None
