"""Conversations: a player asks for their last turn back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from random import Random

import pytest

from pbem.games import game_of, games
from pbem.matches.history import Kind
from pbem.matches.match import MatchOffer, OfferKind, position_of
from pbem.matches.player_actions import play
from pbem.matches.record import to_text, verify
from pbem.service.direct import orders
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.tapping import links_of
from tests.conversations.test_directing import decides, record
from tests.conversations.test_plans import plain, sent
from tests.matches.playing import Contest, started

DAY = timedelta(days=1)


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", mails="all")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert", mails="all")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara", mails="all")


def placed(
    house: House, *people: Person, turns: str = "E5 F6", time: str = "", chosen: str = ""
) -> None:
    """Start a match of Lancelot in which a few knights have been placed, one a day."""
    house.match("lancelot", *people, time=time, chosen=chosen)
    for turn, text in enumerate(turns.split()):
        house.skips(days=1)
        sent(house, people[turn % len(people)], text)
    for person in people:
        person.receives()


def left(house: House, person: Person) -> timedelta | None:
    """Return a player's time, without the turn that is running."""
    assert person.player is not None
    return house.state().clock.account(person.player.id).bank


def asks(house: House, person: Person, text: str) -> str:
    """Let somebody answer their newest email, and return the last email they get."""
    return plain(sent(house, person, text)[-1])


# Agreeing


def test_partner_alone_cannot_agree() -> None:
    """A side must not get its time back if its opponents had no legal move in between."""
    contest, chance = Contest(started("lanko-68", 4)), Random(0)
    seat, passed = "", False
    while not passed:
        seat = contest.match.to_act or ""
        contest.moves(chance.choice(contest.legal()))
        assert contest.match.result is None
        passed = contest.match.to_act == {"S": "N", "N": "S", "W": "E", "E": "W"}[seat]
    asker = contest.match.seats[seat]
    contest.does(Kind.TAKEBACK_OFFERED, asker)
    partner = contest.match.player_to_act
    assert partner in contest.match.side_of(asker)
    asked = contest.match.asked(contest.match.offers[0])
    assert {*asked} == {*contest.match.players} - {asker}


def test_opponent_who_moved_agrees_and_both_turns_are_played_again(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6")
    sent(house, bert, "show")
    placed_by_anna = sent(house, anna, "G7")[-1]
    assert "Bert (Blue) to move" in placed_by_anna.text
    sent(house, bert, "H8")
    answer = asks(house, anna, "takeback?")
    assert "You asked to take back turn 3. Bert has not answered yet." in answer
    assert "The request lapses with the next move." in answer
    assert 'send "takeback?"' not in asks(house, anna, "no takeback")
    [request] = bert.receives()
    assert links_of(request)[0].body == "takeback\r\n"
    assert "Anna asks to take back turn 3 and everything after it." in plain(request)
    assert 'Reply "takeback" to agree, or "no takeback" to refuse.' in plain(request)
    assert "Moving also refuses it." in plain(request)
    sent(house, bert, "takeback")
    assert house.moves() == ["E5", "F6"]
    assert "Taken back: 3 red G7 4 blue H8" in asks(house, bert, "history")
    turn = anna.receives()[-1]
    assert turn.kind == "your turn"
    assert "it is your turn as Red, turn 3" in plain(turn)
    assert "Turn 3 and everything after it is taken back." in plain(turn)
    sent(house, anna, "D4")
    assert house.moves() == ["E5", "F6", "D4"]


def test_plan_in_the_email_that_takes_a_turn_back_is_refused(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6 G7")
    sent(house, anna, "takeback?")
    answer = asks(house, bert, "takeback\n\nif D4 then D6")
    assert "your email takes a turn back" in answer
    assert house.moves() == ["E5", "F6", "G7"]
    sent(house, bert, "takeback")
    sent(house, bert, "if D4 then D6")
    sent(house, anna, "D4")
    assert house.moves() == ["E5", "F6", "D4", "D6"]


def test_player_to_move_must_agree_because_they_have_seen_the_turn(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5")
    sent(house, anna, "takeback?")
    assert house.moves() == ["E5"]
    asks(house, bert, "takeback")
    assert (house.moves(), house.state().turn) == ([], 1)
    sent(house, anna, "D4")
    assert house.moves() == ["D4"]


def test_request_asks_players_who_acted_since_and_the_player_to_move(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora", mails="all")
    placed(house, anna, bert, clara, dora, turns="E5 F6")
    answer = asks(house, anna, "takeback?")
    assert "Bert and Clara have not answered yet." in answer
    bystander = plain(dora.receives()[-1])
    assert "There is nothing for you to do now" in bystander
    assert "You need not answer. Bert and Clara have not answered yet." in bystander
    assert "nobody is asking you to take a turn back" in asks(house, dora, "takeback")
    assert "All of you must agree: Bert and Clara." in plain(clara.receives()[-1])
    sent(house, clara, "takeback")
    assert house.moves() == ["E5", "F6"]
    assert "You have accepted it. Bert has not answered yet." in asks(house, clara, "show")
    sent(house, bert, "takeback")
    assert house.moves() == []
    assert "Turn 1 and everything after it is taken back." in plain(dora.receives()[-1])


def test_five_players_return_to_the_last_turn_of_the_asker(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora, emil = house.player("Dora"), house.player("Emil")
    placed(house, anna, bert, clara, dora, emil, turns="E5 F6 G7 H8 I9 D4")
    sent(house, dora, "takeback?")
    for person in (emil, anna, bert):
        assert house.moves()[-1] == "D4"
        sent(house, person, "takeback")
    assert house.moves() == ["E5", "F6", "G7"]


def test_partner_who_has_not_acted_since_is_not_asked(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lanko-68", anna, bert, clara)
    sent(house, anna, "42-36")
    sent(house, bert, "18-19")
    assert house.state().player_to_act == clara.player.id  # type: ignore[union-attr]
    sent(house, bert, "takeback?")
    assert "nobody is asking you" in asks(house, anna, "takeback")
    sent(house, clara, "takeback")
    assert house.moves() == ["[42-36]"]


def test_asker_of_an_unfinished_turn_needs_all_others(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, time="bank=30 inc=1")
    sent(house, anna, "@d5")
    house.skips(days=2)
    sent(house, bert, "a4-b5 ...")
    sent(house, bert, "takeback?")
    assert house.moves() == ["@d5", "a4-b5"]
    sent(house, anna, "takeback")
    assert house.moves() == ["@d5"]
    assert (left(house, bert), house.state().turn) == (timedelta(days=30), 2)
    sent(house, bert, "a4-b5 .")
    assert house.state().turn == 3
    sent(house, anna, "a1-a2 ...")
    sent(house, bert, "takeback?")
    assert "agree" in plain(anna.receives()[-1])
    sent(house, anna, "takeback")
    assert house.moves() == ["@d5"]


# Lapsing and declining


def test_refused_request_changes_nothing(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert)
    sent(house, bert, "takeback?")
    sent(house, anna, "no takeback")
    assert "Anna refuses to take the turn back." in plain(bert.receives()[-1])
    assert (house.moves(), house.state().offers) == (["E5", "F6"], ())
    assert "nobody is asking you to take a turn back" in asks(house, anna, "takeback")


@pytest.mark.parametrize("mover", ("Bert", "Clara"))
def test_request_lapses_with_the_next_move(
    house: House, anna: Person, bert: Person, clara: Person, mover: str
) -> None:
    placed(house, anna, bert, clara, turns="E5 F6" if mover == "Clara" else "E5")
    sent(house, anna, "takeback?")
    sent(house, clara if mover == "Clara" else bert, "H8")
    assert house.state().offers == ()
    assert "nobody is asking you" in asks(house, bert, "takeback")


def test_request_lapses_with_a_move_of_its_author(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert, turns="E5 F6")
    sent(house, anna, "takeback?")
    sent(house, anna, "G7")
    assert "nobody is asking you" in asks(house, bert, "takeback")
    assert house.moves() == ["E5", "F6", "G7"]


def test_offers_of_different_kinds_stand_together(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert)
    sent(house, anna, "draw?")
    sent(house, bert, "takeback?\nabandon?")
    text = asks(house, anna, "show")
    assert "Your draw offer stands." in text
    assert "Bert asks to take back turn 2" in text
    assert "Bert offers to abandon the match." in text
    sent(house, anna, "takeback")
    assert (house.moves(), house.state().offers) == (["E5"], ())


def test_accept_suggests_the_answers_to_offers_that_stand(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6")
    assert '"draw"' not in asks(house, bert, "accept")
    assert "no takeback" not in asks(house, bert, "accept")
    sent(house, anna, "takeback?")
    refused = asks(house, bert, "accept")
    assert "takeback no takeback" in refused
    assert "draw" not in refused


def test_second_request_waits_for_the_first(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    placed(house, anna, bert, clara)
    sent(house, anna, "takeback?")
    bert.receives()
    assert "You asked to take back turn 1." in asks(house, anna, "takeback?")
    assert bert.receives() == []
    assert "another player is already asking" in asks(house, bert, "takeback?")


# What cannot be taken back


def test_match_can_be_agreed_without_takebacks(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert, chosen="takebacks=off")
    assert "no turns can be taken back in this match" in asks(house, anna, "takeback?")
    assert "nobody can ask for a turn back" in plain(anna.read[0])


def test_nothing_is_taken_back_before_ones_first_turn_or_after_the_end(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    assert "there is nothing to take back" in asks(house, bert, "takeback?")
    assert "in the same email" in asks(house, anna, "E5\ntakeback?")
    assert house.moves() == []
    sent(house, anna, "E5")
    house.resigns(bert)
    assert "is over" in asks(house, anna, "takeback?")


def test_turn_before_a_resignation_is_not_taken_back(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    placed(house, anna, bert, clara)
    house.resigns(clara)
    assert "because a player has resigned since" in asks(house, anna, "takeback?")


def test_turn_before_a_change_of_hands_is_not_taken_back(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    placed(house, anna, bert, clara)
    assert dora.player is not None
    decides(house, lambda work: orders.substitution(work, 1, "Bert", "Dora", ""))
    sent(house, clara, "H8")
    assert "because a seat has changed hands since" in asks(house, anna, "takeback?")


# Asking too often


def test_two_refusals_make_the_next_request_wait_ten_turns(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5")
    sent(house, anna, "takeback?")
    sent(house, bert, "no takeback")
    refusal = asks(house, anna, "takeback?")
    assert "you can ask to take a turn back again from turn 3" in refusal
    sent(house, bert, "F6")
    sent(house, anna, "G7")
    sent(house, anna, "takeback?")
    sent(house, bert, "H8")  # moving refuses it, too
    sent(house, anna, "I9")
    assert "again from turn 14" in asks(house, anna, "takeback?")
    others = asks(house, anna, "draw?")
    assert "Your draw offer stands." in others
    sent(house, bert, "takeback?")
    assert any(each.kind is OfferKind.TAKEBACK for each in house.state().offers)


def test_email_offers_a_takeback_only_while_it_can_be_asked_for(
    house: House, anna: Person, bert: Person
) -> None:
    tap = "Ask for my turn back"
    placed(house, anna, bert, turns="E5")
    assert tap in sent(house, anna, "show")[-1].html
    assert tap not in sent(house, bert, "show")[-1].html
    assert tap not in sent(house, anna, "takeback?")[-1].html
    assert "Let them take it back" in bert.receives()[-1].html
    sent(house, bert, "no takeback")
    assert tap not in sent(house, anna, "show")[-1].html


def test_draw_offers_wait_after_two_refusals_too(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert, turns="E5")
    sent(house, anna, "draw?")
    sent(house, bert, "no draw\nF6")
    sent(house, anna, "G7\ndraw?")
    sent(house, bert, "no draw")
    assert "you can offer a draw again from turn 14" in asks(house, anna, "draw?")


# Clocks


def test_clocks_return_to_their_values_at_the_start_of_the_turn(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6", time="bank=30 inc=1")
    before = left(house, anna), left(house, bert)
    house.skips(days=3)
    sent(house, anna, "G7")
    house.skips(days=4)
    sent(house, bert, "H8")
    assert left(house, anna) != before[0]
    assert left(house, bert) != before[1]
    house.skips(days=2)
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    assert (left(house, anna), left(house, bert)) == before
    flag_at, bank = house.flag_at(), before[0]
    assert bank is not None
    assert flag_at is not None
    assert abs(flag_at - house.clock.now() - bank) < timedelta(minutes=1)


def test_turn_that_was_played_again_can_be_taken_back_with_its_clock(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6", time="bank=30 inc=1")
    before = left(house, anna), left(house, bert)
    for text in ("G7", "H7", "I7"):
        house.skips(days=2)
        sent(house, anna, text)
        house.skips(days=1)
        sent(house, anna, "takeback?")
        sent(house, bert, "takeback")
        assert (left(house, anna), left(house, bert)) == before
    sent(house, bert, "takeback?")
    sent(house, anna, "takeback")
    assert house.moves() == ["E5"]
    assert left(house, bert) == DAY * 30


def test_time_given_since_stays_if_its_turn_has_not_been_played(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5", time="bank=30 inc=1")
    decides(house, lambda work: orders.extension(1, "5d", ""))
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    assert (left(house, anna), left(house, bert)) == (DAY * 30, DAY * 35)


def test_time_given_since_stays_with_the_time_before_the_turn(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6", time="bank=30 inc=1")
    decides(house, lambda work: orders.extension(1, "5d", ""))
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    assert (left(house, anna), left(house, bert)) == (DAY * 35, DAY * 30)


def test_players_who_ran_out_of_time_can_still_agree(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5 F6")
    sent(house, bert, "takeback?")
    house.skips(days=6)
    sent(house, anna, "takeback")
    assert house.moves() == ["E5"]
    flag_at = house.flag_at()
    assert flag_at is not None
    assert flag_at - house.clock.now() > DAY * 4


# Emails, plans, bots


def test_earlier_emails_no_longer_count(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert)
    first = anna.receives()[-1]
    sent(house, anna, "E5")
    [asked] = bert.receives()[-1:]
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    anna.receives()
    anna.says("D4", first)
    house.works()
    assert house.moves() == []
    sent(house, anna, "G7")
    bert.receives()
    bert.says("H8", asked)
    house.works()
    assert house.moves() == ["G7"]


def test_blind_match_shows_seats(house: House, anna: Person, bert: Person, clara: Person) -> None:
    placed(house, anna, bert, clara, chosen="names=hidden")
    sent(house, anna, "takeback?")
    request = plain(bert.receives()[-1])
    assert "Red asks to take back turn 1" in request
    assert "Anna" not in request.replace("anna", "")
    sent(house, bert, "takeback")
    sent(house, clara, "takeback")
    assert "Clara" not in plain(anna.receives()[-1])


def test_planned_turn_can_be_taken_back_and_plans_end(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert, turns="E5")
    sent(house, anna, "if F6 then G7; if any then K4")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6", "G7"]
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    assert house.moves() == ["E5", "F6"]
    assert "Your plan 1 has lapsed: turns were taken back" in plain(anna.receives()[-1])
    sent(house, anna, "D4")
    sent(house, bert, "H8")
    assert house.moves() == ["E5", "F6", "D4", "H8"]


@pytest.mark.parametrize("kind", ("random", "greedy", "steady"))
def test_bots_let_people_have_their_turn_back(house: House, anna: Person, kind: str) -> None:
    [bot] = house.bots(kind)
    house.match("lancelot", anna, bot)
    sent(house, anna, "E5")
    assert len(house.moves()) == 2
    sent(house, anna, "takeback?")
    assert (house.moves(), house.state().offers) == ([], ())
    assert anna.receives()[-1:] == []
    sent(house, anna, "D4")
    assert house.moves()[0] == "D4"


def test_bot_in_a_competition_refuses(house: House, anna: Person) -> None:
    [bot] = house.bots("greedy")
    house.series("lancelot", anna, bot, 1)
    sent(house, anna, "E5")
    sent(house, anna, "takeback?\nabandon?")
    assert len(house.moves()) == 2
    assert house.state().offers == ()
    assert house.state().result is None


def test_match_of_a_competition_can_take_turns_back(
    house: House, anna: Person, bert: Person
) -> None:
    house.series("lancelot", anna, bert, 1)
    sent(house, anna, "E5")
    sent(house, anna, "takeback?")
    sent(house, bert, "takeback")
    assert house.moves() == []
    assert house.state().place is not None


# Abandoning


def test_match_is_abandoned_once_everybody_agrees(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    placed(house, anna, bert, clara)
    answer = asks(house, anna, "abandon?")
    assert "Your offer to abandon the match stands." in answer
    assert "It lapses when another player moves." in answer
    request = plain(bert.receives()[-1])
    assert "Anna offers to abandon the match." in request
    assert "It would end without a result and would not count." in request
    assert 'Reply "abandon" to accept it, or "no abandon" to decline it.' in request
    assert "The offer lapses when anyone except Anna moves." in request
    sent(house, bert, "abandon")
    assert house.state().result is None
    sent(house, clara, "abandon")
    result = house.state().result
    assert result is not None
    assert (result.winners, result.termination, set(result.scores.values())) == (
        (),
        "abandoned",
        {0},
    )
    assert not house.state().counts
    over = anna.receives()[-1]
    assert over.kind == "the match is over"
    assert (
        "match 1 with Bert and Clara was abandoned: everyone agreed, so it does not count."
        in plain(over)
    )
    assert record(house).result is not None


def test_abandoned_match_is_declined_or_lapses_like_a_draw(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert)
    sent(house, anna, "abandon?\nG7")
    assert "Bert declines to abandon the match." in asks(house, bert, "no abandon")
    sent(house, bert, "abandon?")
    sent(house, bert, "H8")
    assert house.state().offers == (MatchOffer(OfferKind.ABANDON, house.state().seats["blue"]),)
    sent(house, anna, "I9")
    assert "nobody is offering you to abandon the match" in asks(house, anna, "abandon")


def test_abandoned_match_of_a_series_has_no_points(
    house: House, anna: Person, bert: Person
) -> None:
    house.series("lancelot", anna, bert, 2)
    sent(house, anna, "E5")
    sent(house, anna, "abandon?")
    sent(house, bert, "abandon")
    [first, second] = house.matches()
    assert first.result is not None
    assert first.place is not None
    assert not first.counts
    assert second.result is None


def test_abandoning_is_offered_while_a_plan_waits(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert, turns="E5")
    sent(house, anna, "if F6 then G7")
    sent(house, bert, "F6\nabandon?")
    assert house.moves() == ["E5", "F6"]
    assert "has lapsed: somebody offered to abandon the match" in plain(anna.receives()[-1])


def test_bot_agrees_to_abandon_only_in_the_first_turns(house: House, anna: Person) -> None:
    [bot] = house.bots("greedy")
    for number, turns in enumerate(([], ["E5", "F5"]), start=1):
        house.match("lancelot", anna, bot)
        for text in turns:
            sent(house, anna, text)
        sent(house, anna, "abandon?")
        result = house.state(number).result
        assert (result and result.termination) == (None if turns else "abandoned")
    assert "declines to abandon the match" in plain(anna.latest)


# Records


def test_record_says_that_all_agreed_and_not_the_director(
    house: House, anna: Person, bert: Person
) -> None:
    placed(house, anna, bert)
    sent(house, bert, "takeback?")
    sent(house, anna, "takeback")
    sent(house, bert, "H8")
    found = record(house)
    assert [each.kind for each in found.entries] == [
        Kind.ACTION,
        Kind.ACTION,
        Kind.TAKEBACK_OFFERED,
        Kind.TAKEBACK_ACCEPTED,
        Kind.UNDONE,
        Kind.ACTION,
    ]
    text = to_text(found)
    assert "back to this turn, as all agree" in text
    assert "director" not in text


def test_abandoned_record_needs_an_agreement(house: House, anna: Person, bert: Person) -> None:
    placed(house, anna, bert)
    sent(house, anna, "abandon?")
    sent(house, bert, "abandon")
    found = record(house)
    entries = tuple(each for each in found.entries if each.kind is not Kind.ABANDON_ACCEPTED)
    problems = verify(replace(found, entries=entries, heads={}))
    assert any("abandoned, but the history has no agreement" in each for each in problems)


@pytest.mark.parametrize(
    ("house", "key"),
    (
        *(("fakes", game.info.key) for game in games()),
        *(("sqlite", key) for key in ("lanko-68", "lanrick-1893", "lancelot")),
    ),
    indirect=["house"],
)
def test_match_continues_after_a_takeback_at_any_point(house: House, key: str) -> None:
    chance = Random(key)
    for number, count in enumerate(game_of(key).info.holders, start=1):
        people = [house.player(f"Player {number} {each}") for each in range(count)]
        by_id = {each.player.id: each for each in people if each.player}
        house.match(key, *people, time="bank=30 inc=1")
        clocks = dict[int, Banks]()
        for _ in range(2):
            for _ in range(chance.randrange(1, 12)):
                clocks.setdefault(house.state(number).turn, _banks(house, number))
                _play_at_random(house, number, chance)
            if house.state(number).result is None:
                _take_back(house, number, by_id, chance)
                turn = house.state(number).turn
                assert _banks(house, number) == clocks[turn]
                clocks = {each: banks for each, banks in clocks.items() if each <= turn}
        assert Kind.UNDONE in {each.kind for each in record(house, number).entries}
        with reading(house.club) as work:
            stored = work.match(number)
            assert stored.position == position_of(stored, work.matches.recorded(number))
        _play_at_random(house, number, chance)
        house.works()


Banks = dict[int, timedelta | None]
"""Each player's time, without the turn that is running."""


def _banks(house: House, number: int) -> Banks:
    match = house.state(number)
    return {each: match.clock.account(each).bank for each in match.players}


def _play_at_random(house: House, number: int, chance: Random) -> None:
    house.clock.advance(hours=chance.randrange(1, 40))
    with writing(house.club) as work:
        work.service.beat(work.now)
        before = work.lock_match(number)
        if before.player_to_act is not None:
            legal = list(islice(before.game.legal_actions(before.position), 60))
            text = before.game.format(before.position, chance.choice(legal))
            change = play(before, before.player_to_act, [text], work.now)
            tell(work, News(apply(work, before, change, work.now), change.events, before))


def _take_back(house: House, number: int, people: Mapping[int, Person], chance: Random) -> None:
    """Let somebody ask for their last turn back, and everybody asked agree."""
    before = house.state(number)
    with reading(house.club) as work:
        seats = [each.seat for each in work.matches.recorded(number)]
    asker = before.seats[chance.choice(seats)]
    house.works()
    sent(house, people[asker], "takeback?")
    [offer] = house.state(number).offers
    assert offer.asked is not None
    for player in sorted(offer.asked):
        assert house.state(number).turn == before.turn
        sent(house, people[player], "takeback")
    after = house.state(number)
    assert (after.turn, after.player_to_act, after.offers) == (offer.to, asker, ())
