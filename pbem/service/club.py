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
from pbem.matches.match import MatchSummary
from pbem.ports.process import (
    Holidays,
    Meter,
    NoHolidays,
    NoMeter,
    Strangers,
    WallClock,
    Webhook,
    Workers,
)
from pbem.ports.ratings import Rater
from pbem.ports.room import ArchiveStore, Choices
from pbem.ports.storage import FIRST_INTAKE, Storage
from pbem.service.positions import Positions

if TYPE_CHECKING:
    from pbem.mail.outgoing.render import Renderer


class Joining(StrEnum):
    """The way in which a stranger becomes a member."""

    OPEN = "open"
    """Strangers join by their own email."""
    APPROVAL = "approval"
    """Strangers ask by their own email, and join once the director approves."""
    CLOSED = "closed"
    """Only on the command line."""


OTHERS = "*"
"""Key for every domain that has no rate of its own."""


@dataclass(frozen=True)
class Rates:
    """Limits on emails per minute and per day. 0 means no limit."""

    of_all: int = 0
    of_domains: Mapping[str, int] = field(default_factory=dict)
    """Emails per minute by domain. Domains are case-folded."""
    of_day: int = 0
    """Emails to all domains in any 24 hours."""

    @property
    def any(self) -> bool:
        """Return whether there is any limit."""
        return bool(self.of_all or self.of_day) or any(self.of_domains.values())

    def of(self, domain: str) -> int:
        """Return the emails per minute to a domain."""
        return self.of_domains.get(domain, self.of_domains.get(OTHERS, 0))


@dataclass(frozen=True)
class Policy:
    """Rules that the club's director chose."""

    mails_an_hour: int = 60
    """Emails from one sender that are answered. Beyond that they get one notice, then nothing.
    Proven and unproven emails are counted apart, so that nobody can use up another's allowance. 0
    means no limit.
    """
    match_mails_an_hour: int = 120
    """Emails about one match from all senders, limited in the same way."""
    proof: ProofRule = ProofRule.TOKEN
    """Proof that an email is from a player, unless they have another setting."""
    trusted_hosts: tuple[str, ...] = ()
    """Hosts whose Authentication-Results are trusted (authserv-id, RFC 8601 section 2.5)."""
    parked_days: int = 7
    """Days that an unproven email waits for `confirm`."""
    bounce_addresses: bool = True
    """Whether each email has its own envelope sender. Some servers accept only the club's address,
    and then bounces are recognised by Message-ID.
    """
    open_offers: int = 5
    """Maximum number of challenges and tables that a member can have open at once."""
    running_matches: int = 20
    """Maximum number of matches in play before a member can no longer ask for another."""
    bot_matches: int = 5
    """Maximum number of matches against bots that a member can play at once."""
    bot_limits: Mapping[str, int] = field(default_factory=dict)
    """Lower limits on matches against bots of one kind."""
    leave_days: int = 30
    """Days of leave that each member has in a calendar year."""
    ban_days: int = 30
    """Days for which a member who loses on time can take up nothing new. 0 for none."""
    second_ban_days: int = 90
    """The same after another loss within a year."""
    keep_mails: timedelta | None = timedelta(days=365)
    """Time that emails stay in the database. None keeps them for ever."""
    joining: Joining = Joining.CLOSED
    """The way in which strangers become members."""
    rates: Rates = field(default_factory=Rates)
    """Limits on emails per minute and per day."""
    poll_seconds: float = 60
    """Seconds between two readings of a mailbox."""
    claim: timedelta = timedelta(minutes=2)
    """Time that a worker may hold the emails it is sending. Afterwards any worker sends them again
    with the same Message-IDs.
    """


@dataclass(frozen=True)
class Club:
    """A club: its settings, its addresses and the ports."""

    name: str
    """Short name for subjects: `[pbem 12] …`."""
    address: str
    """Address that its emails come from."""
    director: str
    """Address of the director."""
    storage: Storage
    clock: WallClock
    archive: ArchiveStore
    signer: TokenSigner
    templates: Callable[[], Renderer]
    """Loads the templates, once the first email or table is rendered."""
    unique: Callable[[], str]
    """Returns a text that never repeats, for Message-IDs: lower-case letters and digits."""
    rater: Rater
    """Computes ratings."""
    chance: Callable[[int], int]
    """Returns a random number from 0 up to but not including the given one, for the bots."""
    language: str = DEFAULT
    """Language of its emails."""
    policy: Policy = field(default_factory=Policy)
    positions: Positions = field(default_factory=Positions)
    workers: Workers = field(default_factory=Strangers)
    holidays: Holidays = field(default_factory=NoHolidays)
    """Days on which clocks do not run."""
    more_addresses: Addresses = ()
    """Addresses of further mailboxes where players can answer in some matches."""
    witness: WallClock | None = None
    """A clock that all machines share. An outage is credited only if it agrees."""
    intakes: tuple[str, ...] = (FIRST_INTAKE,)
    """Names of the ways by which email comes in."""
    room: Room | None = None
    """The reading room, None if there is none."""
    webhook: Webhook | None = None
    """Called for each public event, None if the club has none."""
    meter: Meter = field(default_factory=NoMeter)
    """Counts what this process does."""

    @property
    def addresses(self) -> Addresses:
        """Return all addresses that receive email for the club."""
        return (self.address, *self.more_addresses)

    def shows(self, match: MatchSummary) -> bool:
        """Return whether everybody may read a match, by the settings of the reading room."""
        return self.room is not None and self.room.choices.show(match)

    @property
    def host(self) -> str:
        """Return the domain of the club's address."""
        return self.address.rpartition("@")[2]

    @cached_property
    def renderer(self) -> Renderer:
        """Return the templates in every language."""
        return self.templates()

    def load_templates(self) -> Renderer:
        """Load the templates now, with the plain texts used when no other template can be read."""
        return self.renderer

    @property
    def club_renderer(self) -> Renderer:
        """Return the templates in the club's language."""
        return self.renderer.into(self.language)


class Public(StrEnum):
    """When everybody may read a match."""

    LIVE = "live"
    """While it is played."""
    ENDED = "ended"
    NEVER = "never"


AS_THE_CLUB: Final = ""
"""The setting of a match for which nobody chose one."""


@dataclass(frozen=True)
class Room:
    """Settings of the reading room."""

    site: Site
    store: ArchiveStore
    public: Public = Public.LIVE
    """Setting for matches for which nobody chose one."""
    delay: int = 0
    """Number of turns that are held back while a match is played."""
    announces: bool = False
    """Whether a webhook is called for what it shows."""
    version: str = ""
    """Version of pbem. Another version may write different pages."""

    @property
    def choices(self) -> Choices:
        """Return which running and which ended matches are shown."""
        running, ended = {str(Public.LIVE)}, {str(Public.LIVE), str(Public.ENDED)}
        if self.public is Public.LIVE:
            running.add(AS_THE_CLUB)
        if self.public is not Public.NEVER:
            ended.add(AS_THE_CLUB)
        return Choices(frozenset(running), frozenset(ended))
