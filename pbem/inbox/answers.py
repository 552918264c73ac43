"""Answers: the one mail back to a player, whatever became of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands import Found
from pbem.commands.api import Done
from pbem.games.api import ActionError, AnyGame
from pbem.games.replay import counts_of, suggestions
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import Requests, read_requests
from pbem.mail.message.message import Message
from pbem.mail.outgoing.figure import Figure
from pbem.mail.outgoing.kinds import Answer, RefusalMail
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.side_by_side import in_columns
from pbem.mail.refusals import NoCommand, Refusal, Refused
from pbem.mail.reply.reply_text import below_line
from pbem.matches.match import Match, Player
from pbem.matches.score import turn_lines
from pbem.service.play.change import tell
from pbem.service.play.fewer_mails import Waiting, told, waiting_in
from pbem.service.play.notices import News
from pbem.service.post.post import Answered, answered_by, post
from pbem.service.post.views import view_of
from pbem.service.work import Work


def announce(
    work: Work,
    before: Match,
    match: Match,
    author: Player,
    done: Done,
    requests: Requests,
    message: Message,
) -> None:
    """Tells everybody in the match what a mail has changed."""
    tell(
        work,
        News(
            match=match,
            before=before,
            events=done.events,
            author=author,
            answered=answered_by(message),
            sections=done.sections,
            taken=_taken(done, requests),
            counts=counts_of(match.game, before.position, done.played),
            note=requests.note,
            attachments=done.attachments,
        ),
    )


def _taken(done: Done, requests: Requests) -> tuple[str, ...]:
    """Commands as they were carried out, each once: canonical actions, words as they are."""
    actions = [played.text for played in done.played]
    words = dict.fromkeys(item.command.word for item in requests.items if isinstance(item, Found))
    return (*actions, *(word for word in words if word not in actions))


def answer(work: Work, sender: AnySender, done: Done, requests: Requests, message: Message) -> None:
    """Answers commands that changed no match, with notes that the reader was not mailed yet."""
    view = _view(work, sender) or _shown(work, sender, done)
    waiting = waiting_in(work, view.match).get(view.you.id, Waiting()) if view else Waiting()
    mail = Answer(view, done.sections, requests.note, waiting.notes)
    answered, files = _answered(sender, message), done.attachments
    post(work, mail, _reader(sender), answered, attachments=files)
    if view:
        told(work, view, waiting)


def _shown(work: Work, sender: AnySender, done: Done) -> MatchView | None:
    """The match of theirs that somebody has asked to see, if that is all they have asked."""
    if done.shown is None or len(done.sections) != 1 or not isinstance(sender.who, Player):
        return None
    return view_of(work, done.shown, sender.who)


def refuse(
    work: Work,
    sender: AnySender,
    message: Message,
    refusal: Refusal,
    requests: Requests | None = None,
) -> None:
    """Mails a refusal back, with the board where a match was to be changed."""
    view = _view(work, sender)
    mail = RefusalMail(refusal, view, of_club=requests is not None and requests.of_club)
    if view is not None:
        mail = replace(mail, changed=_changed(work, sender))
    elif isinstance(sender.who, Player):
        mail = replace(mail, matches=work.matches.of_player(sender.who.id))
    if view is not None and isinstance(refusal, NoCommand):
        meant = replace(refusal, mentioned=_meant(view.match, view.you, refusal.mentioned))
        mail = replace(mail, refusal=meant, line=_line_above_commands(view.game, message))
    post(work, mail, _reader(sender), _answered(sender, message))


def _reader(sender: AnySender) -> Player | str:
    """Whom an answer goes to."""
    return sender.who if isinstance(sender.who, Player) else sender.who.address


def _answered(sender: AnySender, message: Message) -> Answered:
    """The mail that is answered; not its subject where nobody knows who wrote that."""
    if isinstance(sender.who, Player) or sender.proven:
        return answered_by(message)
    return Answered(message.message_id)


def _view(work: Work, sender: AnySender) -> MatchView | None:
    """The match that a mail is about, as its sender sees it."""
    if sender.match is None or not isinstance(sender.who, Player):
        return None
    return view_of(work, work.whole(sender.match), sender.who)


def _meant(match: Match, player: Player, mentioned: Sequence[str]) -> Sequence[str]:
    """What a mail without a command may have meant: actions that are legal now, each alone."""
    seat = match.seat_for(player.id)
    return suggestions(match.game, match.position, seat, mentioned) if match.result is None else ()


def _line_above_commands(game: AnyGame, message: Message) -> str:
    """The line under which nothing was read, if a command stands below it."""
    line, below = below_line(message.text)
    try:
        return "" if read_requests(below, game).empty else line
    except (ActionError, Refused):
        return ""


def _changed(work: Work, sender: AnySender) -> Figure | None:
    """Turns since the mail that was answered."""
    if sender.match is None or sender.proof is None:
        return None
    match = sender.match
    actions = work.matches.recorded(match.id, sender.proof.turn - match.lead)
    return in_columns(str(line) for line in turn_lines(match.game, tuple(match.seats), actions))
