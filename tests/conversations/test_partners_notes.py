"""Partners get each other's notes after the match. Opponents get them at once."""

from __future__ import annotations

import pytest

from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, decide
from pbem.service.work import writing
from tests.conversations.house import House, Person, Received
from tests.conversations.test_challenges import asks

HINT = "Clara, take the left one next!"


def four(house: House, *, mails: str = "usual", chosen: str = "") -> list[Person]:
    """Anna and Clara against Bert and Dora."""
    people = [house.player(name, mails=mails) for name in ("Anna", "Bert", "Clara", "Dora")]
    house.match("lanko-68", *people, chosen=chosen)
    for person in people:
        person.receives()
    return people


def flat(mails: list[Received]) -> str:
    return " ".join(" ".join(mail.text.split()) for mail in mails)


def moves(house: House, person: Person, text: str = "") -> None:
    person.says(f"{house_example(house)}\n\n{text}", quoting=False)
    house.works()


def house_example(house: House) -> str:
    """Return a legal move."""
    position = house.position()
    game = house.state().game
    return game.format(position, next(iter(game.legal_actions(position))))


@pytest.mark.parametrize("mails", ("usual", "all", "turn"))
def test_partner_gets_a_note_only_after_the_match(house: House, mails: str) -> None:
    anna, bert, clara, dora = four(house, mails=mails)
    moves(house, anna, HINT)
    receipt = flat(anna.receives())
    assert "Clara will see your note when the match is over" in receipt
    assert HINT in flat(bert.receives())
    moves(house, bert)
    told = flat(clara.receives())
    assert "Anna wrote a note. You'll see it when the match is over." in told
    assert HINT not in told
    moves(house, clara)
    clara.says("show")
    house.works()
    assert HINT not in flat(clara.receives())
    with writing(house.club) as work:
        decide(work, orders.adjudication(1, "draw", "A tie"), SHELL)
    house.works()
    assert "Anna wrote in turn 1:" in flat(clara.receives())
    assert HINT in flat(clara.read)
    assert flat(dora.receives()).count(HINT) == 1


def test_partner_gets_a_note_at_once_if_agreed(house: House) -> None:
    anna, bert, clara, _ = four(house, chosen="notes=open")
    moves(house, anna, HINT)
    assert "when the match is over" not in flat(anna.receives())
    bert.receives()
    moves(house, bert)
    assert HINT in flat(clara.receives())


def test_note_in_a_set_reaches_the_partner_after_that_match(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.set("lanko-68", anna, bert, clara)
    for person in (anna, bert, clara):
        person.receives()
    moves(house, bert, HINT)
    assert "Clara will see your note when the match is over" in flat(bert.receives())
    assert HINT in flat(anna.receives()), "Anna plays alone against both"
    moves(house, anna)
    assert HINT not in flat(clara.receives())
    with writing(house.club) as work:
        decide(work, orders.adjudication(1, "draw", "A tie"), SHELL)
    house.works()
    over, begins = clara.receives()
    assert HINT in over.text
    assert HINT not in begins.text


def test_note_stays_held_if_the_director_undoes_its_turn(house: House) -> None:
    anna, *_, clara, _ = four(house)
    moves(house, anna, HINT)
    with writing(house.club) as work:
        decide(work, orders.undoing(1, 1, "A mistake"), SHELL)
    house.works()
    assert HINT not in flat(clara.receives())
    with writing(house.club) as work:
        decide(work, orders.adjudication(1, "draw", "A tie"), SHELL)
    house.works()
    assert HINT in flat(clara.receives())


def test_substitute_cannot_read_a_held_note_during_the_match(house: House) -> None:
    anna, *_, clara, _ = four(house, chosen="substitutes=on")
    emil = house.player("Emil")
    moves(house, anna, HINT)
    with writing(house.club) as work:
        decide(work, orders.substitution(work, 1, "Clara", "Emil", ""), SHELL)
    house.works()
    emil.receives()
    for command in ("show", "history"):
        emil.says(command, quoting=False)
        house.works()
    assert HINT not in flat([*emil.receives(), *emil.read, *clara.receives()])


def test_note_in_the_last_email_reaches_everyone_at_once(house: House) -> None:
    anna, bert, clara, dora = four(house)
    for person, text in ((anna, "draw?"), (bert, "draw"), (clara, "draw")):
        person.says(text, quoting=False)
        house.works()
    dora.receives()
    dora.says("draw\n\nThank you all!", quoting=False)
    house.works()
    assert "when the match is over" not in flat(dora.receives())
    for person in (anna, bert, clara):
        assert "Thank you all!" in person.receives()[-1].text


def test_player_of_both_seats_of_a_side_has_no_partner(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    moves(house, anna, HINT)
    assert "passed your note on to the other players" in flat(anna.receives())
    assert HINT in flat(bert.receives())


def test_offer_shows_that_partners_may_read_notes(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lanko-68 notes=open")
    assert "partners can read each other's notes at once" in flat(bert.receives())
