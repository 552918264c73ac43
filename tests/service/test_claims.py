"""Test that a dead worker's claimed emails are sent when another worker starts, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.ports.process import StorageUnavailable
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import deliver
from tests.service.test_deliver_outbox import Office, office
from tests.support.stored import claim

__all__ = ["office"]


class Village:
    """A group of workers, some of them dead."""

    def __init__(self, own: str, *dead: str) -> None:
        self._own, self._dead = own, dead

    def own_name(self) -> str:
        """Return the given name."""
        return self._own

    def is_dead(self, name: str) -> bool:
        """Return whether the worker is among the dead."""
        return name in self._dead


def test_only_claims_of_dead_workers_are_released_at_once(office: Office) -> None:
    office.queue(4)
    club = replace(office.club, workers=Village("me", "dead"))
    now = club.clock.now()
    with office.storage.writing() as uow:
        for holder in ("dead", "alive", ""):
            claim(uow, now, now + club.policy.claim, 1, holder)
    assert release_claims_of_the_dead(club) == 1
    deliver(club, office.transport)
    assert office.arrived() == [0, 3]


def test_delivery_claims_email_under_its_own_name(office: Office) -> None:
    office.queue(1)
    club = replace(office.club, workers=Village("me"))
    office.storage.writes_left = 1  # the claim; then the process dies before it records anything
    with pytest.raises(StorageUnavailable):
        deliver(club, office.transport)
    with office.storage.reading() as uow:
        assert uow.outbox.holders() == ["me"]
