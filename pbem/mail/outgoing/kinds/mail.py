"""Mail: what all kinds of emails have in common, and how urgent each is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView


class ClubName(NamedTuple):
    """What every template may say of the club."""

    name: str
    director: str
    """Address of the director; empty where there is none."""


@dataclass(frozen=True)
class Mail:
    """What one mail tells; its fields are what its template is given."""

    urgency: ClassVar[Urgency] = Urgency.NOTICE
    """Of one that answers no mail; answers are as urgent as what is played."""

    @classmethod
    def name(cls) -> str:
        """Name of its template, under which such mails are counted, too."""
        return snake_case(cls.__name__)

    @property
    def kind(self) -> str:
        """The name of this one."""
        return self.name()

    @property
    def about(self) -> MatchView | None:
        """The match that it is about, as its reader sees it; None for a mail about none."""
        return None

    @property
    def heading(self) -> str:
        """What stands in the subject of all mails of the same thing, where that is no match."""
        return ""

    @property
    def replies(self) -> Sequence[str]:
        """What can be answered by a tap, where it is about no match or is a question."""
        return ()

    @property
    def unasked(self) -> bool:
        """Whether it reaches people who did not ask for it when a member's email causes it."""
        return False

    @property
    def asks_address(self) -> bool:
        """Whether it asks an address that somebody else named."""
        return False

    @property
    def data(self) -> Mapping[str, Any]:
        """What its template is given."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class MatchMail(Mail):
    """A mail to one player about a match."""

    view: MatchView

    @property
    def about(self) -> MatchView:
        """The match."""
        return self.view


class Section(NamedTuple):
    """A part of the answer: a template and what it needs beside the view of the match."""

    name: str
    data: Mapping[str, Any]


_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def snake_case(name: str) -> str:
    """`draw_accepted`, from `DrawAccepted`."""
    return _WORD.sub("_", name).lower()
