"""A club that does nothing but send waiting emails."""

from __future__ import annotations

from jinja2 import FileSystemLoader

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.outgoing.render import Renderer
from pbem.ports.storage import Storage
from pbem.resources import folder
from pbem.service.club import Club, Policy, Rates
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock

NO_LIMIT = Rates()


def sending_club(storage: Storage, clock: FakeClock, rates: Rates = NO_LIMIT) -> Club:
    """Return a club with a storage, which receives no email."""
    return Club(
        name="pbem",
        address="club@games.example",
        director="",
        storage=storage,
        clock=clock,
        archive=FakeArchive(),
        signer=TokenSigner({1: b"a secret for the tests"}, 1),
        templates=lambda: Renderer(FileSystemLoader(folder("templates") / "mail")),
        unique=str,
        rater=OpenSkillRater(),
        chance=lambda below: 0,
        policy=Policy(rates=rates),
    )
