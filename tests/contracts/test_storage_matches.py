"""The contract of a storage: players, matches and sets."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from pbem.matches.clock import Charge, Clock, PauseReason
from pbem.matches.competition_place import Place
from pbem.matches.competitions.set import MatchSet
from pbem.matches.history import Happening, Kind
from pbem.matches.match import (
    BeforeEnd,
    MatchOffer,
    MatchSummary,
    OfferCount,
    OfferKind,
    PauseOffer,
    Player,
    Result,
)
from pbem.matches.off_time import Break, Schedule
from pbem.matches.reliability import Leaving, LeftMatch, TurnTime
from pbem.matches.reminders import HALF, LAST_DAY, Reminders
from pbem.matches.seat_holders import Audience
from pbem.matches.time_control import Due, TimeAccount
from pbem.matches.time_controls.days import Days
from pbem.matches.zones import Nights
from pbem.ports.play import CLUB, LoggedDecision, Pause, Snapshot
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import OPTIONS, T0, a_match, action, new_match, people

HOUR = timedelta(hours=1)
RESULT = Result(("N", "S"), "middle-full", {"S": 3, "W": -3, "N": 3, "E": -3}, T0 + HOUR)

# Players


def test_player_comes_back_as_they_were_added(storage: Storage) -> None:
    addresses = ("Anna@Example.org", "anna@work.example")
    with storage.writing() as uow:
        added = uow.players.add("Änna", addresses, "Europe/Vienna")
    with storage.reading() as uow:
        stored = uow.players.get(added.id)
    assert stored == added == Player(added.id, "Änna", addresses, {"zone": "Europe/Vienna"})


def test_player_is_found_by_name_and_by_each_address_in_any_case(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Änna Groß", ["Anna@Example.org", "anna@work.example"])
        people(uow, "Bob")
    with storage.reading() as uow:
        assert uow.players.named("ÄNNA GROSS") == anna
        assert uow.players.at("anna@EXAMPLE.org") == anna
        assert uow.players.at("ANNA@WORK.EXAMPLE") == anna
        assert uow.players.named("Ann") is None
        assert uow.players.at("example.org") is None


@pytest.mark.parametrize(
    ("name", "addresses"),
    (
        ("ANNA", ("other@example.org",)),
        ("Dora", ("ANNA@example.org",)),
        ("Dora", ("dora@example.org", "Anna@example.org")),
        ("Dora", ("dora@example.org", "DORA@example.org")),
    ),
)
def test_name_or_address_belongs_to_one_player(
    storage: Storage, name: str, addresses: tuple[str, ...]
) -> None:
    with storage.writing() as uow:
        people(uow, "Anna")
    with storage.writing() as uow, pytest.raises(StorageError):
        uow.players.add(name, addresses)
    with storage.reading() as uow:
        assert [player.name for player in uow.players.all()] == ["Anna"]


def test_player_needs_an_address(storage: Storage) -> None:
    with storage.writing() as uow, pytest.raises(ValueError, match="Anna has no address"):
        uow.players.add("Anna", [])


def test_players_are_listed_by_name(storage: Storage) -> None:
    with storage.writing() as uow:
        people(uow, "carol", "Bob", "anna", "Élan")
    with storage.reading() as uow:
        assert [player.name for player in uow.players.all()] == ["anna", "Bob", "carol", "Élan"]


# Matches


EVERY_CLOCK = replace(
    Clock(Days(9))
    .start(1, T0)
    .added(1, HOUR, T0)
    .stop(T0 + HOUR)
    .start(2, T0)
    .pause(PauseReason.CLUB, T0 + HOUR),
    spent=HOUR,
    fallen=(Due(HALF, T0),),
    seen=frozenset({LAST_DAY}),
    schedule=Schedule("Europe/Warsaw", True, Nights.read("22-07:30"))
    .on_holidays(date(2026, 12, day) for day in (24, 25, 26, 31))
    .on_leave(T0, T0 + HOUR),
    reminders=Reminders.read("80% 6h"),
    charges=(Charge(T0 - HOUR, T0, HOUR, Schedule("Europe/Warsaw", nights=Nights.read("1-9"))),),
)
"""A clock without empty fields."""


def _match_with_everything(uow: UnitOfWork) -> MatchSummary:
    players = people(uow, "Anna", "Bob", "Carol")
    a, b, c = (player.id for player in players)
    match_set = uow.competitions.add(MatchSet("lanko-68", (a, b, c), OPTIONS, T0))
    return a_match(
        players,
        actions=7,
        turn=9,
        turn_started_at=T0 + HOUR,
        clock=EVERY_CLOCK,
        offers=(
            MatchOffer(OfferKind.DRAW, a, frozenset({c})),
            MatchOffer(OfferKind.TAKEBACK, b, frozenset({a}), 3, frozenset({a, c})),
            MatchOffer(OfferKind.ABANDON, c),
        ),
        offered=(OfferCount(OfferKind.DRAW, a, 4, 2, 3), OfferCount(OfferKind.TAKEBACK, b, 5)),
        pause_offer=PauseOffer(b, 36 * HOUR, T0, frozenset({a, c}), named=True),
        breaks=(Break(T0, T0 + HOUR, agreed=True), Break(T0 + HOUR, T0 + 3 * HOUR)),
        resigned=frozenset({b, c}),
        place=Place(match_set.id, round=1, index=2),
        provider="pbem-chess 1.2.0",
        club="pbem",
        entries=9,
        head="c" * 64,
    )


def test_match_comes_back_as_it_was_added(storage: Storage) -> None:
    with storage.writing() as uow:
        match = _match_with_everything(uow)
        added = uow.matches.add(match)
        assert added == replace(match, id=added.id)
    with storage.reading() as uow:
        stored = uow.matches.get(added.id)
    assert stored == added
    assert list(stored.seats) == ["S", "W", "N", "E"]
    assert list(stored.options.game) == ["repetition", "quiet_limit"]


def test_changed_match_is_saved(storage: Storage) -> None:
    with storage.writing() as uow:
        match = uow.matches.add(_match_with_everything(uow))
        dora = uow.players.add("Dora", ["dora@example.org"])
        ended = replace(
            match,
            seats={**match.seats, "N": dora.id},
            options=replace(match.options, days=0),
            actions=8,
            turn=10,
            to_act=None,
            turn_started_at=None,
            clock=EVERY_CLOCK.stop(T0 + HOUR),
            offers=(),
            pause_offer=None,
            breaks=(),
            resigned=frozenset(),
            result=RESULT,
        )
        uow.matches.save(ended)
    with storage.reading() as uow:
        stored = uow.matches.get(match.id)
        assert uow.matches.of_player(dora.id, playing=False) == [ended]
    assert stored == ended
    assert stored.result is not None
    assert list(stored.result.scores) == ["S", "W", "N", "E"]


def test_missing_match_cannot_be_saved(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        with pytest.raises(StorageError):
            uow.matches.save(replace(match, id=match.id + 1))
        with pytest.raises(StorageError):
            uow.matches.mark_archived(match.id + 1, T0)
        with pytest.raises(StorageError):
            uow.matches.append(match.id + 1, [action(1)])


def test_match_needs_existing_players(storage: Storage) -> None:
    with storage.writing() as uow:
        stranger = Player(77, "Nobody", ("nobody@example.org",))
        with pytest.raises(StorageError):
            uow.matches.add(a_match([*people(uow, "Anna"), stranger]))


def test_actions_come_back_in_order(storage: Storage) -> None:
    match = new_match(storage)
    first = [action(2, turn=1, passed=("W", "N")), action(1)]
    with storage.writing() as uow:
        uow.matches.append(match.id, first)
        uow.matches.append(match.id, [action(3, turn=4), action(4, turn=5)])
        uow.matches.append(match.id, [])
    with storage.reading() as uow:
        assert uow.matches.recorded(match.id) == [*reversed(first), action(3, 4), action(4, 5)]
        assert uow.matches.recorded(match.id, from_turn=4) == [action(3, 4), action(4, 5)]
        assert uow.matches.recorded(match.id, from_turn=6) == []
        assert uow.matches.recorded(match.id, from_number=3) == [action(3, 4), action(4, 5)]
        assert uow.matches.recorded(match.id + 1) == []


def test_happenings_come_back_in_order(storage: Storage) -> None:
    match = new_match(storage)
    offered = Happening(2, 1, "S", Kind.DRAW_OFFERED, T0, "b" * 64)
    paused = Happening(4, 3, "", Kind.PAUSED, T0, "d" * 64)
    with storage.writing() as uow:
        uow.matches.append(match.id, [action(1, head="a" * 64)], [offered])
        uow.matches.append(match.id, (), [paused])
        uow.matches.save(replace(match, actions=1, entries=4, head="d" * 64))
    with storage.reading() as uow:
        assert uow.matches.happenings(match.id) == [offered, paused]
        assert uow.matches.happenings(match.id)[0].kind is Kind.DRAW_OFFERED
        assert uow.matches.happenings(match.id + 1) == []
        assert uow.matches.recorded(match.id)[0].head == "a" * 64
        stored = uow.matches.get(match.id)
        assert (stored.entries, stored.head) == (4, "d" * 64)


def test_accounts_are_stored_with_the_first_action_of_an_email(storage: Storage) -> None:
    match = new_match(storage)
    accounts = [TimeAccount(HOUR * hours, HOUR, 3, HOUR) for hours in (5, 6, -7)]
    with storage.writing() as uow:
        uow.matches.append(match.id, [action(1), action(2)], account=accounts[0])
        uow.matches.append(match.id, [action(3, 2)])
        uow.matches.append(match.id, [action(4, 3)], account=accounts[1])
        uow.matches.take_back(match.id, 3, 5)
        uow.matches.append(match.id, [action(5, 3)], account=accounts[2])
    with storage.reading() as uow:
        since = [[each for _, each in uow.matches.accounts_since(match.id, t)] for t in (1, 2, 4)]
        assert since == [[accounts[0], accounts[2]], [accounts[2]], []]
        assert uow.matches.accounts_since(match.id, 1)[0][0] == action(1).seat


def test_timed_turns_are_a_players_until_they_are_taken_back(storage: Storage) -> None:
    match = new_match(storage)
    turns = [TurnTime(player, HOUR * player, late=player > 1) for player in (1, 2, 1)]
    with storage.writing() as uow:
        for number, turn in enumerate(turns, 1):
            uow.matches.append(match.id, [action(number, number)], timed=turn)
        uow.matches.append(match.id, [action(4, 4)])
        assert uow.matches.turns_of(1, T0 - HOUR) == [turns[0], turns[2]]
        assert uow.matches.turns_of(2, T0 - HOUR) == [turns[1]]
        assert uow.matches.turns_of(1, T0 + HOUR * 24) == []
        uow.matches.take_back(match.id, 2, 5)
    with storage.reading() as uow:
        assert uow.matches.turns_of(1, T0 - HOUR) == [turns[0]]
        assert uow.matches.turns_of(2, T0 - HOUR) == []


def test_matches_that_a_player_left_are_found_by_their_history(storage: Storage) -> None:
    lost, late = new_match(storage), T0 + HOUR
    (red, *_), (anna, bob, _) = lost.seats, lost.players
    with storage.writing() as uow:
        handed_on, alone = uow.matches.add(lost), uow.matches.add(lost)
        bot = uow.players.add_bot("greedy", "bot-greedy", "club+bot@x.example")
        uow.matches.save(replace(alone, seats={**dict.fromkeys(alone.seats, bot.id), red: anna}))
        for match in (lost, alone):
            fell = Happening(1, 3, red, Kind.LOST_ON_TIME, late, "a" * 64)
            uow.matches.append(match.id, (), [fell])
        handed = Happening(1, 3, red, Kind.REPLACED, T0, "a" * 64, f"{anna} {bob}")
        uow.matches.save(replace(handed_on, seats={**handed_on.seats, red: bob}))
        uow.matches.append(handed_on.id, (), [handed])
    with storage.reading() as uow:
        earlier = LeftMatch(handed_on.id, T0, Leaving.REPLACED)
        later = LeftMatch(lost.id, late, Leaving.TIME)
        assert uow.matches.left_by(anna, T0 - HOUR) == [earlier, later]
        assert uow.matches.left_by(anna, T0) == [later]
        assert uow.matches.left_by(bob, T0 - HOUR) == []


def test_actions_taken_back_stay_but_no_longer_count(storage: Storage) -> None:
    match = new_match(storage)
    undone = Happening(4, 3, "", Kind.UNDONE, T0, "d" * 64, "2")
    with storage.writing() as uow:
        uow.matches.append(match.id, [action(1), action(2, 2), action(3, 3)], [undone])
        uow.matches.take_back(match.id, 2, 4)
        uow.matches.append(match.id, [action(4, 2)])
        uow.matches.take_back(match.id, 2, 6)
        uow.matches.append(match.id, [action(5, 2)])
        uow.matches.save(replace(match, actions=5, lead=7))
    with storage.reading() as uow:
        assert [each.number for each in uow.matches.recorded(match.id)] == [1, 5]
        every = uow.matches.all_recorded(match.id)
        assert [(each.number, each.undone) for each in every] == [
            (1, 0), (2, 4), (3, 4), (4, 6), (5, 0),
        ]  # fmt: skip
        assert uow.matches.happenings(match.id) == [undone]
        assert uow.matches.get(match.id).lead == 7


def test_match_has_one_snapshot(storage: Storage) -> None:
    match = new_match(storage)
    text = "lanko 1\n" + "seen S:....B.... W:....B....\n" * 1000
    first, second = Snapshot(20, "a" * 64, 1, text), Snapshot(40, "b" * 64, 2, "lanko 2")
    with storage.reading() as uow:
        assert uow.snapshots.of(match.id) is None
    for snapshot in (first, second):
        with storage.writing() as uow:
            uow.snapshots.put(match.id, snapshot)
        with storage.reading() as uow:
            assert uow.snapshots.of(match.id) == snapshot
            assert uow.snapshots.of(match.id + 1) is None


def test_decisions_of_directors_are_logged(storage: Storage) -> None:
    match = new_match(storage)
    told = [
        LoggedDecision(T0, match.players[0], match.id, "pause 1", "A holiday"),
        LoggedDecision(T0, None, None, "drop 31", ""),
    ]
    with storage.writing() as uow:
        for each in told:
            uow.decisions.add(each)
    for by, number in ((99, None), (None, 99)):
        with storage.writing() as uow, pytest.raises(StorageError):
            uow.decisions.add(LoggedDecision(T0, by, number, "pause 99", ""))
    with storage.reading() as uow:
        assert [replace(each, id=0) for each in uow.decisions.newest(9)] == told[::-1]
        assert [each.line for each in uow.decisions.newest(9, match.id)] == ["pause 1"]
        assert len(uow.decisions.newest(1)) == 1


def test_competition_and_club_have_one_pause_each(storage: Storage) -> None:
    club, of_set = Pause(CLUB, T0), Pause(7, T0, T0 + HOUR)
    with storage.writing() as uow:
        uow.pauses.put(club)
        uow.pauses.put(Pause(7, T0 - HOUR))
        uow.pauses.put(of_set)
        uow.pauses.put(Pause(8, T0))
    with storage.reading() as uow:
        assert uow.pauses.of(7) == [club, of_set]
        assert uow.pauses.of(9) == uow.pauses.of(CLUB) == [club]


def test_entry_is_recorded_once(storage: Storage) -> None:
    match = new_match(storage)
    offered = Happening(1, 1, "S", Kind.DRAW_OFFERED, T0)
    with storage.writing() as uow:
        uow.matches.append(match.id, (), [offered])
    with storage.writing() as uow, pytest.raises(StorageError):
        uow.matches.append(match.id, (), [offered._replace(kind=Kind.RESIGNED)])
    with storage.writing() as uow, pytest.raises(StorageError):
        uow.matches.append(match.id + 1, (), [offered])
    with storage.reading() as uow:
        assert uow.matches.happenings(match.id) == [offered]


def test_matches_of_a_player_are_listed(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bob, carol = people(uow, "Anna", "Bob", "Carol")
        first, second, third = (
            uow.matches.add(a_match(players))
            for players in ([anna, bob], [bob, carol, anna], [bob, carol])
        )
        ended = replace(first, result=RESULT, to_act=None)
        uow.matches.save(ended)
    with storage.reading() as uow:
        assert uow.matches.of_player(anna.id) == [second]
        assert uow.matches.of_player(anna.id, playing=False) == [ended, second]
        assert uow.matches.of_player(carol.id) == [second, third]
        assert uow.matches.of_player(99) == []
        assert uow.matches.all() == [ended, second, third]


def test_ended_match_waits_for_its_record(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        going_on, first, second = (uow.matches.add(a_match(players)) for _ in range(3))
        for match in (second, first):
            uow.matches.save(replace(match, result=RESULT, to_act=None))
    with storage.writing() as uow:
        assert uow.matches.unarchived() == [first.id, second.id]
        assert uow.matches.count_ended() == 2
        uow.matches.mark_archived(first.id, T0)
        assert uow.matches.unarchived() == [second.id]
        uow.matches.save(replace(first, result=RESULT, to_act=None))
        assert uow.matches.unarchived() == [second.id]
        assert uow.matches.get(going_on.id) == going_on


def test_record_of_a_reopened_match_waits_for_removal_until_it_ends_again(storage: Storage) -> None:
    kept = BeforeEnd(Clock(Days(3)).start(1, T0).halted(T0 + HOUR), public="never")
    with storage.writing() as uow:
        match = uow.matches.add(a_match(people(uow, "Anna", "Bob")))
        ended = replace(match, result=replace(RESULT, before=kept), to_act=None)
        uow.matches.save(ended)
        uow.matches.mark_archived(match.id, T0)
        assert uow.matches.reopened() == []
    with storage.writing() as uow:
        stored = uow.matches.lock(match.id).result
        assert stored is not None
        assert stored.before == kept
        uow.matches.save(match)
        uow.matches.archive_again(match.players[0])
        assert uow.matches.reopened() == [match.id]
    with storage.writing() as uow:
        uow.matches.lock(match.id)
        uow.matches.save(ended)
        assert (uow.matches.reopened(), uow.matches.unarchived()) == ([], [match.id])
        uow.matches.mark_archived(match.id, T0)
        uow.matches.mark_archived(match.id, None)
        assert uow.matches.unarchived() == [match.id]


def test_players_to_move_for_long_are_found(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bob = people(uow, "Anna", "Bob")
        uow.matches.add(a_match([anna, bob]))
        uow.matches.add(a_match([bob, anna], turn_started_at=T0 + HOUR))
        ended = uow.matches.add(a_match([bob, anna]))
        uow.matches.save(replace(ended, result=RESULT, to_act=None))
        assert uow.matches.asked_since(T0 - HOUR) == []
        assert uow.matches.asked_since(T0) == [anna.id]
        assert uow.matches.asked_since(T0 + HOUR) == [anna.id, bob.id]


def test_seat_changes_come_back(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        (dora,) = people(uow, "Dora")
        seats = {seat: dora.id if seat == "S" else held for seat, held in match.seats.items()}
        hands = match.hands.left(["S"], match.seats["S"], 7).kept(["S"], match.seats["S"])
        hands = hands.offering(["N"], Audience.PARTNER)
        uow.matches.save(replace(match, seats=seats, hands=hands))
    with storage.reading() as uow:
        stored = uow.matches.get(match.id)
        assert stored.hands == hands
        assert stored.began == match.seats
        assert [each.hands for each in uow.matches.all()] == [hands]
