"""Other position: a match as it was after an earlier turn, or as a line of turns would leave it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from pbem.games import shape_of
from pbem.games.api import Seat
from pbem.games.diagram import PieceToken
from pbem.games.phrases import Phrase
from pbem.games.pieces import COLOURS
from pbem.games.words import phrase as common
from pbem.mail.outgoing.competition_tables import signed
from pbem.mail.outgoing.match_view import MatchView, PlayerScore
from pbem.mail.outgoing.shown_match import board_apart
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.mail.outgoing.words import phrase
from pbem.matches.line import MOST_TURNS, Line, LineTurn
from pbem.matches.match import Match, MatchSummary, Result
from pbem.matches.plans import Step, written
from pbem.matches.score import TurnLine, turn_lines

PREVIEW, FROM = "preview", "from"
LONGEST_SAMPLE = 64
"""Columns of a line to send. No email program breaks one as short."""
MOST_LISTED = 100
"""Legal actions that the text lists where a line breaks."""


class Offered(NamedTuple):
    """A command that an email offers as a link."""

    text: str
    label: Phrase


class Gone(NamedTuple):
    """Pieces that left the board in a turn."""

    turn: int
    pieces: str


@dataclass(frozen=True, kw_only=True)
class OtherPosition(MatchView):
    """A match at another position than its present one. Its clocks and offers say nothing."""

    now_at: MatchSummary
    """The match as it is."""
    alone: bool = False
    """Whether the email shows nothing else, so that its board has links."""

    @property
    def hides_names(self) -> bool:
        """Whether it is a blind match that has not ended, whatever its state at this position."""
        return self.now_at.hides_names

    @property
    def diagram(self) -> Figure:
        """The board. It has links only if no other board is in the email."""
        return super().diagram if self.alone else board_apart(self.captions)

    @property
    def scores(self) -> Sequence[PlayerScore]:
        """Scores by player, with a sign if one is below zero."""
        match = self.match
        points = self.game.score(match.position)
        write = signed if min(points.values()) < 0 else str
        return [
            PlayerScore(self.names[player], player == self.you.id, write(points[seats[0]]))
            for player, seats in ((each, match.seats_of(each)) for each in match.players)
        ]

    @property
    def offered(self) -> Iterator[Offered]:
        """Yield the commands that the email offers as links."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Preview(OtherPosition):
    """An analysis board: a match as it would be after a line of turns."""

    most_turns: ClassVar[int] = MOST_TURNS
    most_listed: ClassVar[int] = MOST_LISTED
    line: Line
    from_turn: int | None = None
    """The turn after which the line starts, None for the present position."""

    def sent(self, line: str) -> str:
        """Return the command that shows another line from the same turn."""
        start = () if self.from_turn is None else (FROM, str(self.from_turn))
        return " ".join((PREVIEW, *start, line)).rstrip()

    def sent_with(self, action: str) -> str:
        """Return the command that shows the line with one more action."""
        return self.sent(self.line.text_with(action))

    @property
    def is_short(self) -> bool:
        """Whether the text can show lines to send.

        A line that an email program breaks must never be part of our email, or it would count as a
        quote of it.
        """
        longest = self.sent_with(self.example) if self.can_continue else self.sent(self.line.text)
        return len(longest) <= LONGEST_SAMPLE

    @property
    def can_continue(self) -> bool:
        """Whether a turn can be added."""
        return self.match.result is None and not self.line.is_full

    @property
    def turns(self) -> Figure:
        """The turns of the line, with those that the engine passes."""
        lines = turn_lines(self.game, tuple(self.match.seats), self.line.played)
        return in_columns(map(str, lines))

    @property
    def first(self) -> str:
        """The first turn of the line as the reader can play it now, otherwise empty."""
        first = next(iter(self.line.turns), None)
        if first is None or self.from_turn is not None or self.now_at.result is not None:
            return ""
        if self.now_at.player_to_act != self.you.id or first.seat != self.now_at.to_act:
            return ""
        return (
            f"{first.text} ..." if self.line.is_open and len(self.line.turns) == 1 else first.text
        )

    @property
    def plan(self) -> str:
        """The plan for the turns after `first`, up to the reader's last one. Empty if none."""
        if self.from_turn is not None or self.now_at.result is not None or self.line.is_open:
            return ""
        own = self.now_at.seats_of(self.you.id)
        turns = self.line.turns[bool(self.first) :]
        steps = [Step(turn.seat in own, (turn.text,)) for turn in turns]
        while steps and not steps[-1].own:
            del steps[-1]
        return written(steps) if steps and not steps[0].own else ""

    @property
    def is_short_plan(self) -> bool:
        """Whether the text can show the plan, as `is_short` says of other lines."""
        return len(self.plan) <= LONGEST_SAMPLE

    @property
    def gone(self) -> list[Gone]:
        """The pieces that leave the board, by turn."""
        found, before = [], self.line.start
        for turn in self.line.turns:
            pieces = self._gone(before, turn)
            if pieces:
                said = common("list.parts", items=pieces)
                found.append(Gone(turn.number, self.words.text(said)))
            before = turn.position
        return found

    def _gone(self, before: object, turn: LineTurn) -> tuple[Phrase, ...]:
        gone = self._pieces(before) - self._pieces(turn.position)
        return tuple(
            shape_of(piece).named(count, COLOURS[piece.colour]) for piece, count in gone.items()
        )

    def _pieces(self, position: object) -> Counter[PieceToken]:
        cells = self.game.diagram(position, self.own_seats[0]).cells.values()
        return Counter(token for cell in cells for token in cell.tokens)

    @property
    def near(self) -> Sequence[str]:
        """Texts that the action at which the line breaks may mean."""
        return () if self.line.broken is None else self.line.broken.candidates

    @property
    def legal_here(self) -> Figure:
        """Legal actions in the position, at most as many as an email lists."""
        some = self.actions[:MOST_LISTED]
        return in_columns((self.game.format(self.match.position, each) for each in some), gap=2)

    @property
    def offered(self) -> Iterator[Offered]:
        """Yield how to play the first turn, take the last one back, and return to the match."""
        if self.first:
            yield Offered(self.first, phrase("preview.play", turn=self.first))
        if self.plan and self.first:
            both = f"{self.first}\r\n{self.plan}"
            yield Offered(both, phrase("preview.play-and-plan", turn=self.first))
        elif self.plan:
            yield Offered(self.plan, phrase("preview.plan"))
        if self.line.turns:
            last = self.line.turns[-1].text
            yield Offered(self.sent(self.line.text_before), phrase("preview.back", turn=last))
        yield Offered("show", phrase("command.show"))


@dataclass(frozen=True, kw_only=True)
class EarlierTurn(OtherPosition):
    """A match after one of its turns."""

    turn: int
    """The turn, 0 for the start."""
    last: int
    """The last turn that was played."""
    played: Sequence[TurnLine] = ()
    """The turn as it was played."""
    seen_from: Sequence[Seat]
    """The seats from which the board is shown. The first is at the bottom."""

    @cached_property
    def own_seats(self) -> Sequence[Seat]:
        """The seats from which the board is shown."""
        return self.seen_from

    @property
    def is_now(self) -> bool:
        """Whether it is the present position."""
        return self.turn == self.last

    @property
    def tries(self) -> str:
        """The command that tries a line from here."""
        return PREVIEW if self.is_now else f"{PREVIEW} {FROM} {self.turn}"

    @property
    def offered(self) -> Iterator[Offered]:
        """Yield how to see the turns before and after it, and to try a line from it."""
        for turn in (self.turn - 1, self.turn + 1):
            if 0 <= turn <= self.last:
                yield Offered(f"show {turn}", phrase("show.turn", turn=turn))
        yield Offered(self.tries, phrase("command.preview"))
        if not self.is_now:
            yield Offered("show", phrase("command.show"))


def previewed(view: MatchView, line: Line, from_turn: int | None = None) -> Preview:
    """Return a match as its player would see it after a line."""
    return Preview(
        match=_after(view, line),
        you=view.you,
        names=view.names,
        now=view.now,
        words=view.words,
        trails=view.trails,
        now_at=view.match,
        line=line,
        from_turn=from_turn,
    )


def _after(view: MatchView, line: Line) -> Match:
    """Return a match after a line that somebody might play."""
    game, position = view.game, line.position
    outcome = game.outcome(position)
    return replace(
        view.match,
        position=position,
        turn=position.turn,
        to_act=game.to_act(position),
        offers=(),
        pause_offer=None,
        resigned=frozenset(),
        result=None if outcome is None else Result(*outcome, ended_at=view.now),
    )
