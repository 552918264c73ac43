"""In-memory received emails and outbox."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.mail.outgoing.letter import Letter, Urgency
from pbem.mail.topic import Holder, TopicKey, match_of
from pbem.matches.match import PlayerId
from pbem.ports.inbound import (
    AHEAD,
    ANSWERED,
    CHANGED,
    HELD,
    NOT_IN_VAIN,
    Attribution,
    InboundKey,
    InboundMail,
    InboundState,
    KeptMail,
    KeyedMail,
    MailboxState,
    MailFilter,
    NewEmail,
    Provenance,
    ReceivedMail,
    RecordedMail,
    in_line,
)
from pbem.ports.outbox import (
    SPACING,
    DueMail,
    NewMail,
    OutboxLine,
    OutgoingMail,
    PostedMail,
    QueuedMail,
    TroubledMail,
    Unrequested,
    WaitingMail,
)
from pbem.ports.process import StorageError
from tests.fakes.storage_data import Queued, Repository, storable, utc
from tests.fakes.storage_people import FakePlayers


class FakeInbound(Repository):
    """The port Inbound."""

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        data = self._changing()
        received_at, recorded_at = utc(mail.received_at), utc(at)
        uid = (mail.folder, mail.uidvalidity, mail.uid)
        if uid in data.uids:
            return None
        number = data.uids[uid] = data.next_id("inbound")
        data.inbound[number] = InboundMail(
            id=number,
            raw=mail.raw,
            received_at=received_at,
            recorded_at=recorded_at,
            message_id=storable(key.message_id),
            digest=storable(key.digest),
            sender=storable(key.sender),
            reason=AHEAD if key.ahead else "",
        )
        return number

    def add_all(self, mails: Sequence[KeyedMail], at: datetime) -> list[int | None]:
        return [self.add(*each, at) for each in mails]

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        until = self._data.read_until.get((state.folder, state.uidvalidity), 0)
        return {uid for uid in uids if 0 < uid <= until or (*state, uid) in self._data.uids}

    def highest(self, state: MailboxState, before: datetime | None) -> int:
        of_state = [
            uid
            for (*place, uid), number in self._data.uids.items()
            if tuple(place) == tuple(state)
            if before is not None and self._data.inbound[number].recorded_at < utc(before)
        ]
        return max(*of_state, 0, self._data.read_until.get((state.folder, state.uidvalidity), 0))

    def pending(self) -> list[int]:
        new = self.in_state(InboundState.NEW)
        return in_line(NewEmail(mail.id, mail.reason == AHEAD) for mail in new)

    def ahead(self, senders: Collection[str], since: datetime) -> Mapping[str, int]:
        ahead = [
            each.sender.casefold()
            for each in self._data.inbound.values()
            if each.recorded_at >= since and (each.proven or each.reason == AHEAD)
        ]
        return {each: ahead.count(each.casefold()) for each in senders}

    def waiting_since(self) -> datetime | None:
        received = [mail.received_at for mail in self.in_state(InboundState.NEW)]
        return min(received, default=None)

    def get(self, inbound_id: int) -> InboundMail:
        if inbound_id not in self._data.inbound:
            if 0 < inbound_id <= self._data.last_ids["inbound"]:
                raise StorageError(f"received mail {inbound_id} is kept no longer")
            raise StorageError(f"there is no received mail {inbound_id}")
        return self._data.inbound[inbound_id]

    def lock(self, inbound_id: int) -> InboundMail:
        self._changing()
        return self.get(inbound_id)

    def close(
        self,
        inbound_id: int,
        state: InboundState,
        reason: str = "",
        whose: Attribution | None = None,
    ) -> None:
        data, told = self._changing(), {} if whose is None else whose._asdict()
        data.require(players=(told.get("player"),))
        closed = replace(self.get(inbound_id), state=state, reason=storable(reason), **told)
        data.inbound[inbound_id] = closed

    def take_turns(self, key: str) -> None:
        self._changing()

    def shorten(self, inbound_id: int, raw: bytes) -> None:
        self._changing().inbound[inbound_id] = replace(self.get(inbound_id), raw=raw)

    def copies(self, mail: RecordedMail) -> list[RecordedMail]:
        earlier = [each for each in self._data.inbound.values() if each.id < mail.id]
        return [_recorded(each) for each in earlier if each.digest == mail.digest]

    def provenance(self, mail: RecordedMail, since: datetime) -> Provenance:
        player = FakePlayers(self._data, self._writing).at(mail.sender)
        pruned = (mail.message_id, mail.digest) in self._data.fingerprints
        own = (storable(mail.sender),)
        theirs = (*own, *(player.addresses if player else ()))
        counts = self._from(theirs, mail.id, since, True), self._from(own, mail.id, since, False)
        return Provenance(player, pruned, bool(self.copies(mail)), *counts)

    def _from(self, addresses: Collection[str], before: int, since: datetime, proven: bool) -> int:
        keys = set(map(str.casefold, addresses))
        earlier = self._earlier(before, since, proven)
        return sum(each.sender.casefold() in keys and each.reason != CHANGED for each in earlier)

    def count_about(self, topic: TopicKey, before_id: int, since: datetime, *, proven: bool) -> int:
        earlier = self._earlier(before_id, since, proven)
        return sum(each.topic == topic and each.reason != CHANGED for each in earlier)

    def reopen(self, recorded_until: datetime) -> list[int]:
        until = utc(recorded_until)
        kept = [
            each
            for each in self.in_state(InboundState.KEPT)
            if each.recorded_at <= until and not each.reason.startswith(HELD)
        ]
        for each in kept:
            self.close(each.id, InboundState.NEW)
        return [each.id for each in kept]

    def kept_for(self, reason: str) -> list[KeptMail]:
        kept = reversed(self.in_state(InboundState.KEPT))
        return [
            KeptMail(each.id, each.sender, each.reason, each.recorded_at, each.player)
            for each in kept
            if each.reason.startswith(reason)
        ]

    def _earlier(self, before: int, since: datetime, proven: bool) -> list[InboundMail]:
        since = utc(since)
        earlier = [each for each in self._data.inbound.values() if each.id < before]
        counted = [each for each in earlier if each.state is not InboundState.DUPLICATE]
        return [each for each in counted if each.proven is proven and each.recorded_at >= since]

    def in_vain(self, address: str, before_id: int, since: datetime, *, proven: bool) -> int:
        sender, count = storable(address).casefold(), 0
        for each in self._earlier(before_id, since, proven):
            if each.sender.casefold() == sender and each.state in ANSWERED:
                counts = each.reason not in NOT_IN_VAIN
                count = 0 if each.reason == CHANGED else count + counts
        return count

    def heard(self, addresses: Collection[str], since: datetime) -> bool:
        keys = {each.casefold() for each in addresses}
        theirs = (each for each in self._data.inbound.values() if each.sender.casefold() in keys)
        return any(
            each.proven and each.recorded_at >= utc(since) and each.state in ANSWERED
            for each in theirs
        )

    def recorded_since(self, moment: datetime) -> list[RecordedMail]:
        since = utc(moment)
        return [
            _recorded(each) for each in self._data.inbound.values() if each.recorded_at >= since
        ]

    def in_state(self, state: InboundState) -> list[RecordedMail]:
        return [_recorded(each) for each in self._data.inbound.values() if each.state is state]

    def newest(self, wanted: MailFilter, limit: int) -> list[RecordedMail]:
        mails = [each for each in reversed(self._data.inbound.values()) if _fits(each, wanted)]
        return list(map(_recorded, mails[:limit]))


class FakeOutbox(Repository):
    """The port Outbox."""

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        self.add_all([NewMail(mail, failure)], at)

    def add_all(self, mails: Sequence[NewMail], at: datetime) -> None:
        for each in mails:
            self._add(each, utc(at))

    def _add(self, new: NewMail, at: datetime) -> None:
        data, mail, failure = self._changing(), new.mail, new.failure
        mail = replace(mail, letter=_kept(mail.letter))
        data.require(players=(mail.player,))
        if any(each.mail.message_id == mail.message_id for each in data.outbox.values()):
            raise StorageError(f"{mail.message_id} is queued")
        if mail.bounce_key is not None and self.by_bounce_key(mail.bounce_key):
            raise StorageError(f"{mail.message_id} has a bounce key that is taken")
        failed = bool(failure)
        closed_at = at if failed else None
        not_before = utc(new.not_before or at)
        queued = Queued(
            mail,
            at,
            not_before,
            closed=failed,
            failed=failed,
            closed_at=closed_at,
            reply=storable(failure),
        )
        data.outbox[data.next_id("outbox")] = replace(queued, line=self._place(mail, at))

    def _place(self, mail: OutgoingMail, at: datetime) -> int:
        """Return a place after waiting emails of its urgency for the same reader or match."""
        ahead = [
            each.line + SPACING.seconds
            for each in self._data.outbox.values()
            if not each.closed and each.mail.urgency is mail.urgency and _of_a_kind(each.mail, mail)
        ]
        return max([int(at.timestamp()), *ahead])

    def take_turns(self) -> None:
        self._changing()

    def tried(self, since: datetime) -> Counter[str]:
        since = utc(since)
        return Counter(
            each.mail.domain
            for each in self._data.outbox.values()
            if each.tried_at is not None and each.tried_at > since
        )

    def due(self, now: datetime, most: int, without: Collection[str] = ()) -> list[DueMail]:
        self._changing()
        found = []
        for urgency in Urgency:
            due = [
                (each.line, number, each.mail.domain)
                for number, each in self._due(now).items()
                if each.mail.urgency is urgency and each.mail.domain not in without
            ]
            found += [DueMail(number, urgency, domain) for _, number, domain in sorted(due)[:most]]
        return found

    def claim(
        self, ids: Collection[int], now: datetime, until: datetime, holder: str = ""
    ) -> list[QueuedMail]:
        now, until = utc(now), utc(until)
        for each in ids:
            self._set(each, claimed_until=until, claimed_by=storable(holder), tried_at=now)
        outbox = self._data.outbox
        return [QueuedMail(each, outbox[each].mail, outbox[each].attempts) for each in ids]

    def lines(self, now: datetime) -> list[OutboxLine]:
        lines: dict[tuple[Urgency, str], list[datetime]] = {}
        for each in self._due(now).values():
            lines.setdefault((each.mail.urgency, each.mail.domain), []).append(each.at)
        return [OutboxLine(*of, len(at), min(at)) for of, at in sorted(lines.items())]

    def _due(self, now: datetime) -> dict[int, Queued]:
        """Return emails that wait, may be sent, and are claimed by nobody."""
        now = utc(now)
        return {
            number: each
            for number, each in self._data.outbox.items()
            if not each.closed and each.next_attempt_at <= now
            if each.claimed_until is None or each.claimed_until <= now
        }

    def sent(self, queued_ids: Collection[int], at: datetime) -> None:
        at = utc(at)
        for each in queued_ids:
            self._set(each, closed=True, failed=False, closed_at=at, claimed_until=None)

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        if queued_id in self._data.outbox and not self._data.outbox[queued_id].closed:
            self._set(queued_id, claimed_until=None, **_given_up(reply, at))

    def drop(self, queued_id: int) -> None:
        self._changing().outbox.pop(queued_id, None)

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        if queued_id not in self._data.outbox:
            return
        attempts = self._data.outbox[queued_id].attempts + 1
        at = utc(next_attempt_at)
        told = {"attempts": attempts, "next_attempt_at": at, "reply": storable(reply)}
        self._set(queued_id, claimed_until=None, **told)

    def release(self, queued_id: int, due_at: datetime | None = None) -> None:
        due = {} if due_at is None else {"next_attempt_at": utc(due_at)}
        if queued_id in self._data.outbox and not self._data.outbox[queued_id].closed:
            self._set(queued_id, claimed_until=None, tried_at=None, **due)

    def holders(self) -> list[str]:
        return sorted({each.claimed_by for each in self._held().values() if each.claimed_by})

    def release_of(self, holder: str) -> int:
        his = [number for number, each in self._held().items() if each.claimed_by == holder]
        for number in his:
            self._set(number, claimed_until=None)
        return len(his)

    def _held(self) -> dict[int, Queued]:
        waiting = {n: each for n, each in self._data.outbox.items() if not each.closed}
        return {n: each for n, each in waiting.items() if each.claimed_until is not None}

    def by_bounce_key(self, key: str) -> PostedMail | None:
        return self._first(lambda each: each.mail.bounce_key == key)

    def by_message_id(self, message_id: str) -> PostedMail | None:
        return self._first(lambda each: each.mail.message_id == message_id)

    def latest(self, topic: TopicKey, holder: Holder) -> PostedMail | None:
        last = next(reversed(self._to(topic, holder)), None)
        return None if last is None else self.by_message_id(last.mail.message_id)

    def bounced(self, queued_id: int, reply: str, at: datetime) -> None:
        self._set(queued_id, claimed_until=None, **_given_up(reply, at))

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        bounces, at = self._data.outbox[queued_id].bounces + 1, utc(next_attempt_at)
        told = {"bounces": bounces, "next_attempt_at": at, "reply": storable(reply)}
        mail = replace(self._data.outbox[queued_id].mail, received_at=None)
        self._set(queued_id, mail=mail, closed=False, failed=False, closed_at=None, **told)

    def _first(self, wanted: Callable[[Queued], bool]) -> PostedMail | None:
        for number, queued in self._data.outbox.items():
            if wanted(queued):
                state = (queued.closed, queued.failed, queued.bounces)
                return PostedMail(number, queued.mail, queued.at, *state)
        return None

    def threads(self, topic: TopicKey, holders: Sequence[Holder]) -> dict[Holder, list[str]]:
        return {each: self.thread(topic, each) for each in holders}

    def thread(self, topic: TopicKey, holder: Holder) -> list[str]:
        ids = [each.mail.message_id for each in self._to(topic, holder)]
        return ids if len(ids) <= 10 else [ids[0], *ids[-9:]]

    def queued_at(self, topic: TopicKey, holder: Holder, turn: int) -> datetime | None:
        times = [each.at for each in self._to(topic, holder) if each.mail.turn == turn]
        return times[-1] if times else None

    def sent_to(self, topic: TopicKey, holder: Holder, turn: int) -> dict[str, datetime]:
        mails = [each for each in self._to(topic, holder) if each.mail.turn in (turn, None)]
        return {each.mail.recipient: each.at for each in reversed(mails)}

    def latest_turn(self, topic: TopicKey, holder: Holder) -> int | None:
        turns = [each.mail.turn for each in self._to(topic, holder)]
        return next((turn for turn in reversed(turns) if turn is not None), None)

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        since, wanted = utc(since), recipient.casefold()
        queued = [each.mail for each in self._data.outbox.values() if each.at >= since]
        theirs = [mail for mail in queued if mail.recipient.casefold() == wanted]
        return sum(kind in ("", mail.kind) for mail in theirs)

    def unrequested(self, allowance: str, since: datetime) -> list[Unrequested]:
        return [each for key, each in self._unrequested(since) if key == allowance]

    def to_strangers(self, since: datetime, allowances: str) -> list[Unrequested]:
        found = self._unrequested(since)
        return [each for key, each in found if key.startswith(allowances) and each.player is None]

    def _unrequested(self, since: datetime) -> list[tuple[str, Unrequested]]:
        return [
            (each.mail.allowance, Unrequested(each.at, each.mail.player, each.mail.kind))
            for each in self._data.outbox.values()
            if each.mail.allowance is not None and each.at >= utc(since)
        ]

    def troubled(
        self, since: datetime, limit: int, player: PlayerId | None = None
    ) -> list[TroubledMail]:
        since = utc(since)
        found = [
            TroubledMail(
                id=number,
                recipient=each.mail.recipient,
                kind=each.mail.kind,
                player=each.mail.player,
                topic=each.mail.topic,
                queued_at=each.at,
                failed_at=each.closed_at,
                reply=each.reply,
            )
            for number, each in reversed(self._data.outbox.items())
            if each.at >= since
            and (each.failed or (each.reply and not each.closed))
            and player in (None, each.mail.player)
        ]
        return found[:limit]

    def unsent(self) -> int:
        return sum(not each.closed for each in self._data.outbox.values())

    def waiting(self) -> list[WaitingMail]:
        return [
            WaitingMail(
                number,
                each.mail.message_id,
                each.mail.recipient,
                each.mail.kind,
                each.mail.player,
                each.mail.topic,
                each.at,
                each.mail.received_at,
            )
            for number, each in sorted(self._data.outbox.items())
            if not each.closed
        ]

    def delayed(self, topic: TopicKey, now: datetime) -> list[PostedMail]:
        now = utc(now)
        return [
            PostedMail(number, each.mail, each.at, each.closed, each.failed, each.bounces)
            for number, each in sorted(self._data.outbox.items())
            if each.mail.topic == topic and not each.closed
            if each.tried_at is None and each.next_attempt_at > now
        ]

    def withhold(self, queued_id: int, why: str, at: datetime) -> None:
        if queued_id in self._data.outbox and not self._data.outbox[queued_id].closed:
            values = {"closed": True, "closed_at": utc(at), "reply": storable(why)}
            self._set(queued_id, claimed_until=None, **values)

    def _to(self, topic: TopicKey, holder: Holder) -> list[Queued]:
        wanted = (topic, holder.casefold() if isinstance(holder, str) else holder)
        mails = self._data.outbox.values()
        return [each for each in mails if (each.mail.topic, each.mail.holder) == wanted]

    def _set(self, queued_id: int, **values: Any) -> None:
        outbox = self._changing().outbox
        if queued_id in outbox:
            outbox[queued_id] = replace(outbox[queued_id], **values)


def _recorded(mail: InboundMail) -> RecordedMail:
    known = vars(mail).copy()
    del known["raw"]
    return RecordedMail(**known)


def _fits(mail: InboundMail, wanted: MailFilter) -> bool:
    if wanted.player is not None:
        addresses = {address.casefold() for address in wanted.player.addresses}
        if mail.player != wanted.player.id and mail.sender.casefold() not in addresses:
            return False
    return (
        wanted.topic in (None, mail.topic)
        and wanted.state in (None, mail.state)
        and (wanted.since is None or mail.received_at >= utc(wanted.since))
    )


def _of_a_kind(mail: OutgoingMail, other: OutgoingMail) -> bool:
    """Return whether two emails are for one reader or about one match."""
    same_match = match_of(mail.topic) is not None and mail.topic == other.topic
    return same_match or mail.recipient.casefold() == other.recipient.casefold()


def _given_up(reply: str, at: datetime) -> dict[str, Any]:
    return {"closed": True, "failed": True, "closed_at": utc(at), "reply": storable(reply)}


def _kept(letter: Letter) -> Letter:
    """Return it as a database stores it."""
    subject, text = storable(letter.subject), storable(letter.text)
    return replace(letter, subject=subject, text=text, written_at=utc(letter.written_at))
