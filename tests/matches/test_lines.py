"""Lines of turns, as `preview` and plans read them, in every game."""

from __future__ import annotations

import json
import random
import textwrap
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.cli.engine import serve
from pbem.games import game_of, games
from pbem.games.api import AnyGame
from pbem.games.position_text import text_of
from pbem.matches.line import MOST_TURNS, Line, read_line
from pbem.testing.random_matches import Step, options_for, walk
from tests.games.every_game import every_match, some
from tests.support.examples import examples

MOST_STEPS = 60


def part_of(game: AnyGame, players: int, seed: int) -> tuple[list[Step], list[Step]]:
    """Return the steps before a line, and the steps of the line, in a random match."""
    chance = random.Random(seed)
    steps = list(walk(game, players, seed, options_for(game, seed)))
    first = chance.randrange(len(steps))
    line = steps[first : first + chance.randrange(1, MOST_STEPS)]
    turns = list(dict.fromkeys((step.before.turn, step.seat) for step in line))[:MOST_TURNS]
    return steps[:first], [step for step in line if (step.before.turn, step.seat) in turns]


def ends_in_a_turn(game: AnyGame, line: list[Step]) -> bool:
    """Return whether the last turn of a line is open."""
    return game.closing(line[-1].after) is not None


def engine_after(game: AnyGame, players: int, seed: int, steps: list[Step]) -> list[dict[str, Any]]:
    """Return what `pbem engine` says after some actions, one `do` for each."""
    options = " ".join(
        f"{key}={'on' if on else 'off'}" for key, on in options_for(game, seed).items()
    )
    requests = [f"new {game.info.key} players={players} {options}"]
    requests += [f"do {step.text}" for step in steps]
    requests += ["position", "legal", "outcome"]
    answers = StringIO()
    serve(StringIO("\n".join(requests)), answers)
    return [json.loads(each) for each in answers.getvalue().splitlines()[-3:]]


def read(game: AnyGame, players: int, before: Any, text: str) -> Line:
    return read_line(game, game.info.seats_of(players), before, text)


@every_match
@settings(some, max_examples=examples(8))
@given(seed=st.integers(0, 2**32 - 1))
def test_line_agrees_with_the_engine(game: AnyGame, players: int, seed: int) -> None:
    before, steps = part_of(game, players, seed)
    written = "; ".join(step.text for step in steps)
    if ends_in_a_turn(game, steps):
        written += " ..."
    line = read(game, players, steps[0].before, written)
    assert line.broken is None
    assert not line.cut
    assert [(each.seat, each.text) for each in line.played] == [(s.seat, s.text) for s in steps]
    position, legal, outcome = engine_after(game, players, seed, before + steps)
    assert position == {"ok": True, "position": text_of(game, line.position)}
    assert legal["seat"] == game.to_act(line.position)
    assert legal["actions"] == [
        game.format(line.position, each) for each in game.legal_actions(line.position)
    ]
    ended = game.outcome(line.position)
    assert (outcome["outcome"] is None) == (ended is None)
    if ended is not None:
        assert outcome["outcome"]["scores"] == ended.scores == game.score(line.position)


@every_match
@some
@given(seed=st.integers(0, 2**32 - 1), width=st.integers(20, 72))
def test_line_is_read_again_from_its_own_text(
    game: AnyGame, players: int, seed: int, width: int
) -> None:
    """However an email program breaks it, and with each turn in brackets or none."""
    _, steps = part_of(game, players, seed)
    line = read(game, players, steps[0].before, "; ".join(step.text for step in steps))
    texts = [line.text, textwrap.fill(line.text, width), line.text.lower()]
    texts += [" ".join(f"[{turn.text.strip('[]')}]" for turn in line.turns)]
    texts += [" ".join(f"{turn.number} {turn.seat}  {turn.text}" for turn in line.turns)]
    for text in texts:
        again = read(game, players, line.start, text)
        assert [each.text for each in again.played] == [each.text for each in line.played], text
    longer = read(game, players, line.start, line.text_before)
    assert longer.played == tuple(each for turn in line.turns[:-1] for each in turn.played)


@every_match
@some
@given(seed=st.integers(0, 2**32 - 1))
def test_line_grows_by_one_action_at_a_time(game: AnyGame, players: int, seed: int) -> None:
    _, steps = part_of(game, players, seed)
    line = read(game, players, steps[0].before, "")
    for step in steps[:20]:
        goes_on = game.closing(step.after) is not None
        text = line.text_with(f"{step.text} ..." if goes_on else step.text)
        line = read(game, players, line.start, text)
        assert line.broken is None
        assert text_of(game, line.position) == text_of(game, step.after)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.info.key)
def test_line_is_read_up_to_the_action_that_cannot_be_played(game: AnyGame) -> None:
    players = min(game.info.holders)
    steps = list(walk(game, players, 1, {}))[:2]
    line = read(game, players, steps[0].before, f"{steps[0].text}, nonsense {steps[1].text}")
    assert line.broken is not None
    assert line.broken.text == "nonsense"
    assert [each.text for each in line.played][:1] == [steps[0].text]


def test_line_beyond_forty_turns_is_cut() -> None:
    game = game_of("lanko-68")
    steps = list(walk(game, 2, 3, {}))
    assert len(steps) > MOST_TURNS
    line = read(game, 2, steps[0].before, " ".join(step.text for step in steps))
    assert line.cut
    assert line.is_full
    assert len(line.turns) == MOST_TURNS


def test_next_player_ends_an_open_turn() -> None:
    """As the end of an email does. Brackets hold one turn, so they end it, too."""
    game = game_of("lanrick-1893")
    steps = list(walk(game, 2, 5, {}))
    at = next(at for at, step in enumerate(steps) if step.text == "." and steps[at + 1].text != ".")
    before, own, after = steps[at - 1].before, steps[at - 1].text, steps[at + 1].text
    for text in (
        f"{own} . {after} ...",
        f"{own} {after} ...",
        f"[{own}] {after} ...",
        f"[{own}] [{after} ...]",
        f"{own} [{after} ...]",
    ):
        line = read(game, 2, before, text)
        assert [each.text for each in line.played] == [own, ".", after], text
    assert [each.text for each in read(game, 2, before, own).played] == [own, "."]
    assert read(game, 2, before, f"{own} ...").is_open


def test_brackets_hold_one_turn() -> None:
    game = game_of("lancelot")
    line = read(game, 2, game.initial(2, {}), "[D5 D6]")
    assert [each.text for each in line.played] == ["D5"]
    assert line.broken is not None


def test_excalibur_and_the_next_knight_stay_two_turns() -> None:
    game = game_of("lancelot")
    start = game.initial(3, {"excalibur": 1})
    line = read(game, 3, start, "[*G7] [F5]")
    assert [each.text for each in line.played] == ["*G7", "F5"]
    assert line.text == "[*G7] [F5]"


def test_resignation_that_others_survive_is_an_action_of_a_line() -> None:
    game = game_of("lancelot")
    three = read(game, 3, game.initial(3, {}), "F5 resign G6")
    assert [each.text for each in three.played] == ["F5", "resign", "G6"]
    two = read(game, 2, game.initial(2, {}), "F5 resign")
    assert two.broken is not None
    assert two.broken.text == "resign"


def test_declaration_out_of_turn_is_an_action_of_a_line() -> None:
    game = game_of("lanko-68")
    line = read(game, 4, game.initial(4, {}), "[N+++] [41-36]")
    assert [(each.seat, each.text) for each in line.played] == [("N", "[N+++]"), ("S", "[41-36]")]
