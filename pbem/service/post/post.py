"""Post: queues the mails of the club."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.log import get_logger, trace_of
from pbem.mail.addresses.addressing import message_id, reply_address, spread, with_unique
from pbem.mail.message.message import Message
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.kinds import ClubName, DirectorMail, Mail
from pbem.mail.outgoing.letter import (
    Attachment,
    Letter,
    Urgency,
    from_name,
    match_list,
    match_subject,
    offer_subject,
    references,
)
from pbem.mail.outgoing.look import USUAL, Look, ReplyTo
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import WrittenMail
from pbem.mail.topic import (
    DIRECTORS,
    AddressTopic,
    Dated,
    DirectorTopic,
    Holder,
    MatchTopic,
    MembershipTopic,
    OfferTopic,
    StopTopic,
    Topic,
    day_of,
)
from pbem.matches.competition import Competition
from pbem.matches.match import Match, MatchSummary, Player, RecordedAction
from pbem.matches.place import Place
from pbem.matches.score import since_last_turn, trails, turn_lines
from pbem.ports.outbox import NewMail, OutgoingMail
from pbem.ports.storage import UnitOfWork
from pbem.service.clocks.schedule import wide_pauses
from pbem.service.club import Club
from pbem.service.people import is_director, whom_directors_are
from pbem.service.post.allowance import allowance_of, require_room
from pbem.service.work import Work
from pbem.settings import board, mails

log = get_logger(__name__)


class Answered(NamedTuple):
    """The mail that is answered."""

    message_id: str
    subject: str = ""


NOT_ANSWERED = Answered("")


def answered_by(message: Message) -> Answered:
    """A received mail, as it is answered."""
    return Answered(message.message_id, message.subject)


def post(
    work: Work,
    mail: Mail,
    to: Player | str,
    answered: Answered = NOT_ANSWERED,
    *,
    topic: Topic | None = None,
    attachments: Sequence[Attachment] = (),
) -> str:
    """Queues a mail to a player, or to an address; returns its Message-ID, if there is one."""
    new = new_mail(work, mail, to, answered, topic=topic, attachments=attachments)
    if new is None:
        return ""
    queue(work, [new])
    return new.mail.message_id


def queue(work: Work, mails: Sequence[NewMail]) -> None:
    """Put emails into the outbox. Raise Refused if a member causes too many unasked ones."""
    require_room(work, mails)
    work.outbox.add_all(mails, work.now)
    if mails:
        work.jobs.enqueue("deliver")


def new_mail(
    work: Work,
    mail: Mail,
    to: Player | str,
    answered: Answered = NOT_ANSWERED,
    *,
    topic: Topic | None = None,
    attachments: Sequence[Attachment] = (),
    thread: Sequence[str] | None = None,
) -> NewMail | None:
    """The mail as it is queued for a player, or for an address; None for who gets none.

    `answered` is the mail of theirs that it answers, `thread` the Message-IDs of its topic to them,
    if they have been read. Each carries a token, so that an answer to it is proven; where it is
    about nothing else, it is about their membership, or their address.
    """
    player = _current(work, to) if isinstance(to, Player) else None
    if player is not None and not player.gets_mail:
        return None
    view = mail.about
    if view is not None:
        topic = MatchTopic(view.match.id, view.match.token_turn, view.seat)
    topic = topic or _of_nothing_else(work, player)
    holder: Holder = player.id if player else str(to)
    origin = _origin(work, topic, holder)
    name, address = (player.name, player.address) if player else ("", str(to))
    club = ClubName(work.club.name, work.club.director)
    title = _title(work, mail, topic)
    look = _look(work, player, title, origin, answered)
    if answered.message_id and work.cause is not None and work.cause.holder == holder:
        look = replace(look, answers_left=work.cause.answers_left)
    written = work.club.club_renderer.written(mail, club, name, look)
    _report(work, mail, written)
    letter = Letter(
        **origin._asdict(),
        from_name=from_name(work.club.name, written.from_name if title else ""),
        to_name=name,
        to_address=address,
        subject=title or written.subject or f"Re: {_REPLY.sub('', answered.subject)}",
        text=written.text,
        written_at=work.now,
        references=references(
            _thread(work, topic, holder) if thread is None else thread, answered.message_id
        ),
        answers=bool(answered.message_id),
        html=written.html,
        picture=written.picture,
        list_id=match_list(work.club.name, view.match.id, work.club.address) if view else "",
        unsubscribe="" if view is None or answered.message_id else _stop(work, view),
        attachments=tuple(attachments),
    )
    return _ready(work, mail, letter, player, topic)


def tell_director(work: Work, mail: DirectorMail, topic: Topic | None = None) -> None:
    """Queues a report to all directors: members who are, and the address in the configuration.

    Who is no member can answer nothing by mail.
    """
    for director in whom_directors_are(work):
        post(work, replace(mail, by_mail=isinstance(director, Player)), director, topic=topic)


def _report(work: Work, mail: Mail, written: WrittenMail) -> None:
    """Logs the templates that failed; `pbem status` shows them for a day."""
    for template, error in written.failures:
        told = {"template": template, "kind": mail.kind, "traceback": trace_of(error)}
        log.error("email not written as it should be", **told)
        work.faulty_templates.add(template)


class _Origin(NamedTuple):
    """What names a letter, and where it is answered to."""

    message_id: str
    from_address: str
    """Always the club's own, so that address books and filters know it."""
    reply_to: str


def _of_nothing_else(work: Work, player: Player | None) -> Topic:
    """Topic of a mail to somebody that is about nothing more than them.

    To a director it is what directors decide: their newest such mail lets them.
    """
    today = day_of(work.now)
    if player is None:
        return AddressTopic(today)
    if is_director(work.club, player):
        return DirectorTopic((work.outbox.latest_turn(DIRECTORS, player.id) or 0) + 1)
    return MembershipTopic(player.id, today)


def _origin(work: Work, topic: Topic, holder: Holder) -> _Origin:
    """With the token of its topic."""
    club, unique = work.club, work.club.unique()
    token = club.signer.token(topic, holder)
    own_id = message_id(token, unique, club.host)
    return _Origin(own_id, club.address, reply_address(_answered_at(club, topic), token))


def _answered_at(club: Club, topic: Topic) -> str:
    """Address of the club to which answers about a topic go: a match stays with one."""
    return spread(club.addresses, topic.match) if isinstance(topic, MatchTopic) else club.address


def _look(
    work: Work, player: Player | None, title: str, origin: _Origin, answered: Answered
) -> Look:
    """What the reader has chosen, and where an answer by a tap goes."""
    about = title or _REPLY.sub("", answered.subject) or work.club.name
    reply = ReplyTo(origin.reply_to, f"Re: {about}")
    return Look(board.SETTING.of(player), reply) if player else replace(USUAL, reply=reply)


_REPLY = re.compile(r"^(\s*re:)+\s*", re.IGNORECASE)


def _title(work: Work, mail: Mail, topic: Topic) -> str:
    """Subject of a match or an offer, which never changes, so that its mails stay one thread."""
    if mail.about is not None:
        return _of_match(work, mail.about)
    if isinstance(topic, OfferTopic):
        return offer_subject(work.club.name, topic.offer, mail.heading)
    return ""


def _stop(work: Work, view: MatchView) -> str:
    """Address by which the reader of an unasked mail gets fewer of the match."""
    token = work.club.signer.token(StopTopic(view.match.id), view.you.id)
    return reply_address(spread(work.club.addresses, view.match.id), token)


def _of_match(work: Work, view: MatchView) -> str:
    names = [view.names[player] for player in view.match.players]
    return match_subject(work.club.name, view.match.id, view.game.info.title, names)


def _thread(work: Work, topic: Topic, holder: Holder) -> list[str]:
    return [] if isinstance(topic, Dated) else work.outbox.thread(topic.key, holder)


def _ready(
    work: Work,
    written: Mail,
    letter: Letter,
    player: Player | None,
    topic: Topic,
) -> NewMail:
    mail = OutgoingMail(
        letter=letter,
        kind=written.kind,
        player=player.id if player else None,
        topic=topic.key,
        turn=topic.turn,
        bounce_key=_bounce_key(work.club),
        urgency=_urgency(written, letter, player),
        received_at=work.received_at,
        allowance=allowance_of(
            work, written, player.id if player else letter.to_address.casefold(), letter.to_address
        ),
    )
    return NewMail(mail, _failure(player, answers=letter.answers) if player else "")


def _urgency(written: Mail, letter: Letter, player: Player | None) -> Urgency:
    """Who has just written waits for the answer, of whatever kind it is.

    But anybody can write as a stranger, or as many of them: nobody's turn waits for theirs.
    """
    if player is None:
        return max(Urgency.NOTICE, written.urgency)
    return Urgency.PLAY if letter.answers else written.urgency


def send_again(work: Work, mail: OutgoingMail, player: Player) -> None:
    """Queues a mail that has not reached a player once more, to where their mail goes now.

    It is a row of its own, lest a late bounce of the first count against the new address.
    """
    new_id = with_unique(mail.message_id, work.club.unique())
    told = work.outbox.latest_turn(mail.topic, player.id) if mail.topic is not None else None
    letter = replace(mail.letter, message_id=new_id, to_name=player.name, to_address=player.address)
    again = replace(
        mail,
        letter=letter,
        # What was said of an older turn must not pass for the newest mail.
        turn=None if told is not None and mail.turn is not None and mail.turn < told else mail.turn,
        bounce_key=_bounce_key(work.club),
        received_at=None,
        allowance=None,
    )
    queue(work, [NewMail(again)])
    if question := work.questions.asked_by(mail.message_id):
        work.questions.asked(question.id, new_id)


def _bounce_key(club: Club) -> str | None:
    """A secret between the club and the mail servers: no header of the mail shows it."""
    return club.unique() if club.policy.bounce_addresses else None


def _current(work: Work, player: Player) -> Player:
    """The player as of now: the mail that is answered may have shown that they can be reached."""
    return player if player.reachable else work.players.get(player.id)


def _failure(player: Player, *, answers: bool) -> str:
    """Why a mail need not be tried: nobody takes it. An answer is: they wrote just now."""
    return "" if player.reachable or answers else "no address of the player accepts mail"


ROUNDS_SEARCHED = 6
"""Rounds looked back for a player's last turn that is not in the last one; a bound on what one mail
costs."""


def view_of(work: Work, match: Match, player: Player) -> MatchView:
    """A match as one player sees it."""
    return next(views_of(work, match, [player]))


def views_of(work: Work, match: Match, players: Sequence[Player]) -> Iterator[MatchView]:
    """A match as each of some players sees it; what they share is read once."""
    known = {player.id: player for player in players}
    everybody = [known.get(each) or work.players.get(each) for each in match.players]
    names = {each.id: each.name for each in everybody}
    bots = [each.id for each in everybody if each.bot]
    wide = wide_pauses(work, match)
    recorded = _recorded_lately(work, match)
    lines = turn_lines(match.game, tuple(match.seats), recorded)
    last = trails(match.game, recorded, match.seats)
    competition = competition_of(work, match)
    standing = None if competition is None else standing_of(work, competition, match.place)
    for player in players:
        yield MatchView(
            match=match,
            you=player,
            names=names,
            now=work.now,
            words=work.club.club_renderer.words,
            since=since_last_turn(lines, match.seats_of(player.id)),
            trails=last,
            due_at=match.clock.flag_at,
            competition=standing,
            mails=mails.chosen(player, match),
            bots=bots,
            wide_pauses=wide,
        )


def _recorded_lately(work: Work, match: Match) -> Sequence[RecordedAction]:
    """Actions since the last turn of each player: mostly those of one round."""
    round_ago = max(0, match.turn - len(match.seats))
    recorded = work.matches.recorded(match.id, round_ago)
    if round_ago and len(trails(match.game, recorded, match.seats)) < len(match.players):
        since = max(0, match.turn - ROUNDS_SEARCHED * len(match.seats))
        return work.matches.recorded(match.id, since)
    return recorded


def competition_of(uow: UnitOfWork, match: MatchSummary) -> Competition | None:
    """What a match belongs to."""
    return None if match.place is None else uow.competitions.get(match.place.competition)


def standing_of(
    uow: UnitOfWork, competition: Competition, place: Place | None = None, *, head: bool = True
) -> CompetitionView:
    """A competition as it stands, for the mail of the match at a place if one is given."""
    matches = uow.matches.of_competition(competition.id)
    # Somebody may play on for another who never entered it.
    everybody = {*competition.players, *(each for match in matches for each in match.players)}
    return CompetitionView(
        of=competition,
        matches=matches,
        names={player: uow.players.get(player).name for player in everybody},
        place=place,
        head=head,
    )
