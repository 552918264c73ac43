"""Naming: a name that somebody asks for, and what they are told if they cannot have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.commands.api.asked import CommandContext
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.topic import Holder
from pbem.service.members.names import NameRefused, free_name


@dataclass(frozen=True)
class NameNotFree(Refusal):
    """A name that nobody can have now."""

    reason: str
    free: Sequence[str]
    line: str
    """What stands before a name in the line that asks for it."""


def name_for(asked: CommandContext, text: str, own: Holder, line: str) -> str:
    """A text as the name of somebody; raises Refused with two that are free."""
    from pbem.commands import command_words  # which finds the modules that need this

    try:
        return free_name(asked.work, text, command_words(), own=own)
    except NameRefused as error:
        raise RefusedError(NameNotFree(error.reason, error.free, line)) from error
