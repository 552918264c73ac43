"""Exposure: tokens that others have also received, for example through a reply-all.

An opponent can use the token and its Message-IDs to write in the player's name. So from then on the
player needs proof that was not exposed: a later email to them, or the token of a later turn.
Only a good token can be exposed. Only its player should have that one, so nobody can expose the
tokens of another player.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pbem.mail.address import plain_addresses
from pbem.mail.addresses.addressing import MAC, ReplyToken, is_club_address, token_of_message_id
from pbem.mail.message.charsets import base64_decoded
from pbem.mail.message.message import Message
from pbem.mail.message.size_limits import KIB
from pbem.mail.topic import (
    FORM,
    LONGEST_FORM,
    AddressTopic,
    DigestTopic,
    DirectorTopic,
    Holder,
    MatchTopic,
    MembershipTopic,
    OfferTopic,
    QuestionTopic,
    StopTopic,
    Topic,
    read_topic,
)
from pbem.matches.match import MatchSummary
from pbem.ports.keeping import Exposure
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.members.absences import mails_to
from pbem.service.people import directors
from pbem.service.work import Work

_SHOWN_TO = ("to", "cc", "bcc", "resent-to", "resent-cc", "resent-bcc", "apparently-to")
"""Fields that name other recipients, except those in which a server notes its own recipient."""
MOST_TOPICS = 20
"""Maximum number of topics whose tokens are looked for in one email."""


def is_exposed(
    work: Work, message: Message, topic: Topic, holder: Holder, exposure: Exposure | None
) -> bool:
    """Return whether others may know all the proof that an email has."""
    if exposure is None or topic.turn > exposure.turn:
        return False
    return all(posted.id <= exposure.mail for posted in mails_to(work, holder, message.references))


def note_exposures(
    work: Work, message: Message, raw: bytes, about: MatchSummary | None = None, *, by_person: bool
) -> None:
    """Record the tokens that an email has exposed, whoever sent it and whatever it is.

    The match that it is about, if any, is locked.

    A good token in a person's email is exposed unless that person is its player. A machine returns
    our own emails, so there only the recipients matter.
    """
    traces = traces_in(raw, message.text)
    readers = _readers(work.club, message)
    author = {message.from_address} if by_person else set()
    for topic, holder in _proven(work, traces, message.from_address, about):
        if readers is None or (readers | author) - _addresses(work, holder):
            newest = _newest_shown(work, message, traces, topic, holder)
            work.exposures.note(topic.key, holder, Exposure(newest, topic.turn))


def _readers(club: Club, message: Message) -> set[str] | None:
    """Return the recipients of an email other than the club, None if that is not certain."""
    shown_to = plain_addresses(message.headers.written(*_SHOWN_TO))
    if shown_to is None or message.headers.excess:
        return None
    return {each for each in shown_to if not is_club_address(each, club.addresses)}


def _proven(
    work: Work, traces: Traces, author: str, about: MatchSummary | None
) -> Iterator[tuple[Topic, Holder]]:
    """Yield the good tokens' topics and holders, only the newest of each."""
    for key in list(dict.fromkeys(token.topic.key for token in traces.tokens))[:MOST_TOPICS]:
        tokens = [token for token in traces.tokens if token.topic.key == key]
        for holder in _holders(work, tokens[0].topic, author, about):
            good = [token.topic for token in tokens if work.club.signer.proves(token, holder)]
            if good:
                yield max(good, key=lambda topic: topic.turn), holder


def _holders(
    work: Work, topic: Topic, author: str, about: MatchSummary | None
) -> tuple[Holder, ...]:
    """Return everyone who may have been sent a token of a topic.

    The topic of an address does not say whose it is. Then all addresses of the author count, since
    emails sent there still prove them.
    """
    try:
        match topic:
            case MatchTopic() | StopTopic():
                return _players(work, topic.match, about)
            case OfferTopic():
                return work.offers.get(topic.offer).players
            case MembershipTopic():
                return (work.players.get(topic.player).id,)
            case AddressTopic():
                member = work.players.at(author)
                return (author, *(member.addresses if member else ()))
            case DigestTopic():
                digest = work.digests.of(topic.digest)
                return (digest.player,) if digest else ()
            case DirectorTopic():
                return tuple(each.id for each in directors(work))
            case QuestionTopic():  # a director decides about a waiting stranger
                deciding = tuple(each.id for each in directors(work))
                return (*_asked(work, topic, author), *deciding)
    except StorageError:
        return ()


def _players(work: Work, number: int, about: MatchSummary | None) -> tuple[Holder, ...]:
    """Return the holders of the seats of a match.

    In the match that an email is about, seats may be given back to its author, but only
    temporarily.
    """
    if about is not None and about.id == number and not about.hands.earlier:
        return about.players
    return work.matches.get(number).players


def _asked(work: Work, topic: QuestionTopic, author: str) -> tuple[Holder, ...]:
    """Return who was asked a question. If it is settled, assume the author, as in a reply-all."""
    try:
        return (work.questions.get(topic.question).holder,)
    except StorageError:
        member = work.players.at(author)
        return (author,) if member is None else (member.id, author)


def _newest_shown(
    work: Work, message: Message, traces: Traces, topic: Topic, holder: Holder
) -> int:
    """Return the id of the newest exposed email to a holder.

    It is at least the first email with the token.
    """
    shown = (*message.in_reply_to, *reversed(message.references), *traces.message_ids)
    first = [
        each
        for each in work.outbox.thread(topic.key, holder)
        if (token := token_of_message_id(each)) and token.topic.turn == topic.turn
    ]
    mails = mails_to(work, holder, dict.fromkeys((*first[:1], *shown)))
    return max((posted.id for posted in mails), default=0)


def _addresses(work: Work, holder: Holder) -> set[str]:
    if isinstance(holder, str):
        return {holder.lower()}
    return {address.lower() for address in work.players.get(holder).addresses}


MOST_BYTES = 256 * KIB
"""Bytes of a raw email that are searched in addition to its text, enough for all its fields."""
MOST_TRACES = 500

_MAC = re.compile(MAC, re.ASCII | re.IGNORECASE)
_TOPIC_ABOVE = re.compile(rf"(?<!\d){FORM}\Z", re.ASCII | re.IGNORECASE)
_REST_OF_ID = re.compile(r"\.[a-z0-9]{1,64}@[a-z0-9.-]{1,255}", re.ASCII | re.IGNORECASE)
_SOFT_END = re.compile(rb"=\r?\n")  # RFC 2045 section 6.7
_ENCODED = re.compile(rb"\ncontent-transfer-encoding:[\s\"]{0,20}base64")  # in lower case
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_HYPHEN = re.compile(r"[%=]2[dD]")
_FOLD = re.compile(r"\n[ \t>|]*+")


class Traces(NamedTuple):
    """Tokens, proven or not, and Message-IDs that contain one, without repeats."""

    tokens: tuple[ReplyToken, ...]
    message_ids: tuple[str, ...]


class _Trace(NamedTuple):
    """A token as found, in capitals or not, and the rest of its Message-ID."""

    topic: str
    mac: str
    rest_of_id: str

    @property
    def message_id(self) -> str:
        """The Message-ID as it is in header fields."""
        return f"<{self.topic}-{self.mac}{self.rest_of_id}>"


def traces_in(raw: bytes, text: str) -> Traces:
    """Return the traces in the bytes of an email, in its base64 parts and in its text."""
    whole = [_with_hyphens(each) for each in (*_readable(raw[:MOST_BYTES]), text)]
    # When clients quote, they write out link targets, and may break them anywhere.
    places = (*whole, *map(_unfolded, whole))
    # Without repeats: an HTML email has the same address in each of its links.
    distinct = dict.fromkeys(trace for place in places for trace in _in(place))
    found = list(islice(distinct, MOST_TRACES))
    tokens = (ReplyToken(topic, it.mac.lower()) for it in found if (topic := read_topic(it.topic)))
    ids = (it.message_id for it in found if it.rest_of_id)
    return Traces(tuple(dict.fromkeys(tokens)), tuple(dict.fromkeys(ids)))


def _in(place: str) -> Iterator[_Trace]:
    """Yield the traces in a text in order.

    It searches for MACs first: a hyphen followed by that many letters is rare.
    """
    end = 0
    for mac in _MAC.finditer(place):
        begin = max(end, mac.start() - LONGEST_FORM)
        if topic := _TOPIC_ABOVE.search(place, begin, mac.start()):
            rest = _REST_OF_ID.match(place, mac.end())
            end = (rest or mac).end()
            yield _Trace(topic[0], mac[1], rest[0] if rest else "")


def _with_hyphens(text: str) -> str:
    """Decode the hyphens that some programs encode needlessly."""
    return _HYPHEN.sub("-", text) if "2d" in text or "2D" in text else text


def _unfolded(text: str) -> str:
    return _FOLD.sub("", text.replace("\r\n", "\n"))


def _readable(raw: bytes) -> Iterator[str]:
    yield _SOFT_END.sub(b"", raw).decode("latin-1")
    raw = b"\n" + raw  # the very first field also needs a line end before it
    low, end = raw.lower(), 0
    while part := _ENCODED.search(low, end):
        begin = _EMPTY_LINE.search(raw, part.end())
        if begin is None:
            return
        end = raw.find(b"\n--", begin.end())
        end = end if end >= 0 else len(raw)
        yield base64_decoded(raw[begin.end() : end]).decode("latin-1")
