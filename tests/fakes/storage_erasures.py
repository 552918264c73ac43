"""In-memory erasing. It looks at everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from pbem.mail.identity import Identity, former_names
from pbem.mail.topic import DigestTopic, Holder, MembershipTopic, match_key
from pbem.matches.match import PlayerId
from pbem.ports.inbound import NO_FOLDER, InboundMail, InboundState
from pbem.ports.keeping import LeftMail
from pbem.ports.people import OpenQuestion
from pbem.ports.process import StorageError
from pbem.ports.room import WatchKind
from tests.fakes.storage_data import Data, Repository, utc

UNREAD = (InboundState.NEW, InboundState.KEPT, InboundState.PARKED, InboundState.SHUNTED)


class FakeErasures(Repository):
    """The port Erasures."""

    def erase(
        self, player: PlayerId, called: str, settings: Mapping[str, str], at: datetime
    ) -> None:
        data = self._changing()
        data.require(players=(player,))
        who = data.players[player]
        if who.former:
            raise StorageError(f"there is no player {player}")
        names, addresses = former_names(who.settings)
        names = [who.name, *names]
        others = tuple(
            each.name
            for each in data.players.values()
            if each.id != player and any(name in each.name for name in names)
        )
        held = {
            a.address.casefold() for n, own in data.addresses.items() if n != player for a in own
        }
        before = [each for each in addresses if each.casefold() not in held]
        own = tuple(name for name in names if name not in others)
        identity = Identity(own, (*who.addresses, *before), called, others)
        keys = {address.casefold() for address in identity.addresses}
        _questions(data, player, keys)
        _mails(data, identity, player, keys)
        _letters(data, identity, player, keys)
        _words(data, identity, player)
        data.exposed = {
            (topic, holder): exposure
            for (topic, holder), exposure in data.exposed.items()
            if not _is(holder, player, keys)
        }
        data.blocks = {pair: None for pair in data.blocks if player not in pair}
        data.mutes = {(by, mute): None for by, mute in data.mutes if player not in (by, mute.muted)}
        data.addresses.pop(player)
        data.leaves.pop(player, None)
        data.players[player] = replace(
            who,
            name=called,
            addresses=(),
            failed=frozenset(),
            settings=settings,
            former=True,
            joined_at=None,
            unbanned_at=None,
        )
        self.note(at)

    def note(self, at: datetime) -> None:
        self._changing().moments["erased"] = utc(at)

    def left_in_database(self) -> datetime | None:
        return self._data.moments.get("erased")

    def gone_from_database(self, until: datetime) -> None:
        at = self.left_in_database()
        if at is not None and at <= utc(until):
            del self._changing().moments["erased"]

    def left_in_mailbox(self, most: int, elsewhere: Collection[str] = ()) -> list[LeftMail]:
        return [mail for mail in self._data.left.values() if mail.folder not in elsewhere][:most]

    def gone_from_mailbox(self, mails: Iterable[LeftMail]) -> None:
        for mail in mails:
            self._changing().left.pop(mail.id, None)


def _is(holder: Holder, player: PlayerId, keys: set[str]) -> bool:
    return holder == player if isinstance(holder, int) else holder.casefold() in keys


def _sent_by(mail: InboundMail, player: PlayerId, keys: set[str]) -> bool:
    return mail.player == player or mail.sender.casefold() in keys


def _topics(data: Data, player: PlayerId) -> set[str]:
    matches = {each for each in data.matches if data.ever_played(player, each)}
    digests = (key for key, each in data.digests.items() if matches & each.turns.keys())
    return {*map(match_key, matches), *(DigestTopic(each).key for each in digests)}


def _questions(data: Data, player: PlayerId, keys: set[str]) -> None:
    def gone(question: OpenQuestion) -> bool:
        mail = question.inbound_id
        return (
            _is(question.holder, player, keys)
            or question.about == MembershipTopic(player).key
            or (mail is not None and _sent_by(data.inbound[mail], player, keys))
        )

    data.questions = {n: each for n, each in data.questions.items() if not gone(each)}


def _mails(data: Data, identity: Identity, player: PlayerId, keys: set[str]) -> None:
    topics = _topics(data, player)
    places = {number: place for place, number in data.uids.items()}
    for number, mail in data.inbound.items():
        if _sent_by(mail, player, keys):
            state = InboundState.IGNORED if mail.state in UNREAD else mail.state
            after = replace(mail, sender="", message_id="", digest="", reason="", state=state)
        elif mail.state in UNREAD:
            continue
        elif mail.topic in topics or identity.is_in_mail(mail.raw):
            after = mail
        else:
            continue
        data.inbound[number] = replace(after, raw=b"")
        if mail.raw and places[number][0] != NO_FOLDER:
            note = data.next_id("left")
            data.left[note] = LeftMail(note, *places[number], mail.message_id)


def _letters(data: Data, identity: Identity, player: PlayerId, keys: set[str]) -> None:
    topics = _topics(data, player)
    for number, queued in list(data.outbox.items()):
        mail = queued.mail
        if mail.player == player or mail.recipient.casefold() in keys:
            del data.outbox[number]
            continue
        of_theirs = mail.topic in topics
        letter = identity.out_of_letter(mail.letter, with_notes=of_theirs)
        data.outbox[number] = replace(
            queued, mail=replace(mail, letter=letter), reply=identity.out_of(queued.reply)
        )


def _words(data: Data, identity: Identity, player: PlayerId) -> None:
    out_of = identity.out_of
    data.notes = {
        match: tuple(
            replace(note, text=identity.out_of(note.text))
            for note in notes
            if note.author != player
        )
        for match, notes in data.notes.items()
    }
    data.decisions = {
        number: replace(each, line=out_of(each.line), reason=out_of(each.reason))
        for number, each in data.decisions.items()
    }
    data.waiting_notes = {
        (match, reader): tuple(
            replace(each, text=out_of(each.text)) for each in notes if each.author != player
        )
        for (match, reader), notes in data.waiting_notes.items()
        if reader != player
    }
    data.plans = {key: each for key, each in data.plans.items() if each.player != player}
    data.digests = {key: each for key, each in data.digests.items() if each.player != player}
    data.waiting_news = {
        key: replace(each, said=tuple(map(out_of, each.said)))
        for key, each in data.waiting_news.items()
        if each.reader != player
    }
    data.ratings = {
        match: (
            rated,
            {
                which: {each: rating for each, rating in theirs.items() if each != player}
                for which, theirs in ratings.items()
            },
        )
        for match, (rated, ratings) in data.ratings.items()
    }
    member = WatchKind.MEMBER, str(player)
    data.watches = {
        key: each
        for key, each in data.watches.items()
        if each.player != player and (each.kind, each.what) != member
    }
    data.watched = {key: each for key, each in data.watched.items() if key[1] != player}
    data.absences = {
        number: replace(each, subject=out_of(each.subject), text=out_of(each.text))
        for number, each in data.absences.items()
        if each.player != player
    }
    for number, mail in data.inbound.items():
        data.inbound[number] = replace(mail, reason=identity.out_of(mail.reason))
