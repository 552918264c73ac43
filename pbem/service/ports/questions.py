"""Questions of the club that wait for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from pbem.mail.topic import Holder, QuestionTopic, TopicKey


@dataclass(frozen=True)
class Question:
    """Something somebody was asked; it waits for their answer until it expires."""

    kind: str
    """Which question it is, by its type in `pbem.service.questions`."""
    holder: Holder
    """Who was asked."""
    about: TopicKey | None
    """What it is about, beside itself."""
    expires_at: datetime
    asked_by: str = ""
    """Message-ID of the mail that asked; empty before there is one."""
    inbound_id: int | None = None
    """The received mail that waits for the answer."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What else its kind needs, fit for JSON."""
    id: int = 0

    @property
    def topic(self) -> QuestionTopic:
        """The question itself, as a token names it."""
        return QuestionTopic(self.id)


class Questions(Protocol):
    """Questions of the club that wait for an answer."""

    def ask(self, question: Question) -> Question:
        """Stores a question and gives it its id.

        Raises StorageError if its received mail waits already, or who or what it names is not
        stored.
        """

    def get(self, question_id: int) -> Question:
        """A question that waits, or has just expired; raises StorageError if there is none."""

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[Question]:
        """What somebody was asked, of a topic or at all, and has not expired; oldest first."""

    def of_kind(self, kind: str, now: datetime) -> list[Question]:
        """All of a kind that wait, whoever was asked, and have not expired; oldest first."""

    def asked_by(self, message_id: str) -> Question | None:
        """The question that a mail asked."""

    def asked(self, question_id: int, message_id: str) -> None:
        """A mail with that Message-ID asks it now."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """What waits until later than a moment waits so much longer."""

    def drop_expired(self, now: datetime) -> int:
        """Deletes what has expired, with the names and addresses in it; returns how many."""

    def settle(self, question_id: int) -> None:
        """A question was answered, and waits no more; raises StorageError if it did not."""
