"""The promises about texts of positions, for games that have them: stored ones, and typed ones."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from pbem.games.api import AnyGame, GamePosition, PositionText
from pbem.games.position_text import ImpossiblePosition, position_of, text_of
from pbem.testing.promises import Promises, needs_position_texts
from pbem.testing.random_matches import listed, options_for, some_of, texts, walked

CHANGED = 30
"""Changed texts of each match that must be refused or playable."""
SIGNS = "0123456789-,.:; abcdefghBSPbspxAN@*"
OTHERS = (
    *("", "-", "0", "-1", "1", "2", "3", "5", "30", "99", "9" * 5000, "yes", "no", "first"),
    *("S", "W", "red", "blue", "white", "black", "yellow", "play", "mark", "replace", "remove"),
    *("interchange", "disperse", "equalise", "muster", "place", "spent", "quiet", "target"),
    *("exhausted", "resignation", "last-man", "four-taken", "agreed", "A1", "F6", "d5", "a1a1"),
)


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with one or two changes, as by a slip or on purpose."""
    fields = text.split("; ")
    for _ in range(chance.randrange(1, 3)):
        at = chance.randrange(1, len(fields))
        key, _, value = fields[at].partition(" ")
        words = value.split(" ")
        match chance.randrange(8):
            case 0 if len(fields) > 2:
                del fields[at]
            case 1:
                fields.insert(at, fields[at])
            case 2:
                fields[at] = f"{key} {fields[chance.randrange(1, len(fields))].partition(' ')[2]}"
            case 3:
                chance.shuffle(words)
                fields[at] = f"{key} {' '.join(words)}"
            case 4:
                fields[at] = f"{key} {chance.choice(OTHERS)}".rstrip()
            case 5:
                words[chance.randrange(len(words))] = chance.choice(OTHERS)
                fields[at] = f"{key} {' '.join(words)}".rstrip()
            case _:
                place = chance.randrange(len(value) + 1)
                sign = chance.choice(SIGNS)
                fields[at] = f"{key} {value[:place]}{sign}{value[place + 1 :]}".rstrip()
    return "; ".join(fields)


def check_playable(game: AnyGame, position: Any) -> None:
    """Show the position, list its actions, and play some of them."""
    for seat in game.info.seats[:2]:
        game.diagram(position, seat)
    game.squares(position)
    assert (game.to_act(position) is None) == (game.outcome(position) is not None)
    actions = listed(game, position)
    assert bool(actions) == (game.to_act(position) is not None)
    for action in islice(some_of(game, position), 10):
        after = game.play(position, action)
        text_of(game, after)
        game.outcome(after)
        listed(game, after)


class PositionTextTests(Promises):
    """Texts of positions: a match continues from one, and a changed one does no harm."""

    @needs_position_texts
    def test_position_read_from_its_text_is_the_same(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`read_position` returns the position that `write_position` was given, with all that the
        rules count.
        """
        assert isinstance(game, PositionText)
        options = options_for(game, seed)
        start = game.initial(players, options)
        for at, position in enumerate(
            (start, *(step.after for step in walked(game, players, seed)))
        ):
            text = game.write_position(position)
            assert text.isascii()
            assert all(line.isprintable() for line in text.split("\n"))
            assert game.read_position(players, options, text) == position
            again = position_of(game, players, options, text_of(game, position))
            assert again == position
            if at % 20 == 0:
                assert texts(game, again) == texts(game, position)

    @needs_position_texts
    def test_match_continues_from_a_text(self, game: AnyGame, players: int, seed: int) -> None:
        """A match continues from a text as from the position.

        Write down what later turns depend on.
        """
        assert isinstance(game, PositionText)
        options, steps = options_for(game, seed), walked(game, players, seed)
        begin = random.Random(seed).randrange(len(steps))
        text = game.write_position(steps[begin].before)
        position: GamePosition = game.read_position(players, options, text)
        for step in steps[begin:]:
            assert game.format(position, step.action) == step.text
            position = game.play(position, step.action)
            assert position == step.after

    @needs_position_texts
    def test_text_of_no_position_is_refused(self, game: AnyGame, players: int) -> None:
        """`read_position` raises ValueError or LookupError for a text that it cannot read."""
        assert isinstance(game, PositionText)
        for step in walked(game, players, self.seeds[0])[:3]:
            text = game.write_position(step.after)
            form, _, fields = text.partition("\n")
            for wrong in ("", form, f"{form}0\n{fields}", text[: len(text) // 2], f"\n{text}"):
                with pytest.raises((ValueError, LookupError)):
                    game.read_position(players, {}, wrong)

    @needs_position_texts
    def test_invalid_text_is_refused_with_a_reason(self, game: AnyGame, players: int) -> None:
        """A wrong field in a text is refused with a reason. Use `fields_of` and `require`."""
        text = text_of(game, game.initial(players, {}))
        form, first, *others = text.split("; ")
        wrong = (
            *("", "nonsense", form, f"{form}0; {first}; {'; '.join(others)}"),
            "; ".join((form, *others)),
            "; ".join((form, first, first, *others)),
            "; ".join((form, *reversed((first, *others)))),
            f"{text}; more 1",
            text.replace("turn 1", "turn 0"),
            text.replace("turn 1", "turn 01"),
            text.replace("turn 1", f"turn {'9' * 5000}"),
        )
        for each in (each for each in wrong if each != text):  # not all have a field `turn`
            with pytest.raises(ImpossiblePosition, match=r"\w"):
                position_of(game, players, {}, each)

    @needs_position_texts
    def test_changed_text_is_refused_or_playable(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`require_possible` refuses positions that no match can reach, or they can be played to
        the end.
        """
        chance, options = random.Random(seed), options_for(game, seed)
        steps = walked(game, players, seed)
        for _ in range(CHANGED):
            step = chance.choice(steps)
            text = text_of(game, chance.choice((step.before, step.after)))
            try:
                position = position_of(game, players, options, mutated(text, chance))
            except ImpossiblePosition:
                continue
            check_playable(game, position)
