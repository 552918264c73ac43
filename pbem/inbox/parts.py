"""Parts: split an answer to a digest by match, each part with its proof.

Each part is judged as an email of its own about that match. The digest's token proves it as an
answer to exactly the turn that the digest showed (docs/contracts.md, "Answers to a digest").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from pbem.commands import FoundCommand
from pbem.commands.api import Scope
from pbem.games.api import ActionError, AnyGame
from pbem.inbox import texts
from pbem.inbox.confirmation import is_confirmation
from pbem.inbox.judgement import Accepted, JudgedBlocks, Judgement, MailReading, RefusedMail
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import read_requests
from pbem.mail.message.size_limits import (
    MAX_FILES,
    MAX_FREE,
    MAX_FRESH,
    MAX_REQUESTS,
    TOO_MANY_FILES,
    TOO_MANY_FREE,
    TOO_MANY_REQUESTS,
    TOO_MUCH_WRITTEN,
)
from pbem.mail.outgoing.kinds.refusals import (
    AnswerAlone,
    HeadingInText,
    MatchHasEnded,
    MovedOn,
    NotInDigest,
    NotTogether,
    NotYourMatch,
    Refusal,
    RefusedError,
    TooLarge,
)
from pbem.mail.reply.blocks import Block, NoMatch, blocks_of, heading_in
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.topic import DigestTopic, match_key
from pbem.matches.match import MatchSummary, Player
from pbem.matches.seat_changes import given_back
from pbem.ports.play import Digest
from pbem.ports.process import StorageError
from pbem.service.members.absences import witness_of
from pbem.service.work import Work


@dataclass(frozen=True)
class Part:
    """A part of an answer to a digest, as an email of its own."""

    sender: AnySender
    """The sender, with a match and its proof if the part is about one."""
    fresh: Fresh
    refusal: Refusal | None = None
    """Why it cannot be read at all."""


Read = Callable[[MailReading, Part], Judgement]
"""Judges a part."""


class Parts(NamedTuple):
    """The parts of an answer to a digest."""

    parts: Sequence[Part]
    unread: Sequence[str] = ()
    """Lines outside all blocks that are no requests."""


def parts_of(work: Work, reading: MailReading, sender: AnySender, fresh: Fresh) -> Parts:
    """Return the parts of an answer to a digest, at least one. Locks their matches.

    Raises RefusedError if there is too much of them.
    """
    if len(fresh.fresh) > MAX_FRESH:
        raise RefusedError(TooLarge(TOO_MUCH_WRITTEN))
    digest, about = _digest_of(work, sender), sender.topic.key if sender.topic else None
    witness = witness_of(work, reading.answered, sender.holder, about)
    blocks = _placed(work, digest, blocks_of(fresh, witness))
    if len(blocks) > MAX_REQUESTS:
        raise RefusedError(TooLarge(TOO_MANY_REQUESTS))
    named = {each.place for each in blocks if isinstance(each.place, int)}
    shown = sorted(named & digest.turns.keys()) if digest else []
    # In order, so that two workers never deadlock.
    locked = {each: match for each in shown if (match := _known(work.matches.lock, each))}
    parts, unread = [], list[str]()
    torn = _torn(blocks)
    for each in blocks:
        if each in torn:
            part = Part(sender, replace(fresh, fresh=each.text), HeadingInText())
            parts.append(part)
        elif isinstance(each.place, int):
            match = locked.get(each.place)
            parts.append(_of_match(work, sender, digest, match, each, fresh))
            if match is not None:
                unread += (text for text in each.beside if not _is_request(text, match.game))
        elif each.place is NoMatch.ABOVE and len(blocks) > 1 and not _asks(work, digest, each.text):
            unread += each.text.splitlines()
        else:
            parts.append(Part(sender, replace(fresh, fresh=each.text)))
    return Parts(parts or [Part(sender, replace(fresh, fresh=""))], unread)


def _torn(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks that may be parts of one text, because a line in it names a match.

    What its author says to few, or keeps, must not go to the players of that match.
    """
    ends = [texts.ends_of(each.text) for each in blocks]
    if not (any(each.opened for each in ends) and any(each.stray for each in ends)):
        return ()
    return [block for block, each in zip(blocks, ends, strict=True) if each.opened or each.stray]


def without_own_heading(match: MatchSummary, fresh: Fresh) -> Fresh:
    """Return the text of an email about one match, without a heading that names it.

    Raises RefusedError if there is a request below the heading of another match, or beside it.
    """
    lines = list(_lines_outside_texts(fresh.fresh))
    for at, heading in enumerate(map(heading_in, lines)):
        if heading is not None and heading.match != match.id:
            below = takewhile(lambda line: heading_in(line) is None, lines[at + 1 :])
            if _has_request("\n".join([heading.beside, *below]), match.game):
                raise RefusedError(NotInDigest(heading.match))
    lines = fresh.fresh.split("\n")
    above = list(takewhile(lambda line: not _takes_below(line), lines))
    headings = [heading_in(line) for line in above]
    if not any(each and each.match == match.id for each in headings):
        return fresh
    own = [
        each.beside if each and each.match == match.id else line
        for line, each in zip(above, headings, strict=True)
    ]
    return replace(fresh, fresh="\n".join([*own, *lines[len(above) :]]).strip("\n"))


def _lines_outside_texts(fresh: str) -> Iterator[str]:
    """Yield the lines of an email that are not surely the text of a command."""
    for piece in texts.parts_of(fresh, of_match=True):
        for line in [] if isinstance(piece, FoundCommand) else piece.splitlines():
            found = texts.command_meant(line, of_match=True)
            if found is not None and found.takes_below and not found.command.speaks:
                break  # all lines below are its text
            yield line


def _takes_below(line: str) -> bool:
    found = texts.command_meant(line, of_match=True)
    return found is not None and found.takes_below


def _digest_of(work: Work, sender: AnySender) -> Digest | None:
    """Return the digest that is answered, None if it has been pruned."""
    if not isinstance(sender.topic, DigestTopic):
        return None
    digest = work.digests.of(sender.topic.digest)
    return digest if digest is not None and digest.player == sender.holder else None


def _placed(work: Work, digest: Digest | None, blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks, with a text that names no match in the only one that it can be about."""
    if digest is None or [each.place for each in blocks] != [NoMatch.ABOVE]:
        return blocks
    if _is_about_no_match(work, digest, blocks[0].text):
        return blocks
    # The digest may have shown any of those that moved on as waiting.
    meant = [
        match.id
        for match in _shown(work, digest)
        if match.player_to_act == digest.player or match.token_turn != digest.turns[match.id]
    ]
    return [replace(blocks[0], place=meant[0])] if len(meant) == 1 else blocks


def _shown(work: Work, digest: Digest | None) -> list[MatchSummary]:
    """Return the matches that a digest showed."""
    known = (_known(work.matches.get, number) for number in (digest.turns if digest else ()))
    return [match for match in known if match is not None]


def _is_about_no_match(work: Work, digest: Digest, text: str) -> bool:
    """Return whether a text has only commands that need no match, and no words like moves."""
    try:
        items = read_requests(text, None).items
        commands = [each.command for each in items if isinstance(each, FoundCommand)]
        of_club = bool(commands) and all(each.scope is not Scope.MATCH for each in commands)
        return of_club and not _may_move(work, digest, text)
    except RefusedError:
        return False


def _asks(work: Work, digest: Digest | None, text: str) -> bool:
    """Return whether a text has commands, or words that may be moves in a match of the digest."""
    try:
        return not read_requests(text, None).empty or _may_move(work, digest, text)
    except RefusedError:
        return True


def _may_move(work: Work, digest: Digest | None, text: str) -> bool:
    """Return whether a text has words like moves of a match in the digest.

    Raises RefusedError if there is too much of it.
    """
    games = {match.game.info.key: match.game for match in _shown(work, digest)}
    try:
        readings = [read_requests(text, game) for game in games.values()]
    except ActionError:
        return True
    moves = (each for read in readings for each in (*read.items, *read.mentioned))
    return any(not isinstance(each, FoundCommand) for each in moves)


def _of_match(
    work: Work,
    sender: AnySender,
    digest: Digest | None,
    match: MatchSummary | None,
    block: Block,
    fresh: Fresh,
) -> Part:
    """Return the part about one match, refused if it is not as the digest showed it."""
    assert isinstance(block.place, int), "the block is about a match"
    number, who = block.place, sender.who
    part = Part(sender, replace(fresh, fresh=block.text))
    if match is None or digest is None or not isinstance(who, Player):
        return replace(part, refusal=NotInDigest(number))
    match = given_back(match, who.id)
    if who.id not in match.players:
        return replace(part, refusal=NotYourMatch(number))
    latest = work.outbox.latest(match_key(number), who.id)
    is_latest = latest is None or latest.queued_at <= digest.at
    part = replace(part, sender=sender.in_match(match, digest.turns[number], latest=is_latest))
    if match.token_turn != digest.turns[number]:
        return replace(part, refusal=MovedOn() if match.result is None else MatchHasEnded())
    beside = [each for each in block.beside if _is_request(each, match.game)]
    return replace(part, fresh=replace(fresh, fresh="\n".join([*beside, block.text])))


def _is_request(text: str, game: AnyGame) -> bool:
    """Return whether a text is nothing but a request."""
    with suppress(ActionError, RefusedError):
        requests = read_requests(text, game)
        return not requests.empty and not requests.note
    return False


def _has_request(text: str, game: AnyGame) -> bool:
    """Return whether a text has a request, or words that are read as a wrong one."""
    try:
        return not read_requests(text, game).empty
    except (ActionError, RefusedError):
        return True


def _known(read: Callable[[int], MatchSummary], number: int) -> MatchSummary | None:
    try:
        return read(number)
    except StorageError:
        return None


def together(reading: MailReading, sender: AnySender, parts: Parts, read: Read) -> Judgement:
    """Judge each of several parts with `read`, and return them together.

    A part that needs a confirmation is refused, since it takes an answer of its own.
    """
    blocks: list[Accepted | RefusedMail] = []
    for part in parts.parts:
        own = replace(reading, sender=part.sender, fresh=part.fresh)
        judgement = read(own, part)
        if _is_alone(part, judgement):
            alone = AnswerAlone(part.fresh.fresh.strip().splitlines(), part.sender.proven)
            judgement = RefusedMail(judgement.reading, part.sender, alone)
        assert isinstance(judgement, Accepted | RefusedMail), "nothing else is left"
        if isinstance(judgement, Accepted) and (too_much := _beside(blocks, judgement)):
            judgement = RefusedMail(judgement.reading, part.sender, too_much)
        blocks.append(judgement)
    return JudgedBlocks(reading, sender, blocks, parts.unread)


def _is_alone(part: Part, judgement: Judgement) -> bool:
    """Return whether a part needs an email of its own: it asks, confirms, or wants a digest."""
    if is_confirmation(part.fresh.fresh) or not isinstance(judgement, Accepted | RefusedMail):
        return True
    return isinstance(judgement, Accepted) and judgement.done.digest


def _beside(others: Sequence[Accepted | RefusedMail], block: Accepted) -> Refusal | None:
    """Return why a block cannot be carried out in the same email as those before it."""
    blocks = [*(each for each in others if isinstance(each, Accepted)), block]
    if block.requests.apart:
        return NotTogether()
    items = (item for each in blocks for item in each.requests.items)
    if sum(isinstance(each, FoundCommand) and each.command.free for each in items) > MAX_FREE:
        return TooLarge(TOO_MANY_FREE)
    if sum(len(each.done.attachments) for each in blocks) > MAX_FILES:
        return TooLarge(TOO_MANY_FILES)
    return None
