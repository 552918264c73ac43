"""Confirmation: a change that nobody has proven waits until its player says `confirm`.

The question goes to the address on file; only `confirm` in answer to it, from that player, lets the
mail count, once, against the position then (CONTRACTS, "What becomes of a mail").
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from pbem.games.text import plain
from pbem.mail.incoming.addressing import carries_token
from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.requests import Requests
from pbem.mail.incoming.table import Proof, Rejection
from pbem.service.club import Club
from pbem.service.fresh import fresh_of
from pbem.service.ports import InboundMail, InboundState, ParkedMail, UnitOfWork
from pbem.service.post import send_match_mail, view_of
from pbem.service.sender import Sender

LINES_SHOWN = 20


def is_confirmation(fresh: str) -> bool:
    """Whether a fresh text is `confirm` and nothing else."""
    return plain(fresh).strip().strip("\"'`.! ").casefold() == "confirm"


def park(
    club: Club,
    uow: UnitOfWork,
    mail: InboundMail,
    message: Message,
    sender: Sender,
    requests: Requests,
) -> None:
    """Sets an unproven change aside and asks its player, who is shown all that it would do."""
    assert sender.match is not None, "what changes no match waits for nothing"
    position = club.positions.of(uow, sender.match)
    days, fresh = club.policy.parked_days, fresh_of(uow, message, sender).fresh
    lines = fresh.strip().splitlines()
    asked_by = send_match_mail(
        club,
        uow,
        "confirm",
        view_of(club, uow, sender.match, position, sender.player),
        from_name="did you send this?",
        answered=message.message_id,
        data={
            "lines": lines[:LINES_SHOWN],
            "left_out": max(0, len(lines) - LINES_SHOWN),
            "requests": requests.told,
            "days": days,
        },
    )
    expires = club.clock.now() + timedelta(days=days)
    uow.inbound.close(mail.id, InboundState.PARKED, "unproven")
    uow.inbound.park(ParkedMail(mail.id, sender.player.id, sender.match.id, asked_by, expires))


def answers_question(club: Club, uow: UnitOfWork, sender: Sender, message: Message) -> bool:
    """Whether a mail answers a question that waits for `confirm`."""
    if sender.match is None:
        return False
    waiting = uow.inbound.parked(sender.player.id, sender.match.id, club.clock.now())
    answered = _answered(message)
    return any(parked.asked_by == answered for parked in waiting)


class Confirmed(NamedTuple):
    """A parked mail that its player has confirmed."""

    parked: ParkedMail
    sender: Sender
    """As proven now."""
    text: str
    """Fresh text of the parked mail."""


def confirmed(club: Club, uow: UnitOfWork, sender: Sender, message: Message) -> Confirmed:
    """The parked mail that a proven `confirm` is about.

    Raises Rejection if nothing waits, or if it is not clear which mail is meant.
    """
    assert sender.match is not None, "a proven mail is about a match"
    waiting = uow.inbound.parked(sender.player.id, sender.match.id, club.clock.now())
    answered = _answered(message)
    meant = [parked for parked in waiting if answered in ("", parked.asked_by)]
    if len(meant) != 1:
        raise Rejection("nothing_to_confirm" if not meant else "which_confirmed")
    waiting_mail = read_message(uow.inbound.lock(meant[0].inbound_id).raw)
    text = fresh_of(uow, waiting_mail, sender).fresh
    return Confirmed(meant[0], sender._replace(proof=Proof(sender.match.turn, latest=True)), text)


def settle(uow: UnitOfWork, parked: ParkedMail) -> None:
    """A parked mail waits no more; raises StorageError if it did not."""
    uow.inbound.unpark(parked.inbound_id)
    uow.inbound.told(parked.inbound_id, parked.player, parked.match_id, proven=True)
    uow.inbound.close(parked.inbound_id, InboundState.DONE, "confirmed")


def _answered(message: Message) -> str:
    """Message-ID of the mail of ours that is answered, empty if the client does not tell.

    One only: References names the whole thread, older questions in it too.
    """
    told = (*message.in_reply_to, *reversed(message.references))
    return next((each for each in told if carries_token(each)), "")
