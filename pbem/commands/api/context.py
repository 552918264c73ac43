"""The context that a command gets (`CommandContext`) and its result (`CommandResult`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.games.replay import Played
from pbem.mail.outgoing.kinds import Section
from pbem.mail.outgoing.kinds.refusals import OldDirectorMail, OldMail, RefusedError
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.proof.authentication import Proof
from pbem.mail.stranger import Stranger
from pbem.mail.topic import DirectorTopic
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Match, Player
from pbem.matches.player_actions import Change
from pbem.service.people import has_directors_address, is_director
from pbem.service.play.talk import Saying
from pbem.service.work import Work


@dataclass(frozen=True)
class CommandContext:
    """One command in an email: its sender, its match, and how well both are proven."""

    work: Work
    """For reading only. A command returns its writes as effects, to keep emails all or nothing."""
    who: Player | Stranger
    about: Match | None
    """The match of the email, as changed by the commands before this one."""
    proof: Proof | None
    """Proof by the email. Without any (None), nothing may change."""
    arguments: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    """Lines of the email that are neither commands nor actions."""
    came_at: datetime | None = None
    """When the email with the command was received, even if it waited for a `confirm`."""
    counts_from: datetime | None = None
    """When the email that carries it out was received: the same email, or the `confirm`."""
    done: CommandResult | None = None
    """Result of the commands before this one."""

    @property
    def player(self) -> Player:
        """The player who sent the command. Only strangers' commands may have another sender."""
        assert isinstance(self.who, Player), "the command is not for strangers"
        return self.who

    @property
    def by_director(self) -> bool:
        """Whether the sender is a director, who need not be a member."""
        if isinstance(self.who, Player):
            return is_director(self.work.club, self.who)
        return has_directors_address(self.work.club, self.who.address)

    @property
    def by_member(self) -> bool:
        """Whether the sender is a member."""
        return isinstance(self.who, Player)

    @property
    def match(self) -> Match:
        """The match. Every command with the scope MATCH has one."""
        assert self.about is not None, "the scope of the command is a match"
        return self.about

    @property
    def now(self) -> datetime:
        """When the email is carried out, in UTC."""
        return self.work.now

    @property
    def done_at(self) -> datetime:
        """When the email that carries it out was received, which counts on clocks."""
        return min(self.counts_from or self.now, self.now)

    @property
    def is_confirmed(self) -> bool:
        """Whether the email has waited for a `confirm`, which has come."""
        return self.counts_from != self.came_at

    @property
    def language(self) -> str:
        """Language of the answer."""
        return self.work.club.club_renderer.words.language

    def require_newest(self) -> None:
        """Raise RefusedError unless the email answers the newest one to the player."""
        if self.proof is not None and not self.proof.latest:
            raise RefusedError(OldMail())

    def require_newest_to_director(self) -> None:
        """Raise RefusedError if the email answers an older one to the director."""
        if self.proof is None or not isinstance(self.proof.topic, DirectorTopic):
            return  # no email to a director is answered: they were asked, or have confirmed
        if not self.proof.latest:
            raise RefusedError(OldDirectorMail())


@dataclass(frozen=True)
class CommandResult:
    """Result of one command, or of all commands in an email so far."""

    match: Match | None = None
    """The changed match, None if the command leaves it unchanged."""
    events: tuple[Event, ...] = ()
    sections: tuple[Section, ...] = ()
    """Parts of the answer to the sender."""
    effects: tuple[Callable[[Work], Section | None], ...] = field(default=(), compare=False)
    """Writes other than the match, made once the whole email is accepted.

    An effect returns a section of the answer if its content is not known before.
    """
    attachments: tuple[Attachment, ...] = ()
    """Files for the sender."""
    shown: Match | None = None
    """The match shown in the answer if the email itself is about none."""
    final: bool = False
    """Whether something other than moves was done that cannot be undone."""
    digest: bool = False
    """Whether the answer is a digest. Other answers of the email are a second one."""
    asks: bool = False
    """Whether the sections are a preview, and the sender must `confirm` before it is done."""
    said: tuple[Saying, ...] = ()
    """What the sender says to players of the match at once."""

    def __post_init__(self) -> None:
        if self.events and self.match is None:
            raise ValueError("a result with events needs their match, whose players are notified")

    @classmethod
    def answered(cls, name: str, **data: Any) -> CommandResult:
        """Return a result that changes nothing and answers with the given template."""
        return cls(sections=(Section(name, data),))

    @classmethod
    def changed(cls, change: Change, *, final: bool = False) -> CommandResult:
        """Return a result that changes the match."""
        return cls(change.match, change.events, final=final or change.match.agreed)

    @property
    def played(self) -> tuple[Played, ...]:
        """The actions played."""
        turns = (event for event in self.events if isinstance(event, ActionsPlayed))
        return tuple(played for turn in turns for played in turn.actions)

    def then(self, after: CommandResult) -> CommandResult:
        """Return this result combined with the one after it."""
        return CommandResult(
            after.match or self.match,
            self.events + after.events,
            self.sections + after.sections,
            self.effects + after.effects,
            tuple(dict.fromkeys(self.attachments + after.attachments)),
            after.shown or self.shown,
            self.final or after.final,
            self.digest or after.digest,
            self.asks or after.asks,
            self.said + after.said,
        )
