"""In-memory retention. It looks at everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pbem.archive.site.values import Note, NoteKind
from pbem.mail.topic import DIRECTORS, DigestTopic, OfferTopic, match_key
from pbem.ports.inbound import FROM_BOTS, NO_FOLDER, InboundState
from pbem.ports.keeping import Pruned
from tests.fakes.storage_data import Queued, Repository, utc

WAITING = (InboundState.NEW, InboundState.KEPT, InboundState.SHUNTED)


class FakeRetention(Repository):
    """The port Retention."""

    def prune_received(self, until: datetime, after: int, most: int) -> Pruned:
        data, until = self._changing(), utc(until)
        looked = [each for each in data.inbound.values() if each.id > after][:most]
        asked = {each.inbound_id for each in data.questions.values()}
        places = {number: place for place, number in data.uids.items()}
        old = [
            mail
            for mail in looked
            if mail.recorded_at < until and mail.state not in WAITING and mail.id not in asked
        ]
        for mail in old:
            folder, uidvalidity, uid = places[mail.id]
            if folder not in (NO_FOLDER, FROM_BOTS):
                before = data.read_until.get((folder, uidvalidity), 0)
                data.read_until[folder, uidvalidity] = max(before, uid)
            if mail.digest and folder != FROM_BOTS:
                data.fingerprints[mail.message_id, mail.digest] = None
            del data.inbound[mail.id], data.uids[places[mail.id]]
        more = len(looked) == most and looked[-1].recorded_at < until
        return Pruned(looked[-1].id if more else None, len(old))

    def prune_sent(self, until: datetime, after: int, most: int) -> Pruned:
        data, until = self._changing(), utc(until)
        looked = [(n, each) for n, each in data.outbox.items() if n > after][:most]
        asking = {each.asked_by for each in data.questions.values()}
        played = {match_key(each.id) for each in data.matches.values() if each.result is None}
        standing = played | {OfferTopic(n, 0).key for n, each in data.offers.items() if each.stands}
        dropped = 0
        for number, queued in looked:
            at = queued.closed_at
            if at is None or max(at, queued.at) >= until or queued.mail.message_id in asking:
                continue
            topic = queued.mail.topic
            if topic in standing | {DIRECTORS} and number in self._newest(queued):
                continue
            if topic in standing:
                letter = replace(
                    queued.mail.letter, text="", html="", picture="", attachments=(), references=()
                )
                after_it = replace(queued, mail=replace(queued.mail, letter=letter))
                dropped += after_it != queued
                data.outbox[number] = after_it
            else:
                dropped += 1
                del data.outbox[number]
        more = len(looked) == most and looked[-1][1].at < until
        return Pruned(looked[-1][0] if more else None, dropped)

    def _newest(self, queued: Queued) -> set[int]:
        """Return the last email of the same topic and reader, and the last turn email."""
        theirs = {
            n: each.mail
            for n, each in self._data.outbox.items()
            if (each.mail.topic, each.mail.holder) == (queued.mail.topic, queued.mail.holder)
        }
        told = [n for n, mail in theirs.items() if mail.turn is not None]
        return {max(theirs), *told[-1:]}

    def prune_words(self, until: datetime) -> int:
        data, until = self._changing(), utc(until)

        def ended(match: int) -> bool:
            result = data.matches[match].result
            return result is not None and result.ended_at < until

        old = {DigestTopic(n).key for n, each in data.digests.items() if each.at < until}
        return (
            _drop(data.absences, lambda _, each: each.at < until)
            + _drop(data.exposed, lambda of, _: of[0] in old)
            + _drop(data.digests, lambda _, each: each.at < until)
            + _drop(data.waiting_news, lambda _, each: each.due_at < until)
            + _drop(data.offers, lambda _, each: not each.stands and each.expires_at < until)
            + _drop(data.waiting_notes, lambda of, _: ended(of[0]))
            + _drop(data.plans, lambda of, _: ended(of[0]))
            + _drop(data.mutes, lambda of, _: bool(of[1].match_id) and ended(of[1].match_id))
            + sum(_without_private(data.notes, match) for match in data.matches if ended(match))
            + _drop(data.watched, lambda of, _: ended(of[0]))
            + _drop(data.announced, lambda of, _: ended(of))
        )

    def prune_leaves(self, until: datetime) -> int:
        data, until, dropped = self._changing(), utc(until), 0
        for player, leaves in data.leaves.items():
            since = [
                each.turn_started_at
                for each in data.matches.values()
                if each.result is None and player in each.players
            ]
            kept = tuple(
                each
                for each in leaves
                if each.end >= until or any(at is None or at < each.end for at in since)
            )
            dropped += len(leaves) - len(kept)
            data.leaves[player] = kept
        return dropped

    def prune_caches(self) -> None:
        data = self._changing()
        _drop(data.snapshots, lambda match, _: data.matches[match].result is not None)
        newest = {page: number for number, page in data.stale.items()}
        _drop(data.stale, lambda number, page: newest[page] != number)

    def is_mostly_room(self) -> bool:
        return False


def _without_private(notes: dict[int, tuple[Note, ...]], match: int) -> int:
    before = notes.get(match, ())
    kept = tuple(each for each in before if each.public or each.kind is NoteKind.MEMO)
    notes[match] = kept
    return len(before) - len(kept)


def _drop(table: dict, gone: Callable[..., bool]) -> int:  # type: ignore[type-arg]
    keys = [key for key, each in table.items() if gone(key, each)]
    for key in keys:
        del table[key]
    return len(keys)
