"""Done: what a command gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pbem.games.replay import Played
from pbem.mail.outgoing.kinds import Section
from pbem.mail.outgoing.letter import Attachment
from pbem.matches.acting import Change
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Match
from pbem.service.work import Work


@dataclass(frozen=True)
class Done:
    """What has come of one command, or of all commands of a mail so far."""

    match: Match | None = None
    """The match as it has become; None where a command leaves it as it is."""
    events: tuple[Event, ...] = ()
    sections: tuple[Section, ...] = ()
    """Parts of the answer to who asked."""
    effects: tuple[Callable[[Work], Section | None], ...] = field(default=(), compare=False)
    """What is to be written beside the match, once the whole mail is accepted.

    An effect gives back what is to be said of it, where that is not known before.
    """
    attachments: tuple[Attachment, ...] = ()
    """Files for who asked."""
    shown: Match | None = None
    """A match of theirs that the answer is about, where the mail itself is about none."""
    final: bool = False
    """Whether something was done that cannot be taken back, moves aside."""
    asks: bool = False
    """Whether it is shown first, by its sections, and done when who asks for it says `confirm`."""

    def __post_init__(self) -> None:
        if self.events and self.match is None:
            raise ValueError("events are told to the players of a match: Done needs it, too")

    @classmethod
    def answered(cls, name: str, **data: Any) -> Done:
        """One that changes nothing and answers by the template of a name."""
        return cls(sections=(Section(name, data),))

    @classmethod
    def changed(cls, change: Change, *, final: bool = False) -> Done:
        """One that changes the match."""
        return cls(change.match, change.events, final=final or change.match.agreed)

    @property
    def played(self) -> tuple[Played, ...]:
        """Actions that were played."""
        turns = (event for event in self.events if isinstance(event, ActionsPlayed))
        return tuple(played for turn in turns for played in turn.actions)

    def then(self, after: Done) -> Done:
        """This, and what came after it."""
        return Done(
            after.match or self.match,
            self.events + after.events,
            self.sections + after.sections,
            self.effects + after.effects,
            tuple(dict.fromkeys(self.attachments + after.attachments)),
            after.shown or self.shown,
            self.final or after.final,
            self.asks or after.asks,
        )
