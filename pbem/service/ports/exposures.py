"""What others may have read that proves somebody."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pbem.mail.topic import Holder, TopicKey


class Exposure(NamedTuple):
    """What proves somebody in a topic, and others may have read."""

    mail: int
    """Message-IDs of mails to them up to this row of the outbox; 0 for none."""
    turn: int
    """Tokens of the turns up to this one."""


class Worth(NamedTuple):
    """What a proof of somebody in a topic is worth."""

    newest_turn: int | None
    """Turn in the newest mail of the topic to them; None before the first."""
    exposure: Exposure | None
    """What others have read of it, None if nothing."""


class Exposures(Protocol):
    """What others may have read that proves somebody."""

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        """Others have read what proves somebody; what is known of it never shrinks."""

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        """What a proof of somebody in a topic is worth."""

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        """What others have read of somebody's proofs in a topic, None if nothing."""
