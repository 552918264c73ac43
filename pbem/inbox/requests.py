"""Requests: read what each line of an email asks for, and carry it out (docs/contracts.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeGuard

from pbem.commands import FoundCommand
from pbem.commands.api import Command, CommandContext, CommandResult, Giver, HelpGroup, Need, Scope
from pbem.commands.plans import PLAN, ahead
from pbem.games.api import ActionError, AnyGame, InvalidActionError, Reading
from pbem.games.lenient_text import plain
from pbem.games.replay import ends_nothing
from pbem.inbox.polite_moves import command_in, politely
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.texts import command_meant, parts_of
from pbem.mail.addresses.addressing import without_secrets
from pbem.mail.message.message import Message
from pbem.mail.message.size_limits import (
    MAX_FILES,
    MAX_FREE,
    MAX_FRESH,
    MAX_FRESH_LINES,
    MAX_REQUESTS,
    TOO_MANY_FILES,
    TOO_MANY_FREE,
    TOO_MANY_REQUESTS,
    TOO_MANY_WRITTEN_LINES,
    TOO_MUCH_WRITTEN,
)
from pbem.mail.outgoing.kinds.refusals import (
    AtTheShell,
    ForTheDirector,
    GameMissing,
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
from pbem.matches.match import MatchSummary, Player
from pbem.matches.plan_lines import FoundPlan, find_plan
from pbem.matches.player_actions import play
from pbem.ports.outbox import PostedMail
from pbem.ports.process import StorageError
from pbem.ports.room import Watch
from pbem.service.members.absences import witness_of
from pbem.service.watching import name_of, through
from pbem.service.work import Work
from pbem.settings import mails

GOES_ON = "..."
"""Written by players to say that their turn continues."""


def names_of(sender: AnySender, message: Message) -> tuple[str, ...]:
    """Return the names with which the sender may sign: a member's name, and that in the header."""
    member = (sender.who.name,) if isinstance(sender.who, Player) else ()
    return (*member, message.from_name)


def is_signed(line: str, names: Collection[str]) -> bool:
    """Return whether a line is only one of the names, or its first word, as below an email."""
    said = " ".join(plain(line).strip(" -.,!").casefold().split())
    whole = [" ".join(plain(name).casefold().split()) for name in names if name.strip()]
    return bool(said) and any(said in (name, name.split()[0]) for name in whole)


@dataclass(frozen=True)
class Requests:
    """The commands and actions of an email in order, its note, and words that may be actions."""

    items: tuple[tuple[str, ...] | FoundCommand, ...]
    """Action texts of adjacent lines, or a command."""
    note: tuple[str, ...]
    """Lines that are neither, without blank lines at both ends.

    Other players get them, so tokens are removed.
    """
    mentioned: tuple[str, ...]
    """Words in the note that look like actions."""
    goes_on: bool = False
    """Whether the sender says their turn continues, so the end of the email does not end it."""

    @property
    def changes(self) -> bool:
        """Whether the requests would change something."""
        return any(
            not isinstance(item, FoundCommand) or item.command.changes for item in self.items
        )

    @property
    def apart(self) -> bool:
        """Whether a request may change matches of its own."""
        return any(isinstance(item, FoundCommand) and item.command.apart for item in self.items)

    @property
    def free(self) -> bool:
        """Whether their answer uses none of those that a member gets in a day."""
        return self._all(lambda command: command.free)

    @property
    def for_strangers(self) -> bool:
        """Whether there are commands and all of them are for strangers too."""
        return self._all(lambda command: command.giver is Giver.STRANGER)

    @property
    def for_director(self) -> bool:
        """Whether there are commands and all of them are for a director who is not a member."""
        return self._all(lambda command: command.giver in (Giver.STRANGER, Giver.DIRECTOR))

    @property
    def by_director(self) -> bool:
        """Whether there are commands and all of them are directors'."""
        return self._all(lambda command: command.giver is Giver.DIRECTOR)

    @property
    def of_club(self) -> bool:
        """Whether there are commands and none of them concerns a match."""
        return self._all(lambda command: command.scope is Scope.CLUB)

    @property
    def needs_director(self) -> bool:
        """Whether only an answer to an email to a director is proof enough."""
        return self._needs(Need.DIRECTOR)

    @property
    def needs_own_question(self) -> bool:
        """Whether an answer to an email about the match is not enough to confirm them."""
        return self._needs(Need.DIRECTOR, Need.MOVING, Need.RECENT, Need.UNDOING)

    @property
    def needs_trust(self) -> bool:
        """Whether the requests must come from an address that may decide."""
        return self._needs(Need.DIRECTOR, Need.MOVING, Need.RECENT, Need.NEWEST)

    @property
    def needs_newest(self) -> bool:
        """Whether only an answer to the newest email to the sender is proof enough."""
        return self._needs(Need.MOVING)

    @property
    def needs_recent(self) -> bool:
        """Whether an answer to an old email is not proof enough."""
        return self._needs(Need.RECENT)

    @property
    def needs_undoing(self) -> bool:
        """Whether it takes an answer to an email sent after the sender's new addresses."""
        return self._needs(Need.UNDOING)

    @property
    def shared_with(self) -> tuple[str, ...]:
        """Addresses that could then act for the sender."""
        found = (item for item in self.items if isinstance(item, FoundCommand))
        return tuple(each.arguments[0] for each in found if each.command.shares)

    @property
    def joining(self) -> tuple[str, ...]:
        """Names under which the sender would join."""
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
        """All requests, each action and each command as written."""
        texts: list[str] = []
        for item in self.items:
            words = [item.written] if isinstance(item, FoundCommand) else item
            texts += (text.strip() for text in words)
        return (*texts, GOES_ON) if self.goes_on else tuple(texts)

    @property
    def empty(self) -> bool:
        """Whether there are no requests."""
        return not self.items


def read_requests(fresh: str, game: AnyGame | None, *, certain: bool = True) -> Requests:
    """Return the requests of a fresh text.

    Moves inside sentences count only if it is `certain` that the sender wrote them. Raises
    InvalidActionError for brackets without an action, and RefusedError if a limit is passed.
    """
    if len(fresh) > MAX_FRESH:
        raise RefusedError(TooLarge(TOO_MUCH_WRITTEN))
    if len(fresh.splitlines()) > MAX_FRESH_LINES:
        raise RefusedError(TooLarge(TOO_MANY_WRITTEN_LINES))
    read = [
        Requests((part,), (), ())
        if isinstance(part, FoundCommand)
        else _read_between(part, game, certain=certain)
        for part in parts_of(fresh, of_match=game is not None)
    ]
    items = _with_one_plan([item for each in read for item in each.items])
    if sum(1 if isinstance(item, FoundCommand) else len(item) for item in items) > MAX_REQUESTS:
        raise RefusedError(TooLarge(TOO_MANY_REQUESTS))
    return Requests(
        items,
        _trimmed([line for each in read for line in each.note]),
        tuple(word for each in read for word in each.mentioned),
        any(each.goes_on for each in read),
    )


RequestItem = tuple[str, ...] | FoundCommand
"""Actions of a player, or a command."""


def _with_one_plan(items: Sequence[RequestItem]) -> tuple[RequestItem, ...]:
    """Return requests with the lines of all plans in the first, since they are one tree."""
    plans = [each for each in items if isinstance(each, FoundCommand) and each.command is PLAN]
    if len(plans) < 2:
        return tuple(items)
    lines = [f"if {line.removeprefix('if ')}" for each in plans for line in _lines_of(each)]
    whole = FoundCommand(PLAN, ("\n".join(lines).partition(" ")[2],))
    kept = (whole if item is plans[0] else item for item in items)
    return tuple(item for item in kept if not any(item is each for each in plans[1:]))


def _lines_of(plan: FoundCommand) -> list[str]:
    return plan.arguments[0].split("\n")


def _read_between(fresh: str, game: AnyGame | None, *, certain: bool) -> Requests:
    """Return the requests of a text in which no text of a command has an end. Raises the same."""
    plan = find_plan(fresh, game) if game else None
    if _has_plan(plan):
        return _with_plan(plan, game, certain=certain)
    return _without_plan(fresh, game, certain=certain)


def _without_plan(fresh: str, game: AnyGame | None, *, certain: bool) -> Requests:
    """Return the requests of a text in which no line is part of a plan. Raises the same."""
    items: list[tuple[str, ...] | FoundCommand] = []
    note: list[str] = []
    goes_on, line_at, continued = False, -1, 0
    readings = _readings(fresh, game, certain=certain)
    for number, reading in enumerate(readings, start=1):
        if number <= continued:
            continue
        if _continues(items, reading, directly=line_at == number - 1):
            line_at = number
            continue
        found = None if reading.counts else command_meant(reading.line, of_match=game is not None)
        if found and found.command.takes_turns:
            items.append(found.with_turns(without_secrets(reading.line)))
            line_at = number
        elif found and found.takes_below:
            below = [each.line for each in _text_below(found, readings[number:])]
            continued = number + len(below)
            items.append(found.with_lines(reading.line, below))
        elif found:
            below = _wrapped(found, reading, readings[number:])
            continued = number + len(below)
            items.append(found.with_lines(reading.line, below) if below else found)
        elif not reading.counts:
            note.append(without_secrets(reading.line.rstrip()))
        else:
            goes_on = reading.goes_on
            _add_actions(items, reading.actions)
    words = tuple(w for line in note for w in game.mentioned(line)) if game else ()
    return Requests(tuple(items), _trimmed(note), words, goes_on)


def _text_below(found: FoundCommand, below: Sequence[Reading]) -> Iterator[Reading]:
    """Return the lines below a command that are its text, if no line ends it."""
    if not found.command.speaks:
        return iter(below)
    return takewhile(lambda each: not each.counts and command_in(each.line) is None, below)


def _wrapped(found: FoundCommand, reading: Reading, below: Sequence[Reading]) -> list[str]:
    """Return the lines below a command that continue its last argument."""
    if not found.command.wrapped(reading.line, found.arguments):
        return []
    return [each.line for each in takewhile(_is_text, below)]


def _has_plan(plan: FoundPlan | None) -> TypeGuard[FoundPlan]:
    """Return whether a plan was found that is not part of the text of a command above it."""
    if plan is None:
        return False
    above = map(command_in, plan.above.splitlines())
    return not any(found.takes_below and not found.command.speaks for found in above if found)


def _with_plan(plan: FoundPlan, game: AnyGame | None, *, certain: bool) -> Requests:
    """Return the requests of a text with a plan, which comes after those above it."""
    others = _without_plan(f"{plan.above}\n\n{plan.below}", game, certain=certain)
    at = len(_without_plan(plan.above, game, certain=certain).items)
    planned = FoundCommand(PLAN, ("\n".join(plan.lines).partition(" ")[2],))
    return replace(others, items=(*others.items[:at], planned, *others.items[at:]))


def _continues(
    items: list[tuple[str, ...] | FoundCommand], reading: Reading, *, directly: bool
) -> bool:
    """Add a line of actions to the last line of turns, if there is one. Return whether it did.

    So none of them is played by mistake, wherever an email program breaks a long line. `directly`
    says that it is the next line, so the break may be inside brackets.
    """
    for at, item in reversed([*enumerate(items)]):
        if isinstance(item, FoundCommand) and item.command.takes_turns:
            longer = item.and_turns(without_secrets(reading.line))
            in_bracket = item.is_in_bracket or longer.is_in_bracket
            if not reading.counts and not (directly and in_bracket):
                return False
            items[at] = longer
            return True
    return False


def _readings(fresh: str, game: AnyGame | None, *, certain: bool) -> Sequence[Reading]:
    if game is None:
        return tuple(Reading(line, False) for line in fresh.splitlines())
    readings = game.read(fresh)
    if not certain or any(each.counts for each in readings):
        return readings
    return politely(readings, game)


def _is_text(reading: Reading) -> bool:
    """Return whether a line is neither blank nor a request."""
    return bool(reading.line.strip()) and not reading.counts and command_in(reading.line) is None


def _add_actions(items: list[tuple[str, ...] | FoundCommand], actions: tuple[str, ...]) -> None:
    if not actions:
        return
    last = items[-1] if items else None
    if last is not None and not isinstance(last, FoundCommand):
        items[-1] = (*last, *actions)
    else:
        items.append(actions)


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    """Return lines without blank ones at the ends, and never two blank ones in a row."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
    return tuple(kept[:-1] if kept and not kept[-1].strip() else kept)


def fresh_of(work: Work, message: Message, sender: AnySender, answered: PostedMail | None) -> Fresh:
    """Return the fresh text of an email, or its subject if it has no text and is a request.

    Any email to an unsubscribe address asks for fewer emails. Programs send such emails
    automatically, empty or with words of their own.
    """
    if isinstance(sender.topic, StopTopic):
        return Fresh(fewer_mails(work, sender, sender.topic), message.text)
    about = None if sender.topic is None else sender.topic.key
    witness = witness_of(work, answered, sender.holder, about)
    fresh = fresh_text(message.text, message.from_name, witness)
    game = sender.match.game if sender.match else None
    if not fresh.fresh and _is_request(message.subject, game):
        return Fresh(message.subject, fresh.quoted)
    return fresh


def _is_request(subject: str, game: AnyGame | None) -> bool:
    """Return whether a subject is nothing but a request. The subject of a reply is not."""
    with suppress(RefusedError, InvalidActionError):
        requests = read_requests(subject, game)
        return not requests.empty and not requests.note
    return False


def fewer_mails(work: Work, sender: AnySender, topic: StopTopic) -> str:
    """Return the commands that ask for fewer emails of a match, or for none if it is watched."""
    watches: Sequence[Watch] = ()
    with suppress(StorageError):
        if isinstance(sender.who, Player):
            watches = through(work, sender.who.id, work.matches.get(topic.match))
    stops = [f"unwatch {name_of(work, each)}" for each in watches]
    return "\n".join(stops) or f"mails {topic.match} {mails.TURN}"


def carry_out(asked: CommandContext, requests: Requests) -> CommandResult:
    """Carry out all requests of an email in order.

    Raises RefusedError, CommandError or ActionError, and then none of them counts.
    """
    commands = (item.command for item in requests.items if isinstance(item, FoundCommand))
    if sum(command.free for command in commands) > MAX_FREE:
        raise RefusedError(TooLarge(TOO_MANY_FREE))
    done = CommandResult()
    for item in requests.items:
        now = replace(asked, about=done.match or asked.about, note=requests.note, done=done)
        if isinstance(item, FoundCommand):
            if item.command is PLAN and not requests.goes_on:  # it begins after the player's turn
                done = done.then(_closing(now, done))
                now = replace(now, about=done.match or asked.about, done=done)
            done = done.then(_command(replace(now, arguments=item.arguments), item.command))
        else:
            done = done.then(_actions(now, item, begun=bool(done.played)))
    if done.match is not None and requests.apart:
        raise RefusedError(NotTogether())
    if len(done.attachments) > MAX_FILES:
        raise RefusedError(TooLarge(TOO_MANY_FILES))
    if requests.goes_on:
        return done
    return done.then(_closing(replace(asked, about=done.match or asked.about), done))


def _command(asked: CommandContext, command: Command) -> CommandResult:
    """Run a command if its declared requirements are met."""
    _require_giver(asked, command)
    if asked.about is None and command.scope is Scope.MATCH:
        raise RefusedError(WhichMatch(number=_own_match(asked, command)))
    if command.scope is Scope.MATCH and not command.without_rules:
        require_rules(asked.match)
    if command.need is Need.NEWEST:
        asked.require_newest()
    if command.need is Need.DIRECTOR or (command.need is Need.MOVING and asked.by_director):
        asked.require_newest_to_director()
    return command.run(asked)


def _own_match(asked: CommandContext, command: Command) -> int:
    """Return the number of a player's match that `show 12` may mean, 0 for another line."""
    number = asked.arguments[0].lstrip("#") if asked.arguments else ""
    if command.changes or not (number.isascii() and number.isdigit()):
        return 0
    with suppress(StorageError):
        return int(number) if asked.player.id in asked.work.matches.get(int(number)).players else 0
    return 0


def require_rules(match: MatchSummary | None) -> None:
    """Raise RefusedError if there is a match and its game is not installed."""
    if match is not None and match.lacks_rules:
        title = match.game.info.title
        raise RefusedError(GameMissing(match.id, title, running=match.result is None))


def _require_giver(asked: CommandContext, command: Command) -> None:
    """Raise RefusedError unless the sender may use the command."""
    if command.giver is Giver.DIRECTOR and not asked.by_director:
        of_players = command_in(" ".join((command.word, *asked.arguments)))
        if of_players and of_players.takes_below and of_players.command.scope is Scope.MATCH:
            raise RefusedError(WhichMatch())
        raise RefusedError(ForTheDirector())
    if command.need is Need.DIRECTOR and not asked.by_member:
        raise RefusedError(AtTheShell())
    if command.giver is Giver.SEAT_TO_ACT:
        if asked.about is None:
            raise RefusedError(WhichMatch())
        if asked.match.player_to_act != asked.player.id:
            raise RefusedError(NotYourTurn())


def _actions(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> CommandResult:
    """Play actions of the player. `begun` says that the email played others before."""
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
    """Play the closing action that the end of an email implies if the turn is still open."""
    if not done.played or asked.match.result is not None:
        return CommandResult()
    text = asked.match.game.closing(asked.match.position)
    if text is None or asked.match.player_to_act != asked.player.id:
        return CommandResult()
    return _actions(asked, [text], begun=True)


def _ends_nothing(asked: CommandContext, text: str) -> bool:
    """Return whether a text only ends a turn that already ended automatically in this email."""
    match = asked.match
    return ends_nothing(match.game, match.position, match.seat_for(asked.player.id), text)


def _require_timely(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> None:
    match, proof = asked.match, asked.proof
    if _declares_only(asked, texts):
        asked.require_newest()
    elif match.player_to_act != asked.player.id:
        raise RefusedError(NotYourTurn(ahead(asked, texts)))
    elif proof is not None and not begun and proof.turn != match.token_turn:
        raise RefusedError(OldTurn())


def _declares_only(asked: CommandContext, texts: Sequence[str]) -> bool:
    match = asked.match
    try:
        action = match.game.parse(match.position, texts[0], match.seat_for(asked.player.id))
    except ActionError:
        return False
    return len(texts) == 1 and action.declaration
