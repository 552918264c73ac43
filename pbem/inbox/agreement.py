"""Agreement: the `confirm` to a question for which no mail waits: it says itself what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.commands.addresses import new_address_agreed
from pbem.commands.api import CommandResult
from pbem.inbox.proof.sender import AnySender
from pbem.mail.topic import QuestionTopic
from pbem.ports.process import StorageError
from pbem.service.questions import NewAddress, waiting
from pbem.service.work import ConcurrentChange, Work

AGREEMENTS: Mapping[type[Any], Callable[[Work, Any], CommandResult]] = {
    NewAddress: new_address_agreed
}
"""What comes of `confirm`, by the kind of question."""


def agreed(work: Work, sender: AnySender) -> CommandResult | None:
    """What a proven `confirm` does by the question it answers; None if that is none of these.

    Raises Refused if it cannot be done any more.
    """
    if not isinstance(sender.topic, QuestionTopic):
        return None
    pending = waiting(work, tuple(AGREEMENTS), sender.holder)
    found = next((each for each in pending if each.question.topic == sender.topic), None)
    if found is None:
        return None
    question = found.question.id

    def settle(work: Work) -> None:
        try:
            work.questions.settle(question)
        except StorageError as error:
            raise ConcurrentChange from error

    done = AGREEMENTS[type(found.asked)](work, found.asked)
    return replace(done, effects=(settle, *done.effects))
