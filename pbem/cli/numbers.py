"""Numbers of competitions: each of the kind that is asked for, or a word on where to look."""

from __future__ import annotations

from pbem.matches.competition import Competition
from pbem.matches.competitions import kinds, numbered_with
from pbem.ports.process import StorageError
from pbem.service.work import Work

NUMBERED_TOGETHER = "Series and tournaments are numbered together."


def numbered(work: Work, number: int, kind: type[Competition]) -> Competition:
    """A competition of a kind; raises StorageError, which tells what else has the number."""
    found = work.competitions.numbered(kind.numbering, number)
    if found is None:
        raise StorageError(f"there is no {kind.kind} {number}{_instead(work, number, kind)}")
    if found.kind != kind.kind:
        raise StorageError(f"{_is_a(found)}. {kind.numbering.capitalize()} are numbered together.")
    return found


def _instead(work: Work, number: int, kind: type[Competition]) -> str:
    """What there is: of kinds numbered together their numbers, else what else has this one."""
    if len(numbered_with(kind)) > 1:
        return _known(work, kind)
    others = dict.fromkeys(each.numbering for each in kinds().values())
    found = (work.competitions.numbered(numbering, number) for numbering in others)
    return "".join(f"; {_is_a(each)}" for each in found if each is not None)


def _is_a(competition: Competition) -> str:
    kind, number = competition.kind, competition.number
    return f"{number} is a {kind}; see pbem {kind} show {number}"


MOST_NAMED = 10


def _known(work: Work, kind: type[Competition]) -> str:
    """The newest numbers there are."""
    numbers = [str(each.number) for each in work.competitions.all() if each.kind == kind.kind]
    if not numbers:
        return ""
    more = "…, " if len(numbers) > MOST_NAMED else ""
    return f"; there are: {more}{', '.join(numbers[-MOST_NAMED:])}"
