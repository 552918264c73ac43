"""The interface of a command: its declaration, its context and its result."""

from __future__ import annotations

from pbem.commands.api.command import RECENT_DAYS, Argument, Command, Giver, HelpGroup, Need, Scope
from pbem.commands.api.context import CommandContext, CommandResult
from pbem.mail.outgoing.kinds import Section

__all__ = [
    "RECENT_DAYS",
    "Argument",
    "Command",
    "CommandContext",
    "CommandResult",
    "Giver",
    "HelpGroup",
    "Need",
    "Scope",
    "Section",
]
