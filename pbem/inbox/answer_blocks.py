"""Answer blocks: carry out an answer to a digest match by match, and answer it with one email.

That email is a digest too: its token proves answers to the turns that it and the first one show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pbem.inbox.changes import (
    as_they_are,
    helpful,
    pass_on_talk,
    played,
    with_clock_now,
    with_effects,
)
from pbem.inbox.judgement import Accepted, JudgedBlocks, RefusedMail, UnfitBlockError
from pbem.inbox.proof.sender import AnySender
from pbem.mail.outgoing.kinds import AnsweredBlock, DigestAnswer
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.topic import DigestTopic, match_key
from pbem.matches.match import Match, Player
from pbem.ports.play import Digest
from pbem.service.clocks.calendars import calendar_of
from pbem.service.play.change import tell
from pbem.service.play.notices import for_author
from pbem.service.play.talk import UnsentNotes, told, waiting_in
from pbem.service.post.post import answered_by, post, view_of
from pbem.service.work import Work


@dataclass
class _Done:
    """What has been done of an email so far."""

    blocks: list[AnsweredBlock] = field(default_factory=list)
    changed: list[Match] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)


def carry_out_blocks(work: Work, judgement: JudgedBlocks) -> Sequence[Match]:
    """Carry out each accepted block, and answer all of them at once. Return the changed matches.

    Raises UnfitBlockError if a block is impossible after all. The caller must roll back.
    """
    who = judgement.sender.who
    assert isinstance(who, Player), "only players get digests"
    done = _Done()
    for number, block in enumerate(judgement.blocks):
        try:
            _do(work, with_clock_now(work, block), done)
        except RefusedError as unfit:
            raise UnfitBlockError(number, unfit.refusal) from unfit
    boards = sum(each.shows_board for each in done.blocks)
    # The part about no match comes first, as headings only begin matches.
    blocks = sorted(done.blocks, key=lambda each: each.view is not None)
    mail = DigestAnswer([replace(each, boards=boards) for each in blocks], judgement.unread)
    views = [each.view for each in blocks if each.view is not None]
    shown = {view.match.id: view.match.token_turn for view in views if view.match.result is None}
    turns = {**_as_before(work, judgement.sender, views), **shown}
    topic = DigestTopic(work.digests.add(Digest(who.id, work.now, turns)).id)
    answered = answered_by(judgement.reading.message)
    post(work, mail, who, answered, topic=topic, attachments=tuple(dict.fromkeys(done.files)))
    return done.changed


def _do(work: Work, block: Accepted | RefusedMail, done: _Done) -> None:
    """Carry out a block that is accepted, and add what its author reads about it."""
    if isinstance(block, RefusedMail):
        done.blocks.append(_refused(work, block))
        return
    result = with_effects(work, block.done)
    block = replace(block, sender=as_they_are(work, block.sender, result), done=result)
    done.files += result.attachments
    sender = block.sender
    if sender.match is None or result.match is None or not isinstance(sender.who, Player):
        done.blocks.append(_answered(work, block))
        pass_on_talk(work, sender, result)
        return
    news = replace(played(work, block), answered_elsewhere=sender.who.id)
    match = tell(work, news)
    done.changed.append(match)
    done.files += calendar_of(work, sender.who, match, news.before)
    mail = for_author(work, replace(news, match=match))
    done.blocks.append(AnsweredBlock(sender.who.name, mail.view, progress=mail))


def _refused(work: Work, block: RefusedMail) -> AnsweredBlock:
    sender = block.sender
    assert isinstance(sender.who, Player), "only players get digests"
    view = _view(work, sender)
    refusal = helpful(block.refusal, sender, view)
    playing = () if view else work.matches.of_player(sender.who.id)
    return AnsweredBlock(sender.who.name, view, refusal=refusal, matches=playing)


def _answered(work: Work, block: Accepted) -> AnsweredBlock:
    """Return the answer to a block that changed no match, with notes that wait for its author."""
    assert isinstance(block.sender.who, Player), "only players get digests"
    view = _view(work, block.sender)
    notes = UnsentNotes()
    if view is not None:
        notes = waiting_in(work, view.match).get(view.you.id, notes)
        told(work, view, notes)
    name, requests = block.sender.who.name, block.requests
    return AnsweredBlock(name, view, block.done.sections, requests.note, notes.notes)


def _view(work: Work, sender: AnySender) -> MatchView | None:
    """Return the match of a block as its author sees it, None if there is none."""
    if sender.match is None or not isinstance(sender.who, Player):
        return None
    return view_of(work, work.match(sender.match.id), sender.who)


def _as_before(work: Work, sender: AnySender, views: Sequence[MatchView]) -> dict[int, int]:
    """Return the turns of the answered digest, without matches about which more was sent since."""
    digest = work.digests.of(sender.topic.digest) if isinstance(sender.topic, DigestTopic) else None
    if digest is None or not sender.proven:
        return {}
    others = digest.turns.keys() - {view.match.id for view in views}
    latest = {each: work.outbox.latest(match_key(each), digest.player) for each in others}
    return {
        each: digest.turns[each]
        for each, posted in latest.items()
        if posted is None or posted.queued_at <= digest.at
    }
