"""The promises of every game (`pbem.games.api`) about play, tested on random matches."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from pbem.games.api import (
    API_VERSIONS,
    AnyGame,
    IllegalActionError,
    InvalidActionError,
    OptionError,
)
from pbem.games.phrases import ENGLISH
from pbem.games.replay import ReplayError, play_one, replay
from pbem.testing.promises import Promises
from pbem.testing.random_matches import (
    listed,
    options_for,
    sampled,
    some_of,
    texts,
    walked,
)


def observed(game: AnyGame, position: Any) -> tuple[object, ...]:
    """Return all that can be asked about a position."""
    return (
        game.to_act(position),
        position.turn,
        position.passed,
        texts(game, position),
        game.outcome(position),
        game.squares(position),
        hash(position),
    )


class PlayTests(Promises):
    """Play: terms, turns, legal actions, replay, endings."""

    def test_family_fits_this_pbem(self) -> None:
        """A family has a known `api`, keys in small letters, each once, and older rules with lower
        numbers.
        """
        keys = [game.info.key for game in self.family.games]
        assert self.family.api in API_VERSIONS
        assert len(set(keys)) == len(keys)
        assert {game.info.key for game in self.family.older} <= set(keys)
        for game in self.family.games:
            newest = game.info.rules_version
            assert game.info.key == game.info.key.casefold()
            assert all(
                older.info.rules_version < newest
                for older in self.family.older
                if older.info.key == game.info.key
            )

    def test_seats_players_and_sides_fit_together(self, game: AnyGame, players: int) -> None:
        """In `GameInfo`, `holders` and `sides` share out all seats in play, in the order of
        `seats`.
        """
        info = game.info
        seats = info.seats_of(players)
        held = [seat for seats in info.holders[players] for seat in seats]
        assert len(info.holders[players]) == players
        assert sorted(held) == sorted(seats)
        assert sorted(seat for side in info.sides[players] for seat in side) == sorted(seats)
        assert [seat for seat in info.seats if seat in seats] == list(seats)
        for holding in info.holders[players]:
            assert set(holding) <= set(info.side_of(players, holding[0]))
        assert game.to_act(game.initial(players, {})) in seats

    def test_match_with_wrong_players_or_options_is_refused(self, game: AnyGame) -> None:
        """`initial` raises OptionError for a number of players or an option that the game does not
        have.
        """
        players = max(game.info.holders)
        for number in (0, 1, players + 1):
            with pytest.raises(OptionError):
                game.initial(number, {})
        with pytest.raises(OptionError):
            game.initial(players, {"no_such_option": 1})
        with pytest.raises(OptionError):
            game.info.read_options({"no_such_option": "on"})

    def test_options_read_what_they_print(self, game: AnyGame) -> None:
        """`Option.read` reads what `format` returns, and raises OptionError for all else."""
        for option in game.info.options:
            assert option.read(option.format(option.default)) == option.default
            written = {option.key: option.format(option.default)}
            assert game.info.read_options(written)[option.key] == option.default
            for text in ("perhaps", "-1", "1.5", "", "9" * 5000):
                with pytest.raises(OptionError):
                    option.read(text)

    def test_match_ends_with_an_outcome_and_not_before(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """At the end, `to_act` is None, and `outcome` has a known termination, whole sides as
        winners and a whole score for each seat.
        """
        seats = game.info.seats_of(players)
        steps = walked(game, players, seed)
        for step in steps:
            assert step.seat in seats
            assert game.outcome(step.before) is None
        last = steps[-1].after
        outcome = game.outcome(last)
        assert game.to_act(last) is None
        assert list(game.legal_actions(last)) == []
        assert outcome is not None
        assert outcome.termination in game.info.terminations
        assert list(outcome.scores) == list(seats)
        assert all(type(points) is int for points in outcome.scores.values())
        won = [side for side in game.info.sides[players] if set(side) & set(outcome.winners)]
        assert sorted(outcome.winners) == sorted(seat for side in won for seat in side)
        assert list(outcome.winners) == [seat for seat in seats if seat in outcome.winners]

    def test_seat_to_move_always_has_an_action(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """If `to_act` names a seat, it has a legal action.

        Otherwise pass for it, or end the match.
        """
        for step in walked(game, players, seed):
            assert next(iter(game.legal_actions(step.before)), None) is not None

    def test_turn_numbers_grow_by_one_plus_the_passes(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`turn` grows by one after a turn, and by one more for each seat in `passed`."""
        seats = game.info.seats_of(players)
        initial = game.initial(players, options_for(game, seed))
        assert initial.turn == 1 + len(initial.passed)
        for step in walked(game, players, seed):
            grown = step.after.turn - step.before.turn
            if grown:
                assert grown == 1 + len(step.after.passed)
            else:  # a turn of several actions continues
                assert step.after.passed == ()
                assert game.to_act(step.after) in (step.seat, None)
            assert set(step.after.passed) <= set(seats)

    def test_legal_actions_are_distinct_and_in_a_fixed_order(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`legal_actions` has each action and each text once, in the same order each time.

        Sort sets.
        """
        for step in sampled(game, players, seed):
            actions = listed(game, step.before)
            written = texts(game, step.before)
            assert len(set(actions)) == len(set(written)) == len(actions)
            assert listed(game, step.before) == actions
            assert texts(game, step.before) == written
            assert all(action.seat == step.seat for action in actions)
            assert not any(action.declaration for action in actions)

    def test_play_leaves_its_start_position_unchanged(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`play` returns a new position, and the old one stays as it is. Use tuples, not lists."""
        for step in sampled(game, players, seed):
            seen = observed(game, step.before)
            actions = some_of(game, step.before)
            reached = [game.play(step.before, action) for action in actions]
            assert observed(game, step.before) == seen
            assert [game.play(step.before, action) for action in actions] == reached

    def test_replay_of_the_texts_gives_the_same_match(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """Canonical texts alone give the same match.

        Anything that a text leaves out must follow from the position.
        """
        steps = walked(game, players, seed)
        options = options_for(game, seed)
        again = list(replay(game, players, options, [(step.seat, step.text) for step in steps]))
        assert len(again) == len(steps)
        for step, played in zip(steps, again, strict=True):
            assert played.turn == step.before.turn
            assert (played.seat, played.text) == (step.seat, step.text)
            assert played.passed == step.after.passed
            assert played.position == step.after
            assert not played.declaration
        assert texts(game, again[-1].position) == texts(game, steps[-1].after)

    def test_replay_names_the_first_action_that_fails(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`meant` raises InvalidActionError for a text that is no action."""
        actions = [(step.seat, step.text) for step in walked(game, players, seed)]
        spoilt = random.Random(seed).randrange(len(actions))
        actions[spoilt] = (actions[spoilt][0], "no such action")
        with pytest.raises(ReplayError) as caught:
            list(replay(game, players, options_for(game, seed), actions))
        assert caught.value.index == spoilt
        assert isinstance(caught.value.error, InvalidActionError)

    def test_ended_match_accepts_no_actions(self, game: AnyGame, players: int) -> None:
        """After the end, `meant` and `play` raise IllegalActionError.

        Its phrase is `match-over`, of `pbem.games.words`.
        """
        *_, last = walked(game, players, self.seeds[0])
        for seat in game.info.seats_of(players):
            with pytest.raises(IllegalActionError, match="over"):
                play_one(game, last.after, seat, last.text)
        with pytest.raises(IllegalActionError):
            game.parse(last.after, last.text, last.seat)
        with pytest.raises(IllegalActionError):
            game.play(last.after, last.action)

    def test_seat_plays_only_in_its_turn(self, game: AnyGame, players: int, seed: int) -> None:
        """If it is not a seat's turn, `meant` raises IllegalActionError, whose reason names the
        seat to act.
        """
        for step in sampled(game, players, seed):
            for seat in set(game.info.seats_of(players)) - {step.seat}:
                named = ENGLISH.text(game.info.name_of(step.seat))
                with pytest.raises(IllegalActionError, match=rf"\b{re.escape(named)}\b"):
                    play_one(game, step.before, seat, step.text)

    def test_action_of_another_position_is_refused(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`play` raises IllegalActionError for an action that is not legal in its position."""
        steps = sampled(game, players, seed)
        for step in steps:
            for other in steps:
                if other.action not in game.legal_actions(step.before):
                    with pytest.raises(IllegalActionError):
                        game.play(step.before, other.action)

    def test_forfeit_gives_scores_for_every_seat(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`forfeit` has a score for each seat in play, in the order of `seats`."""
        seats = game.info.seats_of(players)
        for step in sampled(game, players, seed):
            for side in game.info.sides[players]:
                assert list(game.forfeit(step.before, side)) == list(seats)

    def test_winner_could_win_before_the_end(self, game: AnyGame, players: int, seed: int) -> None:
        """`can_win` is true of a seat that wins later. If in doubt, return True."""
        steps = walked(game, players, seed)
        outcome = game.outcome(steps[-1].after)
        for seat in outcome.winners if outcome is not None else ():
            for step in steps:
                assert game.can_win(step.before, seat)

    def test_every_seat_has_a_standing(self, game: AnyGame, players: int, seed: int) -> None:
        """`standing` rates each seat in play, in the order of `seats`, at the end too."""
        seats = game.info.seats_of(players)
        for step in sampled(game, players, seed):
            for position in (step.before, step.after):
                assert list(game.standing(position)) == list(seats)

    def test_end_of_an_email_stands_for_a_legal_action_or_none(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`closing` returns a canonical text that is legal now, and only if the game is
        `stepwise`.
        """
        for step in walked(game, players, seed):
            text = game.closing(step.before)
            if text is not None:
                assert game.info.stepwise
                action = game.parse(step.before, text, step.seat)
                assert game.format(step.before, action) == text
                assert action in game.legal_actions(step.before)

    def test_resigned_seat_is_not_asked_again(self, game: AnyGame, players: int, seed: int) -> None:
        """`resignation` is the text of a declaration. After it, that seat never has to act."""
        for step in sampled(game, players, seed):
            for seat in game.info.seats_of(players):
                text = game.resignation(step.before, seat)
                if text is not None:
                    played = play_one(game, step.before, seat, text)
                    assert played.declaration
                    assert game.to_act(played.position) != seat
