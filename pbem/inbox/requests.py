"""Requests: what each line of an email asks for (docs/contracts.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pbem.commands import FoundCommand, find
from pbem.commands.api import Command, CommandContext, CommandResult, Giver, HelpGroup, Need, Scope
from pbem.games.api import ActionError, AnyGame, Reading
from pbem.games.replay import ends_nothing
from pbem.inbox.proof.sender import AnySender
from pbem.mail.addresses.addressing import without_secrets
from pbem.mail.message.limits import (
    MAX_FILES,
    MAX_FRESH,
    MAX_FRESH_LINES,
    MAX_REQUESTS,
    TOO_MANY_FILES,
    TOO_MANY_REQUESTS,
    TOO_MANY_WRITTEN_LINES,
    TOO_MUCH_WRITTEN,
)
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds.refusals import (
    AtTheShell,
    ForTheDirector,
    MatchHasEnded,
    NotTogether,
    NotYourTurn,
    OldTurn,
    RefusedError,
    TooLarge,
    WhichMatch,
)
from pbem.mail.reply.reply_text import Fresh, fresh_text
from pbem.mail.topic import StopTopic
from pbem.matches.acting import play
from pbem.ports.outbox import PostedMail
from pbem.service.members.absences import witness_of
from pbem.service.work import Work
from pbem.settings import mails

GOES_ON = "..."
"""How it is written that a turn goes on."""


@dataclass(frozen=True)
class Requests:
    """A mail's commands in order, its note, and what may have been meant."""

    items: tuple[tuple[str, ...] | FoundCommand, ...]
    """Action texts of neighbouring lines, or a command."""
    note: tuple[str, ...]
    """Lines that are neither, blank ones at both ends left out.

    They are passed on to other players, so no token is left in them.
    """
    mentioned: tuple[str, ...]
    """Words in the note that look like actions."""
    goes_on: bool = False
    """Whether the sender says that their turn goes on: the end of the mail does not end it."""

    @property
    def changes(self) -> bool:
        """Whether carrying them out would change the match."""
        return any(
            not isinstance(item, FoundCommand) or item.command.changes for item in self.items
        )

    @property
    def apart(self) -> bool:
        """Whether something is asked for that may change matches by itself."""
        return any(isinstance(item, FoundCommand) and item.command.apart for item in self.items)

    @property
    def for_strangers(self) -> bool:
        """Whether there are commands, and all of them for strangers too."""
        return self._all(lambda command: command.giver is Giver.STRANGER)

    @property
    def for_director(self) -> bool:
        """Whether there are commands, and all of them for a director who is a stranger."""
        return self._all(lambda command: command.giver in (Giver.STRANGER, Giver.DIRECTOR))

    @property
    def of_club(self) -> bool:
        """Whether there are commands, and none of them has to do with a match."""
        return self._all(lambda command: command.scope is Scope.CLUB)

    @property
    def needs_director(self) -> bool:
        """Whether no other mail than one to a director proves enough."""
        return self._needs(Need.DIRECTOR)

    @property
    def needs_own_question(self) -> bool:
        """Whether a mail of the match is too little to confirm them by."""
        return self._needs(Need.DIRECTOR, Need.MOVING, Need.RECENT, Need.UNDOING)

    @property
    def needs_trust(self) -> bool:
        """Whether a new address of their sender is too little to ask for them from."""
        return self._needs(Need.DIRECTOR, Need.MOVING, Need.RECENT, Need.NEWEST)

    @property
    def needs_newest(self) -> bool:
        """Whether an answer to the newest mail of all to the sender proves enough."""
        return self._needs(Need.MOVING)

    @property
    def needs_recent(self) -> bool:
        """Whether an old mail of ours proves too little."""
        return self._needs(Need.RECENT)

    @property
    def needs_undoing(self) -> bool:
        """Whether a mail of ours proves too little that came before their new addresses."""
        return self._needs(Need.UNDOING)

    @property
    def shared_with(self) -> tuple[str, ...]:
        """Addresses that would act for the sender."""
        found = (item for item in self.items if isinstance(item, FoundCommand))
        return tuple(each.arguments[0] for each in found if each.command.shares)

    @property
    def joining(self) -> tuple[str, ...]:
        """Names under which the sender would be a member."""
        found = (item for item in self.items if isinstance(item, FoundCommand))
        return tuple(
            each.arguments[0]
            for each in found
            if each.command.group is HelpGroup.JOIN and each.command.changes and each.arguments
        )

    def _needs(self, *needs: Need) -> bool:
        found = (item for item in self.items if isinstance(item, FoundCommand))
        return any(item.command.need in needs for item in found)

    def _all(self, fits: Callable[[Command], bool]) -> bool:
        found = [item.command for item in self.items if isinstance(item, FoundCommand)]
        return bool(found) and len(found) == len(self.items) and all(map(fits, found))

    @property
    def told(self) -> tuple[str, ...]:
        """What is asked for, each action and each command as it was written."""
        texts: list[str] = []
        for item in self.items:
            words = [item.written] if isinstance(item, FoundCommand) else item
            texts += (text.strip() for text in words)
        return (*texts, GOES_ON) if self.goes_on else tuple(texts)

    @property
    def empty(self) -> bool:
        """Whether there is no command at all."""
        return not self.items


def read_requests(fresh: str, game: AnyGame | None) -> Requests:
    """Requests of a fresh text.

    Raises InvalidAction for brackets that hold no action, and Refused where there is too much.
    """
    if len(fresh) > MAX_FRESH:
        raise RefusedError(TooLarge(TOO_MUCH_WRITTEN))
    if len(fresh.splitlines()) > MAX_FRESH_LINES:
        raise RefusedError(TooLarge(TOO_MANY_WRITTEN_LINES))
    items: list[tuple[str, ...] | FoundCommand] = []
    note: list[str] = []
    goes_on = False
    readings = _readings(fresh, game)
    for number, reading in enumerate(readings, start=1):
        found = None if reading.counts else find(without_secrets(reading.line))
        if found and found.command.takes_below:
            items.append(found.with_lines(reading.line, [each.line for each in readings[number:]]))
            break
        if found:
            items.append(found)
        elif not reading.counts:
            note.append(without_secrets(reading.line.rstrip()))
        else:
            goes_on = reading.goes_on
            _add_actions(items, reading.actions)
    if sum(1 if isinstance(item, FoundCommand) else len(item) for item in items) > MAX_REQUESTS:
        raise RefusedError(TooLarge(TOO_MANY_REQUESTS))
    words = tuple(w for line in note for w in game.mentioned(line)) if game else ()
    return Requests(tuple(items), _trimmed(note), words, goes_on)


def _readings(fresh: str, game: AnyGame | None) -> tuple[Reading, ...]:
    if game is None:
        return tuple(Reading(line, False) for line in fresh.splitlines())
    return game.read(fresh)


def _add_actions(items: list[tuple[str, ...] | FoundCommand], actions: tuple[str, ...]) -> None:
    if not actions:
        return
    last = items[-1] if items else None
    if last is not None and not isinstance(last, FoundCommand):
        items[-1] = (*last, *actions)
    else:
        items.append(actions)


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    """Lines without blank ones at the ends, and never two blank ones in a row."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
    return tuple(kept[:-1] if kept and not kept[-1].strip() else kept)


def fresh_of(work: Work, message: Message, sender: AnySender, answered: PostedMail | None) -> Fresh:
    """The fresh text of a mail; whatever was sent to where fewer mails are asked for asks for that.

    Programs send such a mail by themselves: empty, or with words of their own.
    """
    if isinstance(sender.topic, StopTopic):
        return Fresh(fewer_mails(sender.topic), message.text)
    about = None if sender.topic is None else sender.topic.key
    witness = witness_of(work, answered, sender.holder, about)
    return fresh_text(message.text, message.from_name, witness)


def fewer_mails(topic: StopTopic) -> str:
    """The line that asks for it."""
    return f"mails {topic.match} {mails.TURN}"


def carry_out(asked: CommandContext, requests: Requests) -> CommandResult:
    """Everything a mail asks for, in order.

    Raises Refused, CommandError or an ActionError; then nothing of it counts.
    """
    done = CommandResult()
    for item in requests.items:
        now = replace(asked, about=done.match or asked.about)
        if isinstance(item, FoundCommand):
            done = done.then(_command(replace(now, arguments=item.arguments), item.command))
        else:
            done = done.then(_actions(now, item, begun=bool(done.played)))
    if done.match is not None and (requests.apart or done.asks):
        raise RefusedError(NotTogether())
    if len(done.attachments) > MAX_FILES:
        raise RefusedError(TooLarge(TOO_MANY_FILES))
    if requests.goes_on:
        return done
    return done.then(_closing(replace(asked, about=done.match or asked.about), done))


def _command(asked: CommandContext, command: Command) -> CommandResult:
    """What a command does, if what it declares is given."""
    _require_giver(asked, command)
    if asked.about is None and command.scope is Scope.MATCH:
        raise RefusedError(WhichMatch())
    if command.need is Need.NEWEST:
        asked.require_newest()
    if command.need is Need.DIRECTOR or (command.need is Need.MOVING and asked.by_director):
        asked.require_newest_to_director()
    return command.run(asked)


def _require_giver(asked: CommandContext, command: Command) -> None:
    """Raises Refused unless the command may be asked for by who does."""
    if command.giver is Giver.DIRECTOR and not asked.by_director:
        raise RefusedError(ForTheDirector())
    if command.need is Need.DIRECTOR and not asked.by_member:
        raise RefusedError(AtTheShell())
    if command.giver is Giver.SEAT_TO_ACT:
        if asked.about is None:
            raise RefusedError(WhichMatch())
        if asked.match.player_to_act != asked.player.id:
            raise RefusedError(NotYourTurn())


def _actions(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> CommandResult:
    """Actions of the player; `begun` tells whether others came before in the mail."""
    if asked.about is None:
        raise RefusedError(WhichMatch())
    match = asked.match
    if begun and all(_ends_nothing(asked, text) for text in texts):
        return CommandResult()
    if match.result is not None:
        raise RefusedError(MatchHasEnded())
    _require_timely(asked, texts, begun=begun)
    return CommandResult.changed(play(match, asked.player.id, texts, asked.now, begun=begun))


def _closing(asked: CommandContext, done: CommandResult) -> CommandResult:
    """What the end of the mail stands for, where its actions have left a turn open."""
    if not done.played or asked.match.result is not None:
        return CommandResult()
    text = asked.match.game.closing(asked.match.position)
    if text is None or asked.match.player_to_act != asked.player.id:
        return CommandResult()
    return _actions(asked, [text], begun=True)


def _ends_nothing(asked: CommandContext, text: str) -> bool:
    """Whether a text only ends a turn that has ended by itself in this mail."""
    match = asked.match
    return ends_nothing(match.game, match.position, match.seat_for(asked.player.id), text)


def _require_timely(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> None:
    match, proof = asked.match, asked.proof
    if _declares_only(asked, texts):
        asked.require_newest()
    elif match.player_to_act != asked.player.id:
        raise RefusedError(NotYourTurn())
    elif proof is not None and not begun and proof.turn != match.token_turn:
        raise RefusedError(OldTurn())


def _declares_only(asked: CommandContext, texts: Sequence[str]) -> bool:
    match = asked.match
    try:
        action = match.game.parse(match.position, texts[0], match.seat_for(asked.player.id))
    except ActionError:
        return False
    return len(texts) == 1 and action.declaration
