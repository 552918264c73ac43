"""Asked: what a command is given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.mail.proof.proof import Proof
from pbem.mail.refusals import OldDirectorMail, OldMail, Refused
from pbem.mail.stranger import Stranger
from pbem.mail.topic import DirectorTopic
from pbem.matches.match import Match, Player
from pbem.service.members.roles import has_directors_address, is_director
from pbem.service.work import Work


@dataclass(frozen=True)
class Asked:
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
            raise Refused(OldMail())

    def require_newest_to_director(self) -> None:
        """Raises Refused if the mail answers an older one that was sent to the director."""
        if self.proof is None or not isinstance(self.proof.topic, DirectorTopic):
            return  # nothing of theirs is answered: they are asked, or have confirmed it
        if not self.proof.latest:
            raise Refused(OldDirectorMail())
