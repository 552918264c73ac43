"""`appeal TEXT`: a player asks the directors for a decision about the match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from heapq import merge

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, Need, Section
from pbem.mail.outgoing.kinds import Digest, DirectorAppeal, Talk
from pbem.mail.outgoing.kinds.director import QuotedNote
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.topic import DigestTopic, match_key
from pbem.matches.match import Match, Player
from pbem.service.direct.decide import Director, log
from pbem.service.members.absences import thread_of
from pbem.service.people import directors
from pbem.service.play.notices import EMAILS
from pbem.service.post.post import tell_director, view_of
from pbem.service.work import Work


@dataclass(frozen=True)
class TooManyAppeals(Refusal):
    """The player has reached the daily limit of appeals about the match."""

    most: int


@dataclass(frozen=True)
class NoDirector(Refusal):
    """The club has no director to decide."""


def _appeal(asked: CommandContext) -> CommandResult:
    (text,) = asked.arguments
    if not (asked.work.club.director or directors(asked.work)):
        raise RefusedError(NoDirector())
    if not may_appeal(asked.work, asked.match, asked.player):
        raise RefusedError(TooManyAppeals(A_DAY))
    tell = partial(_tell, match=asked.match.id, player=asked.player, text=text)
    return CommandResult(sections=(Section("appealed", {"text": text}),), effects=(tell,))


def _tell(work: Work, match: int, player: Player, text: str) -> None:
    appeal(work, work.match(match), player, text)


COMMANDS = (
    Command(
        "appeal",
        "ask the director for a decision",
        _appeal,
        need=Need.ANY,
        without_rules=True,
        arguments=(Argument("text", below=True, help="the problem, with all lines below"),),
    ),
)


A_DAY = 3
"""Maximum number of appeals per day by one player about one match."""
_LOOKED_AT = 100


def may_appeal(work: Work, match: Match, player: Player) -> bool:
    """Return whether a player is below the daily limit of appeals."""
    since = work.now - timedelta(days=1)
    appeals = [
        each
        for each in work.decisions.newest(_LOOKED_AT, match.id)
        if each.by == player.id and each.at > since and each.line.startswith("appeal ")
    ]
    return len(appeals) < A_DAY


def appeal(work: Work, match: Match, player: Player, text: str) -> None:
    """Email an appeal to all directors, with the current board and the last notes."""
    notes = _last_notes(work, match, player)
    tell_director(work, DirectorAppeal(match, player, text, view_of(work, match, player), notes))
    log(work, Director(player.id), f"appeal {match.id}", text, match.id)


MOST_NOTES = 5
"""Maximum number of notes in a report. They are read from the club's emails."""
_WITH_NOTES = frozenset({Talk.name(), *(kind.name() for kind in EMAILS.values())})
_NOTE = re.compile(r"^([^|\s].*:)\n\n((?:\|(?: .*)?(?:\n|\Z))+)", re.MULTILINE)
"""A line that says whose note it is, then the note. That of a `tell` ends with a full stop."""


def _last_notes(work: Work, match: Match, player: Player) -> Sequence[QuotedNote]:
    """Return the last notes in the club's emails to a player about a match, oldest first.

    There are none if a director plays there, since partners may not read each other's notes yet.
    """
    if any(director.id in match.players for director in directors(work)):
        return ()
    found: dict[QuotedNote, None] = {}
    for text in _texts_about(work, match, player):
        quoted = _NOTE.findall(text)
        found |= dict.fromkeys(
            QuotedNote(head, tuple(line[2:] for line in lines.splitlines()))
            for head, lines in reversed(quoted)
        )
        if len(found) >= MOST_NOTES:
            break
    return list(reversed(list(found)[:MOST_NOTES]))


def _texts_about(work: Work, match: Match, player: Player) -> Iterator[str]:
    """Yield the texts of emails to a player about a match, and of that part of digests.

    Newest first.
    """
    digests = work.digests.showing(player.id, match.id)[:MOST_NOTES]
    topics = [match_key(match.id), *(DigestTopic(each.id).key for each in digests)]
    threads = [thread_of(work, player.id, topic) for topic in topics]
    for posted in merge(*threads, key=lambda each: each.id, reverse=True):
        if posted.mail.kind == Digest.name():
            _, _, part = f"\n{posted.mail.letter.text}".partition(f"\nMatch {match.id}: ")
            yield _NEXT_PART.split(part, maxsplit=1)[0]
        elif posted.mail.kind in _WITH_NOTES:
            yield posted.mail.letter.text


_NEXT_PART = re.compile(r"^(?:Match \d+: |\* \* \*$)", re.MULTILINE)
"""What ends a match in a digest."""
