"""For a member: a director takes leave for them, lifts a ban, or writes to them."""

from __future__ import annotations

from pbem.mail.dates.day import read_day
from pbem.mail.dates.span import read_span
from pbem.mail.outgoing.kinds import BanLifted, FromMember, LeaveTaken, ToMember
from pbem.matches.match import Player, PlayerId
from pbem.matches.zones import day_at
from pbem.ports.process import StorageError
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.direct.orders import with_names
from pbem.service.leave import Taking, changes, coming_back, do, taking
from pbem.service.people import directors
from pbem.service.post.post import post, tell_director
from pbem.service.reliability import banned_until
from pbem.service.work import Work

BACK = "back"


def leave_asked(work: Work, member: Player, line: str) -> Taking:
    """Return the change of leave that a line asks for: days, `back` or `back Friday`.

    Raises DateError, and StorageError for a bot.
    """
    if member.bot:
        raise StorageError(f"{member.name} is a computer opponent")
    first, _, day = line.partition(" ")
    today = day_at(work.now, member.time_zone)
    if first.casefold() != BACK:
        return taking(read_span(line, today), work.now)
    return coming_back(work.now, read_day(day, today).not_before(today) if day else None)


def leave_for(work: Work, member: Player, line: str, by: Director) -> None:
    """Change a member's leave as a line asks, and email them. Raises as above, and LeaveError."""
    before, after = do(work, member.id, leave_asked(work, member, line), work.now)
    log(work, by, f"leave {{{member.id}}} {line}", "")
    change = changes(before, after, work.now)
    if change is not None:
        leave, year = change.leave, change.leave.last.year
        why = "ended" if change.ends else "director"
        post(work, LeaveTaken(None, why, leave.first, leave.last, year, after.left(year)), member)


def lift_ban(work: Work, member: Player, by: Director) -> None:
    """Let a member who lost on time start and join matches again, and send them an email.

    Raises StorageError if they may already.
    """
    if banned_until(work, member) is None:
        raise StorageError(f"{member.name} can start and join matches already")
    work.players.unban(member.id, work.now)
    post(work, BanLifted(), member)
    line = f"member unban {{{member.id}}}"
    log(work, by, line, "")
    tell_others(work, by, with_names(work, line), "")


def write_to(work: Work, member: Player, text: str, by: Director) -> None:
    """Email a director's text to a member. The other directors get a copy."""
    post(work, ToMember(text, by.player), member)
    line = f"tell {{{member.id}}}"
    log(work, by, line, text)
    tell_others(work, by, with_names(work, line), text)


def answer_director(work: Work, member: PlayerId, text: str, writer: PlayerId | None) -> None:
    """Email a member's reply to the director who wrote to them, unless the member has left.

    If the writer is no longer a director, or unknown (the command line), it goes to all directors.
    """
    player = work.players.get(member)
    if player.former:
        return  # by the same email, so their words are not kept
    director = next((each for each in directors(work) if each.id == writer), None)
    if director is None:
        tell_director(work, FromMember(player, text))
    else:
        post(work, FromMember(player, text, by_mail=True), director)
