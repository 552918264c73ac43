"""Changes: carry out what an email changes, and find out what to tell about it."""

from __future__ import annotations

from dataclasses import replace

from pbem.archive.site.values import NoteKind
from pbem.commands import FoundCommand
from pbem.commands.api import CommandResult
from pbem.commands.plans import PLAN
from pbem.games.replay import counts_of, suggestions
from pbem.inbox.judgement import Accepted, RefusedMail
from pbem.inbox.proof.sender import AnySender, Sender
from pbem.inbox.requests import Requests
from pbem.mail.outgoing.kinds.refusals import NoCommand, Refusal, WhichMatch
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.topic import DigestTopic
from pbem.matches.match import Player
from pbem.matches.player_actions import Change
from pbem.service.play.change import apply
from pbem.service.play.notices import News, tell_players
from pbem.service.play.talk import keep
from pbem.service.post.post import answered_by
from pbem.service.work import Work


def with_clock_now(work: Work, judgement: Accepted | RefusedMail) -> Accepted | RefusedMail:
    """Return a judgement with the clock that its match has now, which may run for another time."""
    if judgement.sender.match is None:
        return judgement
    before, match = judgement.sender.match, work.matches.get(judgement.sender.match.id)
    judgement = replace(judgement, sender=replace(judgement.sender, match=match))
    # If the clock has changed, it replaces the one after the email's actions.
    goes_on = match.clock != before.clock
    if isinstance(judgement, Accepted) and judgement.done.match is not None and goes_on:
        changed = replace(judgement.done.match, clock=match.clock)
        return replace(judgement, done=replace(judgement.done, match=changed))
    return judgement


def with_effects(work: Work, done: CommandResult) -> CommandResult:
    """Run the effects of a result, and add the sections that they return."""
    said = [effect(work) for effect in done.effects]
    return replace(done, sections=(*done.sections, *(each for each in said if each)))


def as_they_are(work: Work, sender: AnySender, done: CommandResult) -> AnySender:
    """Return the sender as they are after the effects, so the answer uses their new settings."""
    if not done.effects:
        return sender
    if isinstance(sender.who, Player):
        match = sender.match and work.matches.get(sender.match.id)
        return replace(sender, who=work.players.get(sender.who.id), match=match)
    member = work.players.at(sender.who.address)
    return sender if member is None else Sender(member, proof=sender.proof)


def played(work: Work, judgement: Accepted) -> News:
    """Store the change of a match after its effects, with the note. Return the news for all."""
    sender, done, requests = judgement.sender, judgement.done, judgement.requests
    assert isinstance(sender.who, Player), "only players change matches"
    assert sender.match is not None, "the email is about a match"
    assert done.match is not None, "the match changes"
    before = work.whole(sender.match)
    change = Change(done.match, done.events)
    match = apply(work, before, change, judgement.reading.mail.received_at)
    if requests.note:
        keep(work, sender.match, sender.who, "\n".join(requests.note), NoteKind.NOTE)
    return News(
        match=match,
        before=before,
        events=done.events,
        author=sender.who,
        answered=answered_by(judgement.reading.message),
        sections=done.sections,
        taken=_taken(done, requests),
        counts=counts_of(match.game, before.position, done.played),
        note=requests.note,
        said=done.said,
        attachments=done.attachments,
    )


def pass_on_talk(work: Work, sender: AnySender, done: CommandResult) -> None:
    """Tell the others what was said in an email that changed nothing in its match."""
    if done.said and sender.match is not None and isinstance(sender.who, Player):
        match, author = work.whole(sender.match), sender.who
        tell_players(work, News(match, said=done.said, author=author, unread_by=author.id))


def _taken(done: CommandResult, requests: Requests) -> tuple[str, ...]:
    """Return what was carried out, each once: canonical texts of actions, then command words."""
    actions = [played.text for played in done.played]
    words = dict.fromkeys(
        item.command.word
        for item in requests.items
        if isinstance(item, FoundCommand) and item.command is not PLAN  # its section says it all
    )
    return (*actions, *(word for word in words if word not in actions))


def helpful(refusal: Refusal, sender: AnySender, view: MatchView | None) -> Refusal:
    """Return a refusal with what its reader can do: legal actions, or how to name a match."""
    if isinstance(refusal, WhichMatch):
        return replace(refusal, digest=isinstance(sender.topic, DigestTopic))
    if not isinstance(refusal, NoCommand) or view is None:
        return refusal
    match, seat = view.match, view.match.seat_for(view.you.id)
    if match.result is not None:
        return replace(refusal, mentioned=())
    mentioned = suggestions(match.game, match.position, seat, refusal.mentioned)
    return replace(refusal, mentioned=mentioned)
