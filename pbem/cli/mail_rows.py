"""Received, waiting and refused emails, as lines and as data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import typer

from pbem.adapters.clock import SystemClock
from pbem.cli.listing import ListedItem, moment
from pbem.mail.topic import match_of
from pbem.matches.zones import minute
from pbem.ports.inbound import InboundMail, InboundState, RecordedMail
from pbem.service.delivery.claims import WaitingLine
from pbem.service.delivery.held_mail import HeldMail
from pbem.service.work import Work

_AGO = re.compile(r"(\d{1,5})([dh])", re.ASCII)
_UNITS = {"d": "days", "h": "hours"}


def since_of(text: str) -> datetime:
    """Read a time: `2026-11-21`, `2026-11-21T18:30`, `7d` or `12h`. The default zone is UTC."""
    if found := _AGO.fullmatch(text.strip()):
        return SystemClock().now() - timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(
            f"{text!r} is not a date. Write 2026-11-21, 2026-11-21T18:30, 7d or 12h"
        ) from error


def mail_data(work: Work, mail: RecordedMail) -> dict[str, Any]:
    """Return an email for programs."""
    return {
        "number": mail.id,
        "received_at": moment(mail.received_at),
        "sender": mail.sender,
        "player": None if mail.player is None else work.players.get(mail.player).name,
        "match": match_of(mail.topic),
        "proven": mail.proven,
        "fate": str(mail.state),
        "reason": mail.reason,
    }


def mail_item(work: Work, mail: RecordedMail) -> ListedItem:
    """Return an email as an item of a list."""
    about = "" if mail.topic is None else f"  {mail.topic}"
    reason = _last_line(mail)
    why = f": {reason}" if reason else ""
    sender = mail.sender or "nobody"
    line = f"{mail.id:6}  {minute(mail.received_at)}  {sender}{about}  {mail.state}{why}"
    return ListedItem(line, mail_data(work, mail))


def _last_line(mail: RecordedMail) -> str:
    """Return the reason in one line: for a traceback, its last line."""
    lines = mail.reason.strip().splitlines() or [""]
    return lines[-1] if mail.state is InboundState.SHUNTED else " ".join(lines)


def mail_lines(work: Work, mail: RecordedMail) -> Iterator[str]:
    """Yield what is known of an email."""
    yield f"email {mail.id}, received {minute(mail.received_at)}"
    yield f"from: {mail.sender or 'nobody'}"
    if mail.player is not None:
        proven = "proven" if mail.proven else "not proven"
        yield f"player: {work.players.get(mail.player).name}, {proven}"
    if (match := match_of(mail.topic)) is not None:
        yield f"match: {match}"
    elif mail.topic is not None:
        yield f"about: {mail.topic}"
    yield f"fate: {mail.state}"
    if mail.reason:
        yield f"reason: {mail.reason.rstrip()}"


def waiting_item(waiting: WaitingLine) -> ListedItem:
    """Return waiting emails as an item of a list."""
    (urgency, domain, mails, since), _, limit = waiting
    why = f": {limit}" if limit else ""
    name = urgency.name.lower()
    line = f"{mails:6}  {name:<12}  to {domain} since {minute(since)}{why}"
    data = {"urgency": name, "domain": domain, "mails": mails, "since": moment(since)}
    return ListedItem(line, {**data, "limit": limit})


def held_item(each: HeldMail) -> ListedItem:
    """Return a held email as an item of a list."""
    mail, about = each.mail, f"  {each.mail.topic}" if each.mail.topic else ""
    needed = "  needed" if each.needed else ""
    line = f"{mail.id:6}  {minute(mail.queued_at)}  {mail.kind} to {mail.recipient}{about}{needed}"
    data = {
        "number": mail.id,
        "queued_at": moment(mail.queued_at),
        "kind": mail.kind,
        "recipient": mail.recipient,
        "match": match_of(mail.topic),
        "needed": each.needed,
    }
    return ListedItem(line, data)


def mail_text(mail: InboundMail) -> str:
    """Return an email as received. Bytes that are not UTF-8 are marked."""
    return mail.raw.decode("utf-8", "replace").replace("\r\n", "\n").expandtabs()
