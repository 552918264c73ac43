"""Agreement: handle a `confirm` to a question that holds its own change, with no parked email."""

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
"""Handler of a `confirm`, by kind of question."""


def agreed(work: Work, sender: AnySender) -> CommandResult | None:
    """Carry out the question that a proven `confirm` answers, None if it is of another kind.

    Raises RefusedError if this is no longer possible.
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
