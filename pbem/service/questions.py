"""Questions: questions of the club that wait for an answer, with a type for each kind.

A kind is a frozen dataclass with a name for storage. Its fields are stored with the question.
`inbound_id` is the received email that waits for the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Generic, Protocol, TypeVar

from pbem.mail.topic import Holder, TopicKey
from pbem.ports.people import OpenQuestion
from pbem.service.work import Work


class AskedQuestion(Protocol):
    """The subject of a question, in a form that fits JSON."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class UnprovenChange:
    """A change in a player's name, with no proof that the player sent it."""

    kind: ClassVar[str] = "unproven"
    inbound_id: int
    text: str = ""
    """Text shown to the player, who confirms it. Empty in questions older than this field."""


@dataclass(frozen=True)
class UnclearChange:
    """A change by a player that is final and was not read with certainty."""

    kind: ClassVar[str] = "unclear"
    inbound_id: int
    text: str = ""
    """Text shown to the player, who confirms it."""


@dataclass(frozen=True)
class SureChange:
    """A change that is shown to the player who asked for it before it is made."""

    kind: ClassVar[str] = "sure"
    inbound_id: int
    text: str = ""
    """Text shown to the player, who confirms it."""


@dataclass(frozen=True)
class NewAddress:
    """Asks at an address whether a member's email may come there. No email waits for the answer."""

    kind: ClassVar[str] = "address"
    player: int
    address: str


@dataclass(frozen=True)
class Application:
    """Asks a director whether a stranger may join. The stranger is the question's holder."""

    kind: ClassVar[str] = "application"
    name: str
    zone: str


@dataclass(frozen=True)
class InvitationQuestion:
    """Asks the owner of an address to play with a member. The address is the question's holder."""

    kind: ClassVar[str] = "invitation"
    player: int
    """The member who invites."""
    words: str
    """The game and its terms as the member wrote them, without the address."""
    place: int
    """Place in the order of entry that the member has."""
    name: str
    """Name that the owner of the address would have."""


Change = UnprovenChange | UnclearChange | SureChange
CHANGES: tuple[type[Change], ...] = (UnprovenChange, UnclearChange, SureChange)

AskedT = TypeVar("AskedT", bound=AskedQuestion)


@dataclass(frozen=True)
class PendingQuestion(Generic[AskedT]):
    """A question that waits for an answer, with what it asks."""

    question: OpenQuestion
    asked: AskedT


def ask(
    work: Work,
    asked: AskedQuestion,
    holder: Holder,
    days: int,
    *,
    about: TopicKey | None = None,
    asked_by: str = "",
) -> OpenQuestion:
    """Store a question that waits for the given number of days."""
    data = dict(vars(asked))
    inbound_id = data.pop("inbound_id", None)
    expires_at = work.now + timedelta(days=days)
    return work.questions.ask(
        OpenQuestion(asked.kind, holder, about, expires_at, asked_by, inbound_id, data)
    )


def waiting(
    work: Work, kinds: tuple[type[AskedT], ...], holder: Holder, about: TopicKey | None = None
) -> list[PendingQuestion[AskedT]]:
    """Return the open questions of some kinds to a holder, oldest first."""
    of_kind = {kind.kind: kind for kind in kinds}
    questions = work.questions.waiting(holder, work.now, about)
    return [
        PendingQuestion(each, _read(each, of_kind[each.kind]))
        for each in questions
        if each.kind in of_kind
    ]


def all_waiting(work: Work, kind: type[AskedT]) -> list[PendingQuestion[AskedT]]:
    """Return all open questions of a kind, oldest first."""
    questions = work.questions.of_kind(kind.kind, work.now)
    return [PendingQuestion(each, _read(each, kind)) for each in questions]


def _read(question: OpenQuestion, kind: type[AskedT]) -> AskedT:
    waits = {} if question.inbound_id is None else {"inbound_id": question.inbound_id}
    return kind(**question.data, **waits)
