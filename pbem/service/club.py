"""Club: the settings, limits, reading room and ports that every use case works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pbem.archive.site.values import Site
from pbem.games.phrases import DEFAULT
from pbem.mail.addresses.addressing import Addresses, TokenSigner
from pbem.mail.proof.authentication import ProofRule
from pbem.ports.process import Holidays, Meter, NoHolidays, NoMeter, Strangers, WallClock, Workers
from pbem.ports.room import ArchiveStore, Choices
from pbem.ports.storage import FIRST_INTAKE, Storage
from pbem.service.positions import Positions

if TYPE_CHECKING:
    from pbem.mail.outgoing.render import Renderer


class Joining(StrEnum):
    """How a stranger becomes a member."""

    OPEN = "open"
    """By their own mail alone."""
    APPROVAL = "approval"
    """And with the director's consent."""
    CLOSED = "closed"
    """Only at the shell."""


OTHERS = "*"
"""In place of a domain: each that has no number of its own."""


@dataclass(frozen=True)
class Rates:
    """Mails a minute, and a day; 0 is no limit."""

    of_all: int = 0
    of_domains: Mapping[str, int] = field(default_factory=dict)
    """By domain, case-folded."""
    of_day: int = 0
    """Of all in any twenty-four hours."""

    @property
    def any(self) -> bool:
        """Whether there is a limit at all."""
        return bool(self.of_all or self.of_day) or any(self.of_domains.values())

    def of(self, domain: str) -> int:
        """That of a domain."""
        return self.of_domains.get(domain, self.of_domains.get(OTHERS, 0))


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
    clock: WallClock
    archive: ArchiveStore
    signer: TokenSigner
    templates: Callable[[], Renderer]
    """Loads the templates, when the first email or table is to be rendered."""
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
    witness: WallClock | None = None
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

    @cached_property
    def renderer(self) -> Renderer:
        """The templates, in every language."""
        return self.templates()

    def load_templates(self) -> Renderer:
        """Load the templates now; their plain texts are for when nothing else can be read."""
        return self.renderer

    @property
    def club_renderer(self) -> Renderer:
        """Templates in the club's language."""
        return self.renderer.into(self.language)


class Public(StrEnum):
    """When everybody may read a match."""

    LIVE = "live"
    """While it is played."""
    ENDED = "ended"
    NEVER = "never"


AS_THE_CLUB: Final = ""
"""What a match says for which nothing was chosen."""


@dataclass(frozen=True)
class Room:
    """A reading room."""

    site: Site
    store: ArchiveStore
    public: Public = Public.LIVE
    """For matches for which nothing else was chosen."""
    delay: int = 0
    """Turns by which a match is shown behind while it is played."""
    version: str = ""
    """Of the program: another one may write its pages in another way."""

    @property
    def choices(self) -> Choices:
        """Which matches are shown."""
        running, ended = {str(Public.LIVE)}, {str(Public.LIVE), str(Public.ENDED)}
        if self.public is Public.LIVE:
            running.add(AS_THE_CLUB)
        if self.public is not Public.NEVER:
            ended.add(AS_THE_CLUB)
        return Choices(frozenset(running), frozenset(ended))
