"""Kinds of mails: one type for each, whose template is named after it and given its fields.

`Turn` is written by `turn.txt.j2`. There stand the words, and beside the text what is said in the
header: `from_name`, what stands before the name of the club in From, and `subject`, where the mail
is neither about a match nor an answer.
"""

from pbem.mail.outgoing.kinds.answers import Answer, RateLimited, RefusalMail, UnknownSender
from pbem.mail.outgoing.kinds.director import (
    DirectorAbsence,
    DirectorAddress,
    DirectorFlag,
    DirectorInVain,
    DirectorLeft,
    DirectorMail,
    DirectorReached,
    DirectorShunted,
    DirectorUndeliverable,
)
from pbem.mail.outgoing.kinds.joining import DirectorJoining, JoinRefused, Welcome
from pbem.mail.outgoing.kinds.mail import ClubName, Mail, MatchMail
from pbem.mail.outgoing.kinds.members import AddressesChanged, AddressQuestion, Farewell, Renamed
from pbem.mail.outgoing.kinds.offers import Challenge, OfferMail, OfferOver
from pbem.mail.outgoing.kinds.progress import (
    MatchOver,
    Position,
    Progress,
    Receipt,
    Reminder,
    Turn,
    WaitingNote,
)
from pbem.mail.outgoing.kinds.questions import Confirm, Question, Sure, Unclear
from pbem.mail.outgoing.kinds.section import Section

__all__ = [
    "AddressQuestion",
    "AddressesChanged",
    "Answer",
    "Challenge",
    "ClubName",
    "Confirm",
    "DirectorAbsence",
    "DirectorAddress",
    "DirectorFlag",
    "DirectorInVain",
    "DirectorJoining",
    "DirectorLeft",
    "DirectorMail",
    "DirectorReached",
    "DirectorShunted",
    "DirectorUndeliverable",
    "Farewell",
    "JoinRefused",
    "Mail",
    "MatchMail",
    "MatchOver",
    "OfferMail",
    "OfferOver",
    "Position",
    "Progress",
    "Question",
    "RateLimited",
    "Receipt",
    "RefusalMail",
    "Reminder",
    "Renamed",
    "Section",
    "Sure",
    "Turn",
    "Unclear",
    "UnknownSender",
    "WaitingNote",
    "Welcome",
]
