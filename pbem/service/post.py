"""Post: queues the mails of the club."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.mail.incoming.addressing import message_id, reply_address
from pbem.mail.outgoing.letter import Letter, to_bytes
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.threading import match_subject, references
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.score import since_last_turn, turn_lines
from pbem.matches.sets import cross_table
from pbem.service.bots import is_bot
from pbem.service.club import Club
from pbem.service.ports import OutgoingMail, UnitOfWork

ROUNDS_SEARCHED = 6
"""Rounds looked back for a player's last turn; a bound on what one mail costs."""


def view_of(club: Club, uow: UnitOfWork, match: Match, position: Any, player: Player) -> MatchView:
    """A match as one player sees it."""
    return next(views_of(club, uow, match, position, [player]))


def views_of(
    club: Club, uow: UnitOfWork, match: Match, position: Any, players: Sequence[Player]
) -> Iterator[MatchView]:
    """A match as each of some players sees it; what they share is read once."""
    known = {player.id: player.name for player in players}
    names = {other: known.get(other) or uow.players.get(other).name for other in match.players}
    from_turn = max(0, match.turn - ROUNDS_SEARCHED * len(match.seats))
    lines = turn_lines(match.game, tuple(match.seats), uow.matches.recorded(match.id, from_turn))
    match_set = uow.sets.get(match.set_id) if match.set_id is not None else None
    table = cross_table(match_set, uow.matches.of_set(match_set.id)) if match_set else None
    event_text = _event_text(uow, match)
    due_at = uow.deadlines.flag_at(match.id)
    for player in players:
        yield MatchView(
            match=match,
            position=position,
            you=player,
            names=names,
            now=club.clock.now(),
            since=since_last_turn(lines, match.seats_of(player.id)),
            due_at=due_at,
            match_set=match_set,
            table=table,
            event_text=event_text,
        )


def _event_text(uow: UnitOfWork, match: Match) -> str:
    if match.event_id is None:
        return ""
    event = uow.events.get(match.event_id)
    names = {player: uow.players.get(player).name for player in event.players}
    return event.text(uow.matches.of_event(event.id), names, match.event_index)


def send_match_mail(
    club: Club,
    uow: UnitOfWork,
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
    match, you, now = view.match, view.you, club.clock.now()
    token = club.signer.token(match.id, match.turn, view.seat, you.id)
    text = club.renderer.text(kind, {"view": view, "club": club, "now": now, **(data or {})})
    letter = Letter(
        message_id=message_id(token, club.unique(), club.host),
        from_name=f"{club.name}, {from_name}" if from_name else club.name,
        from_address=reply_address(club.address, token),
        to_name=you.name,
        to_address=you.address,
        subject=match_subject(
            club.name, match.id, view.game.info.title, [view.names[p] for p in match.players]
        ),
        text=text,
        references=references(uow.outbox.thread(match.id, you.id), answered),
        answers=bool(answered),
    )
    mail = OutgoingMail(
        letter.message_id, you.address, to_bytes(letter, now), kind, you.id, match.id, match.turn
    )
    _queue(club, uow, mail)
    return letter.message_id


def send_plain_mail(
    club: Club,
    uow: UnitOfWork,
    kind: str,
    to: Player | str,
    subject: str,
    *,
    answered: str = "",
    data: Mapping[str, Any] | None = None,
) -> None:
    """Queues a mail that belongs to no match, to a player or an address."""
    now = club.clock.now()
    name, address = (to.name, to.address) if isinstance(to, Player) else ("", to)
    letter = Letter(
        message_id=f"<{club.unique()}@{club.host}>",
        from_name=club.name,
        from_address=club.address,
        to_name=name,
        to_address=address,
        subject=subject,
        text=club.renderer.text(kind, {"club": club, "name": name, **(data or {})}),
        references=(answered,) if answered else (),
        answers=bool(answered),
    )
    player: PlayerId | None = to.id if isinstance(to, Player) else None
    _queue(club, uow, OutgoingMail(letter.message_id, address, to_bytes(letter, now), kind, player))


def _queue(club: Club, uow: UnitOfWork, mail: OutgoingMail) -> None:
    """Puts a mail into the outbox, unless it is for a bot."""
    if not is_bot(club, mail.recipient):
        uow.outbox.add(mail, club.clock.now())


def tell_director(
    club: Club, uow: UnitOfWork, kind: str, subject: str, data: Mapping[str, Any]
) -> None:
    """Queues a report to the director, if the club has one."""
    if club.director:
        send_plain_mail(club, uow, kind, club.director, f"[{club.name}] {subject}", data=data)
