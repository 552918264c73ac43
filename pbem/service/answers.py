"""Answers: the one mail back to a player, whatever became of his."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.commands import Found
from pbem.commands.api import Done
from pbem.games.api import ActionError, AnyGame
from pbem.games.replay import suggestions
from pbem.inbox.requests import Requests, read_requests
from pbem.mail.incoming.message import Message
from pbem.mail.incoming.refusals import NoCommand, Refusal, Refused
from pbem.mail.incoming.reply_text import below_line
from pbem.mail.outgoing.match_view import columns
from pbem.matches.match import Match, Player
from pbem.matches.score import turn_lines
from pbem.service.notify import News, notify, rendered
from pbem.service.post import send_match_mail, send_plain_mail, view_of
from pbem.service.sender import Sender
from pbem.service.work import Work


def announce(
    work: Work, match: Match, author: Player, done: Done, requests: Requests, message: Message
) -> None:
    """Tells everybody in the match what a mail has changed."""
    notify(
        work,
        News(
            match=match,
            events=done.events,
            author=author,
            answered=message.message_id,
            sections=done.sections,
            taken=_taken(done, requests),
            note=requests.note,
        ),
    )


def _taken(done: Done, requests: Requests) -> tuple[str, ...]:
    """Commands as they were carried out, each once: canonical actions, words as they are."""
    actions = [played.text for played in done.played]
    words = dict.fromkeys(item.command.word for item in requests.items if isinstance(item, Found))
    return (*actions, *(word for word in words if word not in actions))


def answer(
    work: Work, sender: Sender[Player], done: Done, requests: Requests, message: Message
) -> None:
    """Answers commands that only read."""
    if sender.match is None:
        texts = rendered(work.club, done.sections, None)
        send_plain_mail(
            work,
            "answer",
            sender.who,
            f"Re: {message.subject}",
            answered=message.message_id,
            data={"sections": texts, "note": requests.note, "view": None},
        )
        return
    view = view_of(work, work.whole(sender.match), sender.who)
    texts = rendered(work.club, done.sections, view)
    send_match_mail(
        work,
        "answer",
        view,
        answered=message.message_id,
        data={"sections": texts, "note": requests.note},
    )


def refuse(work: Work, sender: Sender[Player], message: Message, refusal: Refusal) -> None:
    """Mails a refusal back, with the board where there is a match."""
    if sender.match is None:
        matches = work.matches.of_player(sender.who.id)
        send_plain_mail(
            work,
            refusal.name(),
            sender.who,
            f"Re: {message.subject}",
            answered=message.message_id,
            data={"view": None, "matches": matches, "changed": "", "line": "", **refusal.data},
        )
        return
    match = work.whole(sender.match)
    told = {"changed": _changed(work, sender), "matches": (), **refusal.data}
    if isinstance(refusal, NoCommand):
        told |= _meant(match, sender.who, refusal.mentioned, message)
    send_match_mail(
        work,
        refusal.name(),
        view_of(work, match, sender.who),
        from_name="please look again",
        answered=message.message_id,
        data=told,
    )


def _meant(
    match: Match, player: Player, mentioned: Sequence[str], message: Message
) -> dict[str, Any]:
    """What a mail without a command may have meant: actions that are legal now, each alone.

    And the line under which nothing was read, if a command stands below it.
    """
    seat = match.seat_for(player.id)
    legal = suggestions(match.game, match.position, seat, mentioned) if match.result is None else ()
    return {"mentioned": legal, "line": _line_above_commands(match.game, message)}


def _line_above_commands(game: AnyGame, message: Message) -> str:
    line, below = below_line(message.text)
    try:
        return "" if read_requests(below, game).empty else line
    except (ActionError, Refused):
        return ""


def _changed(work: Work, sender: Sender[Player]) -> str:
    """Turns since the mail that was answered."""
    if sender.match is None or sender.proof is None:
        return ""
    match = sender.match
    actions = work.matches.recorded(match.id, sender.proof.turn)
    return columns(str(line) for line in turn_lines(match.game, tuple(match.seats), actions))
