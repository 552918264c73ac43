"""Announcing: send a director's text about a match, a competition, or to all members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.outgoing.kinds import Announcement, MatchAnnouncement
from pbem.matches.competition import Competition
from pbem.matches.competitions import COMPETITION, kind_named, kinds
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import Player
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.post.post import post, view_of
from pbem.service.work import Work

MATCH, CLUB = "match", "club"


def audiences() -> tuple[str, ...]:
    """Return the kinds of audience for an announcement."""
    return (MATCH, COMPETITION, *kinds(), CLUB)


@dataclass(frozen=True)
class Recipients:
    """The audience of an announcement or a pause."""

    kind: str
    """`match`, `club`, `competition` for an announced one, or the kind of a competition."""
    number: int = 0
    """Number of the match, or the competition's number as people see it."""

    def __str__(self) -> str:
        return self.kind if self.kind == CLUB else f"{self.kind} {self.number}"


def read_audience(whom: str, rest: str) -> tuple[Recipients, str]:
    """Return the audience and the text after its number, if it has one. Raises DecisionError."""
    kind = kind_named(whom)
    if kind not in audiences():
        raise DecisionError(f"{whom} is not one of: {', '.join(audiences())}")
    if kind == CLUB:
        return Recipients(CLUB), rest
    number, *text = rest.split(maxsplit=1)
    if not (number.isascii() and number.isdigit() and len(number) <= 9 and text):
        raise DecisionError(f"write announce {kind} with a number and a text")
    return Recipients(kind, int(number)), text[0]


def readers(work: Work, audience: Recipients) -> Sequence[Player]:
    """Return the members of an audience. Raises DecisionError or StorageError if it is unknown."""
    if audience.kind == CLUB:
        members = work.players.all()
    elif audience.kind == MATCH:
        members = [work.players.get(each) for each in work.matches.get(audience.number).players]
    else:
        entered = competition_named(work, audience).players
        members = [work.players.get(each) for each in entered]
    return [member for member in members if not member.bot]


def competition_named(work: Work, audience: Recipients) -> Competition:
    """Return the competition of an audience. Raises DecisionError if there is none."""
    if audience.kind == COMPETITION:
        found = work.competitions.announced_as(audience.number)
    else:
        numbering = kinds()[audience.kind].numbering
        found = work.competitions.numbered(numbering, audience.number)
    if found is None or audience.kind not in (COMPETITION, found.kind):
        raise DecisionError(f"there is no {audience}")
    return found


def announce(work: Work, audience: Recipients, text: str, by: Director) -> Sequence[Player]:
    """Queue a text for everybody, in the match's thread if it has one. Return who gets it."""
    told = readers(work, audience)
    of_match = work.match(audience.number) if audience.kind == MATCH else None
    for player in told:
        if of_match is not None:
            post(work, MatchAnnouncement(view_of(work, of_match, player), text, by.player), player)
        else:
            post(work, Announcement(str(audience), text, by.player), player)
    log(work, by, f"announce {audience}", text, of_match.id if of_match is not None else None)
    if audience.kind != CLUB:
        tell_others(work, by, f"announce {audience}", text)
    return told
