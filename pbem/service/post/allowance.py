"""Allowances: how many emails the club sends to people who did not ask for them.

Each such email counts against one allowance, which is stored with it:

- An email that proves nothing may be forged. Its answer counts against the mailbox it goes to.
- So does a question to an address that a member wants to use.
- An email that a member causes and its reader did not ask for (`Mail.unasked`) counts against
  that member.

So nobody can use up somebody else's allowance, except by forging emails without a signature: signed
ones have an allowance of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.mail.address import mailbox_of
from pbem.mail.outgoing.kinds import Mail
from pbem.mail.outgoing.kinds.refusals import RefusedError, TooManyUnasked
from pbem.mail.outgoing.time_view import due
from pbem.mail.topic import Holder
from pbem.matches.match import PlayerId
from pbem.ports.outbox import NewMail, OutgoingMail, Unrequested
from pbem.service.club import Rates
from pbem.service.work import Work

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Bound(NamedTuple):
    """The most emails allowed in a span of time."""

    most: int
    span: timedelta

    def free_at(self, queued: Sequence[datetime], now: datetime) -> datetime | None:
        """Return when there is room for one more, None if there is now."""
        recent = [each for each in queued if each > now - self.span]
        return recent[-self.most] + self.span if len(recent) >= self.most else None

    def room(self, queued: Sequence[datetime], now: datetime) -> int:
        """Return how many more fit now."""
        return max(0, self.most - sum(each > now - self.span for each in queued))


AN_HOUR = Bound(3, HOUR)
A_DAY = Bound(10, DAY)
"""Unrequested emails to a mailbox, whatever their kind."""
TO_ONE_MEMBER = Bound(3, DAY)
"""Emails that a member causes to be sent unasked to one person."""
TO_ALL_MEMBERS = Bound(20, DAY)
"""Emails that a member causes to be sent unasked to all people together."""
STRANGERS_AN_HOUR = 30
OF_A_DAY = 4
"""If the daily rate is limited, at most a quarter of it goes to strangers."""
_MAILBOX, _SIGNED, _MEMBER = "mailbox ", "signed ", "member "


def of_mailbox(address: str, *, signed: bool = False) -> str:
    """Return the allowance of unrequested emails to the mailbox of an address."""
    return f"{_SIGNED if signed else _MAILBOX}{mailbox_of(address)}"


def of_member(player: PlayerId) -> str:
    """Return the allowance of the emails that a member causes to be sent to others."""
    return f"{_MEMBER}{player}"


def allowance_of(work: Work, mail: Mail, to: Holder, address: str) -> str | None:
    """Return the allowance that an email counts against, None if its reader asked for it."""
    if mail.asks_address:
        return of_mailbox(address)
    cause = work.cause
    if cause is None:
        return None
    if to == cause.holder:
        return cause.allowance or None
    if cause.limited and mail.unasked and isinstance(cause.holder, int):
        return of_member(cause.holder)
    return None


def require_room(work: Work, mails: Iterable[NewMail]) -> None:
    """Raise RefusedError if a member's allowance has no room for the unasked emails they cause.

    Everything that the email did is then undone. A member's emails are read one after the other, so
    two at once cannot exceed a limit. Answers are not counted here: `room_in` checks those first.
    """
    if work.cause is None:
        return
    sent: dict[str, list[Unrequested]] = {}
    for mail in (each.mail for each in mails):
        key = mail.allowance
        if key is None or mail.holder == work.cause.holder:
            continue
        if key not in sent:
            work.inbound.take_turns(key)
            sent[key] = _lately(work, key)
        until = _free_at(sent[key], mail.player, work.now)
        if until is not None:
            raise RefusedError(_refusal(work, mail, until))
        sent[key].append(Unrequested(work.now, mail.player, mail.kind))


def room_in(work: Work, allowance: str) -> int:
    """Return how many more unrequested emails a mailbox may get now."""
    queued = [each.queued_at for each in _lately(work, allowance)]
    return min(AN_HOUR.room(queued, work.now), A_DAY.room(queued, work.now))


def room_for_strangers(work: Work, allowance: str, *, lock: bool = False) -> int:
    """Return how many more unproven strangers may be answered now.

    Signed emails count apart from the others. With `lock`, nobody else counts them until this unit
    of work ends.
    """
    begins = _SIGNED if allowance.startswith(_SIGNED) else _MAILBOX
    if lock:
        work.inbound.take_turns(begins)
    sent = work.outbox.to_strangers(work.now - HOUR, begins)
    most = _strangers_an_hour(work.club.policy.rates)
    return Bound(most, HOUR).room([each.queued_at for each in sent], work.now)


def _strangers_an_hour(rates: Rates) -> int:
    if not rates.of_day:
        return STRANGERS_AN_HOUR
    return min(STRANGERS_AN_HOUR, max(1, rates.of_day // OF_A_DAY // 24))


def _lately(work: Work, allowance: str) -> list[Unrequested]:
    return work.outbox.unrequested(allowance, work.now - DAY)


def _free_at(sent: Sequence[Unrequested], to: PlayerId | None, now: datetime) -> datetime | None:
    """Return when one more may go to a member or a mailbox, None if it may now."""
    everything = [each.queued_at for each in sent]
    if to is None:
        ends = [bound.free_at(everything, now) for bound in (AN_HOUR, A_DAY)]
    else:
        to_them = [each.queued_at for each in sent if each.player == to]
        ends = [TO_ALL_MEMBERS.free_at(everything, now), TO_ONE_MEMBER.free_at(to_them, now)]
    return max(filter(None, ends), default=None)


def _refusal(work: Work, mail: OutgoingMail, until: datetime) -> TooManyUnasked:
    assert work.cause is not None
    reader = work.players.get(work.cause.holder) if isinstance(work.cause.holder, int) else None
    zone = reader.time_zone if reader else "UTC"
    name = work.players.get(mail.player).name if mail.player else mail.recipient
    return TooManyUnasked(name, due(until, zone, work.now))
