"""Kinds of mails: one type for each, whose template is named after it and given its fields.

`Turn` is written by `turn.txt.j2`. There stand the words, and beside the text what is said in the
header: `from_name`, what stands before the name of the club in From, and `subject`, where the mail
is neither about a match nor an answer.
"""

from pbem.mail.outgoing.kinds.answers import (
    Announcement,
    Answer,
    FromDirector,
    HandedOver,
    MatchAnnouncement,
    RateLimited,
    RefusalMail,
    UnknownSender,
)
from pbem.mail.outgoing.kinds.director import (
    CancelAgreed,
    CancelRefused,
    DirectorAbsence,
    DirectorAbsent,
    DirectorAddress,
    DirectorAppeal,
    DirectorDecided,
    DirectorFlag,
    DirectorInVain,
    DirectorLeft,
    DirectorMail,
    DirectorReached,
    DirectorShunted,
    DirectorTakeover,
    DirectorUndeliverable,
)
from pbem.mail.outgoing.kinds.hands import (
    AskedToHandOver,
    NotHandedOver,
    PartnerAsked,
    SeatKept,
    SeatOffered,
    SeatWanted,
)
from pbem.mail.outgoing.kinds.joining import DirectorJoining, JoinRefused, Welcome
from pbem.mail.outgoing.kinds.leave import BackFromLeave, LeaveTaken, OnLeave
from pbem.mail.outgoing.kinds.mail import ClubName, Mail, MatchMail
from pbem.mail.outgoing.kinds.members import AddressesChanged, AddressQuestion, Farewell, Renamed
from pbem.mail.outgoing.kinds.offers import Challenge, OfferMail, OfferOver
from pbem.mail.outgoing.kinds.progress import (
    MatchOver,
    OutOfTime,
    Position,
    Progress,
    Receipt,
    Reminder,
    Turn,
    WaitingNote,
)
from pbem.mail.outgoing.kinds.questions import (
    AskedToCancel,
    AskedToClaim,
    Confirm,
    NotCancelled,
    Question,
    Sure,
    Unclear,
)
from pbem.mail.outgoing.kinds.section import Section

__all__ = [
    "AddressQuestion",
    "AddressesChanged",
    "Announcement",
    "Answer",
    "AskedToCancel",
    "AskedToClaim",
    "AskedToHandOver",
    "BackFromLeave",
    "CancelAgreed",
    "CancelRefused",
    "Challenge",
    "ClubName",
    "Confirm",
    "DirectorAbsence",
    "DirectorAbsent",
    "DirectorAddress",
    "DirectorAppeal",
    "DirectorDecided",
    "DirectorFlag",
    "DirectorInVain",
    "DirectorJoining",
    "DirectorLeft",
    "DirectorMail",
    "DirectorReached",
    "DirectorShunted",
    "DirectorTakeover",
    "DirectorUndeliverable",
    "Farewell",
    "FromDirector",
    "HandedOver",
    "JoinRefused",
    "LeaveTaken",
    "Mail",
    "MatchAnnouncement",
    "MatchMail",
    "MatchOver",
    "NotCancelled",
    "NotHandedOver",
    "OfferMail",
    "OfferOver",
    "OnLeave",
    "OutOfTime",
    "PartnerAsked",
    "Position",
    "Progress",
    "Question",
    "RateLimited",
    "Receipt",
    "RefusalMail",
    "Reminder",
    "Renamed",
    "SeatKept",
    "SeatOffered",
    "SeatWanted",
    "Section",
    "Sure",
    "Turn",
    "Unclear",
    "UnknownSender",
    "WaitingNote",
    "Welcome",
]
