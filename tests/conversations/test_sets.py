"""Three-person sets by email."""

from __future__ import annotations

from tests.conversations.house import ON_BOTH, House

pytestmark = ON_BOTH

TERMS = "[pbem {}] Lanko-68"


def test_next_match_starts_automatically_and_the_cross_table_adds_up(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.set("lanko-68", anna, bert, clara)

    # Rulebook: match 1 has A on W and E, B on S, C on N.
    assert [house.names(1)[seat] for seat in "SWNE"] == ["Bert", "Anna", "Clara", "Anna"]
    [mail] = bert.receives()
    assert mail.kind == "your turn"
    assert "this is match 1 of 3, Anna is solo" in mail.text
    assert "Anna       .      .      .      0" in mail.text

    # Each side has 76 points. The loser's castles count as they stand, the winner's
    # threefold: two big (12) and four small (6) castles are 48, so 76 + 2 * 48 - 76 = 96.
    house.resigns(anna)
    [over, begins] = clara.receives()[-2:]
    assert over.kind == "the match is over"
    assert "Anna     -96      .      .    -96" in over.text
    assert "Bert     +96      .      .    +96" in over.text
    assert begins.message["Subject"] == "[pbem 2] Lanko-68: Clara, Bert, Anna"
    assert [house.names(2)[seat] for seat in "SWNE"] == ["Clara", "Bert", "Anna", "Bert"]

    # Match 2: the pair Clara and Anna resign. Bert, solo, wins 96.
    house.resigns(clara)
    assert house.state(2).result is None
    house.resigns(anna)
    assert house.state(2).result is not None
    assert [house.names(3)[seat] for seat in "SWNE"] == ["Anna", "Clara", "Bert", "Clara"]

    # Match 3: Clara, solo, resigns.
    house.resigns(clara)
    last = anna.receives()[-1]
    assert last.kind == "the match is over"
    assert "Anna     -96    -96    +96    -96" in last.text
    assert "Bert     +96    +96    +96   +288" in last.text
    assert "Clara    +96    -96    -96    -96" in last.text
    assert "Bert wins the set." in last.text
    assert len(house.matches()) == 3


def test_concurrent_matches_start_at_once(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    house.set("lanko-103", *people, concurrent=True)
    assert [len(person.receives()) for person in people] == [3, 3, 3]
    assert len(house.matches()) == 3
    house.resigns(people[0])
    assert len(house.matches()) == 3


def test_agreed_end_is_scored_from_the_position(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    bert.says("[+++]")
    house.works()
    assert house.state().result is None
    anna.receives(), bert.receives()
    anna.says("41-36 +++")
    house.works()
    result = house.state().result
    assert result is not None
    assert result.termination == "agreed"
    assert result.winners == ()
    assert house.moves() == ["[W+++]", "[41-36 +++]"]
    assert "the players agreed to end the game (+++)" in " ".join(bert.receives()[-1].text.split())


def test_every_email_of_a_set_has_its_table_once(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.set("lanko-68", anna, bert, clara)
    bert.receives()
    for text in ("show", "help", "rules", "[99-1]", "[41-36]\nshow"):
        bert.says(text)
        house.works()
    bert.says("[42-36]", recipient=house.address, references=False, quoting=False)
    house.resigns(anna)
    bert.says("legal", to=bert.read[0])
    house.works()
    bert.receives()
    of_first = [mail for mail in bert.read if "match-1." in str(mail.message["List-Id"])]
    assert len(of_first) == 9
    assert [mail.text.count("this is match 1 of 3") for mail in of_first] == [1] * 9
