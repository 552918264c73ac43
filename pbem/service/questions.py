"""Questions: what the club has asked somebody, each kind a type of its own.

A kind is a frozen dataclass with a name for the storage. Its fields are kept with the question, and
`inbound_id` is the received mail that waits for the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Generic, Protocol, TypeVar

from pbem.mail.topic import Holder, TopicKey
from pbem.ports.people import OpenQuestion
from pbem.service.work import Work


class AskedQuestion(Protocol):
    """What a question is about, fit for JSON."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class UnprovenChange:
    """A change in a player's name, of which nobody knows whether they sent it."""

    kind: ClassVar[str] = "unproven"
    inbound_id: int
    text: str = ""
    """What its player was shown, and so confirms; empty if it was parked before this was kept."""


@dataclass(frozen=True)
class UnclearChange:
    """A change by a player that cannot be taken back, and was not read with certainty."""

    kind: ClassVar[str] = "unclear"
    inbound_id: int
    text: str = ""
    """What its player was shown, and so confirms."""


@dataclass(frozen=True)
class SureChange:
    """A change that is shown to who asks for it before it is made."""

    kind: ClassVar[str] = "sure"
    inbound_id: int
    text: str = ""
    """What they were shown, and so confirm."""


@dataclass(frozen=True)
class NewAddress:
    """Asked at an address: whether a member's mail may come there; no mail waits for the answer."""

    kind: ClassVar[str] = "address"
    player: int
    address: str


@dataclass(frozen=True)
class Application:
    """A stranger would like to join, and a director is asked; the stranger holds the question."""

    kind: ClassVar[str] = "application"
    name: str
    zone: str


Change = UnprovenChange | UnclearChange | SureChange
CHANGES: tuple[type[Change], ...] = (UnprovenChange, UnclearChange, SureChange)

AskedT = TypeVar("AskedT", bound=AskedQuestion)


@dataclass(frozen=True)
class PendingQuestion(Generic[AskedT]):
    """A question that waits, and what it asks."""

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
    """Stores a question to somebody, which waits for so many days."""
    data = dict(vars(asked))
    inbound_id = data.pop("inbound_id", None)
    expires_at = work.now + timedelta(days=days)
    return work.questions.ask(
        OpenQuestion(asked.kind, holder, about, expires_at, asked_by, inbound_id, data)
    )


def waiting(
    work: Work, kinds: tuple[type[AskedT], ...], holder: Holder, about: TopicKey | None = None
) -> list[PendingQuestion[AskedT]]:
    """Questions of some kinds that wait for somebody's answer, oldest first."""
    of_kind = {kind.kind: kind for kind in kinds}
    questions = work.questions.waiting(holder, work.now, about)
    return [
        PendingQuestion(each, _read(each, of_kind[each.kind]))
        for each in questions
        if each.kind in of_kind
    ]


def all_waiting(work: Work, kind: type[AskedT]) -> list[PendingQuestion[AskedT]]:
    """Questions of a kind that wait, whoever holds them, oldest first."""
    questions = work.questions.of_kind(kind.kind, work.now)
    return [PendingQuestion(each, _read(each, kind)) for each in questions]


def _read(question: OpenQuestion, kind: type[AskedT]) -> AskedT:
    waits = {} if question.inbound_id is None else {"inbound_id": question.inbound_id}
    return kind(**question.data, **waits)
