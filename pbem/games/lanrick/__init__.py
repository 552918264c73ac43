"""Lewis Carroll's Lanrick under the rules of 1881 and of 1893 (rulebook, Lanrick)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from pbem.games.api import Family, Game, GameInfo, Option, Options, Outcome, Seat
from pbem.games.diagram import Diagram
from pbem.games.lanrick import (
    notation,
    position_1881,
    position_1893,
    position_text,
    rules_1881,
    rules_1893,
    score,
    view,
)
from pbem.games.lanrick.actions import LanrickAction
from pbem.games.lanrick.board import NAMES, SEAT_NAMES, SEAT_TITLES, names
from pbem.games.lanrick.words import phrase
from pbem.games.phrases import Phrase, page
from pbem.games.pieces import DISC

OPTIONS = (
    Option("repetition", 1, phrase("option.repetition"), True),
    Option("quiet_limit", 100, phrase("option.quiet-limit")),
)
ENDLESS = {
    "stuck": phrase("ending.stuck"),
    "repetition": phrase("ending.repetition"),
    "quiet": phrase("ending.quiet"),
}
Position = view.Position

SUMMARIES = {
    "lanrick-1881": phrase("summary.lanrick-1881"),
    "lanrick-1893": phrase("summary.lanrick-1893"),
}


def _info(
    key: str, title: str, seats: tuple[Seat, Seat], won: Mapping[str, Phrase], score: Phrase
) -> GameInfo:
    return GameInfo(
        key=key,
        title=title,
        rules_version=1,
        seats=seats,
        holders={2: tuple((seat,) for seat in seats)},
        sides={2: tuple((seat,) for seat in seats)},
        terminations={**won, **ENDLESS},
        options=OPTIONS,
        summary=SUMMARIES[key],
        score=score,
        stepwise=True,
        seat_titles={seat: SEAT_TITLES[seat] for seat in seats},
        seat_names={seat: SEAT_NAMES[seat] for seat in seats},
    )


P = TypeVar("P", bound=Position)


class Lanrick(Game[P, LanrickAction]):
    """Lanrick, as far as both sets of rules agree."""

    letters: ClassVar[str]
    page: ClassVar[str]

    def _limits(self, players: int, options: Options) -> tuple[bool, int]:
        """Return whether a repetition ends the match, and after how many quiet turns it ends."""
        self.info.seats_of(players)
        values = self.info.with_defaults(options)
        return bool(values["repetition"]), values["quiet_limit"]

    def to_act(self, position: P) -> Seat | None:
        """Return the seat to act."""
        return None if position.ending is not None else position.seat

    def legal_actions(self, position: P) -> Iterable[LanrickAction]:
        """Return single actions, by square from a1, `.` last."""
        return position.legal

    def closing(self, position: P) -> str | None:
        """Return `.` if the turn can end here. The end of an email stands for it."""
        playing = position.phase == "play" and position.ending is None
        return "." if playing and position.stepped else None

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the actions of a line that holds nothing else."""
        return notation.actions_in(line)

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return words in prose that look like actions."""
        return notation.words_in(line)

    def meant(self, position: P, text: str, seat: Seat) -> LanrickAction:
        """Return the action that a text means for a seat."""
        return notation.meant(position, text, seat)

    def format(self, position: P, action: LanrickAction) -> str:
        """Return the canonical text."""
        return action.text

    def squares(self, position: P) -> dict[str, object]:
        """Return the men by square, the mark, the rendezvous and the phase."""
        men = {
            name: letter
            for letter, mask in zip(self.letters, position.men, strict=True)
            for name in names(mask)
        }
        mark = view.shown_mark(position)
        return {
            "squares": men,
            "mark": None if mark is None else NAMES[mark],
            "rendezvous": sorted(names(view.shown_rendezvous(position))),
            "phase": position.phase,
        }

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the paths of men, and the squares of men placed or taken and of the mark."""
        return notation.paths(text)

    def diagram(self, position: P, seat: Seat) -> Diagram:
        """Return the board with the seat's own edge at the bottom."""
        return view.diagram(position, self.info.seats, self.letters, seat)

    def rules(self, language: str) -> str:
        """Return the rules for players."""
        return page(__name__, self.page, language)


class Lanrick1881(Lanrick[position_1881.Position1881]):
    """Lanrick under the rules of 1881."""

    letters = "wb"
    page = "RULES-1881.md"
    info = _info(
        "lanrick-1881",
        "Lanrick (1881)",
        ("white", "black"),
        {"four-taken": phrase("ending.four-taken")},
        phrase("score-taken"),
    )

    def initial(self, players: int, options: Options) -> position_1881.Position1881:
        """Return an empty board, White to place."""
        return rules_1881.opening(*self._limits(players, options))

    def play(
        self, position: position_1881.Position1881, action: LanrickAction
    ) -> position_1881.Position1881:
        """Return the position after an action. Raises IllegalActionError."""
        return rules_1881.play(position, action)

    def outcome(self, position: position_1881.Position1881) -> Outcome | None:
        """Return the winner and the men taken."""
        return rules_1881.outcome(position)

    def forfeit(
        self, position: position_1881.Position1881, seats: Sequence[Seat]
    ) -> Mapping[Seat, int]:
        """Return the men taken so far."""
        return dict(zip(self.info.seats, position.taken, strict=True))

    def standing(self, position: position_1881.Position1881) -> Mapping[Seat, int]:
        """Rate each seat by men taken, then by men in the rendezvous and distance to it."""
        return score.standing(self.info.seats, position.men, position.taken, position.rendezvous)

    def write_position(self, position: position_1881.Position1881) -> str:
        """Return the text of a position."""
        return position_text.write_1881(position)

    def read_position(
        self, players: int, options: Options, text: str
    ) -> position_1881.Position1881:
        """Return the position of a text. Raises ValueError or LookupError."""
        return position_text.read_1881(*self._limits(players, options), text)

    def require_possible(self, position: position_1881.Position1881) -> None:
        """Raise ImpossiblePosition unless a match can reach the position."""
        position_text.require_possible_1881(position)


class Lanrick1893(Lanrick[position_1893.Position1893]):
    """Lanrick under the rules of 1893."""

    letters = "yb"
    page = "RULES-1893.md"
    info = _info(
        "lanrick-1893",
        "Lanrick (1893)",
        ("yellow", "black"),
        {"last-man": phrase("ending.last-man")},
        phrase("score-left"),
    )

    def initial(self, players: int, options: Options) -> position_1893.Position1893:
        """Return the opening: the men on the border, Yellow to set the first mark."""
        return rules_1893.opening(*self._limits(players, options))

    def play(
        self, position: position_1893.Position1893, action: LanrickAction
    ) -> position_1893.Position1893:
        """Return the position after an action. Raises IllegalActionError."""
        return rules_1893.play(position, action)

    def outcome(self, position: position_1893.Position1893) -> Outcome | None:
        """Return the winner and the men left."""
        return rules_1893.outcome(position)

    def forfeit(
        self, position: position_1893.Position1893, seats: Sequence[Seat]
    ) -> Mapping[Seat, int]:
        """Return the men left."""
        left = (men.bit_count() for men in position.men)
        return dict(zip(self.info.seats, left, strict=True))

    def standing(self, position: position_1893.Position1893) -> Mapping[Seat, int]:
        """Rate each seat by men left, then by men in the rendezvous and distance to it."""
        yellow, black = position.men
        left = (yellow.bit_count(), black.bit_count())
        return score.standing(self.info.seats, position.men, left, position.rendezvous)

    def counted(self, before: position_1893.Position1893, action: LanrickAction) -> Phrase | None:
        """Return the squares used in the turn, including this action, and the limit (rule 3)."""
        squares = rules_1893.squares_counted(before, action)
        if squares is None:
            return None
        count, allowed = squares
        return phrase("turn.counts", squares=count, allowed=allowed)

    def write_position(self, position: position_1893.Position1893) -> str:
        """Return the text of a position."""
        return position_text.write_1893(position)

    def read_position(
        self, players: int, options: Options, text: str
    ) -> position_1893.Position1893:
        """Return the position of a text. Raises ValueError or LookupError."""
        return position_text.read_1893(*self._limits(players, options), text)

    def require_possible(self, position: position_1893.Position1893) -> None:
        """Raise ImpossiblePosition unless a match can reach the position."""
        position_text.require_possible_1893(position)


LANRICK_1881 = Lanrick1881()
LANRICK_1893 = Lanrick1893()

FAMILY = Family(api=1, games=(LANRICK_1881, LANRICK_1893), pieces={"man": DISC})
