"""What a command is, what it is given, and what it gives back."""

from __future__ import annotations

from pbem.commands.api.asked import Asked
from pbem.commands.api.command import RECENT_DAYS, Argument, Command, Giver, Group, Need, Scope
from pbem.commands.api.done import Done
from pbem.mail.outgoing.kinds import Section

__all__ = [
    "RECENT_DAYS",
    "Argument",
    "Asked",
    "Command",
    "Done",
    "Giver",
    "Group",
    "Need",
    "Scope",
    "Section",
]
