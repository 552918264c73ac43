"""In-memory questions and exposures."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.mail.topic import Holder, TopicKey
from pbem.ports.keeping import Exposure, Worth
from pbem.ports.people import OpenQuestion
from pbem.ports.process import StorageError
from tests.fakes.storage_data import Repository, storable, utc
from tests.fakes.storage_mail import FakeOutbox


class FakeInvitedMailboxes(Repository):
    """The port InvitedMailboxes."""

    def note(self, key: str, *, never: bool = False) -> None:
        invited = self._changing().invited
        invited[key] = never or invited.get(key, False)

    def said_never(self, keys: Collection[str]) -> bool | None:
        found = [self._data.invited[key] for key in keys if key in self._data.invited]
        return any(found) if found else None

    def drop(self, keys: Collection[str]) -> None:
        for key in keys:
            if self._data.invited.get(key) is False:
                del self._changing().invited[key]


class FakeQuestions(Repository):
    """The port Questions."""

    def ask(self, question: OpenQuestion) -> OpenQuestion:
        data = self._changing()
        if isinstance(question.holder, int):
            data.require(players=(question.holder,))
        if question.inbound_id is not None:
            if question.inbound_id not in data.inbound:
                raise StorageError(f"there is no received mail {question.inbound_id}")
            if any(each.inbound_id == question.inbound_id for each in data.questions.values()):
                raise StorageError(f"mail {question.inbound_id} waits")
        number, expires_at = data.next_id("questions"), utc(question.expires_at)
        content = json.loads(json.dumps(dict(question.data)))
        data.questions[number] = replace(question, id=number, expires_at=expires_at, data=content)
        return replace(question, id=number)

    def get(self, question_id: int) -> OpenQuestion:
        if question_id not in self._data.questions:
            raise StorageError(f"there is no question {question_id} that waits")
        return self._data.questions[question_id]

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[OpenQuestion]:
        now = utc(now)
        waiting = [each for each in self._data.questions.values() if each.expires_at > now]
        theirs = [each for each in waiting if _same(each.holder) == _same(holder)]
        return [each for each in theirs if about in (None, each.about)]

    def of_kind(self, kind: str, now: datetime) -> list[OpenQuestion]:
        waiting = (each for each in self._data.questions.values() if each.expires_at > utc(now))
        return [each for each in waiting if each.kind == kind]

    def asked_by(self, message_id: str) -> OpenQuestion | None:
        asked = (each for each in self._data.questions.values() if message_id)
        return next((each for each in asked if each.asked_by == message_id), None)

    def asked(self, question_id: int, message_id: str) -> None:
        asked = replace(self.get(question_id), asked_by=storable(message_id))
        self._changing().questions[question_id] = asked

    def postpone(self, by: timedelta, after: datetime) -> None:
        questions, after = self._changing().questions, utc(after)
        for number, each in list(questions.items()):
            if each.expires_at > after:
                questions[number] = replace(each, expires_at=each.expires_at + by)

    def drop_expired(self, now: datetime) -> int:
        questions = self._changing().questions
        gone = [each.id for each in questions.values() if each.expires_at <= utc(now)]
        for number in gone:
            del questions[number]
        return len(gone)

    def settle(self, question_id: int) -> None:
        self.get(question_id)
        del self._changing().questions[question_id]


class FakeExposures(Repository):
    """The port Exposures."""

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        known = self.of(topic, holder) or exposure
        larger = Exposure(max(known.mail, exposure.mail), max(known.turn, exposure.turn))
        self._changing().exposed[topic, _same(holder)] = larger

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        newest_turn = FakeOutbox(self._data, self._writing).latest_turn(topic, holder)
        digests = self._data.digests.values()
        has_digests = any(each.player == holder for each in digests)
        return Worth(newest_turn, self.of(topic, holder), has_digests)

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        return self._data.exposed.get((topic, _same(holder)))


def _same(holder: Holder) -> Holder:
    """Return a holder with a normalised address."""
    return holder.casefold() if isinstance(holder, str) else holder
