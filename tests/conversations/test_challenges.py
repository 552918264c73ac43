"""Challenges: the questions, the answers, and the matches that start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.service.takeovers.change import hand_to_bot
from pbem.service.work import writing
from tests.conversations.house import House, Person


def told(person: Person) -> str:
    """Return the newest email to someone, on one line."""
    person.receives()
    return " ".join(person.latest.text.split())


def asks(house: House, person: Person, text: str) -> str:
    """Send a new email to the club about nothing else. Return the answer."""
    if not person.read:
        welcomed(house, person)
    person.says(text, to=person.read[0], quoting=False)
    house.works()
    return told(person)


def answers(house: House, person: Person, text: str) -> str:
    """Reply to the newest email. Return the answer."""
    person.receives()
    person.says(text)
    house.works()
    return told(person)


def welcomed(house: House, person: Person) -> None:
    """Give them an email of the club whose reply is proven."""
    person.says("settings", recipient=house.address)
    house.works()
    person.receives()


def test_accepted_challenge_starts_a_match(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    said = asks(house, anna, "challenge bert lanrick-1893 days=3 as=black")
    assert "I've sent challenge 1 to Bert: Lanrick (1893)." in said
    assert "Anna challenges you: Lanrick (1893)." in told(bert)
    assert bert.latest.kind == "will you play?"
    assert "3 days per turn" in bert.latest.text
    assert "Anna, as Black" in bert.latest.text
    assert house.matches() == []
    bert.says("accept")
    house.works()
    (match,) = house.matches()
    assert house.names() == {"yellow": "Bert", "black": "Anna"}
    assert match.options.days == 3
    (turn,) = bert.receives()
    assert turn.kind == "your turn"
    (told_anna,) = anna.receives()
    assert "Match 1 has started from challenge 1." in told_anna.text


def test_challenge_is_declined_with_a_reason(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge Bert lancelot")
    assert "You have declined challenge 1" in answers(house, bert, "decline Too busy, sorry!")
    assert "Bert has declined challenge 1: Lancelot." in told(anna)
    assert "| Too busy, sorry" in anna.latest.text
    assert "challenge 1 was declined" in answers(house, bert, "accept 1")
    assert house.matches() == []


def test_counter_asks_the_challenger(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot days=3")
    asked = bert.receives()[-1]
    assert "asked Anna to accept your terms for challenge 1" in answers(
        house, bert, "counter days=7 excalibur=on"
    )
    anna.receives()
    assert anna.latest.kind == "other terms"
    assert "7 days per turn" in anna.latest.text
    assert "excalibur on" in anna.latest.text
    bert.says("accept", to=asked)
    house.works()
    assert "the terms of challenge 1 have changed since" in told(bert)
    assert house.matches() == []
    answers(house, anna, "accept")
    (match,) = house.matches()
    assert (match.options.days, match.options.game["excalibur"]) == (7, 1)


def test_counter_changes_only_the_named_terms(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    terms = "bank=30 inc=1 weekends=off grace=1d flag=loss private"
    asks(house, anna, f"challenge bert lanko-68 {terms}")
    answers(house, bert, "counter days=3")
    told(anna)
    marked = [line[2:] for line in anna.latest.text.splitlines() if line.startswith("> ")]
    assert len(marked) == 1
    assert "30 days" in marked[0]
    assert "3 days per turn" in marked[0]
    assert "private: only the players can read" in anna.latest.text
    assert max(map(len, anna.latest.text.splitlines())) <= 72
    assert "<b>&gt; 3 days per turn</b>" in anna.latest.html
    answers(house, anna, "counter grace=off draw_offers=off")
    answers(house, bert, "accept")
    (match,) = house.matches()
    assert match.options.time == "days=3 weekends=off"
    assert (match.options.chosen, match.options.draw_offers) == ({"flag": "loss"}, False)


def test_time_control_may_be_one_word(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot turns=3/6 nocarry")
    assert "3 turns in 6 days; unused time is lost" in told(bert)
    answers(house, bert, "counter None")
    assert "no clock" in told(anna)
    answers(house, anna, "accept")
    assert house.state().options.days == 0
    asks(house, anna, "challenge none bert lancelot")
    assert "no clock" in told(bert)


def test_all_invited_players_must_accept(house: House) -> None:
    anna, *others = [house.player(name) for name in ("Anna", "Bert B", "Clara")]
    bert, clara = others
    said = asks(house, anna, 'challenge "Bert B", clara lanko-68 private unrated as=W')
    assert "I've sent challenge 1 to Bert B and Clara" in said
    assert "It is waiting for Clara." in answers(house, bert, "accept as=N")
    assert "another player has asked for that seat" in answers(house, clara, "accept as=W")
    answers(house, clara, "accept 1")
    (match,) = house.matches()
    assert house.names() == {"S": "Clara", "W": "Anna", "N": "Bert B", "E": "Anna"}
    assert (match.public, match.options.unrated) == ("never", True)
    assert len(anna.receives()) == 1
    answers(house, anna, "record")
    files = [str(each.get_content()) for each in anna.latest.message.iter_attachments()]
    assert any('[Unrated "on"]' in text for text in files)


def test_challenge_to_a_series_or_set_starts_it(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, anna, "challenge bert lanrick-1893 series=4 as=yellow")
    assert "a series of 4 games of Lanrick (1893)" in told(bert)
    answers(house, bert, "accept")
    assert "Series 1, game 1 of 4" in bert.latest.text
    asks(house, anna, "challenge bert clara lanko-68 set days=3")
    for person in (bert, clara):
        answers(house, person, "accept 2")
    series, first_of_set = house.matches()
    assert house.names(series.id)["yellow"] == "Anna"
    assert first_of_set.place is not None


def test_answer_in_a_sentence_gets_a_suggestion(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot")
    asked = bert.receives()[-1]
    for said, meant in (("I accept! See you.", "accept If so"), ("Lovely!", "accept decline")):
        bert.says(said, to=asked)
        house.works()
        assert f"Did you mean: {meant}" in told(bert)
    assert house.matches() == []


def test_name_below_a_command_is_not_a_note(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot as=blue")
    assert "did not pass these lines on" not in answers(house, bert, "accept\n\nBert")
    bert.receives()
    assert len(house.matches()) == 1


def test_challenge_expires_after_two_weeks_with_one_notice(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot")
    bert.receives()
    house.passes(days=13.9)
    assert anna.receives() == []
    house.passes(days=1)
    (over,) = anna.receives()
    assert "challenge 1 has expired: Lancelot." in over.text
    assert bert.receives() == []
    assert "offer 1 has expired" in answers(house, bert, "accept")


def test_challenge_is_withdrawn(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, anna, "challenge bert lancelot")
    assert "Anna challenges you" in told(bert)
    assert "only the player who made offer 1" in answers(house, bert, "withdraw 1")
    assert "there is no offer 1" in asks(house, clara, "accept 1")
    assert "You have withdrawn challenge 1." in asks(house, anna, "withdraw")
    assert "Anna has withdrawn challenge 1" in told(bert)


@pytest.mark.parametrize(
    ("line", "told"),
    (
        ("challenge bert lanrick-1899", "no game 'lanrick-1899'. The games are: lanko-88"),
        ("challenge bert lanrick-1899", "challenge bert lanrick-1893"),
        ("challenge bort lancelot", "challenge Bert lancelot"),
        ("challenge anna lancelot", "you can't choose yourself"),
        ("challenge lancelot", "name someone to play with"),
        ("play lancelot days=3", "play bot-greedy lancelot days=3"),
        ("play bot greedy lancelot exclibur=on", "play bot-greedy lancelot excalibur=on"),
        ("challenge bort lanrick 1893", "challenge Bert lanrick-1893"),
        ("challenge bert lancelot exclibur=on", "challenge bert lancelot excalibur=on"),
        ("challenge bert lancelot excalibur=maybe", "excalibur must be on or off, not 'maybe'"),
        ("challenge bert lancelot days=soon", "days must be a whole number, not 'soon'"),
        ("challenge bert lancelot as=pink", "has no seat 'pink'. Choose red, blue or any"),
        ("challenge bert clara lanrick-1893", "is for 2 players, not 3"),
        ("challenge bert set lanko-68", "a set is three matches"),
        ("challenge bert lancelot met=no", "met is not an option for challenges"),
        ("challenge dora lancelot", "Dora is not available"),
        ("challenge bot-fritz lancelot", "There are: bot-random, bot-greedy"),
        ("take 9", "there is no offer 9"),
        ("accept", "I found no offer that fits"),
    ),
)
def test_impossible_offer_is_explained(house: House, line: str, told: str) -> None:
    anna = house.player("Anna")
    for name in ("Bert", "Clara"):
        house.player(name)
    asks(house, house.player("Dora"), "set page hidden")
    said = asks(house, anna, line)
    assert told in said
    assert house.matches() == []


def test_number_of_open_offers_is_limited(house: House) -> None:
    anna = house.player("Anna")
    for name in ("Bert", "Carl", "Dora", "Emil", "Fred"):
        house.player(name)
        asks(house, anna, f"challenge {name} lancelot")
    assert "you already have 5 open challenges and tables" in asks(house, anna, "offer lancelot")
    asks(house, anna, "withdraw 3")
    assert "Table 6 is open" in asks(house, anna, "offer lancelot")


def test_blocked_and_blocking_members_are_unavailable(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    assert "You now block Anna" in asks(house, bert, "block anna")
    assert "You block Anna." in asks(house, bert, "blocked")
    assert "Bert is not available" in asks(house, anna, "challenge bert lancelot")
    assert "Anna is not available" in asks(house, bert, "challenge anna lancelot")
    asks(house, anna, "offer lancelot")
    assert "Nobody is looking" in asks(house, bert, "offers")
    assert "not available" in asks(house, bert, "take 1")
    asks(house, bert, "unblock anna")
    assert "take 1" in asks(house, bert, "offers")


def test_members_who_block_each_other_cannot_be_challenged_together(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, clara, "block bert")
    assert "is not available" in asks(house, anna, "challenge bert clara lancelot")
    assert [mail for mail in bert.receives() if mail.kind == "will you play?"] == []
    assert "I've sent challenge 1 to Bert" in asks(house, anna, "challenge bert lancelot")


def test_match_against_bots_starts_at_once(house: House) -> None:
    anna = house.player("Anna")
    asks(house, anna, "play bot-greedy bot-random lancelot as=red excalibur=on")
    (match,) = house.matches()
    assert match.options.game["excalibur"] == 1
    assert house.names()["red"] == "Anna"
    assert set(house.names().values()) == {"Anna", "bot-greedy", "bot-random"}
    assert anna.latest.kind == "your turn"
    assert "comes of" not in anna.latest.text
    assert any("Match 1 has started." in each.text for each in anna.read)


def test_member_may_play_five_matches_against_computers(house: House) -> None:
    anna = house.player("Anna")
    for _ in range(5):
        asks(house, anna, "play bot-random lanrick-1893")
    refused = " ".join(asks(house, anna, "play bot-greedy lanko-68").split())
    assert "you already play 5 matches against computers" in refused
    assert "match 1, match 2, match 3, match 4, match 5" in refused
    assert len(house.matches()) == 5
    bert = house.player("Bert")
    assert "the club allows no more" not in asks(house, anna, "challenge bert lancelot")
    assert "the club allows no more" not in asks(house, bert, "play bot-random lanko-68")


def test_one_bot_may_have_a_lower_limit(house: House) -> None:
    policy = replace(house.club.policy, bot_limits={"steady": 1})
    house.club = replace(house.club, policy=policy)
    anna = house.player("Anna")
    asks(house, anna, "play bot-steady lanrick-1893")
    refused = " ".join(asks(house, anna, "play bot-steady lanrick-1893").split())
    assert "you already play 1 match against bot-steady" in refused
    asks(house, anna, "play bot-random lanrick-1893")
    assert len(house.matches()) == 2


def test_bot_playing_for_an_absent_player_does_not_count(house: House) -> None:
    policy = replace(house.club.policy, bot_matches=1)
    house.club = replace(house.club, policy=policy)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert, chosen="flag=bot")
    with writing(house.club) as work:
        match = work.matches.get(1)
        bert_seats = {match.seats[seat] for seat in match.seats} - {1}
        hand_to_bot(work, match, work.players.get(bert_seats.pop()), work.now)
    asks(house, anna, "play bot-random lanrick-1893")
    assert len(house.matches()) == 2


def test_rematch_moves_everyone_one_seat_on(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert, days=3)
    anna.receives()
    assert "once the match is over" in answers(house, anna, "rematch")
    house.resigns(anna)
    bert.receives()
    assert "I've sent challenge 1 to Bert" in answers(house, anna, "rematch")
    over = bert.read[-1]
    assert ">Play again<" in over.html
    bert.says("rematch", to=over)
    house.works()
    first, second = house.matches()
    assert house.names(second.id) == {"yellow": "Bert", "black": "Anna"}
    assert second.options == first.options


def test_rematch_of_a_series_is_a_series(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.series("lanrick-1881", anna, bert, 1)
    house.resigns(anna)
    assert "a series of 1 game of Lanrick (1881)" in answers(house, anna, "rematch")
    answers(house, bert, "accept")
    assert [match.place.competition for match in house.matches() if match.place] == [1, 2]


def test_rematch_in_a_tournament_is_a_single_match(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    house.tournament("lanrick-1893", *people)
    (match,) = house.matches()
    loser, winner = [each for each in people if each.player and each.player.id in match.players]
    house.resigns(loser)
    (over,) = [mail for mail in loser.receives() if ">Play again<" in mail.html]
    loser.says("rematch", to=over)
    house.works()
    assert f"to {winner.name}: Lanrick (1893)" in told(loser)


def test_challenge_email_has_tap_links(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot")
    html = bert.receives()[-1].html
    assert ">Accept<" in html
    assert ">Decline<" in html
    assert "body=accept%0D%0A" in html


def test_unproven_change_is_asked_about(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    anna.says("challenge bert lancelot", recipient=house.address)
    house.works()
    assert "Anna, did you send this?" in told(anna)
    assert bert.receives() == []
    answers(house, anna, "confirm")
    assert "Anna challenges you" in told(bert)


def test_refusal_about_no_match_shows_no_board(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert)
    said = answers(house, anna, "challenge Brt lancelot")
    assert "there is no member Brt" in said
    assert "Nothing has changed." in said
    assert "You are at the bottom" not in said
    assert "Match 1" not in said
    said = answers(house, anna, "a9-b9")
    assert "You are at the bottom" in said


def test_player_with_a_seat_is_not_asked_for_one(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge Bert lanrick-1893 as=black")
    said = told(bert)
    assert "by chance" not in said
    assert "accept as=" not in said
    answers(house, bert, "counter days=7")
    said = told(anna)
    assert "proposes other terms" in said
    assert "accept as=" not in said
