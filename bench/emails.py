"""Count the emails that a member gets for each of their turns, by game and by `set mails`.

Members answer after eight hours, and those with a digest once they have it. Bots answer at once.
The first turns of a random match are played on the fakes of the tests. docs/scale.md has the table
that this prints.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.cli.logs import log_from
from pbem.games import games
from pbem.games.api import AnyGame
from pbem.jobs.sweep import sweep
from pbem.matches.bots import BOTS, Scene, Thinking, turn
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage

TURNS = 60
HOURS = 8
NAMES = ("Anna", "Bert", "Clara", "Dora", "Emil")


def emails_a_turn(game: AnyGame, players: int, choice: str, *, bots: bool = False) -> float:
    """Return how many emails a member gets for each turn, from the start of a match on."""
    clock = FakeClock()
    with (
        TemporaryDirectory() as home,
        closing(House(Fakes(clock), FakeStorage(), clock, Path(home))) as house,
    ):
        reader = house.player("Anna", mails=choice)
        names = NAMES[1:players]
        others = house.bots(*["random"] * len(names)) if bots else list(map(house.player, names))
        house.match(game.info.key, reader, *others)
        people = {each.player.id: each for each in (reader, *others) if each.player}
        reader.receives()
        turns, chance = 0, random.Random(1893)
        while house.state().turn <= TURNS and house.state().result is None:
            turns += acts(house, people, chance) is reader
        reader.receives()
        return len(reader.read) / turns


def acts(house: House, people: Mapping[int, Person], chance: random.Random) -> Person:
    """Let the player to act send a turn, and return them."""
    state = house.state()
    assert state.player_to_act is not None
    person, hours = people[state.player_to_act], 0
    while hours < HOURS or not is_asked(person):
        house.clock.advance(hours=1)
        sweep(house.club)
        house.works()
        person.receives()
        hours += 1
    scene = Scene(state.game, len(state.seats), house.position())
    person.says("\n".join(turn(scene, BOTS["random"], Thinking(chance.randrange))), quoting=False)
    house.works()
    return person


def is_asked(person: Person) -> bool:
    """Return whether a person's newest email shows a board that waits for them."""
    if not person.read:
        return False
    return person.latest.kind == "your turn" or "waits for you" in person.latest.message["Subject"]


def main() -> None:
    """Print a table with a row for each game and number of players."""
    log_from("error")
    print("| game | players | `all` | `turn` | digest | against bots |")
    print("|---|---|---|---|---|---|")
    for game in games():
        for players in sorted(game.info.holders):
            counts = [
                emails_a_turn(game, players, "all"),
                emails_a_turn(game, players, "turn"),
                emails_a_turn(game, players, "digest 07:30"),
                emails_a_turn(game, players, "usual", bots=True),
            ]
            cells = " | ".join(f"{each:.1f}" for each in counts)
            print(f"| {game.info.key} | {players} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
