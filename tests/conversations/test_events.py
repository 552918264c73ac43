"""Series and round robins by email."""

from __future__ import annotations

from tests.conversations.house import ON_BOTH, House, Person, Received

pytestmark = ON_BOTH


def of_match(person: Person, match: int) -> list[Received]:
    """Return the emails of a match that someone has read."""
    return [mail for mail in person.read if f"[pbem {match}]" in mail.message["Subject"]]


def test_series_continues_automatically_and_ends_with_its_record(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.series("lanrick-1893", anna, bert, games=3)
    [mail] = anna.receives()
    assert mail.kind == "your turn"
    assert "Series 1, game 1 of 3: Anna 0, Bert 0, drawn 0." in mail.text

    house.resigns(bert, match=1)
    [over, begins] = anna.receives()[-2:]
    assert over.kind == "the match is over"
    assert "Series 1, game 1 of 3: Anna 1, Bert 0, drawn 0." in over.text
    assert "Series 1, game 2 of 3: Anna 1, Bert 0, drawn 0." in begins.text
    bert.receives()
    assert bert.latest.kind == "your turn", "he starts the second game"

    house.resigns(anna, match=2)
    assert len(house.matches()) == 3
    house.resigns(bert, match=3)
    last = anna.receives()[-1]
    assert last.kind == "the match is over"
    record = (
        "3 games between Anna and Bert.\n"
        "Anna began 2, of which Anna won 2;\n"
        "Bert began 1, of which Anna won 0."
    )
    assert record in last.text
    assert "Anna wins the series." in last.text
    bert.receives()
    assert record in bert.latest.text
    assert len(house.matches()) == 3


def test_round_robin_of_three_has_a_bye(house: House) -> None:
    """Berger table for three players: 2-3 (1 free), 1-2 (3 free), 3-1 (2 free)."""
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.tournament("lanrick-1893", anna, bert, clara)
    assert anna.receives() == []
    [mail] = bert.receives()
    assert mail.kind == "your turn"
    assert "Tournament 1, round 1 of 3, bye: Anna." in mail.text
    assert "  1 Anna   x  .  .   0.0   0.00" in mail.text

    house.resigns(clara, match=1)
    [mail] = anna.receives()
    assert mail.kind == "your turn"
    assert "Tournament 1, round 2 of 3, bye: Clara." in mail.text
    assert "  1 Bert   x  .  1   1.0   0.00" in mail.text

    house.resigns(bert, match=2)
    assert len(house.matches()) == 3
    clara.receives()
    assert clara.latest.kind == "your turn"
    house.resigns(anna, match=3)
    table = (
        "           1  2  3   pts     SB\n"
        "  1 Anna   x  1  0   1.0   1.00\n"
        "  2 Bert   0  x  1   1.0   1.00\n"
        "  3 Clara  1  0  x   1.0   1.00\n"
        "\n"
        "The tournament is over."
    )
    for person in (anna, clara):
        person.receives()
        assert table in person.latest.text
    assert len(house.matches()) == 3


def test_concurrent_rounds_start_at_once(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    house.tournament("lanrick-1893", *people, concurrent=True)
    assert len(house.matches()) == 3
    assert [len(person.receives()) for person in people] == [2, 2, 2]
    house.resigns(people[0], match=2)
    assert len(house.matches()) == 3
