"""Members who leave by email, and what the club still knows of them."""

from __future__ import annotations

import pytest

from pbem.ports.inbound import InboundState
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks


def leaves(house: House, person: Person) -> None:
    """Ask to be forgotten, and confirm it."""
    person.says("forget me", recipient=person.latest.reply_to)
    house.works()
    person.receives()
    person.says("confirm")
    house.works()


def said(person: Person) -> str:
    """Return the last new email, on one line."""
    return " ".join(person.receives()[-1].text.split())


def two(house: House, game: str = "lanrick-1893") -> tuple[Person, Person]:
    """Two members in a match."""
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match(game, anna, bert)
    anna.receives()
    bert.receives()
    return anna, bert


def test_forget_me_asks_first(house: House) -> None:
    anna, bert = two(house)
    anna.says("forget me")
    house.works()
    question = said(anna)
    assert "Anna, is this what you want?" in question
    assert "Match 1 would be resigned in your name" in question
    assert bert.receives() == []
    assert house.state().result is None


def test_forget_me_says_which_matches_the_director_would_decide(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    house.match("lanko-68", *people)
    house.match("lancelot", *people)
    questions = []
    for person in people:
        person.receives()
        person.says("forget me")
        house.works()
        questions.append(said(person))
    decided = [
        "A pair can only resign together, so the director would decide match 1." in each
        for each in questions
    ]
    assert sorted(decided) == [False, True, True]
    for question, by_director in zip(questions, decided, strict=True):
        given_up = "Match 2" if by_director else "Matches 1 and 2"
        assert f"{given_up} would be resigned in your name." in question


def test_leaving_member_resigns_matches_and_opponents_are_notified(house: House) -> None:
    anna, bert = two(house)
    leaves(house, anna)
    result = house.state().result
    assert result is not None
    assert result.termination == "resignation"
    (over,) = bert.receives()
    assert "Former member 1 has left the club." in over.text
    assert "Former member 1 resigns." in over.text
    assert "Anna" not in str(over.message)
    goodbye = said(anna)
    assert "You have left pbem. Thank you for playing!" in goodbye
    assert "Match 1 was resigned in your name, and your opponents have been notified." in goodbye
    told = said(house.director)
    assert "former member 1" in told
    assert "Anna" not in told


def test_records_keep_the_former_members_number_and_stay_correct(house: House) -> None:
    anna, bert = two(house, "lanko-68")
    anna.says("[42-36]")
    house.works()
    house.resigns(bert)
    anna.receives()
    before = [path.read_text() for path in house.records()]
    leaves(house, anna)
    for text, path in zip(before, house.records(), strict=True):
        assert path.read_text() == text.replace("Anna", "former member 1")
    assert "former member 1" in (house.home / "archive" / "index.txt").read_text()


def test_others_play_on_in_lancelot(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lancelot", anna, bert, clara)
    anna.receives()
    leaves(house, anna)
    match = house.state()
    assert match.result is None
    assert match.player_to_act in (2, 3)
    assert "Former member 1 resigns. The others continue." in said(bert)


def test_partner_is_notified_and_decides_with_the_director(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.set("lanko-68", anna, bert, clara)
    clara.receives()
    leaves(house, clara)
    assert house.state().result is None
    assert "Match 1 needs you" in said(house.director)
    assert "forfeit 1 former member 3" in house.director.latest.text
    told = said(bert)
    assert "Former member 3 has left the club." in told
    house.resigns(bert)
    result = house.state().result
    assert result is not None
    assert result.termination == "resignation"


def test_later_games_of_a_series_are_forfeited_too(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.series("lanrick-1893", anna, bert, 3)
    anna.receives()
    bert.receives()
    leaves(house, anna)
    matches = house.matches()
    assert [match.result is not None for match in matches] == [True] * 3
    assert len(bert.receives()) == 3


def test_open_offers_of_the_leaving_member_are_withdrawn(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, anna, "challenge bert lancelot")
    asks(house, anna, "offer lancelot players=3")
    asks(house, bert, "challenge anna lanrick-1893")
    asks(house, clara, "offer lancelot players=3")
    asks(house, anna, "take 4")
    for person in (anna, bert, clara):
        person.receives()
    leaves(house, anna)
    with reading(house.club) as work:
        (table,) = work.offers.standing()
    assert (table.number, table.players) == (4, (3,))
    told = " ".join(" ".join(mail.text.split()) for mail in bert.receives())
    assert "former member 1" in told
    assert "Anna" not in told


def test_former_member_is_a_stranger_and_can_join_again(house: House) -> None:
    anna, bert = two(house)
    turn = anna.latest
    leaves(house, anna)
    question, goodbye = anna.latest, anna.receives()[-1]
    for mail in (turn, question, goodbye):
        anna.says("confirm" if mail is question else "resign", to=mail)
        house.works()
    strangers = house.inbound(InboundState.STRANGER)
    assert len(strangers) == 3
    with house.club.storage.writing() as uow:
        again = uow.players.add("Anna", [anna.address])
    anna.player = again
    house.match("lanrick-1893", anna, bert)
    for mail in (turn, question, goodbye):
        anna.says("confirm" if mail is question else "forget me", to=mail)
        house.works()
    assert house.state(2).result is None
    with reading(house.club) as work:
        assert [player.id for player in work.players.all()] == [again.id, 2]


def test_queued_emails_to_a_former_member_are_not_sent(house: House) -> None:
    anna, bert = two(house)
    anna.says("forget me")
    house.works()
    anna.receives()
    bert.says("draw?")
    anna.says("confirm")
    house.works()
    (only,) = anna.receives()
    assert "This is my last email to you." in " ".join(only.text.split())
    assert "Former member 1 resigns" in bert.receives()[-1].text


def test_nothing_of_the_last_email_is_kept(house: House) -> None:
    anna, _ = two(house)
    leaves(house, anna)
    (goodbye,) = anna.receives()
    with reading(house.club) as work:
        assert work.outbox.by_message_id(goodbye.message_id) is None
        assert work.outbox.unsent() == 0


def test_forged_email_erases_nobody(house: House) -> None:
    anna, _ = two(house)
    thief = house.stranger("thief@mail.example")
    thief.says("forget me", recipient=house.address, sender=anna.address)
    house.works()
    thief.says("confirm", recipient=house.address, sender=anna.address)
    house.works()
    assert "did you send this?" in said(anna)
    assert house.state().result is None


def test_move_and_leaving_need_two_emails(house: House) -> None:
    anna, _ = two(house)
    anna.says("draw?\nforget me")
    house.works()
    assert "Please send two emails" in said(anna)
    assert not house.state().offers


@pytest.fixture
def director(house: House) -> Person:
    """The director, a member with an email of the club to answer."""
    person = house.director
    with house.club.storage.writing() as uow:
        person.player = uow.players.add("Dora", [person.address])
    person.says("settings", recipient=house.address)
    house.works()
    person.receives()
    return person


def test_director_removes_a_member_with_a_reason(house: House, director: Person) -> None:
    anna = house.player("Anna Maria")
    director.says("member remove Anna Maria never moves, never answers")
    house.works()
    shown = said(director)
    assert "Anna Maria would be removed from the club" in shown
    assert "never moves, never answers" in shown
    assert anna.receives() == []
    director.says("confirm")
    house.works()
    goodbye = said(anna)
    assert "The director of pbem has removed you from the club." in goodbye
    assert "never moves, never answers" in goodbye
    with reading(house.club) as work:
        assert work.players.named("Anna Maria") is None


def test_director_renames_a_member_everywhere(house: House, director: Person) -> None:
    anna, bert = two(house, "lanko-68")
    house.resigns(bert)
    anna.receives()
    director.says("member rename Anna Anna Nowak")
    house.works()
    assert "Anna is now called Anna Nowak" in said(director)
    assert "has changed your name from Anna to Anna Nowak" in said(anna)
    assert all("Anna Nowak" in path.read_text() for path in house.records())
    director.says("member rename Anna Nowak bert")
    house.works()
    assert "the name Bert is taken" in said(director)


def test_only_the_director_removes_members(house: House) -> None:
    anna, bert = two(house)
    bert.says("member remove Anna I want to win")
    house.works()
    assert anna.receives() == []
    assert house.state().result is None


def test_former_member_is_not_asked_for_a_rematch(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert)
    anna.receives()
    bert.receives()
    leaves(house, anna)
    [over] = bert.receives()
    assert "rematch" not in over.text
    bert.says("rematch", to=over)
    house.works()
    assert "former member 1 is not available" in " ".join(bert.receives()[-1].text.split())


def test_each_round_starts_whole_after_a_member_has_left(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara", "Dora")]
    house.tournament("lanrick-1893", *people)
    people[3].receives()
    leaves(house, people[3])
    house.resigns(people[1], match=2)
    pairs = [tuple(sorted(match.players)) for match in house.matches()]
    assert pairs == [(1, 4), (2, 3), (3, 4), (1, 2)]
    assert [match.result is None for match in house.matches()] == [False, False, False, True]
