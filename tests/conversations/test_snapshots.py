"""Several workers play the same matches and see the same positions, whatever they have cached."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.games import game_of, games
from pbem.games.api import AnyGame, PositionText
from pbem.matches.match import MatchOptions, OfferKind, RecordedAction, position_of
from pbem.matches.match_offers import offer
from pbem.matches.player_actions import play
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.club import Club
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, decide
from pbem.service.play.change import apply
from pbem.service.play.start import start_match
from pbem.service.positions import EVERY, Positions
from pbem.service.records.verify import verify_all
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.support.more_games import more_games
from tests.toys.pocket_games import FAMILY, NIM

# ------------------------------------------------------------- many workers, a match


class Died(Exception):
    """A worker died during its work."""


def another_worker(club: Club) -> Club:
    """Return a newly started worker of the same club."""
    return replace(club, positions=Positions())


def acts(worker: Club, chance: random.Random, *, dies: bool = False) -> None:
    """Let the player to move in match 1 do something legal."""
    with writing(worker) as work:
        before = work.lock_match(1)
        assert before.player_to_act is not None
        legal = list(before.game.legal_actions(before.position))[:200]
        text = before.game.format(before.position, chance.choice(legal))
        change = play(before, before.player_to_act, [text], work.now)
        after = apply(work, before, change, work.now)
        assert work.match(1).position == after.position
        if dies:
            raise Died
    worker.positions.remember(after)


def offers_a_draw(worker: Club) -> None:
    """Add to the history without changing the position."""
    with writing(worker) as work:
        before = work.lock_match(1)
        if before.options.draw_offers and before.game.info.draw_offers and not before.offers:
            change = offer(before, OfferKind.DRAW, before.players[0], work.now)
            apply(work, before, change, work.now)


def takes_back(worker: Club, turn: int) -> None:
    """Undo as a director, by some worker."""
    with writing(worker) as work:
        decide(work, orders.undoing(1, turn, ""), SHELL)


def standing(work: Work) -> list[RecordedAction]:
    """Return the actions of match 1 that count."""
    return list(work.matches.recorded(1))


def seen_right(worker: Club) -> None:
    """Return match 1 as a worker sees it, after comparing it with a full replay."""
    with reading(worker) as work:
        match = work.match(1)
        assert match.position == position_of(match, standing(work))


@pytest.fixture
def club(storage: Storage, clock: FakeClock, tmp_path: Path) -> Iterator[Club]:
    """A club of Anna, Bert and Clara on each of the storages."""
    with closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        for name in ("Anna", "Bert", "Clara"):
            house.player(name)
        yield house.club


def begin(club: Club, game: AnyGame, **options: int) -> None:
    """Start match 1 of Anna and Bert."""
    with writing(club) as work:
        start_match(work, game, work.players.all()[:2], MatchOptions(game=options))


@pytest.mark.parametrize("seed", (1, pytest.param(2, marks=pytest.mark.thorough)))
def test_every_worker_sees_the_same_position(club: Club, seed: int) -> None:
    """Whichever worker played, died during its work, or undid turns."""
    chance = random.Random(seed)
    game = games()[chance.randrange(len(games()))]
    begin(club, game)
    workers = [another_worker(club) for _ in range(3)]
    for _ in range(4 * EVERY):
        worker = chance.choice(workers)
        with reading(worker) as work:
            over, turns = work.match(1).result is not None, {a.turn for a in standing(work)}
        if over:
            break
        match chance.randrange(20):
            case 0 if len(turns) > EVERY:
                takes_back(worker, chance.choice(sorted(turns)[1:]))
            case 1 | 2:
                offers_a_draw(worker)
            case 3 | 4 | 5:
                with suppress(Died):
                    acts(worker, chance, dies=True)
            case _:
                acts(worker, chance)
        seen_right(chance.choice(workers))
        seen_right(another_worker(club))


def test_concurrent_workers_continue_from_each_other(club: Club) -> None:
    begin(club, game_of("lanko-88"))
    workers = [another_worker(club) for _ in range(2)]

    def works(worker: Club, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(EVERY):
            acts(worker, chance)
            seen_right(worker)

    with ThreadPoolExecutor() as threads:
        list(threads.map(works, workers, range(2)))
    for worker in (*workers, another_worker(club)):
        seen_right(worker)
    with reading(club) as work:
        assert len(standing(work)) == 2 * EVERY


# ------------------------------------------------------------- snapshots are a cache


class Read:
    """A unit of work that counts the actions read from it."""

    def __init__(self, uow: UnitOfWork) -> None:
        self._uow = uow
        self.actions = 0

    def __getattr__(self, name: str) -> Any:
        return self if name == "matches" else getattr(self._uow, name)

    def recorded(self, match_id: int, **since: int) -> list[RecordedAction]:
        """Like Matches.recorded, but counts."""
        actions = self._uow.matches.recorded(match_id, **since)
        self.actions += len(actions)
        return actions


def actions_read(worker: Club) -> int:
    """Return how many actions a worker reads to see match 1 correctly."""
    with reading(worker) as work:
        read, match = Read(work), work.matches.get(1)
        position = worker.positions.of(cast(UnitOfWork, read), match)
        assert position == position_of(match, standing(work))
    return read.actions


def played(club: Club, actions: int) -> None:
    """Play this many more actions with a new worker."""
    chance, worker = random.Random(7), another_worker(club)
    for _ in range(actions):
        acts(worker, chance)


A_FEW = 5


@pytest.fixture
def of_fakes(tmp_path: Path, clock: FakeClock) -> Iterator[Club]:
    """A club of Anna and Bert on the fakes."""
    with closing(House(Fakes(clock), FakeStorage(), clock, tmp_path)) as house:
        house.player("Anna")
        house.player("Bert")
        yield house.club


LONG = 3 * EVERY + A_FEW


def test_long_match_is_replayed_from_the_nearest_snapshot(of_fakes: Club) -> None:
    begin(of_fakes, game_of("lanko-88"))
    played(of_fakes, LONG)
    worker = another_worker(of_fakes)
    assert actions_read(worker) == A_FEW + 1, "these, and the one of the snapshot"
    assert actions_read(worker) == 0
    played(of_fakes, A_FEW)
    assert actions_read(worker) == A_FEW + 1, "even after moves by others"
    offers_a_draw(another_worker(of_fakes))
    takes_back(another_worker(of_fakes), LONG)
    assert actions_read(another_worker(of_fakes)) == 1, "an undo has its own snapshot"
    assert actions_read(worker) < EVERY


@pytest.mark.parametrize(
    "wrong",
    (
        {"rules_version": 2},
        {"head": "a" * 64},
        {"actions": 2 * EVERY},
        {"actions": 99 * EVERY},
        {"text": ""},
        {"text": "lanko 1"},
        {"text": "lancelot 1\nturn 12"},
    ),
    ids=str,
)
def test_snapshot_that_does_not_fit_is_ignored(of_fakes: Club, wrong: dict[str, Any]) -> None:
    begin(of_fakes, game_of("lanko-88"))
    played(of_fakes, LONG)
    with writing(of_fakes) as work:
        snapshot = work.snapshots.of(1)
        assert snapshot is not None
        work.snapshots.put(1, replace(snapshot, **wrong))
    assert actions_read(another_worker(of_fakes)) >= LONG


def test_snapshot_of_another_turn_is_rejected(of_fakes: Club) -> None:
    begin(of_fakes, game_of("lanko-88"))
    played(of_fakes, LONG)
    with writing(of_fakes) as work:
        snapshot, last = work.snapshots.of(1), standing(work)[-1]
        assert snapshot is not None
        work.snapshots.put(1, replace(snapshot, actions=last.number, head=last.head))
    assert actions_read(another_worker(of_fakes)) >= LONG


def test_tampered_snapshot_is_found(of_fakes: Club) -> None:
    """The rules cannot lead to such a position, and players would continue from it."""
    begin(of_fakes, game_of("lanko-88"))
    played(of_fakes, 3 * EVERY)
    assert list(verify_all(of_fakes.storage, of_fakes.archive)) == []
    with writing(of_fakes) as work:
        snapshot, match = work.snapshots.of(1), work.match(1)
        assert snapshot is not None
        assert isinstance(match.game, PositionText)
        other = match.game.write_position(
            match.game.initial(match.player_count, match.options.game)
        )
        work.snapshots.put(1, replace(snapshot, text=other))
    [problem] = verify_all(of_fakes.storage, of_fakes.archive)
    assert problem.endswith(f"snapshot after action {snapshot.actions} is not the position there.")


def test_game_without_position_texts_is_replayed(of_fakes: Club) -> None:
    with more_games(nim=FAMILY):
        begin(of_fakes, NIM)
        played(of_fakes, 2)
        assert actions_read(another_worker(of_fakes)) == 2


# ------------------------------------------------------------- players notice nothing


Before = Callable[[House], None]
"""Change the workers of a house before each email is read."""


def one_worker(house: House) -> None:
    """The same worker continues and remembers everything it has read."""


def without_snapshots(house: House) -> None:
    """A new worker starts after all snapshots were deleted."""
    house.club = another_worker(house.club)
    with closing(sqlite3.connect(house.home / "pbem.sqlite")) as database, database:
        database.execute("DELETE FROM snapshots")


class ByTurns:
    """Three workers, each of which reads every third email. One is restarted each time."""

    def __init__(self) -> None:
        self._clubs: list[Club] = []

    def __call__(self, house: House) -> None:
        """Switch to the next worker."""
        first, second, _ = self._clubs or [another_worker(house.club) for _ in range(3)]
        self._clubs = [another_worker(house.club), first, second]
        house.club = second


MAILS = 16


def told(house: House, before: Before) -> list[str]:
    """Return all of Anna's emails of a match with an undo, plus its actions and head."""
    anna, (bot,) = house.player("Anna"), house.bots("random")
    house.match("lanrick-1893", anna, bot)
    for mail in range(MAILS):
        anna.receives()
        before(house)
        if mail == MAILS // 2:
            takes_back(house.club, house.state().turn - 6)
        else:
            anna.says(example_in(anna), quoting=False)
        house.works()
    with reading(house.club) as work:
        recorded, head = work.matches.all_recorded(1), work.matches.get(1).head
    assert len(recorded) > 2 * EVERY
    anna.receives()
    return [mail.text for mail in anna.read] + [each.text for each in recorded] + [head]


def example_in(person: Person) -> str:
    """Return the actions that the latest turn email gives as an example."""
    asked = next(mail for mail in reversed(person.read) if "for example:" in mail.text)
    return asked.text.partition("for example:\n\n    ")[2].partition("\n")[0]


@pytest.mark.thorough
def test_deleting_all_snapshots_changes_nothing(
    clock: FakeClock, sqlite_template: Path, tmp_path: Path
) -> None:
    """Neither does the choice of worker for each email."""
    ways: dict[str, Before] = {
        "one": one_worker,
        "none": without_snapshots,
        "many": ByTurns(),
    }
    said = {}
    for way, before in ways.items():
        home, since = tmp_path / way, FakeClock(clock.now())
        home.mkdir()
        shutil.copy(sqlite_template, home / "pbem.sqlite")
        storage = SqlStorage(open_engine(f"sqlite:///{home}/pbem.sqlite"))
        with closing(storage), closing(House(Fakes(since), storage, since, home)) as house:
            said[way] = told(house, before)
    assert said["none"] == said["one"]
    assert said["many"] == said["one"]
