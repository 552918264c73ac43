"""The promises about what a family may add: shapes of pieces, bots, formats of other programs."""

from __future__ import annotations

import random
from datetime import timedelta

from pbem.games.api import AnyGame
from pbem.games.phrases import ENGLISH, Phrase
from pbem.games.pieces import COLOURS
from pbem.games.transcript import Transcript, TranscriptAction
from pbem.matches.bots.thinking import Scene, Thinking
from pbem.testing.promises import Promises
from pbem.testing.random_matches import options_for, walked

BOT_ACTIONS = 20
"""Actions of a match against itself that a bot plays, at most."""


class AdditionTests(Promises):
    """Additions: pieces have names, bots play legally, matches come back from other formats."""

    def test_pieces_have_names_and_one_character(self) -> None:
        """Each `PieceShape` has a sign of one character, and names for one and several."""
        for shape in self.family.pieces.values():
            for colour, word in COLOURS.items():
                named = shape.named(2, word)
                assert isinstance(named, Phrase)
                assert ENGLISH.text(named)
                assert len(shape.sign_of(colour)) == 1

    def test_bots_play_legal_actions(self, game: AnyGame, players: int) -> None:
        """`Bot.action` returns one of the legal actions, such as those of `scene.actions`."""
        chance = random.Random(players)
        bots = self.family.bots({}) if self.family.bots else {}
        for bot in bots.values():
            scene = Scene(game, players, game.initial(players, options_for(game, players)))
            for _ in range(BOT_ACTIONS):
                if scene.seat is None:
                    break
                action = bot.action(scene, Thinking(chance.randrange))
                assert action in game.legal_actions(scene.position)
                scene = scene.after(action)

    def test_match_comes_back_from_each_format(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`RecordFormat.read` returns what `write` was given. Write down whatever is missing."""
        steps, seats = walked(game, players, seed), game.info.seats_of(players)
        outcome = game.outcome(steps[-1].after)
        assert outcome is not None
        match = Transcript(
            game_key=game.info.key,
            players={seat: f"Anna the {number}" for number, seat in enumerate(seats)},
            actions=tuple(TranscriptAction(s.seat, s.text, timedelta(hours=1)) for s in steps),
            options=game.info.with_defaults(options_for(game, seed)),
            winners=outcome.winners,
            termination=outcome.termination,
        )
        for form in self.family.formats:
            text = form.write(match)
            [again] = form.read(text)
            assert (again.game_key, again.winners) == (match.game_key, match.winners)
            assert again.players == match.players
            assert game.info.with_defaults(again.options) == match.options
            for step, action in zip(steps, again.actions, strict=True):
                assert action.seat == step.seat
                assert game.parse(step.before, action.text, step.seat) == step.action
