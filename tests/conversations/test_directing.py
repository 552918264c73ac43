"""A director's decisions about matches: announced, recorded, and checked in the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.matches.director_actions import DecisionError
from pbem.matches.history import Kind
from pbem.matches.record import (
    Record,
    chain_problems,
    from_json,
    from_text,
    heads,
    to_json,
    to_text,
    verify,
)
from pbem.service.direct import orders
from pbem.service.direct.cancelling import cancel
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import Order
from pbem.service.members.forget import forget
from pbem.service.records.audit import audit
from pbem.service.records.publish import stored_record
from pbem.service.records.verify import verify_all
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House, Person


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def decides(house: House, order: Callable[[Work], Order]) -> None:
    """Decide as the director on the command line."""
    with writing(house.club) as work:
        decide(work, order(work), SHELL)
    house.works()


def record(house: House, match: int = 1) -> Record:
    """Return a match's record, after checking that it is correct and the same in both forms."""
    with reading(house.club) as work:
        found = stored_record(work, work.matches.get(match))
    assert not verify(found)
    assert from_json(to_json(found)) == from_text(to_text(found)) == found
    assert heads(from_json(to_json(found))) == heads(found)
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    return found


def plays(house: House, person: Person, *texts: str) -> None:
    person.receives()
    person.says("\n".join(texts))
    house.works()


def legal(house: House, nth: int = 0, number: int = 1) -> str:
    """Return a turn that is legal now."""
    with reading(house.club) as work:
        match = work.match(number)
    actions = list(match.game.legal_actions(match.position))
    return match.game.format(match.position, actions[nth])


def plain(person: Person) -> str:
    """Return someone's newest email, on one line."""
    return " ".join(person.receives()[-1].text.split())


def three_turns(house: House, anna: Person, bert: Person) -> list[str]:
    house.match("lanko-68", anna, bert)
    for person in (anna, bert, anna):
        plays(house, person, legal(house))
    return house.moves()


def test_director_decides_who_wins(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    decides(house, lambda work: orders.adjudication(1, "bert", "Anna has left the club."))
    for person, ended in (
        (anna, "you lost match 1 to Bert"),
        (bert, "you won match 1 against Anna"),
    ):
        over = person.receives()[-1]
        assert f"{ended}: the director decided the match." in over.text
        assert "Reason: Anna has left the club." in " ".join(over.text.split())
    assert record(house).entries[-1].kind is Kind.ADJUDGED


def test_void_match_does_not_count(house: House, anna: Person, bert: Person) -> None:
    house.series("lanrick-1881", anna, bert, 2)
    decides(house, lambda work: orders.adjudication(1, "void", "Wrong board"))
    told = " ".join(anna.receives()[1].text.split())
    assert "match 1 with Bert does not count: the director declared the match void." in told
    record(house)
    assert [match.id for match in house.matches()] == [1, 2]  # it is not replayed


def test_cancelled_match_of_a_series_is_replayed(house: House, anna: Person, bert: Person) -> None:
    house.series("lanrick-1881", anna, bert, 2)
    with writing(house.club) as work:
        assert not cancel(work, 1, "Two are enough", SHELL)
    house.works()
    first, again = house.matches()
    assert first.place is None
    assert not first.counts
    assert again.place is not None
    assert again.place.index == 1
    assert list(again.seats.values()) == list(first.seats.values())
    record(house)


def test_player_loses_by_decision(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    decides(house, lambda work: orders.forfeiture(work, 1, "BERT", ""))
    over = anna.receives()[-1].text
    assert "you won match 1 against Bert: the director declared a forfeit." in over
    assert house.state().result is not None
    record(house)


def test_others_play_on_after_a_forfeit_among_three(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    decides(house, lambda work: orders.forfeiture(work, 1, "Bert", "No answer for weeks"))
    assert house.state().result is None
    told = anna.receives()[-1].text
    assert "Bert forfeits the match by the director's decision" in told
    assert "The others continue" in told
    record(house)


def test_another_member_takes_over(house: House, anna: Person, bert: Person, clara: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "[41-36]")
    house.clock.advance(minutes=5)
    flag = house.flag_at()
    bert.receives()
    decides(house, lambda work: orders.substitution(work, 1, "bert", "clara", "Bert is ill"))
    assert house.flag_at() == flag  # with the time that is left
    [turn] = clara.receives()
    assert turn.kind == "your turn"
    assert "Clara takes over from Bert" in turn.text
    old = bert.read[-1]
    assert "the director has let Clara take over from you" in bert.receives()[-1].text
    bert.says("[10-19]", to=old)
    house.works()
    assert house.moves() == ["[41-36]"]
    plays(house, clara, "[10-19]")
    assert house.moves() == ["[41-36]", "[10-19]"]
    found = record(house)
    assert dict(found.players)["W"] == "Bert"
    assert list(found.substitutes.values()) == ["Clara"]


def test_director_plays_for_the_seat_to_move(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    with pytest.raises(DecisionError, match="it is S's turn"):
        decides(house, lambda work: orders.acting(1, "W", "[10-19]"))
    decides(house, lambda work: orders.acting(1, "s", "[41-36]"))
    assert house.state().to_act == "W"
    assert "The director is acting for Anna." in bert.receives()[-1].text
    assert [entry.kind for entry in record(house).entries] == [Kind.DIRECTED, Kind.ACTION]


def test_undone_turns_stay_readable(house: House, anna: Person, bert: Person) -> None:
    first, slip, reply = three_turns(house, anna, bert)
    decides(house, lambda work: orders.undoing(1, 2, "A slip of Bert's"))
    assert house.state().to_act == "W"
    assert house.moves() == [first]
    another = legal(house, 1)
    old, new = bert.read[-1], bert.receives()[-1]
    bert.says(another, to=old)  # the previous turn email
    house.works()
    assert house.moves() == [first]
    bert.says(another, to=new)
    house.works()
    assert house.moves() == [first, another]
    bert.receives()
    bert.says("history")
    house.works()
    told = bert.receives()[-1].text.partition("Taken back:")[2]
    assert slip in told
    assert another not in told
    found = record(house)
    assert [entry.text for entry in found.actions] == [first, slip, reply, another]
    assert found.taken_back == {2, 3}


def test_former_member_does_not_replay_undone_turns(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    plays(house, anna, legal(house))
    assert bert.player is not None
    with writing(house.club) as work:
        forget(work, bert.player)
    house.works()
    plays(house, clara, legal(house))
    decides(house, lambda work: orders.undoing(1, 1, "A slip"))
    told = " ".join(anna.receives()[-1].text.split())
    assert "has taken back turn 1 and everything after it" in told
    assert "has left the club" in told
    plays(house, anna, legal(house))
    assert house.state().to_act == "yellow"
    assert "your turn" in clara.receives()[-1].text
    record(house)


def test_bot_replays_undone_turns(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    house.match("lanko-68", anna, bot)
    plays(house, anna, "[41-36]")
    assert len(house.moves()) == 2
    decides(house, lambda work: orders.undoing(1, 2, ""))
    assert len(house.moves()) == 2
    record(house)


def test_history_without_its_undo_is_rejected(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "[41-36]")
    decides(house, lambda work: orders.undoing(1, 1, ""))
    plays(house, anna, "[42-36]")
    found = record(house)
    without = [entry for entry in found.entries if entry.kind is not Kind.UNDONE]
    other = [
        entry._replace(text="2") if entry.kind is Kind.UNDONE else entry for entry in found.entries
    ]
    for entries in (without, other):
        assert list(chain_problems(replace(found, entries=tuple(entries))))
        assert verify(replace(found, entries=tuple(entries), heads={}))


def test_late_cancellation_needs_everyone(house: House, anna: Person, bert: Person) -> None:
    three_turns(house, anna, bert)
    with writing(house.club) as work:
        assert len(cancel(work, 1, "A mistake", SHELL)) == 2
    house.works()
    for person in (anna, bert):
        asked = person.receives()[-1]
        assert asked.kind == "do you agree?"
    anna.says("cancel yes")
    house.works()
    assert house.state().result is None
    assert "once all players agree" in plain(anna)
    bert.says("cancel yes")
    house.works()
    [over] = bert.receives()  # the last to agree gets the result
    assert "match 1 with Anna was cancelled." in over.text
    assert over.message["Subject"] == "[pbem 1] Lanko-68 with Anna was cancelled"
    assert "Thank you for playing" not in over.text
    state = house.state()
    assert state.result is not None
    assert not state.counts
    assert "match 1 with Bert was cancelled" in " ".join(anna.receives()[-1].text.split())
    record(house)


def test_one_player_who_disagrees_keeps_the_match(house: House, anna: Person, bert: Person) -> None:
    three_turns(house, anna, bert)
    with writing(house.club) as work:
        cancel(work, 1, "A mistake", SHELL)
    house.works()
    bert.receives()
    bert.says("cancel no")
    house.works()
    assert house.state().result is None
    assert "Bert does not agree" in house.director.receives()[-1].text
    assert "match 1 won't be cancelled: not everyone agrees" in plain(anna)
    anna.says("cancel yes")
    house.works()
    assert house.state().result is None


def test_replacement_in_a_tournament_need_not_have_entered(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.player("Dora")
    house.tournament("lanrick-1893", anna, bert, clara, concurrent=True)
    one = house.matches()[0]
    leaver = next(iter(house.names(one.id).values()))
    decides(house, lambda work: orders.substitution(work, one.id, leaver, "Dora", ""))
    for match in house.matches():
        first = next(iter(house.names(match.id).values()))
        decides(
            house,
            lambda work, of=match.id, who=first: orders.adjudication(of, who, "Time is up"),  # type: ignore[misc]
        )
        record(house, match.id)
    table = (house.home / "archive/tournament-000001-lanrick-1893.txt").read_text()
    assert "Dora" in table


def test_match_emails_agree_with_the_record(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    three_turns(house, anna, bert)
    decides(house, lambda work: orders.undoing(1, 2, ""))
    decides(house, lambda work: orders.substitution(work, 1, "Bert", "Clara", ""))
    plays(house, clara, legal(house))
    decides(house, lambda work: orders.forfeiture(work, 1, "Anna", ""))
    raw = [mail for each in (anna, bert, clara) for mail in house.post.inbox(each.address, 0)]
    found = audit(raw, house.club.archive)
    assert found.problems == []
    assert found.compared > 9
