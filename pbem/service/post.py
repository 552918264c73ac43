"""Post: queues the mails of the club."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.phrases import ENGLISH
from pbem.mail.incoming.addressing import message_id, reply_address, with_unique
from pbem.mail.outgoing.letter import Letter
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.threading import match_subject, references
from pbem.mail.topic import Holder, MatchTopic, Topic
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
    for player in players:
        yield MatchView(
            match=match,
            you=player,
            names=names,
            now=work.now,
            words=ENGLISH,
            since=since_last_turn(lines, match.seats_of(player.id)),
            due_at=match.clock.flag_at,
            competition=standing,
        )


def send_match_mail(
    work: Work,
    kind: str,
    view: MatchView,
    *,
    from_name: str = "",
    answered: str = "",
    data: Mapping[str, Any] | None = None,
) -> str:
    """Queues a mail of a match to the viewer; returns its Message-ID.

    `answered` is the Message-ID of the mail of his that it answers.
    """
    match, you = view.match, _current(work, view.you)
    topic = MatchTopic(match.id, match.turn, view.seat)
    its_id, reply_to = _origin(work, topic, you.id)
    told = {"view": view, "club": work.club, "now": work.now, **(data or {})}
    names = [view.names[player] for player in match.players]
    letter = Letter(
        message_id=its_id,
        from_name=f"{work.club.name}, {from_name}" if from_name else work.club.name,
        from_address=reply_to,
        to_name=you.name,
        to_address=you.address,
        subject=match_subject(work.club.name, match.id, view.game.info.title, names),
        text=work.club.renderer.text(kind, told, view.history_line),
        written_at=work.now,
        references=references(_thread(work, topic, you.id), answered),
        answers=bool(answered),
    )
    _post(work, kind, letter, you, topic)
    return letter.message_id


def send_plain_mail(
    work: Work,
    kind: str,
    to: Player | str,
    subject: str,
    *,
    answered: str = "",
    data: Mapping[str, Any] | None = None,
    topic: Topic | None = None,
) -> str:
    """Queues a mail that belongs to no match, to a player or an address; returns its Message-ID.

    One about a topic carries a token, so that an answer to it is proven.
    """
    player = _current(work, to) if isinstance(to, Player) else None
    name, address = (player.name, player.address) if player else ("", str(to))
    holder: Holder = player.id if player else address
    its_id, reply_to = _origin(work, topic, holder)
    letter = Letter(
        message_id=its_id,
        from_name=work.club.name,
        from_address=reply_to,
        to_name=name,
        to_address=address,
        subject=subject,
        text=work.club.renderer.text(kind, {"club": work.club, "name": name, **(data or {})}),
        written_at=work.now,
        references=references(_thread(work, topic, holder), answered),
        answers=bool(answered),
    )
    _post(work, kind, letter, player, topic)
    return letter.message_id


def _origin(work: Work, topic: Topic | None, holder: Holder) -> tuple[str, str]:
    """Message-ID and From of a mail, with the token of its topic if it has one."""
    club, unique = work.club, work.club.unique()
    if topic is None:
        return f"<{unique}@{club.host}>", club.address
    token = club.signer.token(topic, holder)
    return message_id(token, unique, club.host), reply_address(club.address, token)


def _thread(work: Work, topic: Topic | None, holder: Holder) -> list[str]:
    return [] if topic is None else work.outbox.thread(topic.key, holder)


def _post(
    work: Work,
    kind: str,
    letter: Letter,
    player: Player | None,
    topic: Topic | None = None,
) -> None:
    mail = OutgoingMail(
        letter=letter,
        kind=kind,
        player=player.id if player else None,
        topic=topic.key if topic else None,
        turn=topic.turn if topic else None,
        bounce_key=_bounce_key(work.club),
    )
    if player is None or not player.bot:  # nobody mails a bot: it looks at the match itself
        _queue(work, mail, _failure(player, answers=letter.answers) if player else "")


def send_again(work: Work, mail: OutgoingMail, player: Player) -> None:
    """Queues a mail that has not reached a player once more, to where his mail goes now.

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
    )
    _queue(work, again)
    if question := work.questions.asked_by(mail.message_id):
        work.questions.asked(question.id, new_id)


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


def tell_director(work: Work, kind: str, subject: str, data: Mapping[str, Any]) -> None:
    """Queues a report to the director, if the club has one."""
    if work.club.director:
        send_plain_mail(work, kind, work.club.director, f"[{work.club.name}] {subject}", data=data)
