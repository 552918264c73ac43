"""Values for the storage tests: plain ones, with details changed on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.mail.outgoing.letter import Attachment, Letter
from pbem.mail.topic import TopicKey
from pbem.matches.match import MatchOptions, MatchSummary, Player, PlayerId, RecordedAction
from pbem.ports.inbound import Attribution, InboundKey, MailboxState, ReceivedMail
from pbem.ports.outbox import OutgoingMail, QueuedMail
from pbem.ports.storage import Storage, UnitOfWork

T0 = datetime(2026, 11, 21, 9, 30, 15, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
INBOX = MailboxState("INBOX", 4_294_967_295)  # the largest possible UIDVALIDITY
OPTIONS = MatchOptions(days=5, draw_offers=False, game={"repetition": 1, "quiet_limit": 200})


def people(uow: UnitOfWork, *names: str) -> list[Player]:
    """Add players."""
    return [uow.players.add(name, [f"{name.casefold()}@example.org"]) for name in names]


def a_match(players: Sequence[Player], **changes: Any) -> MatchSummary:
    """Return a match without moves. The first of three players holds S, the second W and E."""
    ids = [player.id for player in players]
    if len(ids) == 3:
        ids = [ids[0], ids[1], ids[2], ids[1]]
    match = MatchSummary(
        id=0,
        game_key="lanko-68",
        rules_version=1,
        seats=dict(zip("SWNE", ids, strict=False)),
        options=OPTIONS,
        started_at=T0,
        to_act="S",
        turn_started_at=T0,
    )
    return replace(match, **changes)


def new_match(storage: Storage) -> MatchSummary:
    """Store a match of Anna, Bob and Carol."""
    with storage.writing() as uow:
        return uow.matches.add(a_match(people(uow, "Anna", "Bob", "Carol")))


def action(number: int, turn: int | None = None, **changes: Any) -> RecordedAction:
    """Return an action, by default one per turn."""
    turn = number if turn is None else turn
    recorded = RecordedAction(number, turn, "SWNE"[number % 4], f"[{number}-B]", (), T0)
    return recorded._replace(**changes)


def received(uid: int, state: MailboxState = INBOX, **changes: Any) -> ReceivedMail:
    """Return an email as the mailbox gives it."""
    return replace(ReceivedMail(*state, uid, T0, b"Subject: \xff\0\r\n\r\n"), **changes)


def key(number: int = 1, sender: str = "anna@example.org", digest: str = "") -> InboundKey:
    """Return the key of an email."""
    return InboundKey(f"<{number}@example.org>", digest or f"{number:064x}", sender)


def recorded_mail(uow: UnitOfWork, uid: int, at: datetime = T0, **changes: Any) -> int:
    """Record a new email. Return its id."""
    number = uow.inbound.add(received(uid), key(uid, **changes), at)
    assert number is not None
    return number


def tell_whose(
    uow: UnitOfWork, number: int, player: PlayerId | None, topic: TopicKey | None, proven: bool
) -> None:
    """Set whose email it is, and leave everything else as it was."""
    mail = uow.inbound.get(number)
    uow.inbound.close(number, mail.state, mail.reason, Attribution(player, topic, proven))


def claim(
    uow: UnitOfWork, now: datetime, until: datetime, limit: int, holder: str = ""
) -> list[QueuedMail]:
    """Claim the emails that go first, in this order."""
    first = [mail.id for mail in uow.outbox.due(now, limit)][:limit]
    claimed = {mail.id: mail for mail in uow.outbox.claim(first, now, until, holder)}
    return [claimed[each] for each in first]


def outgoing(number: int, **changes: Any) -> OutgoingMail:
    """Return an email to be sent, with changes to its letter or other fields."""
    letter = Letter(
        message_id=f"<{number}@club.example>",
        from_name="Games",
        from_address="club@club.example",
        to_name="Anna",
        to_address="anna@example.org",
        subject="[Games 1] Zażółć",
        text="It is your turn, Jörg.\n",
        written_at=T0,
        references=("<a@club.example>", "<b@club.example>"),
        html="<p>It is your turn, Jörg.</p>\n" * 50,
        picture="<svg></svg>",
        reply_to="club+1@club.example",
        list_id="Games <1.club.example>",
        unsubscribe="club+s1@club.example",
        attachments=(Attachment("1.txt", "text/plain", "Zażółć\n"),) * 2,
    )
    of_letter = {name: changes.pop(name) for name in list(changes) if hasattr(letter, name)}
    mail = OutgoingMail(replace(letter, **of_letter), "turn", received_at=T0 - MINUTE)
    return replace(mail, **changes)
