"""Member lines: facts about one member for directors, by email and on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from pbem.mail.bounce.failure import one_line
from pbem.matches.match import Player
from pbem.matches.zones import minute
from pbem.ports.outbox import TroubledMail
from pbem.ports.people import AbsenceNotice, Address
from pbem.service.leave import budget_of, leave_lines, shown
from pbem.service.people import is_director
from pbem.service.work import Work

NOTICES_SHOWN = 10
LOOKED_BACK = timedelta(days=30)
"""Older emails are not listed."""
MOST_SHOWN = 10


def member_lines(work: Work, player: Player) -> Iterator[str]:
    """Yield addresses, leave, matches in play, undelivered emails and absence notices."""
    yield from _of_player(work, player)
    lost = work.outbox.troubled(work.now - LOOKED_BACK, MOST_SHOWN, player.id)
    yield from _of_mails(lost_lines(lost))
    yield from _of_absences(work, player)


def _of_player(work: Work, player: Player) -> Iterator[str]:
    yield f"member {player.id}: {player.name}, {player.time_zone}"
    if player.proof:
        yield f"emails are proven by {player.proof}"
    if is_director(work.club, player):
        yield "is a director"
    yield from address_lines(work, player)
    if not player.bot:
        budget = budget_of(work, player, work.now)
        yield from leave_lines(player, shown(work, player, budget, work.now))
    matches = work.matches.of_player(player.id)
    yield "plays:" if matches else "plays in no match"
    for match in matches:
        turn = ", to act" if match.player_to_act == player.id else ""
        yield f"  match {match.id}  {match.game.info.title}, turn {match.turn}{turn}"


def address_lines(work: Work, player: Player) -> Iterator[str]:
    """Yield a member's addresses, and whether they accept email."""
    yield "addresses:"
    for address in work.players.addresses(player.id):
        yield f"  {address.address}  {_state(address)}"


def _state(address: Address) -> str:
    if address.failed_at is None:
        return "accepts email"
    return f"has not accepted email since {minute(address.failed_at)}: {address.failure}"


def _of_mails(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == 0:
            yield f"undelivered emails of the last {LOOKED_BACK.days} days, newest first:"
        yield f"  {line}"


def _of_absences(work: Work, player: Player) -> Iterator[str]:
    notices = work.absences.of(player.id, NOTICES_SHOWN)
    yield "absence notices, newest first:" if notices else "no absence notices"
    for notice in notices:
        yield from _notice(notice)


def _notice(notice: AbsenceNotice) -> Iterator[str]:
    match = f", match {notice.match_id}" if notice.match_id is not None else ""
    yield f"  {minute(notice.at)}{match}: {notice.subject}"
    for line in notice.text.splitlines():
        yield f"    | {line}"


def lost_lines(mails: Iterable[TroubledMail]) -> Iterator[str]:
    """Yield which email it is, what happened to it, and why."""
    for mail in mails:
        about = f" of {mail.topic}" if mail.topic is not None else ""
        state = "will be tried again" if mail.failed_at is None else "has failed"
        told = f"{mail.kind}{about} to {mail.recipient} {state}: {one_line(mail.reply)}"
        yield f"{minute(mail.queued_at)}  {told}"
