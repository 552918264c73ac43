"""Questions: mails that are answered by `confirm` and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.outgoing.kinds.mail import MatchMail


@dataclass(frozen=True)
class Question(MatchMail):
    """Whether a mail is to count."""

    lines: Sequence[str]
    """What it says."""
    left_out: int
    """How many more lines it has."""
    requests: Sequence[str]
    """What it would do."""
    days: int
    """How long the question waits."""


@dataclass(frozen=True)
class AskedToCancel(MatchMail):
    """Whether a player agrees that their match is cancelled."""

    reason: str
    days: int
    """How long the question waits."""


@dataclass(frozen=True)
class Confirm(Question):
    """Of a mail that nothing proves to be the player's."""


@dataclass(frozen=True)
class Unclear(Question):
    """Of a mail that is theirs, but was not read with certainty."""
