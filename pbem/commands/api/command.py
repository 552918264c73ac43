"""What a command is: everything about it but what it does is declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from pbem.commands.api.asked import CommandContext, CommandResult
from pbem.mail.outgoing.kinds.refusals import ArgumentHelp, Usage


class Scope(Enum):
    """What a mail must be about for a command to be asked for in it."""

    MATCH = "match"
    CLUB = "club"
    """The club as a whole; which match the mail belongs to does not matter."""
    EITHER = "either"
    """A match where the mail is about one, else the club."""


class Need(Enum):
    """What must be proven of the sender."""

    NOTHING = "nothing"
    """The command only reads."""
    ANY = "any"
    """That the mail is theirs, whichever of our mails it answers."""
    RECENT = "recent"
    """And that this is not older than `RECENT_DAYS`."""
    UNDOING = "undoing"
    """And that this was sent since they added an address that is new."""
    MOVING = "moving"
    """And that it answers the newest mail of all to them; for a director, as `DIRECTOR`."""
    NEWEST = "newest"
    """And that it answers the newest mail to them."""
    DIRECTOR = "director"
    """And that it answers the newest mail to them as a director, whatever the match."""


RECENT_DAYS = 90
"""What an older mail of ours proves is no more than that somebody has got hold of it."""


class Giver(Enum):
    """Who may ask for a command."""

    STRANGER = "stranger"
    """Anybody, members too."""
    PLAYER = "player"
    SEAT_TO_ACT = "seat to act"
    DIRECTOR = "director"


class HelpGroup(Enum):
    """What somebody wants who looks for a command, in the order in which help tells of them.

    The headings stand with the templates, in `phrases.toml`.
    """

    JOIN = "join"
    """For those alone who are no members."""
    PLAY = "play"
    LOOK = "look"
    FIND = "find"
    CHOOSE = "choose"
    HELP = "help"
    DIRECT = "direct"
    """For the director alone."""


@dataclass(frozen=True)
class Argument:
    """A word that follows a command."""

    name: str
    """As help shows it."""
    required: bool = True
    rest: bool = False
    """Whether it takes all the words that are left."""
    among: Callable[[], Collection[str]] | None = None
    """Lower-case words of which it is one; None: any. With another one the line is a note."""
    fits: Callable[[str], bool] | None = None
    """Whether it can be a text; None: any. Likewise."""
    number: bool = False
    """Whether it is a number, such as that of a match; likewise."""
    below: bool = False
    """Whether the rest of its line and all lines below belong to it."""
    help: str = ""
    """What it is, in a player's words, for who has written something else."""

    @property
    def shown(self) -> str:
        """As it stands in a usage."""
        return self.name.upper() if self.required else f"[{self.name.upper()}]"

    def takes(self, text: str) -> bool:
        """Whether it can be a text."""
        if self.fits is not None and not self.fits(text):
            return False
        if self.number:
            return _NUMBER.fullmatch(text) is not None
        return self.among is None or text.casefold() in self.among()


@dataclass(frozen=True)
class Command:
    """A request that a line of a mail can make."""

    word: str
    """As it is written, lower case; may be two words."""
    summary: str
    """What it does, for `help`, in a player's words; its template may say it in other languages."""
    run: Callable[[CommandContext], CommandResult]
    """What it does; raises Refused, CommandError or an ActionError."""
    scope: Scope = Scope.MATCH
    need: Need = Need.NOTHING
    giver: Giver = Giver.PLAYER
    arguments: tuple[Argument, ...] = ()
    apart: bool = False
    """Whether it may change matches by itself, and stands in no mail that changes its own."""
    group: HelpGroup = HelpGroup.PLAY
    """Under which heading help has it; those of the director have one of their own."""
    shares: bool = False
    """Whether it lets the address that follows act for its giver."""

    def given_by(self, *, member: bool, director: bool) -> bool:
        """Whether somebody may want to give it; whose turn it is does not matter."""
        if self.giver is Giver.DIRECTOR or self.group is HelpGroup.DIRECT:
            return director
        if self.group is HelpGroup.JOIN:
            return not member
        return member or self.giver is Giver.STRANGER

    @property
    def changes(self) -> bool:
        """Whether it changes something: then the sender must be proven."""
        return self.need is not Need.NOTHING

    @property
    def takes_below(self) -> bool:
        """Whether the lines below it belong to it."""
        return any(argument.below for argument in self.arguments)

    @property
    def usage(self) -> str:
        """How it is written: arguments in capitals, those in brackets that may be left out."""
        return " ".join([self.word, *(argument.shown for argument in self.arguments)])

    @property
    def told(self) -> Usage:
        """How it is written, for a mail."""
        helps = (ArgumentHelp(each.name, each.required, each.help) for each in self.arguments)
        return Usage(self.word, self.summary, tuple(helps))

    def arguments_in(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """The words that follow it as its arguments; None if they are not.

        What is left out before others that are there is empty.
        """
        texts = _filled(self.arguments, words)
        if texts is None:
            return None
        given = len(texts)
        while given and not texts[given - 1]:
            given -= 1
        return texts[:given]


_NUMBER = re.compile(r"#?[0-9]{1,9}", re.ASCII)


def _filled(arguments: Sequence[Argument], words: Sequence[str]) -> tuple[str, ...] | None:
    """A text for each argument, empty for those that are left out; None if the words are others."""
    if not arguments:
        return None if words else ()
    first, *others = arguments
    taken = len(words) if first.rest or first.below else 1
    if words and first.takes(text := " ".join(words[:taken])):
        after = _filled(others, words[taken:])
        if after is not None:
            return (text, *after)
    if first.required:
        return None
    after = _filled(others, words)
    return None if after is None else ("", *after)
