"""`say`, `tell`, `memo`, `publish memos`, `unsay`: words of players beside their turns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from pbem.archive.site.values import NoteKind
from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Need,
    Section,
)
from pbem.commands.directing_members import starts_with_name
from pbem.mail.outgoing.kinds.refusals import NotInMatch, Refusal, RefusedError
from pbem.matches.match import Player, PlayerId
from pbem.matches.match_options import TALK
from pbem.service.people import names_in
from pbem.service.play.talk import (
    Limit,
    Saying,
    called_in,
    is_held,
    keep,
    last_said,
    limit_passed,
    memos_of,
    refresh_pages,
    take_back,
)
from pbem.service.work import Work


@dataclass(frozen=True)
class CannotSay(Refusal):
    """Something that cannot be said. `key` says why."""

    key: str
    to: str = ""
    """The player it was meant for."""


@dataclass(frozen=True)
class TooMuchSaid(Refusal):
    """One more text would pass a limit."""

    limit: Limit
    memo: bool


@dataclass(frozen=True)
class NothingSaid(Refusal):
    """There is nothing to take back, or no memo to publish."""

    memo: bool = False
    in_play: bool = False
    """Whether memos cannot be published because the match is not over."""


def _say(asked: CommandContext) -> CommandResult:
    text = "".join(asked.arguments)
    match, names = asked.match, names_in(asked.work, asked.match, asked.player)
    others = [each for each in match.players if each != asked.player.id]
    if not text:
        raise RefusedError(CannotSay("nothing"))
    if not match.hides_names and not any(_reads(asked, each) for each in others):
        raise RefusedError(CannotSay("nobody"))
    later = [names[each] for each in others if is_held(match, asked.player.id, each)]
    return _said(asked, Saying(text.split("\n")), "", {"later": later})


def _tell(asked: CommandContext) -> CommandResult:
    to, text = _recipient(asked)
    name = names_in(asked.work, asked.match, asked.player)[to]
    if to == asked.player.id:
        raise RefusedError(CannotSay("oneself"))
    if asked.match.options.of(TALK) == "open":
        raise RefusedError(CannotSay("open", name))
    if is_held(asked.match, asked.player.id, to):
        raise RefusedError(CannotSay("partner", name))
    if not asked.match.hides_names and not _reads(asked, to):
        raise RefusedError(CannotSay("nobody", name))
    if not text:
        raise RefusedError(CannotSay("nothing", name))
    return _said(asked, Saying(text.split("\n"), to), name, {})


def _recipient(asked: CommandContext) -> tuple[PlayerId, str]:
    """Return the player with the longest name before other words, and the text after the name."""
    text, known = asked.arguments[0], called_in(asked.work, asked.match, asked.player)
    ends = [word.end() for word in _WORD.finditer(text.partition("\n")[0])]
    for end in reversed(ends):
        name = " ".join(text[:end].split()).rstrip(",:").strip("\"'").casefold()
        if name in known:
            return known[name], text[end:].strip()
    names = names_in(asked.work, asked.match, asked.player)
    raise RefusedError(NotInMatch(text.split()[0], tuple(asked.match.seats), tuple(names.values())))


_WORD = re.compile(r"\S+")


def _reads(asked: CommandContext, player: PlayerId) -> bool:
    """Return whether a player is a person who gets email."""
    return asked.work.players.get(player).gets_mail


def _said(
    asked: CommandContext, saying: Saying, to: str, data: dict[str, list[str]]
) -> CommandResult:
    text = "\n".join(saying.lines)
    effect = partial(_keep, match=asked.match.id, by=asked.player, text=text, kind=saying.kind)
    section = Section("said", {"to": to, "text": text, "later": (), **data})
    return CommandResult(sections=(section,), effects=(effect,), said=(saying,))


def _keep(work: Work, match: int, by: Player, text: str, kind: NoteKind) -> None:
    """Store a text. Raises RefusedError if a limit is passed, also by others of the same email."""
    limit = limit_passed(work, by.id, match, kind)
    if limit is not None:
        raise RefusedError(TooMuchSaid(limit, memo=kind is NoteKind.MEMO))
    keep(work, work.matches.get(match), by, text, kind)


def _memo(asked: CommandContext) -> CommandResult:
    """Store a memo, or list all of the match."""
    text, match = "".join(asked.arguments), asked.match
    if not text:
        memos = memos_of(asked.work, asked.player.id, match.id)
        return CommandResult.answered("memos", memos=memos, over=match.result is not None)
    effect = partial(_keep, match=match.id, by=asked.player, text=text, kind=NoteKind.MEMO)
    section = Section("memo", {"text": text, "turn": match.turn})
    return CommandResult(sections=(section,), effects=(effect,))


def _publish(asked: CommandContext) -> CommandResult:
    if asked.match.result is None:
        raise RefusedError(NothingSaid(memo=True, in_play=True))
    memos = memos_of(asked.work, asked.player.id, asked.match.id)
    if not memos:
        raise RefusedError(NothingSaid(memo=True))

    def write(work: Work) -> None:
        for memo in memos:
            work.notes.publish(memo)
        refresh_pages(work, asked.match.id)

    return CommandResult(sections=(Section("memos_published", {"memos": memos}),), effects=(write,))


def _unsay(asked: CommandContext) -> CommandResult:
    return CommandResult(effects=(partial(_take_back, match=asked.match.id, by=asked.player.id),))


def _take_back(work: Work, match: int, by: PlayerId) -> Section:
    """Take back what a player said last, perhaps in the same email. Raises RefusedError."""
    note = last_said(work, by, match)
    if note is None:
        raise RefusedError(NothingSaid())
    take_back(work, match, note)
    return Section("unsaid", {"turn": note.turn, "text": note.text})


_TEXT = Argument(
    "text", required=False, spoken=True, help="your text; after several lines, a line end"
)

COMMANDS = (
    Command(
        "say",
        "say something to the whole table at once",
        _say,
        need=Need.ANY,
        arguments=(_TEXT,),
    ),
    Command(
        "tell",
        "say something to one player, whom you name",
        _tell,
        need=Need.ANY,
        arguments=(
            Argument(
                "player text",
                spoken=True,
                fits=starts_with_name,
                help="a player or a seat, then your text; after several lines, a line end",
            ),
        ),
    ),
    Command(
        "unsay",
        "take back what you said last",
        _unsay,
        need=Need.ANY,
        without_rules=True,
    ),
    Command(
        "memo",
        "write a memo that only you can read, or list your memos",
        _memo,
        need=Need.ANY,
        without_rules=True,
        arguments=(_TEXT,),
    ),
    Command(
        "publish memos",
        "after a match, let everyone read your memos",
        _publish,
        need=Need.ANY,
        without_rules=True,
    ),
)
