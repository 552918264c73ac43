"""Ratings by email: effects of a result, matches that count, and their readers."""

from __future__ import annotations

import pytest

from pbem.matches.ratings import RatingList
from pbem.service.records.ratings import recorded_matches
from pbem.service.work import reading
from tests.conversations.house import House, Person, Received
from tests.conversations.test_lists import asks, bodies, flat, with_proof


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def loses(house: House, loser: Person, winner: Person, game: str = "lancelot") -> int:
    """Let somebody lose a match. Return its number."""
    match = house.match(game, winner, loser)
    house.clock.advance(days=1)
    house.resigns(loser, match=match.id)
    return match.id


def test_result_changes_ratings_that_anyone_can_ask_for(
    house: House, anna: Person, bert: Person
) -> None:
    told = asks(house, anna, "standing")
    assert "haven't finished a rated match" in flat(told)
    loses(house, bert, anna)
    told = asks(house, anna, "standing lancelot")
    assert "Ratings in Lancelot" in told.text
    rows = [line.split() for line in told.text.splitlines() if " ± 4" in line]
    assert rows == [["Anna", "1579", "±", "484", "1"], ["Bert", "1421", "±", "484", "1"]]
    assert "Provisional, after fewer than ten matches" in flat(told)
    told = asks(house, anna, "standing bert")
    assert "Ratings of Bert" in told.text
    assert "all games 1421 ± 484 (provisional), 1 match" in flat(told)
    assert "Lancelot 1421 ± 484 (provisional), 1 match" in flat(told)
    assert "Your ratings" in asks(house, bert, "standing").text
    assert "Ratings in all games together" in flat(asks(house, anna, "standing all"))
    assert "Nobody has a rating here" in asks(house, anna, "standing lanko-68").text


def test_unknown_name_gets_suggestions_and_no_refusal(house: House, anna: Person) -> None:
    house.player("Bert")
    told = asks(house, anna, "standing berta")
    assert "no member called berta" in flat(told)
    assert "standing Bert" in bodies(told)


def test_hidden_member_is_in_no_list_and_under_no_name(
    house: House, anna: Person, bert: Person
) -> None:
    loses(house, bert, anna)
    with_proof(house, bert, "set page hidden")
    assert "Bert" not in asks(house, anna, "standing lancelot").text
    assert "no member called bert" in flat(asks(house, anna, "standing bert"))
    assert "Bert" in asks(house, bert, "standing lancelot").text
    assert "Your ratings" in asks(house, bert, "standing bert").text


def test_matches_that_say_nothing_about_strength_do_not_count(
    house: House, anna: Person, bert: Person
) -> None:
    with_proof(house, anna, "challenge bert lancelot unrated")
    with_proof(house, bert, "accept 1")
    house.resigns(bert, match=1)
    match = house.match("lanrick-1881", anna, bert, chosen="flag=loss")
    house.skips(days=9)  # nobody has moved twice
    assert house.state(match.id).result is not None
    house.match("lancelot", anna, bert)  # is still being played
    assert ratings(house) == {}


def ratings(house: House, *, computers: bool = False) -> dict[str, tuple[int, int]]:
    """Return the value and the number of matches of everybody in the list of all games."""
    with reading(house.club) as work:
        return {
            work.players.get(row.player).name: (row.rating.value, row.rating.matches)
            for row in work.ratings.standing(RatingList(computers=computers))
        }


def test_matches_with_bots_feed_ratings_of_their_own(
    house: House, anna: Person, bert: Person
) -> None:
    loses(house, bert, anna)
    before = ratings(house)
    [bot] = house.bots("random")
    match = house.match("lancelot", anna, bot)
    house.resigns(anna, match=match.id)
    assert ratings(house) == before
    assert ratings(house, computers=True) == {"bot-random": (1579, 1), "Anna": (1421, 1)}
    told = flat(asks(house, anna, "standing anna"))
    assert told.index("1579") < told.index("With computer opponents") < told.index("1421")


def test_player_who_never_played_is_left_out_if_the_others_continue(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    match = house.match("lancelot", clara, anna, bert, chosen="flag=loss")
    house.sweeps()
    house.passes(days=9)
    assert house.state(match.id).result is None
    house.resigns(bert, match=match.id)
    assert ratings(house) == {"Anna": (1579, 1), "Bert": (1421, 1)}
    recorded = [*recorded_matches(house.club.archive)]
    with reading(house.club) as work:
        assert work.ratings.everything() == recorded


def test_set_of_three_is_rated_by_its_matches(house: House, anna: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.set("lanko-68", anna, bert, clara)
    house.resigns(anna, match=1)  # alone against a pair
    assert ratings(house) == {"Bert": (1559, 1), "Clara": (1559, 1), "Anna": (1441, 1)}


def turn_of(house: House, player: Person, other: Person, chosen: str = "") -> Received:
    """Start a match. Return the email to the player who begins."""
    player.receives()
    house.match("lancelot", player, other, chosen=chosen)
    return player.receives()[-1]


def test_offers_and_turns_show_ratings_where_everybody_wants_it(
    house: House, anna: Person, bert: Person
) -> None:
    loses(house, bert, anna)
    with_proof(house, anna, "offer lancelot")
    assert "Anna (1579 ± 484?)" in flat(asks(house, bert, "offers"))
    shown = "Ratings: Anna 1579 ± 484? and Bert 1421 ± 484?."
    assert shown in flat(turn_of(house, anna, bert))
    with_proof(house, bert, "set ratings off")
    assert "±" not in turn_of(house, anna, bert).text
    assert "±" not in turn_of(house, bert, anna).text
    assert "±" not in asks(house, bert, "offers").text
    assert "Bert" not in asks(house, anna, "standing lancelot").text
    # Whoever asks for somebody by name gets an answer.
    assert "1421 ± 484" in asks(house, anna, "standing bert").text
    assert "1579 ± 484" in asks(house, bert, "standing anna").text
    clara = house.player("Clara")
    assert "Anna (1579 ± 484?)" in flat(asks(house, clara, "offers"))


def test_ratings_would_show_who_plays_blind(house: House, anna: Person, bert: Person) -> None:
    loses(house, bert, anna)
    assert "±" not in turn_of(house, anna, bert, "names=hidden").text
