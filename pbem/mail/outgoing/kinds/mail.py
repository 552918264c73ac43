"""Mail: the common base of all kinds of emails, and their urgency."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.match import PlayerId


class ClubName(NamedTuple):
    """Data of the club for every template."""

    name: str
    director: str
    """Address of the director, empty if there is none."""


@dataclass(frozen=True)
class Mail:
    """The content of one email. Its fields are the data of its template."""

    urgency: ClassVar[Urgency] = Urgency.NOTICE
    """Urgency if it answers no email. Answers are as urgent as play."""

    @classmethod
    def name(cls) -> str:
        """Name of the template, by which such emails are also counted."""
        return snake_case(cls.__name__)

    @property
    def kind(self) -> str:
        """Kind of this email."""
        return self.name()

    @property
    def about(self) -> MatchView | None:
        """The match it is about as its reader sees it, None for no match."""
        return None

    @property
    def list_match(self) -> int | None:
        """The number of the match to whose mailing list it belongs, None for no match."""
        return None if self.about is None else self.about.match.id

    @property
    def board(self) -> MatchView | None:
        """The match at the position that its board shows, if not its present one."""
        return self.about

    @property
    def heading(self) -> str:
        """Fixed part of the subject for all emails on the same topic, if that is not a match."""
        return ""

    @property
    def replies(self) -> Sequence[str]:
        """Answers offered as links, if it is about no match or asks a question."""
        return ()

    @property
    def unasked(self) -> bool:
        """Whether it reaches people who did not ask for it, if a member's email causes it."""
        return False

    @property
    def supersedes(self) -> bool:
        """Whether directors can no longer decide by replying to earlier emails."""
        return False

    @property
    def writer(self) -> PlayerId | None:
        """The member whose own words it passes on, so that a plain reply goes to them."""
        return None

    @property
    def asks_address(self) -> bool:
        """Whether it goes to an address named by somebody else."""
        return False

    @property
    def data(self) -> Mapping[str, Any]:
        """Data of the template."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class MatchMail(Mail):
    """An email to one player about a match."""

    view: MatchView

    @property
    def about(self) -> MatchView:
        """The match."""
        return self.view


class Section(NamedTuple):
    """A part of an answer: a template and its data besides the match."""

    name: str
    data: Mapping[str, Any]


_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def snake_case(name: str) -> str:
    """Convert a class name: `draw_accepted` from `DrawAccepted`."""
    return _WORD.sub("_", name).lower()
