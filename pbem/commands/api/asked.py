"""Asked: what a command is given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.mail.incoming.proof import Proof
from pbem.mail.incoming.refusals import OldMail, Refused
from pbem.matches.match import Match, Player
from pbem.service.work import Work


@dataclass(frozen=True)
class Asked:
    """One command as it is asked for: by whom, about what, and how far that is proven."""

    work: Work
    """To read with; what a command writes it gives back, since a mail is all or nothing."""
    player: Player
    about: Match | None
    """The match that the mail is about, as the commands before this one have left it."""
    proof: Proof | None
    """None where the mail proves nothing; then nothing may change."""
    arguments: tuple[str, ...] = ()

    @property
    def match(self) -> Match:
        """The match; there is one for every command whose scope is a match."""
        assert self.about is not None, "the scope of the command is a match"
        return self.about

    @property
    def now(self) -> datetime:
        """When the mail is carried out, UTC."""
        return self.work.now

    def require_newest(self) -> None:
        """Raises Refused unless the mail answers the newest one sent to the player."""
        if self.proof is not None and not self.proof.latest:
            raise Refused(OldMail())
