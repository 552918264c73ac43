"""Post: queues the mails of the club."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.mail.incoming.addressing import message_id, reply_address, with_unique
from pbem.mail.incoming.message import Message
from pbem.mail.outgoing.kinds import ClubName, DirectorMail, Mail
from pbem.mail.outgoing.letter import Letter, readdressed, to_bytes
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import Written
from pbem.mail.outgoing.threading import match_subject, references
from pbem.matches.match import Match, Player
from pbem.matches.score import since_last_turn, turn_lines
from pbem.service.club import Club
from pbem.service.ports import OutgoingMail
from pbem.service.standings import competition_of, standing_of
from pbem.service.work import Work

ROUNDS_SEARCHED = 6
"""Rounds looked back for a player's last turn; a bound on what one mail costs."""


def view_of(work: Work, match: Match, player: Player) -> MatchView:
    """A match as one player sees it."""
    return next(views_of(work, match, [player]))


def views_of(work: Work, match: Match, players: Sequence[Player]) -> Iterator[MatchView]:
    """A match as each of some players sees it; what they share is read once."""
    known = {player.id: player.name for player in players}
    names = {other: known.get(other) or work.players.get(other).name for other in match.players}
    from_turn = max(0, match.turn - ROUNDS_SEARCHED * len(match.seats))
    lines = turn_lines(match.game, tuple(match.seats), work.matches.recorded(match.id, from_turn))
    competition = competition_of(work.uow, match)
    standing = None if competition is None else standing_of(work.uow, competition, match.place)
    due_at = work.deadlines.flag_at(match.id)
    for player in players:
        yield MatchView(
            match=match,
            you=player,
            names=names,
            now=work.now,
            words=work.club.renderer_for(player).words,
            since=since_last_turn(lines, match.seats_of(player.id)),
            due_at=due_at,
            competition=standing,
        )


class Answered(NamedTuple):
    """The mail that is answered."""

    message_id: str
    subject: str = ""


NOT_ANSWERED = Answered("")


def answered_by(message: Message) -> Answered:
    """A received mail, as it is answered."""
    return Answered(message.message_id, message.subject)


def post(work: Work, mail: Mail, to: Player | str, answered: Answered = NOT_ANSWERED) -> str:
    """Queues a mail to a player, or to an address; returns its Message-ID.

    `answered` is the mail of theirs that it answers.
    """
    player = _current(work, to) if isinstance(to, Player) else None
    name, address = (player.name, player.address) if player else ("", str(to))
    club = ClubName(work.club.name, work.club.director)
    written = work.club.renderer_for(player).written(mail, club, name)
    view, answers = mail.about, answered.message_id
    head = _of_match(work, view, written, answers) if view else _of_club(work, written, answered)
    letter = Letter(
        **head._asdict(),
        to_name=name,
        to_address=address,
        text=written.text,
        answers=bool(answers),
    )
    _post(work, mail.kind, letter, player, view.match if view else None)
    return letter.message_id


def tell_director(work: Work, mail: DirectorMail) -> None:
    """Queues a report to the director, if the club has one."""
    if work.club.director:
        post(work, mail, work.club.director)


class _Head(NamedTuple):
    """What the header of a letter says, its reader aside."""

    message_id: str
    from_name: str
    from_address: str
    subject: str
    references: tuple[str, ...]


def _of_match(work: Work, view: MatchView, written: Written, answers: str) -> _Head:
    match, club = view.match, work.club
    token = club.signer.token(match.id, match.turn, view.seat, view.you.id)
    names = [view.names[player] for player in match.players]
    return _Head(
        message_id=message_id(token, club.unique(), club.host),
        from_name=f"{club.name}, {written.from_name}" if written.from_name else club.name,
        from_address=reply_address(club.address, token),
        subject=match_subject(club.name, match.id, view.game.info.title, names),
        references=references(work.outbox.thread(match.id, view.you.id), answers),
    )


def _of_club(work: Work, written: Written, answered: Answered) -> _Head:
    return _Head(
        message_id=f"<{work.club.unique()}@{work.club.host}>",
        from_name=work.club.name,
        from_address=work.club.address,
        subject=written.subject or f"Re: {answered.subject}",
        references=(answered.message_id,) if answered.message_id else (),
    )


def _post(
    work: Work,
    kind: str,
    letter: Letter,
    player: Player | None,
    match: Match | None,
) -> None:
    mail = OutgoingMail(
        message_id=letter.message_id,
        recipient=letter.to_address,
        raw=to_bytes(letter, work.now),
        kind=kind,
        player=player.id if player else None,
        match_id=match.id if match else None,
        turn=match.turn if match else None,
        bounce_key=_bounce_key(work.club),
    )
    if player is None or not player.bot:  # nobody mails a bot: it looks at the match itself
        _queue(work, mail, _failure(player, answers=letter.answers) if player else "")


def send_again(work: Work, mail: OutgoingMail, player: Player) -> None:
    """Queues a mail that has not reached a player once more, to where his mail goes now.

    It is a row of its own, lest a late bounce of the first count against the new address.
    """
    new_id = with_unique(mail.message_id, work.club.unique())
    told = work.outbox.latest_turn(mail.match_id, player.id) if mail.match_id is not None else None
    again = replace(
        mail,
        message_id=new_id,
        recipient=player.address,
        raw=readdressed(mail.raw, new_id, player.name, player.address),
        # What was said of an older turn must not pass for the newest mail.
        turn=None if told is not None and mail.turn is not None and mail.turn < told else mail.turn,
        bounce_key=_bounce_key(work.club),
    )
    _queue(work, again)
    if mail.match_id is not None:
        work.inbound.asked_anew(player.id, mail.match_id, mail.message_id, new_id)


def _bounce_key(club: Club) -> str | None:
    """A secret between the club and the mail servers: no header of the mail shows it."""
    return club.unique() if club.policy.bounce_addresses else None


def _current(work: Work, player: Player) -> Player:
    """The player as he is now: the mail that is answered may have shown that he can be reached."""
    return player if player.reachable else work.players.get(player.id)


def _failure(player: Player, *, answers: bool) -> str:
    """Why a mail need not be tried: nobody takes it. An answer is: he wrote just now."""
    return "" if player.reachable or answers else "no address of the player accepts mail"


def _queue(work: Work, mail: OutgoingMail, failure: str = "") -> None:
    """Puts a mail into the outbox."""
    work.outbox.add(mail, work.now, failure=failure)
    work.jobs.enqueue("deliver")
