"""Club: what every use case works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from pbem.games.phrases import DEFAULT
from pbem.mail.addresses.addressing import Addresses, Signer
from pbem.mail.outgoing.render import Renderer
from pbem.mail.proof.authentication import ProofRule
from pbem.ports.process import Clock, Holidays, Meter, NoHolidays, NoMeter, Strangers, Workers
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import FIRST_INTAKE, Storage
from pbem.service.delivery.rates import Rates
from pbem.service.positions import Positions
from pbem.service.room.room import Room


class Joining(StrEnum):
    """How a stranger becomes a member."""

    OPEN = "open"
    """By their own mail alone."""
    APPROVAL = "approval"
    """And with the director's consent."""
    CLOSED = "closed"
    """Only at the shell."""


@dataclass(frozen=True)
class Policy:
    """What the club's director decided."""

    mails_an_hour: int = 60
    """Mails of one sender; past them they get one notice, then nothing. What is proven to be theirs
    and what is not are counted apart, so that nobody can use their allowance up. 0: no limit."""
    match_mails_an_hour: int = 120
    """Mails about one match, whoever sends them; likewise."""
    proof: ProofRule = ProofRule.TOKEN
    """What proves that a mail is a player's, unless something else is set for them."""
    trusted_hosts: tuple[str, ...] = ()
    """Hosts whose Authentication-Results are believed (authserv-id, RFC 8601 section 2.5)."""
    parked_days: int = 7
    """How long an unproven mail waits for `confirm`."""
    bounce_addresses: bool = True
    """Whether every mail has an envelope sender of its own; some servers let none but the club's
    address pass, and bounces are told by Message-IDs then."""
    open_offers: int = 5
    """Challenges and tables of one member that stand at once."""
    running_matches: int = 20
    """Matches in which one member plays at once; in no more they may ask for a place."""
    bot_matches: int = 5
    """Matches against computers of one member that are played at once."""
    bot_limits: Mapping[str, int] = field(default_factory=dict)
    """Of these, matches against a bot of one kind, if fewer are allowed."""
    leave_days: int = 30
    """Days of leave of each member in a calendar year."""
    keep_mails: timedelta | None = timedelta(days=365)
    """How long mails are kept, in the database; None: for ever."""
    joining: Joining = Joining.CLOSED
    """Who lets strangers in."""
    rates: Rates = field(default_factory=Rates)
    """How many mails may go in a minute, and in a day."""
    claim: timedelta = timedelta(minutes=2)
    """How long a worker may hold mails it is sending; then another one, or the same after a crash,
    sends them again under the same Message-IDs."""


@dataclass(frozen=True)
class Club:
    """The club, its people's mailbox address, and the ports."""

    name: str
    """Short, for subjects: `[pbem 12] …`."""
    address: str
    """Whom its mails are from."""
    director: str
    """Address of the director."""
    storage: Storage
    clock: Clock
    archive: ArchiveStore
    signer: Signer
    renderer: Renderer
    unique: Callable[[], str]
    """A text that never comes twice, for Message-IDs: lower-case letters and digits."""
    chance: Callable[[int], int]
    """A number from 0 up to, not including, the one given: the whim of the bots."""
    language: str = DEFAULT
    """What its mails are written in."""
    policy: Policy = field(default_factory=Policy)
    positions: Positions = field(default_factory=Positions)
    workers: Workers = field(default_factory=Strangers)
    holidays: Holidays = field(default_factory=NoHolidays)
    """The days on which no time counts."""
    more_addresses: Addresses = ()
    """Of other mailboxes: some matches are answered there."""
    witness: Clock | None = None
    """A clock that all machines have in common; without its agreement no outage is believed."""
    intakes: tuple[str, ...] = (FIRST_INTAKE,)
    """Names of the ways by which mail comes in."""
    room: Room | None = None
    """The reading room, if it is to be written."""
    meter: Meter = field(default_factory=NoMeter)
    """What counts what is done here."""

    @property
    def addresses(self) -> Addresses:
        """All to which mail to the club is sent."""
        return (self.address, *self.more_addresses)

    @property
    def host(self) -> str:
        """Domain of the club's address."""
        return self.address.rpartition("@")[2]

    @property
    def club_renderer(self) -> Renderer:
        """Templates in the club's language."""
        return self.renderer.into(self.language)
