"""What the use cases need of the outside: the ports, and the values that pass through them.

All datetimes are aware and in UTC. Adapters implement these protocols; tests run one contract suite
a port on the hand-written fakes and on the real things.
"""

from __future__ import annotations

from pbem.service.ports.archive import ArchiveStore
from pbem.service.ports.clock import Clock
from pbem.service.ports.decisions import Decisions, LoggedDecision
from pbem.service.ports.duty import Duty, Unshared
from pbem.service.ports.erasures import Erasures, LeftMail
from pbem.service.ports.errors import (
    ClockWrong,
    Deadlock,
    SchemaDiffers,
    StorageError,
    StorageGone,
    StorageUnavailable,
    Unfit,
)
from pbem.service.ports.exposures import Exposure, Exposures, Worth
from pbem.service.ports.holidays import Holidays, NoHolidays
from pbem.service.ports.inbound import (
    AHEAD,
    ANSWERED,
    CHANGED,
    CONFIRMED,
    FEW,
    HELD,
    RETRIED,
    Inbound,
    InboundKey,
    InboundMail,
    InboundState,
    KeptMail,
    KeyedMail,
    MailFilter,
    Provenance,
    RecordedMail,
    Waiting,
    Whose,
    in_line,
)
from pbem.service.ports.jobs import JobQueue, Jobs, WantedJob
from pbem.service.ports.mailbox import (
    FROM_BOTS,
    NO_FOLDER,
    HandedMail,
    Mailbox,
    MailboxError,
    MailboxState,
    MailboxWatch,
    ReceivedMail,
)
from pbem.service.ports.meter import Meter, NoMeter, Number, SentMail
from pbem.service.ports.offers import Blocks, Offers
from pbem.service.ports.outbox import (
    SPACING,
    DueMail,
    Line,
    NewMail,
    Outbox,
    OutgoingMail,
    PostedMail,
    QueuedMail,
    TroubledMail,
    Unrequested,
    WaitingMail,
)
from pbem.service.ports.pauses import CLUB, Pause, Pauses
from pbem.service.ports.people import AbsenceNotice, Absences, Address, Leaves, Players
from pbem.service.ports.play import (
    Competitions,
    CompetitionT,
    Deadline,
    Deadlines,
    Matches,
)
from pbem.service.ports.questions import Question, Questions
from pbem.service.ports.retention import Pruned, Retention
from pbem.service.ports.room import (
    Choices,
    Notes,
    PageKind,
    ShownMatches,
    StalePage,
    StalePages,
    WaitingNotes,
)
from pbem.service.ports.snapshots import Snapshot, Snapshots
from pbem.service.ports.storage import (
    FIRST_INTAKE,
    HANDED_OVER,
    LISTENS,
    ServiceLog,
    Storage,
    UnitOfWork,
)
from pbem.service.ports.tallies import UNFINISHED, JobTally, QueueTally, Tallies, Tally
from pbem.service.ports.transport import (
    Delivery,
    DeliveryReport,
    Session,
    Transport,
    TransportError,
)
from pbem.service.ports.workers import Strangers, Workers

__all__ = [
    "AHEAD",
    "ANSWERED",
    "CHANGED",
    "CLUB",
    "CONFIRMED",
    "FEW",
    "FIRST_INTAKE",
    "FROM_BOTS",
    "HANDED_OVER",
    "HELD",
    "LISTENS",
    "NO_FOLDER",
    "RETRIED",
    "SPACING",
    "UNFINISHED",
    "AbsenceNotice",
    "Absences",
    "Address",
    "ArchiveStore",
    "Blocks",
    "Choices",
    "Clock",
    "ClockWrong",
    "CompetitionT",
    "Competitions",
    "Deadline",
    "Deadlines",
    "Deadlock",
    "Decisions",
    "Delivery",
    "DeliveryReport",
    "DueMail",
    "Duty",
    "Erasures",
    "Exposure",
    "Exposures",
    "HandedMail",
    "Holidays",
    "Inbound",
    "InboundKey",
    "InboundMail",
    "InboundState",
    "JobQueue",
    "JobTally",
    "Jobs",
    "KeptMail",
    "KeyedMail",
    "Leaves",
    "LeftMail",
    "Line",
    "LoggedDecision",
    "MailFilter",
    "Mailbox",
    "MailboxError",
    "MailboxState",
    "MailboxWatch",
    "Matches",
    "Meter",
    "NewMail",
    "NoHolidays",
    "NoMeter",
    "Notes",
    "Number",
    "Offers",
    "Outbox",
    "OutgoingMail",
    "PageKind",
    "Pause",
    "Pauses",
    "Players",
    "PostedMail",
    "Provenance",
    "Pruned",
    "Question",
    "Questions",
    "QueueTally",
    "QueuedMail",
    "ReceivedMail",
    "RecordedMail",
    "Retention",
    "SchemaDiffers",
    "SentMail",
    "ServiceLog",
    "Session",
    "ShownMatches",
    "Snapshot",
    "Snapshots",
    "StalePage",
    "StalePages",
    "Storage",
    "StorageError",
    "StorageGone",
    "StorageUnavailable",
    "Strangers",
    "Tallies",
    "Tally",
    "Transport",
    "TransportError",
    "TroubledMail",
    "Unfit",
    "UnitOfWork",
    "Unrequested",
    "Unshared",
    "Waiting",
    "WaitingMail",
    "WaitingNotes",
    "WantedJob",
    "Whose",
    "Workers",
    "Worth",
    "in_line",
]
