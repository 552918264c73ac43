"""Exposure: tokens that were also emailed to others, as by a reply to all.

An opponent can send the token and the Message-IDs in it in their name. So from then on a mail of
the player counts only by what that one did not show: a mail they got later, or the token of a later
turn. Spending takes a good token, which only its player should have: nobody can spend that of
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pbem.mail.address import plain_addresses
from pbem.mail.addresses.addressing import MAC, ReplyToken, is_club_address, token_of_message_id
from pbem.mail.message.charsets import base64_decoded
from pbem.mail.message.limits import KIB
from pbem.mail.message.message import Message
from pbem.mail.topic import (
    FORM,
    LONGEST_FORM,
    AddressTopic,
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
"""Fields that tell to whom else a mail went; not where a server notes its own recipient."""
MOST_TOPICS = 20
"""Topics whose tokens are looked for in one mail."""


def is_exposed(
    work: Work, message: Message, topic: Topic, holder: Holder, exposure: Exposure | None
) -> bool:
    """Whether others may know all that proves a mail."""
    if exposure is None or topic.turn > exposure.turn:
        return False
    return all(posted.id <= exposure.mail for posted in mails_to(work, holder, message.references))


def note_exposures(
    work: Work, message: Message, raw: bytes, about: MatchSummary | None = None, *, by_person: bool
) -> None:
    """Notes whose proofs a mail has shown to others, whoever sent it and whatever it is.

    The match that it is about, if there is one, is locked.

    A good token in the mail of a person who is not its player has got out somehow; in that of a
    machine, which returns our mails, only its recipients tell.
    """
    traces = traces_in(raw, message.text)
    readers = _readers(work.club, message)
    author = {message.from_address} if by_person else set()
    for topic, holder in _proven(work, traces, message.from_address, about):
        if readers is None or (readers | author) - _addresses(work, holder):
            newest = _newest_shown(work, message, traces, topic, holder)
            work.exposures.note(topic.key, holder, Exposure(newest, topic.turn))


def _readers(club: Club, message: Message) -> set[str] | None:
    """Who has got a mail beside the club; None where that is not certain."""
    shown_to = plain_addresses(message.headers.written(*_SHOWN_TO))
    if shown_to is None or message.headers.excess:
        return None
    return {each for each in shown_to if not is_club_address(each, club.addresses)}


def _proven(
    work: Work, traces: Traces, author: str, about: MatchSummary | None
) -> Iterator[tuple[Topic, Holder]]:
    """Topics and holders of the good tokens; of one topic and holder the newest."""
    for key in list(dict.fromkeys(token.topic.key for token in traces.tokens))[:MOST_TOPICS]:
        tokens = [token for token in traces.tokens if token.topic.key == key]
        for holder in _holders(work, tokens[0].topic, author, about):
            good = [token.topic for token in tokens if work.club.signer.proves(token, holder)]
            if good:
                yield max(good, key=lambda topic: topic.turn), holder


def _holders(
    work: Work, topic: Topic, author: str, about: MatchSummary | None
) -> tuple[Holder, ...]:
    """Who may have been sent a token of a topic; that of an address does not tell which.

    Of whoever wrote the mail all addresses count: what was sent there before proves them still.
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
            case DirectorTopic():
                return tuple(each.id for each in directors(work))
            case QuestionTopic():  # what a stranger waits for is decided by a director
                deciding = tuple(each.id for each in directors(work))
                return (*_asked(work, topic, author), *deciding)
    except StorageError:
        return ()


def _players(work: Work, number: int, about: MatchSummary | None) -> tuple[Holder, ...]:
    """Who holds the seats of a match; in the one that a mail is about some may be given back to who
    wrote it, though not for good.
    """
    if about is not None and about.id == number and not about.hands.earlier:
        return about.players
    return work.matches.get(number).players


def _asked(work: Work, topic: QuestionTopic, author: str) -> tuple[Holder, ...]:
    """Who was asked; of a question that waits no more perhaps its author, as by a reply-all."""
    try:
        return (work.questions.get(topic.question).holder,)
    except StorageError:
        member = work.players.at(author)
        return (author,) if member is None else (member.id, author)


def _newest_shown(
    work: Work, message: Message, traces: Traces, topic: Topic, holder: Holder
) -> int:
    """Newest of our mails to somebody that is shown, at least the first with the token."""
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
"""Bytes of a mail that are searched beside its text; all its header fields are among them."""
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
    """Tokens, proven or not, and Message-IDs that carry one; each once."""

    tokens: tuple[ReplyToken, ...]
    message_ids: tuple[str, ...]


class _Trace(NamedTuple):
    """A token as it was found, in any case of letters, and what makes a Message-ID of it."""

    topic: str
    mac: str
    rest_of_id: str

    @property
    def message_id(self) -> str:
        """As it stands in headers."""
        return f"<{self.topic}-{self.mac}{self.rest_of_id}>"


def traces_in(raw: bytes, text: str) -> Traces:
    """Traces in the bytes of a mail, in those of its parts that are in base64, and in its text."""
    whole = [_with_hyphens(each) for each in (*_readable(raw[:MOST_BYTES]), text)]
    # Clients that quote write out where links go, and break that anywhere.
    places = (*whole, *map(_unfolded, whole))
    # Each once: a letter in HTML has the same address in each of its links.
    distinct = dict.fromkeys(trace for place in places for trace in _in(place))
    found = list(islice(distinct, MOST_TRACES))
    tokens = (ReplyToken(topic, it.mac.lower()) for it in found if (topic := read_topic(it.topic)))
    ids = (it.message_id for it in found if it.rest_of_id)
    return Traces(tuple(dict.fromkeys(tokens)), tuple(dict.fromkeys(ids)))


def _in(place: str) -> Iterator[_Trace]:
    """Traces in a text, in order; by their MACs, as few hyphens are followed by so many letters."""
    end = 0
    for mac in _MAC.finditer(place):
        begin = max(end, mac.start() - LONGEST_FORM)
        if topic := _TOPIC_ABOVE.search(place, begin, mac.start()):
            rest = _REST_OF_ID.match(place, mac.end())
            end = (rest or mac).end()
            yield _Trace(topic[0], mac[1], rest[0] if rest else "")


def _with_hyphens(text: str) -> str:
    """Text with those that some programs encode, who encode more than need be."""
    return _HYPHEN.sub("-", text) if "2d" in text or "2D" in text else text


def _unfolded(text: str) -> str:
    return _FOLD.sub("", text.replace("\r\n", "\n"))


def _readable(raw: bytes) -> Iterator[str]:
    yield _SOFT_END.sub(b"", raw).decode("latin-1")
    raw = b"\n" + raw  # a field at the very beginning stands below a line end, too
    low, end = raw.lower(), 0
    while part := _ENCODED.search(low, end):
        begin = _EMPTY_LINE.search(raw, part.end())
        if begin is None:
            return
        end = raw.find(b"\n--", begin.end())
        end = end if end >= 0 else len(raw)
        yield base64_decoded(raw[begin.end() : end]).decode("latin-1")
