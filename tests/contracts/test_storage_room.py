"""The contract of a storage: the reading room's data, and which of its pages are stale."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from pbem.archive.site.values import MemberResults, MonthCount, Note, NoteKind
from pbem.games import game_of
from pbem.matches.competitions.series import Series
from pbem.matches.history import Happening, Kind
from pbem.matches.match import DRAWS, MatchSummary, Result, new_match as new_contest
from pbem.matches.seat_holders import Hands, Spell
from pbem.matches.statistics import Outcome, Results
from pbem.ports.process import StorageError
from pbem.ports.room import Choices, PageKind, StalePage
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, OPTIONS, T0, a_match, new_match, people

ALL = Choices(frozenset({"", "live"}), frozenset({"", "live", "ended"}))


def ended(uow: UnitOfWork, match: MatchSummary, winners: str, at: datetime) -> MatchSummary:
    """Return a match that has ended."""
    scores = dict.fromkeys(match.seats, 0)
    result = Result(tuple(winners), "no-entry" if winners else "draw", scores, at)
    over = replace(match, result=result, to_act=None, turn_started_at=None)
    uow.matches.save(over)
    return over


def stale(uow: UnitOfWork, kind: PageKind = PageKind.MATCH) -> list[str]:
    """Return the keys of the stale pages of a kind."""
    return [page.key for page in uow.stale.waiting(kind, 100)]


def settled(storage: Storage) -> None:
    """Mark every page as written."""
    with storage.writing() as uow:
        for kind in PageKind:
            uow.stale.settle(uow.stale.waiting(kind, 100))


def test_changed_match_makes_its_pages_stale_but_its_clock_does_not(
    storage: Storage,
) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        assert stale(uow) == [str(match.id)]
    settled(storage)
    with storage.writing() as uow:
        uow.matches.save_clocks([match])
        uow.matches.mark_archived(match.id, T0)
        assert stale(uow) == []
        uow.matches.save(match)
        series = uow.competitions.add(Series("lanrick-1893", (1, 2), OPTIONS, T0, games=3))
    with storage.reading() as uow:
        assert stale(uow) == [str(match.id)]
        assert stale(uow, PageKind.COMPETITION) == [str(series.id)]


def test_turn_makes_fewer_pages_stale_than_a_listed_change(storage: Storage) -> None:
    match = new_match(storage)
    settled(storage)
    with storage.writing() as uow:
        locked = uow.matches.lock(match.id)
        uow.matches.save(replace(locked, turn=locked.turn + 1, actions=1))
        assert (stale(uow), stale(uow, PageKind.TURN)) == ([], [str(match.id)])
    turned = dict(zip(match.seats, reversed(list(match.seats.values())), strict=True))
    for told in ({"public": "never"}, {"seats": turned}):
        settled(storage)
        with storage.writing() as uow:
            uow.matches.save(replace(uow.matches.lock(match.id), **told))
            assert (stale(uow), stale(uow, PageKind.TURN)) == ([str(match.id)], [])


def test_page_marked_while_it_is_written_stays_stale(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.stale.kinds() == []
        uow.stale.mark(PageKind.CLUB)
        uow.stale.mark(PageKind.GAME, ["lanko-68", "lancelot", "lanko-68"])
        assert uow.stale.kinds() == [PageKind.GAME, PageKind.CLUB]
        uow.stale.settle(uow.stale.waiting(PageKind.CLUB, 1))
    with storage.reading() as uow:
        first, second = uow.stale.waiting(PageKind.GAME, 5)
        assert uow.stale.waiting(PageKind.GAME, 1) == [first]
        assert uow.stale.waiting(PageKind.CLUB, 1) == []
    assert (first.key, second.key) == ("lancelot", "lanko-68")
    with storage.writing() as uow:
        uow.stale.mark(PageKind.GAME, ["lancelot"])
    with storage.writing() as uow:
        uow.stale.settle([first, second])
        uow.stale.settle([second, StalePage(PageKind.CLUB, "")])
    with storage.reading() as uow:
        assert stale(uow, PageKind.GAME) == ["lancelot"]


def test_ended_matches_are_read_as_their_players_saw_them(storage: Storage) -> None:
    base = new_match(storage)
    with storage.writing() as uow:
        (bot,) = [uow.players.add_bot("greedy", "bot-greedy", "club+bot@x.example")]
        matches = [uow.matches.add(base) for _ in range(4)]
        seat = next(iter(base.seats))
        ended(uow, replace(matches[0], turn=30), seat, T0 + MINUTE)
        ended(uow, replace(matches[1], turn=50), "", T0)
        other = next(each for each in base.seats if base.seats[each] != base.seats[seat])
        with_bot = {each: bot.id if each != seat else 1 for each in base.seats}
        ended(uow, replace(matches[2], seats=with_bot, public="ended"), other, T0)
        ended(uow, replace(matches[3], public="never"), seat, T0)
    with storage.reading() as uow:
        found = uow.shown.played(ALL, base.seats[seat])
        assert [(each.match_id, each.outcome, each.computers) for each in found] == [
            (matches[1].id, Outcome.DRAWN, False),
            (matches[2].id, Outcome.LOST, True),
            (matches[0].id, Outcome.WON, False),
        ]
        assert found[0].seat == seat
        assert found[0].turns == 50
        assert base.seats[seat] not in found[0].opponents
        assert uow.shown.played(ALL, base.seats[seat], "lancelot") == []
        assert uow.shown.played(ALL, 2)[-1].opponents
        longest = uow.shown.longest(ALL, base.game_key, 2)
        assert [each.id for each in longest] == [matches[1].id, matches[0].id]


def test_matches_of_two_that_ended_at_once_are_found(storage: Storage) -> None:
    with storage.writing() as uow:
        ids = [each.id for each in people(uow, "Anna", "Bob")]
        two = new_contest(game_of("lanrick-1893"), ids, OPTIONS, T0)
        early, late = (uow.matches.add(replace(two, turn=turn)) for turn in (6, 7))
        for match in (early, late):
            ended(uow, match, "", T0 + MINUTE)
        assert [each.id for each in uow.shown.ended_early(T0)] == [early.id]
        assert uow.shown.ended_early(T0 + MINUTE) == []


def test_all_pages_or_those_naming_a_player_can_be_marked(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        (dora,) = people(uow, "Dora")
        uow.competitions.add(Series("lanrick-1893", (1, dora.id), OPTIONS, T0, games=3))
    settled(storage)
    with storage.writing() as uow:
        uow.stale.mark_where_named(dora.id)
        assert (stale(uow), stale(uow, PageKind.COMPETITION)) == ([], ["1"])
        uow.stale.mark_where_named(2)
        assert stale(uow) == [str(match.id)]
    settled(storage)
    with storage.writing() as uow:
        followed = Happening(1, 3, "S", Kind.KEPT, T0, "head", f"{dora.id} 1")
        uow.matches.append(match.id, (), [followed])
        uow.stale.mark_where_named(dora.id)
        assert stale(uow) == [str(match.id)]
    settled(storage)
    with storage.writing() as uow:
        uow.stale.mark_all()
    with storage.reading() as uow:
        assert stale(uow) == [str(match.id)]
        assert stale(uow, PageKind.COMPETITION) == ["1"]
        assert stale(uow, PageKind.MEMBER) == ["1", "2", "3", str(dora.id)]


def test_matches_are_listed_by_their_chosen_visibility(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        choices = ("", "live", "ended", "never")
        running = [uow.matches.add(a_match(players, public=choice)) for choice in choices]
        over = [
            ended(uow, uow.matches.add(a_match(players, public=choice)), "S", T0 - n * MINUTE)
            for n, choice in enumerate(choices)
        ]
    with storage.reading() as uow:
        shown = uow.shown
        assert shown.running(ALL) == [running[1], running[0]]
        assert shown.running(ALL, most=1) == [running[1]]
        assert shown.running(ALL, game_key="lancelot") == []
        assert shown.running_count(ALL, "lanko-68") == shown.running_count(ALL) == 2
        assert shown.ended(ALL, 2) == over[:2]
        assert shown.ended(ALL, 9, "lanko-68") == over[:3]
        assert shown.ended_between(ALL, T0 - MINUTE, T0) == [over[1]]
        assert shown.of_player(ALL, players[1].id, 1) == [running[1], running[0], over[0]]
        assert shown.players(ALL) == {player.id for player in players}
        assert shown.players(Choices(frozenset(), frozenset())) == set()
        assert [ALL.show(match) for match in running] == [True, True, False, False]


def test_ended_matches_are_counted_by_month_game_and_player(storage: Storage) -> None:
    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        series = uow.competitions.add(Series("lanrick-1893", (1, 2), OPTIONS, T0, games=3))
        for winners, at in (("S", new_year), ("WE", new_year - MINUTE), ("", T0)):
            ended(uow, uow.matches.add(a_match(players, turn=len(winners))), winners, at)
        two = a_match(players[:2], seats={"white": 1, "yellow": 2}, game_key="lanrick-1893")
        ended(uow, uow.matches.add(two), "", T0)
        anna, bob, _ = (player.id for player in players)
    with storage.reading() as uow:
        shown = uow.shown
        expected = [MonthCount(2025, 12, 1), MonthCount(2026, 1, 1), MonthCount(2026, 11, 2)]
        assert shown.months(ALL) == expected
        assert shown.results(ALL, "lanko-68") == [
            Results(
                players=3,
                matches=3,
                drawn=1,
                won={"S": 1, "W": 1, "E": 1},
                lengths={0: 1, 1: 1, 2: 1},
                terminations={"no-entry": 2, "draw": 1},
            )
        ]
        assert shown.results(ALL, "lancelot") == []
        drawn = MemberResults("lanrick-1893", 1, 0, 1)
        assert shown.results_of(ALL, anna) == [MemberResults("lanko-68", 3, 1, 1), drawn]
        assert shown.results_of(ALL, bob) == [MemberResults("lanko-68", 3, 1, 1), drawn]
        assert shown.competitions(ALL) == set()
        assert series.id not in shown.competitions(ALL)


def test_matches_against_bots_are_counted_separately(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bob = (player.id for player in people(uow, "Anna", "Bob"))
        bot = uow.players.add_bot("steady", "bot-steady", "bot-steady@games.example").id
        for white, yellow, winners in ((anna, bob, "S"), (anna, bot, "S"), (bot, anna, "S")):
            seats = {"S": white, "W": yellow}
            match = a_match([], seats=seats, game_key="lanrick-1893")
            ended(uow, uow.matches.add(match), winners, T0)
        # Bob has left, and a bot plays for him.
        hands = Hands((Spell("W", bob, 3),))
        match = a_match([], seats={"S": anna, "W": bot}, game_key="lanrick-1893", hands=hands)
        ended(uow, uow.matches.add(match), "S", T0)
    with storage.reading() as uow:
        assert uow.shown.results_of(ALL, anna) == [
            MemberResults("lanrick-1893", 2, 2, 0),
            MemberResults("lanrick-1893", 2, 1, 0, computers=True),
        ]
        assert uow.shown.results_of(ALL, bob) == [MemberResults("lanrick-1893", 1, 0, 0)]
        of_game = uow.shown.results(ALL, "lanrick-1893")
        assert [(each.computers, each.matches) for each in of_game] == [(False, 2), (True, 2)]


@pytest.mark.parametrize("termination", sorted(DRAWS))
def test_draw_shared_by_some_does_not_count_as_win(storage: Storage, termination: str) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        seats = dict(zip(("red", "blue", "yellow"), (player.id for player in players), strict=True))
        match = uow.matches.add(a_match([], seats=seats, game_key="lancelot"))
        result = Result(("blue", "yellow"), termination, dict.fromkeys(seats, 0), T0)
        uow.matches.save(replace(match, result=result, to_act=None))
        anna, bob, _ = seats.values()
    with storage.reading() as uow:
        assert uow.shown.results_of(ALL, anna) == [MemberResults("lancelot", 1, 0, 0)]
        assert uow.shown.results_of(ALL, bob) == [MemberResults("lancelot", 1, 0, 1)]
        (of_game,) = uow.shown.results(ALL, "lancelot")
        assert (of_game.drawn, of_game.won) == (1, {})


def test_notes_come_back_in_order(storage: Storage) -> None:
    match = new_match(storage)
    notes = [Note(turn, 1 + turn % 2, f"Grüße {turn}\nund mehr", T0) for turn in (1, 3, 2)]
    with storage.writing() as uow:
        for note in notes:
            uow.notes.add(match.id, note)
        with pytest.raises(StorageError):
            uow.notes.add(match.id + 1, notes[0])
    with storage.reading() as uow:
        assert uow.notes.of(match.id) == notes
        assert uow.notes.of(match.id + 1) == []


def test_only_public_notes_are_read_by_everybody(storage: Storage) -> None:
    match = new_match(storage)
    public = Note(1, 1, "well played", T0)
    said = Note(1, 1, "hello", T0, NoteKind.SAY, public=False)
    memo = Note(2, 1, "a trap", T0, NoteKind.MEMO, public=False)
    of_bob = Note(2, 2, "beware", T0, NoteKind.MEMO, public=False)
    with storage.writing() as uow:
        other = uow.matches.add(replace(match, id=0))
        for note in (public, said, of_bob, memo):
            uow.notes.add(match.id, note)
        uow.notes.add(other.id, memo)
    with storage.writing() as uow:
        assert uow.notes.of(match.id) == [public]
        mine = uow.notes.by(1, match.id)
        assert mine == [public, said, memo]
        assert uow.notes.by(1) == [*mine, memo]
        assert uow.notes.by(1, since=T0) == []
        assert uow.notes.by(1, match.id, T0 - MINUTE) == mine
        assert len({note.id for note in uow.notes.by(1)}) == 4
        uow.notes.take_back(mine[0])
        uow.notes.publish(mine[2])
    with storage.reading() as uow:
        assert uow.notes.of(match.id) == [replace(memo, public=True)]
        assert [note.text for note in uow.notes.by(1, match.id)] == ["", "hello", "a trap"]
        assert uow.notes.by(2, match.id) == [of_bob]
        assert uow.notes.of(other.id) == []


def test_waiting_note_is_taken_back_from_all_readers(storage: Storage) -> None:
    match = new_match(storage)
    anna, bob, carol = match.players
    note, later = Note(1, anna, "hello", T0), Note(1, anna, "hello", T0 + MINUTE)
    told = Note(1, anna, "hello", T0, NoteKind.TELL)
    with storage.writing() as uow:
        for reader in (bob, carol):
            uow.waiting_notes.add(match.id, reader, note)
        for each in (later, told):
            uow.waiting_notes.add(match.id, bob, each)
        uow.waiting_notes.take_back(match.id, note)
    with storage.reading() as uow:
        assert uow.waiting_notes.of(match.id) == {bob: [later, told]}


def test_notes_wait_for_each_reader_until_sent(storage: Storage) -> None:
    match = new_match(storage)
    anna, bob = match.players[:2]
    notes = [Note(turn, anna, f"Grüße {turn}\nund mehr", T0) for turn in (1, 3, 2)]
    with storage.writing() as uow:
        for note in notes:
            uow.waiting_notes.add(match.id, bob, note)
        uow.waiting_notes.add(match.id, anna, notes[0])
        assert uow.waiting_notes.matches_of(anna) == uow.waiting_notes.matches_of(bob) == {match.id}
        assert uow.waiting_notes.matches_of(99) == set()
    for match_id, reader in ((match.id + 1, bob), (match.id, 99)):
        with pytest.raises(StorageError), storage.writing() as uow:
            uow.waiting_notes.add(match_id, reader, notes[0])
    with storage.writing() as uow:
        assert uow.waiting_notes.of(match.id) == {bob: notes, anna: notes[:1]}
        uow.waiting_notes.told(match.id, bob)
        assert uow.waiting_notes.of(match.id) == {anna: notes[:1]}


def test_shared_result_is_counted_by_shares(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bob, dora = (player.id for player in people(uow, "Anna", "Bob", "Dora"))
        for chosen in ({}, {"results": "split"}):
            options = replace(OPTIONS, chosen=chosen)
            seats = {"white": dora, "yellow": bob}
            game = {"seats": seats, "game_key": "lanrick-1893", "options": options, "turn": 9}
            hands = Hands((Spell("white", anna, 3),))
            match = uow.matches.add(a_match([], **game, hands=hands))
            happened = Happening(1, 3, "white", Kind.REPLACED, T0, "head", f"{anna} {dora}")
            uow.matches.append(match.id, (), [happened])
            result = Result(("white",), "stuck", {"white": 1, "yellow": 0}, T0)
            uow.matches.save(replace(match, result=result, to_act=None))
    quarter = Fraction(1, 4)
    with storage.reading() as uow:
        of = {player: uow.shown.results_of(ALL, player) for player in (anna, bob, dora)}
    assert of[anna] == [MemberResults("lanrick-1893", quarter, quarter, 0)]
    assert of[bob] == [MemberResults("lanrick-1893", 2, 0, 0)]
    assert of[dora] == [MemberResults("lanrick-1893", 2 - quarter, 2 - quarter, 0)]
