"""Table: a match while the commands of one mail are carried out on it, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from pbem.games.api import ActionError
from pbem.games.replay import Played, ends_nothing
from pbem.mail.incoming.refusals import (
    MatchHasEnded,
    NotYourTurn,
    OldMail,
    OldTurn,
    Refused,
    WhichMatch,
)
from pbem.mail.topic import Topic
from pbem.matches.history import Happened, Kind
from pbem.matches.match import Match, Player, PlayerId, play
from pbem.matches.score import TurnLine


class Section(NamedTuple):
    """A part of the answer: a template and what it needs beside the view of the match."""

    name: str
    data: Mapping[str, Any]


class Proof(NamedTuple):
    """What the token or the signature of a mail proves beside who sent it."""

    topic: Topic
    """That of the token; without one, the match as it stands."""
    latest: bool
    """Whether it answers the newest mail about it that was sent to them."""
    token: bool = True
    """Whether there is a token; else the signature alone is the proof."""

    @property
    def turn(self) -> int:
        """Turn that is answered."""
        return self.topic.turn


@dataclass(frozen=True)
class Table:
    """A match, one of its players, and what has come of his mail so far."""

    player: Player
    names: Mapping[PlayerId, str]
    at: datetime
    """When the mail is carried out, UTC."""
    match_or_none: Match | None = None
    position: Any = None
    proof: Proof | None = None
    """None where the mail proves nothing; then nothing may change."""
    history: Callable[[], Sequence[TurnLine]] = tuple
    recorded: tuple[Played | Happened, ...] = ()
    """What goes into the history of the match, in order."""
    sections: tuple[Section, ...] = ()
    events: tuple[str, ...] = ()
    """Sentences for everybody: what happened beside moves."""
    final: bool = False
    """Whether something was done that cannot be taken back, moves aside."""

    @property
    def match(self) -> Match:
        """The match the mail is about; raises Refused where there is none."""
        if self.match_or_none is None:
            raise Refused(WhichMatch())
        return self.match_or_none

    @property
    def played(self) -> tuple[Played, ...]:
        """Actions that were played."""
        return tuple(each for each in self.recorded if isinstance(each, Played))

    def answered(self, name: str, **data: Any) -> Table:
        """With one more section in the answer."""
        return replace(self, sections=(*self.sections, Section(name, data)))

    def changed(self, match: Match, kind: Kind, event: str = "") -> Table:
        """With the match as it is now: what its player did, and a sentence unless mails have it."""
        seat = match.seats_of(self.player.id)[0]
        did = Happened(kind, self.match.turn, seat)
        table = replace(self, match_or_none=match, recorded=(*self.recorded, did))
        return table.told(event) if event else table

    def told(self, event: str) -> Table:
        """With one more sentence for everybody."""
        return replace(self, events=(*self.events, event))

    def require_latest(self) -> None:
        """Raises Refused unless the mail answers the newest one sent to the player."""
        if self.proof is not None and not self.proof.latest:
            raise Refused(OldMail())

    def play(self, texts: Sequence[str]) -> Table:
        """Actions of the player; raises Refused or an ActionError."""
        match = self.match
        if self.played and all(map(self._ends_nothing, texts)):
            return self
        if match.result is not None:
            raise Refused(MatchHasEnded())
        self._require_timely(texts)
        begun = bool(self.played)
        change = play(match, self.position, self.player.id, texts, self.at, begun=begun)
        return replace(
            self,
            match_or_none=change.match,
            position=change.position,
            recorded=self.recorded + change.played,
            final=self.final or _is_agreed(change.match),
        )

    def close_turn(self) -> Table:
        """What the end of the mail stands for, where its actions have left a turn open."""
        if self.match_or_none is None or not self.played or self.match.result is not None:
            return self
        text = self.match.game.closing(self.position)
        if text is None or self.match.player_to_act != self.player.id:
            return self
        return self.play([text])

    def _ends_nothing(self, text: str) -> bool:
        """Whether a text only ends a turn that has ended by itself in this mail."""
        match = self.match
        return ends_nothing(match.game, self.position, match.seat_for(self.player.id), text)

    def _require_timely(self, texts: Sequence[str]) -> None:
        match = self.match
        if self._declares_only(texts):
            self.require_latest()
        elif match.player_to_act != self.player.id:
            raise Refused(NotYourTurn())
        elif self.proof is not None and not self.played and self.proof.turn != match.turn:
            raise Refused(OldTurn())

    def _declares_only(self, texts: Sequence[str]) -> bool:
        seat = self.match.seat_for(self.player.id)
        try:
            action = self.match.game.parse(self.position, texts[0], seat)
        except ActionError:
            return False
        return len(texts) == 1 and action.declaration


def _is_agreed(match: Match) -> bool:
    """Whether players have just ended a match by consent, as Lanko's `+++` does."""
    return match.result is not None and match.result.termination in match.game.info.agreements
