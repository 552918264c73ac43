"""Takeovers: by a partner, by a bot for a while, or by a substitute."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from pbem.archive.site.values import Site
from pbem.games import game_of
from pbem.inbox.poll import poll
from pbem.inbox.process import process
from pbem.jobs.play_bots import record_answers
from pbem.matches.history import Kind
from pbem.matches.match import Match, MatchOptions, MatchSummary
from pbem.matches.record import to_text
from pbem.ports.inbound import InboundState
from pbem.service.club import Room
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, vacate
from pbem.service.members.choosing import choose
from pbem.service.members.forget import forget
from pbem.service.play.start import start_match
from pbem.service.takeovers.change import hand_to_bot, partner_of, take_over
from pbem.service.takeovers.vacancies import offer_to_substitutes
from pbem.service.work import Work, reading, writing
from pbem.settings import page as page_setting
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks
from tests.conversations.test_directing import decides, legal, plays, record
from tests.conversations.test_reading_room import naming, published
from tests.fakes.archive import FakeArchive


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def changes(house: House, change: Callable[[Work, MatchSummary], Match]) -> None:
    """Apply what was agreed for a player who is out of time."""
    with writing(house.club) as work:
        change(work, work.matches.lock(1))
    house.works()


def partner_goes_on(house: House, person: Person) -> None:
    def change(work: Work, match: MatchSummary) -> Match:
        assert person.player is not None
        partner = partner_of(work, match, person.player)
        assert partner is not None
        return take_over(work, match, partner, person.player, work.now)

    changes(house, change)


def bot_goes_on(house: House, person: Person) -> None:
    def change(work: Work, match: MatchSummary) -> Match:
        assert person.player is not None
        return hand_to_bot(work, match, person.player, work.now)

    changes(house, change)


def told(person: Person) -> str:
    """Return everything emailed to someone since the last look, on one line."""
    return " ".join(" ".join(each.text for each in person.receives()).split())


def test_partner_plays_both_seats_with_their_own_time(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    house.match("lanko-68", anna, bert, clara, dora, time="bank=30 inc=1")
    anna.receives()
    house.skips(days=10)
    partner_goes_on(house, anna)
    assert list(house.names().values()) == ["Clara", "Bert", "Clara", "Dora"]
    turn = clara.receives()[-1]
    assert turn.kind == "your turn"
    assert "Clara takes over from Anna." in turn.text
    assert "Clara has taken over" in told(anna)
    assert clara.player is not None
    left = house.state().clock.left(clara.player.id, house.clock.now())
    assert left is not None
    assert left > timedelta(days=29.9)  # the ten days were Anna's
    for person in (clara, bert, clara, dora):
        plays(house, person, legal(house))
    found = record(house)
    assert found.player_count == 4
    assert dict(found.players)["S"] == "Anna"
    assert not found.substitutes
    house.resigns(clara)
    result = house.state().result
    assert result is not None
    assert result.winners == ("W", "E")
    record(house)


def test_bot_plays_until_its_player_writes(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    bot_goes_on(house, anna)
    assert "bot-greedy plays for Anna until they write." in told(bert)
    assert "so bot-greedy, a computer opponent, now plays for you" in told(anna)
    assert len(house.moves()) == 1
    plays(house, bert, legal(house))
    assert len(house.moves()) == 3
    anna.receives()
    anna.says("Sorry, I was ill.")
    house.works()
    [answer] = anna.receives()
    assert "Anna, you are playing again yourself." in answer.text
    assert "Nothing has changed" not in answer.text
    assert list(house.names().values()) == ["Anna", "Bert", "Anna", "Bert"]
    assert "Anna is back and takes over from bot-greedy." in told(bert)
    plays(house, bert, legal(house))
    plays(house, anna, legal(house))
    kinds = [entry.kind for entry in record(house).entries]
    assert kinds.count(Kind.KEPT) == kinds.count(Kind.GIVEN_BACK) == 1


def substitute(house: House, person: Person) -> None:
    """Let them volunteer as a substitute."""
    asks(house, person, "set substitute on")


def match_for_substitutes(
    house: House, *people: Person, game: str = "lanko-68", **terms: str
) -> None:
    with writing(house.club) as work:
        players = [person.player for person in people if person.player is not None]
        chosen = {"substitutes": "on", **terms}
        start_match(work, game_of(game), players, MatchOptions(chosen=chosen), public="live")
    house.works()


def seat_is_offered(house: House, person: Person) -> None:
    def change(work: Work, match: MatchSummary) -> Match:
        assert person.player is not None
        return offer_to_substitutes(work, match, person.player)

    changes(house, change)


def test_first_substitute_gets_an_offered_seat(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    for person in (clara, dora):
        substitute(house, person)
    match_for_substitutes(house, anna, bert)
    plays(house, anna, legal(house))
    seat_is_offered(house, bert)
    assert "I've offered Bert's seat to substitutes" in told(anna)
    late = told(bert)
    assert "I've offered your seat to substitutes" in late
    assert "If you write first, you keep playing." in late
    for person in (clara, dora):
        assert "takeover 1 W" in told(person)
    clara.says("takeover 1", quoting=False)
    dora.says("takeover 1 W", quoting=False)
    house.works()
    assert list(house.names().values()) == ["Anna", "Clara", "Anna", "Clara"]
    assert "Clara takes over from Bert." in told(clara)
    assert "W in match 1 is not offered" in told(dora)
    bert.says(legal(house))
    house.works()
    assert len(house.moves()) == 1  # he no longer plays it
    plays(house, clara, legal(house))
    assert list(record(house).substitutes.values()) == ["Clara"]


def test_late_move_withdraws_the_offered_seat(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    substitute(house, clara)
    match_for_substitutes(house, anna, bert)
    anna.receives()
    seat_is_offered(house, anna)
    plays(house, anna, legal(house))
    assert len(house.moves()) == 1
    assert "S in match 1 is not offered, because its player is still playing" in asks(
        house, clara, "takeover 1 S"
    )
    assert list(house.names().values()) == ["Anna", "Bert", "Anna", "Bert"]


def test_table_agrees_to_a_substitute(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    substitute(house, dora)
    match_for_substitutes(house, anna, bert, clara)
    assert "is still playing" in asks(house, dora, "takeover 1 S")
    house.skips(days=5.5)
    assert "whether you may take over S" in asks(house, dora, "takeover 1 S")
    assert "have already been asked about another substitute" in asks(house, dora, "takeover 1 S")
    told(anna)
    for person in (bert, clara):
        question = told(person)
        assert "do you agree to let Dora take over from Anna in match 1?" in question
        assert re.search(r"Please answer by \w+day \d+ \w+, \d\d:\d\d \(UTC\)\.", question)
        person.says("takeover yes")
        house.works()
    assert house.names()["S"] == "Dora"
    assert "Dora takes over from Anna." in told(dora)
    plays(house, dora, legal(house))
    record(house)


def test_one_player_rejects_a_substitute(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    substitute(house, dora)
    match_for_substitutes(house, anna, bert, clara)
    house.skips(days=5.5)
    asks(house, dora, "takeover 1 S")
    plays(house, clara, "takeover no")
    assert "Either someone doesn't agree, or the player is back" in told(dora)
    plays(house, bert, "takeover yes")
    assert "nobody is waiting for your answer" in told(bert)
    assert house.names()["S"] == "Anna"


def test_returning_player_only_needs_to_write(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    substitute(house, dora)
    match_for_substitutes(house, anna, bert, clara)
    house.skips(days=5.5)
    asks(house, dora, "takeover 1 S")
    assert "Dora would like to take over." in told(anna)
    plays(house, anna, "show")
    assert "the player is back" in told(dora)
    plays(house, bert, "takeover yes")
    assert house.names()["S"] == "Anna"


def test_director_replaces_player_while_table_is_asked(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    for person in (clara, dora):
        substitute(house, person)
    match_for_substitutes(house, anna, bert)
    house.skips(days=5.5)
    asks(house, clara, "takeover 1 S")
    assert "Clara would" in " ".join(house.director.receives()[-1].text.split())
    decides(house, lambda work: orders.substitution(work, 1, "anna", "dora", ""))
    plays(house, bert, "takeover yes")
    assert house.names()["S"] == "Dora"
    assert "you won't be taking over in match 1" in told(clara)
    house.skips(days=5.5)
    assert "whether you may take over" in asks(house, clara, "takeover 1 S")


def test_ineligible_substitutes_are_refused(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    match_for_substitutes(house, anna, bert, clara)
    seat_is_offered(house, anna)
    assert "set substitute on" in asks(house, dora, "takeover 1 S")
    assert "you play on another side" in asks(house, bert, "takeover 1 S")
    substitute(house, dora)
    asks(house, dora, "block clara")
    assert "Clara is not available" in asks(house, dora, "takeover 1 S")
    assert "Its seats are" in asks(house, dora, "takeover 1 X")
    assert "no match 2" in asks(house, dora, "takeover 2 S")
    anna.receives()
    dora.says("takeover 1 S", to=anna.read[0], quoting=False)  # not an email to her
    house.works()
    assert list(house.names().values()) == ["Anna", "Bert", "Clara", "Bert"]
    assert "Clara takes over from Anna." in asks(house, clara, "takeover 1 S")


def test_move_for_a_seat_kept_by_a_bot_counts(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    with writing(house.club) as work:
        assert anna.player is not None
        hand_to_bot(work, work.matches.lock(1), anna.player, work.now)
    record_answers(house.club)  # the bot has thought, and its answer waits
    move = legal(house, 1)
    anna.says(move)
    poll(house.club, house.mailbox)
    for number in reversed(pending(house)):
        process(house.club, number)
    house.works()
    assert house.moves() == [move]
    assert house.inbound(InboundState.SHUNTED) == []
    record(house)


def test_bot_that_gets_a_seat_twice_in_a_turn_plays_once(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    for _ in range(2):
        with writing(house.club) as work:
            assert anna.player is not None
            hand_to_bot(work, work.matches.lock(1), anna.player, work.now)
        record_answers(house.club)
        anna.says("I am here")
        poll(house.club, house.mailbox)
        for number in reversed(pending(house)):
            process(house.club, number)
    assert house.moves() == []
    bot_goes_on(house, anna)
    assert len(house.moves()) == 1
    record(house)


def pending(house: House) -> list[int]:
    with reading(house.club) as work:
        return list(work.inbound.pending())


def test_player_of_both_seats_declares_for_both(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lanko-68", anna, bert, clara)
    partner_goes_on(house, anna)
    plays(house, clara, "[+++]")
    assert house.moves() == ["[S+++]", "[N+++]"]
    assert house.position().declared == {"S", "N"}
    record(house)


def test_unproven_or_automatic_email_does_not_return_a_seat(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    bot_goes_on(house, anna)
    kept = anna.receives()[-1]
    robot = (("Auto-Submitted", "auto-replied"),)
    anna.says("I am away until Monday.", to=kept, headers=robot)
    anna.says("resign", recipient=house.address, references=False, subject="[pbem 1]")
    bert.receives()
    bert.says("resign", sender=f"Anna <{anna.address}>")  # with his own token
    house.works()
    assert house.names()["S"] == "bot-greedy"
    assert house.state().result is None
    assert "did you send this?" in told(anna)
    anna.says("confirm", quoting=False)
    house.works()
    assert house.names()["S"] == "Anna"
    result = house.state().result
    assert result is not None
    assert result.winners == ("W", "E")
    record(house)


def test_director_overrules_return_to_a_seat_kept_by_a_bot(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    match_for_substitutes(house, anna, bert)
    bot_goes_on(house, anna)
    anna.receives()
    decides(house, lambda work: orders.substitution(work, 1, "bot-greedy", "clara", ""))
    assert "the director has let Clara take over" in told(anna)
    anna.says("I am back", to=anna.read[0])
    house.works()
    assert "you no longer play match 1" in told(anna)
    assert house.names()["S"] == "Clara"
    record(house)


def test_director_offers_a_seat(house: House, anna: Person, bert: Person, clara: Person) -> None:
    substitute(house, clara)
    match_for_substitutes(house, anna, bert)
    with writing(house.club) as work:
        vacate(work, 1, "anna", "No word since May", SHELL)
    house.works()
    assert "Reason: No word since May" in told(bert)
    assert "takeover 1 S" in told(clara)
    clara.says("takeover 1 S", quoting=False)
    house.works()
    assert house.names()["S"] == "Clara"


@pytest.mark.parametrize(
    ("agreed", "of_bert"), (("", ". . . 0"), ("results=split ", "+32 . . +32"))
)
def test_result_goes_to_last_holder_of_seat_or_is_split(
    house: House, anna: Person, bert: Person, clara: Person, agreed: str, of_bert: str
) -> None:
    dora = house.player("Dora")
    substitute(house, dora)
    house.set("lanko-68", anna, bert, clara, chosen=f"{agreed}substitutes=on")
    for person in (bert, anna, clara, anna):
        plays(house, person, legal(house))
    seat_is_offered(house, bert)
    asks(house, dora, "takeover 1 S")
    for person in 2 * (dora, anna, clara, anna):
        plays(house, person, legal(house))
    house.resigns(anna)
    table = " ".join(anna.receives()[-1].text.split())
    assert f"Bert {of_bert} Clara +96 . . +96" in table


def test_former_member_is_unnamed_where_others_took_over(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    substitute(house, clara)
    match_for_substitutes(house, anna, bert)
    seat_is_offered(house, anna)
    asks(house, clara, "takeover 1 S")
    plays(house, clara, legal(house))
    house.resigns(bert)
    with writing(house.club) as work:
        assert anna.player is not None
        forget(work, work.players.get(anna.player.id))
    house.works()
    found = record(house)
    assert dict(found.players)["S"] == "former member 1"
    assert "Anna" not in to_text(found)


def test_substitute_is_under_the_limit_of_matches(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, running_matches=1))
    substitute(house, clara)
    match_for_substitutes(house, anna, bert)
    house.match("lanko-68", clara, bert)
    seat_is_offered(house, anna)
    assert "takeover 1 S" not in told(clara)
    assert "you already play 1 match, and" in asks(house, clara, "takeover 1 S")


def test_reading_room_shows_who_held_a_seat_and_when(house: House) -> None:
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), store))
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    substitute(house, clara)
    match_for_substitutes(house, anna, bert)
    for person in (anna, bert):
        plays(house, person, legal(house))
    bot_goes_on(house, anna)
    plays(house, bert, legal(house))
    seat_is_offered_by_bot(house)
    asks(house, clara, "takeover 1 S")
    published(house)
    page = " ".join(unescape(store.files["matches/match-000001-lanko-68.html"].decode()).split())
    assert "bot-greedy, a computer opponent, plays for Anna until they write." in page
    assert "Clara takes over from bot-greedy." in page
    assert "turns 1 to 2: Anna" in page
    record(house)
    with writing(house.club) as work:
        assert anna.player is not None
        choose(work, anna.player.id, page_setting.SETTING, page_setting.HIDDEN)
    published(house)
    assert naming(store, "Anna") == set()


def test_private_match_is_announced_only_to_substitutes_once_offered(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), store))
    substitute(house, clara)
    asks(house, anna, "challenge bert lanko-68 days=2 flag=substitute private as=s")
    bert.says("accept", to=bert.receives()[-1])
    house.works()
    assert "no match 1" in asks(house, clara, "takeover 1 S")
    house.skips(days=2.1)
    published(house)
    offered = told(clara)
    assert "Anna has stopped playing match 1" in offered
    assert re.search(r"Please answer by \w+day \d+ \w+, \d\d:\d\d \(UTC\)\.", offered)
    assert "History of match" not in offered
    assert not [name for name in store.files if "match-000001" in name]
    asks(house, clara, "takeover 1 S")
    plays(house, clara, legal(house))
    published(house)
    assert not [name for name in store.files if "match-000001" in name]
    assert naming(store, "Clara") == set()


def seat_is_offered_by_bot(house: House) -> None:
    """Offer a seat for good that a bot keeps."""
    with writing(house.club) as work:
        match = work.matches.lock(1)
        offer_to_substitutes(work, match, work.players.get(match.seats["S"]))
    house.works()
