"""Naming: check a requested name, and suggest others if it is not available."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.commands.api.context import CommandContext
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.topic import Holder
from pbem.service.members.names import NameRefused, free_name


@dataclass(frozen=True)
class NameNotFree(Refusal):
    """A name that is not available."""

    reason: str
    free: Sequence[str]
    line: str
    """The part of the command before the name."""


def name_for(asked: CommandContext, text: str, own: Holder, line: str) -> str:
    """Return a requested name. Raises RefusedError with two free names if it is not available."""
    from pbem.commands import command_words  # it imports the modules that need this

    try:
        return free_name(asked.work, text, command_words(), own=own)
    except NameRefused as error:
        raise RefusedError(NameNotFree(error.reason, error.free, line)) from error
