"""Post: compose the club's emails and queue them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
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
from pbem.matches.competition_place import Place
from pbem.matches.history import Kind
from pbem.matches.match import Match, MatchSummary, Player, PlayerId, RecordedAction
from pbem.matches.match_options import NAMES
from pbem.matches.score import TurnLine, since_last_turn, trails, turn_lines
from pbem.ports.outbox import NewMail, OutgoingMail
from pbem.ports.storage import UnitOfWork
from pbem.service.clocks.schedule import wide_pauses
from pbem.service.club import Club
from pbem.service.people import is_director, names_in, whom_directors_are
from pbem.service.post.allowance import allowance_of, require_room
from pbem.service.reliability import paces_of
from pbem.service.standing import shared_ratings
from pbem.service.statistics import choices_for
from pbem.service.work import Work
from pbem.settings import board, forced, mails

log = get_logger(__name__)


class Answered(NamedTuple):
    """The email that is answered."""

    message_id: str
    subject: str = ""


NOT_ANSWERED = Answered("")


def answered_by(message: Message) -> Answered:
    """Return what an answer needs to know about a received email."""
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
    """Queue an email to a player or an address. Return its Message-ID, empty if none is sent."""
    new = new_mail(work, mail, to, answered, topic=topic, attachments=attachments)
    if new is None:
        return ""
    queue(work, [new])
    return new.mail.message_id


def queue(work: Work, mails: Sequence[NewMail]) -> None:
    """Queue emails. Raises RefusedError if a member causes too many unsolicited ones."""
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
    """Return an email to a player or an address, ready to queue. None if they get no email.

    `answered` is their email that it answers. `thread` has the Message-IDs of earlier emails to
    them on its topic, if already read. Each email carries a token, which proves an answer to it.
    Without another topic, it is about their membership or their address.
    """
    player = _current(work, to) if isinstance(to, Player) else None
    if player is not None and not player.gets_mail:
        return None
    view = mail.about
    if view is not None:
        topic = MatchTopic(view.match.id, view.match.token_turn, view.seat)
    topic = topic or _of_nothing_else(work, player, mail)
    holder: Holder = player.id if player else str(to)
    origin = _origin(work, topic, holder)
    name, address = (player.name, player.address) if player else ("", str(to))
    club = ClubName(work.club.name, work.club.director)
    title = _title(work, mail, topic)
    look = _look(work, player, title, origin, answered)
    if answered.message_id and work.cause is not None and work.cause.holder == holder:
        look = replace(look, answers_left=work.cause.answers_left)
    listed = mail.list_match
    written = work.club.club_renderer.written(mail, club, name, look)
    _report(work, mail, written)
    letter = Letter(
        **origin._asdict(),
        from_name=from_name(work.club.name, written.from_name if title else ""),
        to_name=name,
        to_address=address,
        subject=_subject(written, title, answered),
        text=written.text,
        written_at=work.now,
        references=references(
            _thread(work, topic, holder) if thread is None else thread, answered.message_id
        ),
        answers=bool(answered.message_id),
        html=written.html,
        picture=written.picture,
        list_id=match_list(work.club.name, listed, work.club.address) if listed else "",
        unsubscribe=_stop(work, listed, holder) if listed and not answered.message_id else "",
        attachments=tuple(attachments),
    )
    return _ready(work, mail, letter, player, topic)


def tell_director(work: Work, mail: DirectorMail, topic: Topic | None = None) -> None:
    """Queue a report to all directors: members with the role, and the configured address.

    A director who is not a member cannot answer by email.
    """
    for director in whom_directors_are(work):
        post(work, replace(mail, by_mail=isinstance(director, Player)), director, topic=topic)


def _report(work: Work, mail: Mail, written: WrittenMail) -> None:
    """Log the templates that failed. `pbem status` shows them for a day."""
    for template, error in written.failures:
        told = {"template": template, "kind": mail.kind, "traceback": trace_of(error)}
        log.error("email not written as it should be", **told)
        work.faulty_templates.add(template)


class _Origin(NamedTuple):
    """The identity of an email, and the address for answers."""

    message_id: str
    from_address: str
    """Always the club's own address, so that address books and filters recognise it."""
    reply_to: str


def _of_nothing_else(work: Work, player: Player | None, mail: Mail) -> Topic:
    """Return the topic of an email that is about nothing but its reader.

    For a director, it is their authority to decide: only their newest such email gives it.
    """
    today = day_of(work.now)
    if player is None:
        return AddressTopic(today)
    if is_director(work.club, player):
        return DirectorTopic(_director_turn(work, player, mail))
    return MembershipTopic(player.id, today)


def _director_turn(work: Work, player: Player, mail: Mail) -> int:
    """Return the turn in the token of an email to a director.

    All emails of one step have the same, so that any of them can be answered. Emails that say
    nothing of decisions, such as a copy of an announcement, leave it as it is.
    """
    turns = work.director_turns
    if player.id not in turns:
        latest = work.outbox.latest_turn(DIRECTORS, player.id)
        if latest is not None and not mail.supersedes:
            return latest
        turns[player.id] = (latest or 0) + 1
    return turns[player.id]


def _origin(work: Work, topic: Topic, holder: Holder) -> _Origin:
    """Return a new Message-ID and reply address with the token of a topic."""
    club, unique = work.club, work.club.unique()
    token = club.signer.token(topic, holder)
    own_id = message_id(token, unique, club.host)
    return _Origin(own_id, club.address, reply_address(_answered_at(club, topic), token))


def _answered_at(club: Club, topic: Topic) -> str:
    """Return the club's address for answers about a topic. It never changes for a match."""
    return spread(club.addresses, topic.match) if isinstance(topic, MatchTopic) else club.address


def _look(
    work: Work, player: Player | None, title: str, origin: _Origin, answered: Answered
) -> Look:
    """Return the reader's chosen look, and the address to which taps send answers."""
    about = title or _REPLY.sub("", answered.subject) or work.club.name
    reply = ReplyTo(origin.reply_to, f"Re: {about}")
    return Look(board.SETTING.of(player), reply) if player else replace(USUAL, reply=reply)


_REPLY = re.compile(r"^(\s*re:)+\s*", re.IGNORECASE)


def _subject(written: WrittenMail, title: str, answered: Answered) -> str:
    usual = title or written.subject or f"Re: {_REPLY.sub('', answered.subject)}"
    return written.own_subject or usual


def _title(work: Work, mail: Mail, topic: Topic) -> str:
    """Return the subject of a match or an offer. It never changes, so its emails form a thread."""
    if mail.about is not None:
        return _of_match(work, mail.about)
    if isinstance(topic, OfferTopic):
        return offer_subject(work.club.name, topic.offer, mail.heading)
    return ""


def _stop(work: Work, match: int, reader: Holder) -> str:
    """Return the address by which a reader gets fewer emails about a match."""
    token = work.club.signer.token(StopTopic(match), reader)
    return reply_address(spread(work.club.addresses, match), token)


def _of_match(work: Work, view: MatchView) -> str:
    match = view.match
    blind = match.options.of(NAMES) == "hidden"  # even after the end, or its thread would break
    names = [match.name_of_seats(p) if blind else view.names[p] for p in match.players]
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
        writer=written.writer,
    )
    return NewMail(mail, _failure(player, answers=letter.answers) if player else "")


def _urgency(written: Mail, letter: Letter, player: Player | None) -> Urgency:
    """Return an email's urgency. A member who has just written should not wait for the answer.

    Anybody can write as one stranger or as many, so strangers never delay a member's turn.
    """
    if player is None:
        return max(Urgency.NOTICE, written.urgency)
    return Urgency.PLAY if letter.answers else written.urgency


def send_again(work: Work, mail: OutgoingMail, player: Player) -> None:
    """Queue an email that did not reach a player again, to their current address.

    Uses a new row, so that a late bounce of the old one does not count against the new address.
    """
    new_id = with_unique(mail.message_id, work.club.unique())
    told = work.outbox.latest_turn(mail.topic, player.id) if mail.topic is not None else None
    letter = replace(mail.letter, message_id=new_id, to_name=player.name, to_address=player.address)
    again = replace(
        mail,
        letter=letter,
        # An email about an older turn must not count as the newest.
        turn=None if told is not None and mail.turn is not None and mail.turn < told else mail.turn,
        bounce_key=_bounce_key(work.club),
        received_at=None,
        allowance=None,
    )
    queue(work, [NewMail(again)])
    if question := work.questions.asked_by(mail.message_id):
        work.questions.asked(question.id, new_id)


def _bounce_key(club: Club) -> str | None:
    """Return a secret shared with the mail servers only. No header of the email shows it."""
    return club.unique() if club.policy.bounce_addresses else None


def _current(work: Work, player: Player) -> Player:
    """Return the player as of now. The email being answered may have made them reachable."""
    return player if player.reachable else work.players.get(player.id)


UNREACHABLE = "no address of the player accepts mail"
"""Stored as the reply to an email that was never sent."""


def _failure(player: Player, *, answers: bool) -> str:
    """Return why an email need not be tried, or an empty text. Answers are always tried."""
    return "" if player.reachable or answers else UNREACHABLE


MOST_SHOWN = 40
"""Turns that a digest shows of one match."""
ROUNDS_SEARCHED = 6
"""Rounds searched for a player's last turn if it is not in the last one. Bounds the cost of an
email.
"""


def view_of(work: Work, match: Match, player: Player) -> MatchView:
    """Return a match as one player sees it."""
    return next(views_of(work, match, [player]))


def views_of(
    work: Work,
    match: Match,
    players: Sequence[Player],
    by_club: Collection[int] = (),
    unconfirmed: Collection[PlayerId] = (),
    since: int | None = None,
) -> Iterator[MatchView]:
    """Yield a match as each of some players sees it. Shared data is read once.

    `by_club` are turns that the club has just played for a player. No email has shown
    `unconfirmed` players their own last turn yet. A digest shows a match `since` a turn at least,
    without its competition.
    """
    known = {player.id: player for player in players}
    everybody = [known.get(each) or work.players.get(each) for each in match.players]
    names = {each.id: each.name for each in everybody}
    bots = [each.id for each in everybody if each.bot]
    wide = wide_pauses(work, match)
    forced_turns = _forced_turns(work, match, players)
    recorded = _recorded_lately(work, match, more=bool(forced_turns), since=since)
    lines = turn_lines(match.game, tuple(match.seats), recorded)
    last = trails(match.game, recorded, match.seats)
    alone = match.hides_names or since is not None
    competition = None if alone else competition_of(work, match)
    standing = None if competition is None else standing_of(work, competition, match.place)
    if standing is not None and match.turn == 1 and match.result is None:
        standing = forecast_in(work, standing)
    ratings = {} if alone else shared_ratings(work, match.game_key, everybody)
    for player in players:
        yield MatchView(
            match=match,
            you=player,
            names=names_in(work, match, player) if match.hides_names else names,
            now=work.now,
            words=work.club.club_renderer.words,
            since=since_last_turn(
                lines,
                match.seats_of(player.id),
                {*by_club, *forced_turns},
                with_own=player.id in unconfirmed,
            )
            if since is None
            else _shown_since(lines, match, player.id, since),
            with_own=player.id in unconfirmed,
            trails=last,
            due_at=match.clock.flag_at,
            competition=standing,
            mails=mails.chosen(player, match),
            bots=bots,
            former=[each.id for each in everybody if each.former],
            wide_pauses=wide,
            ratings=ratings,
        )


def _shown_since(
    lines: Sequence[TurnLine], match: Match, player: PlayerId, since: int
) -> Sequence[TurnLine]:
    """Return the turns from one on, or since the player's last one, if that was earlier."""
    late = since_last_turn(lines, match.seats_of(player))
    first = min([since, *(line.turn for line in late[:1])])
    return [line for line in lines if line.turn >= first][-MOST_SHOWN:]


def _forced_turns(work: Work, match: Match, players: Iterable[Player]) -> Collection[int]:
    """Return the turns that the club played for players who need no email about them alone."""
    if not any(map(forced.is_on, players)):
        return ()
    happenings = work.matches.happenings(match.id)
    return {each.turn for each in happenings if each.kind is Kind.FORCED}


def _recorded_lately(
    work: Work, match: Match, *, more: bool = False, since: int | None = None
) -> Sequence[RecordedAction]:
    """Return the actions since each player's last turn, which is usually one round.

    With `more`, search several rounds. With `since`, start with that turn at the latest.
    """
    round_ago = max(0, match.turn - len(match.seats))
    if since is not None:
        round_ago = max(0, min(round_ago, since))
    recorded = work.matches.recorded(match.id, round_ago)
    if more or (round_ago and _lacks_trails(match, recorded)):
        since = max(0, match.turn - ROUNDS_SEARCHED * len(match.seats))
        return work.matches.recorded(match.id, since)
    return recorded


def _lacks_trails(match: Match, recorded: Sequence[RecordedAction]) -> bool:
    """Return whether some actions do not show the last turn of every player."""
    if any(match.game.paths(each.text) is None for each in recorded):
        return False
    return len(trails(match.game, recorded, match.seats)) < len(match.players)


def competition_of(uow: UnitOfWork, match: MatchSummary) -> Competition | None:
    """Return the competition of a match, None if it has none."""
    return None if match.place is None else uow.competitions.get(match.place.competition)


def standing_of(
    uow: UnitOfWork, competition: Competition, place: Place | None = None, *, head: bool = True
) -> CompetitionView:
    """Return a competition's standing. With a place, it is for emails of the match there."""
    matches = uow.matches.of_competition(competition.id)
    # A player who took over may never have entered the competition.
    seated = (each for match in matches for each in match.players)
    everybody = dict.fromkeys((*competition.players, *seated))
    return CompetitionView(
        of=competition,
        matches=matches,
        names={player.id: player.name for player in uow.players.get_all(everybody)},
        place=place,
        head=head,
    )


def forecast_in(work: Work, of: CompetitionView) -> CompetitionView:
    """Return a standing with the forecast of its end."""
    if of.standing.over:
        return of
    if of.of.id not in work.paces:
        which = choices_for(work.club, own=False)
        work.paces[of.of.id] = paces_of(work, of.of, which, work.now)
    return replace(of, paces=work.paces[of.of.id], now=work.now)
