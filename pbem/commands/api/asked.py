"""What a command is given (`CommandContext`) and what it returns (`CommandResult`)."""

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
from pbem.matches.acting import Change
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.match import Match, Player
from pbem.service.people import has_directors_address, is_director
from pbem.service.work import Work


@dataclass(frozen=True)
class CommandContext:
    """One command as it is asked for: by whom, about what, and how far that is proven."""

    work: Work
    """To read with; what a command writes it gives back, since a mail is all or nothing."""
    who: Player | Stranger
    about: Match | None
    """The match that the mail is about, as the commands before this one have left it."""
    proof: Proof | None
    """None where the mail proves nothing; then nothing may change."""
    arguments: tuple[str, ...] = ()
    came_at: datetime | None = None
    """When the mail came that asks for it, however long it waited for a `confirm`."""
    counts_from: datetime | None = None
    """When the mail came that has it done: the same, or the `confirm`."""

    @property
    def player(self) -> Player:
        """Who asks; every command that is not for strangers is asked for by a player."""
        assert isinstance(self.who, Player), "the command is not for strangers"
        return self.who

    @property
    def by_director(self) -> bool:
        """Whether a director asks, who need not be a member."""
        if isinstance(self.who, Player):
            return is_director(self.work.club, self.who)
        return has_directors_address(self.work.club, self.who.address)

    @property
    def by_member(self) -> bool:
        """Whether a member asks."""
        return isinstance(self.who, Player)

    @property
    def match(self) -> Match:
        """The match; there is one for every command whose scope is a match."""
        assert self.about is not None, "the scope of the command is a match"
        return self.about

    @property
    def now(self) -> datetime:
        """When the mail is carried out, UTC."""
        return self.work.now

    @property
    def done_at(self) -> datetime:
        """From when on it counts where time matters: the receipt of what has it done."""
        return min(self.counts_from or self.now, self.now)

    @property
    def language(self) -> str:
        """Language of the answer."""
        return self.work.club.club_renderer.words.language

    def require_newest(self) -> None:
        """Raises Refused unless the mail answers the newest one sent to the player."""
        if self.proof is not None and not self.proof.latest:
            raise RefusedError(OldMail())

    def require_newest_to_director(self) -> None:
        """Raises Refused if the mail answers an older one that was sent to the director."""
        if self.proof is None or not isinstance(self.proof.topic, DirectorTopic):
            return  # nothing of theirs is answered: they are asked, or have confirmed it
        if not self.proof.latest:
            raise RefusedError(OldDirectorMail())


@dataclass(frozen=True)
class CommandResult:
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
    def answered(cls, name: str, **data: Any) -> CommandResult:
        """One that changes nothing and answers by the template of a name."""
        return cls(sections=(Section(name, data),))

    @classmethod
    def changed(cls, change: Change, *, final: bool = False) -> CommandResult:
        """One that changes the match."""
        return cls(change.match, change.events, final=final or change.match.agreed)

    @property
    def played(self) -> tuple[Played, ...]:
        """Actions that were played."""
        turns = (event for event in self.events if isinstance(event, ActionsPlayed))
        return tuple(played for turn in turns for played in turn.actions)

    def then(self, after: CommandResult) -> CommandResult:
        """This, and what came after it."""
        return CommandResult(
            after.match or self.match,
            self.events + after.events,
            self.sections + after.sections,
            self.effects + after.effects,
            tuple(dict.fromkeys(self.attachments + after.attachments)),
            after.shown or self.shown,
            self.final or after.final,
            self.asks or after.asks,
        )
