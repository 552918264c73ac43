"""A command as declared data: everything except its implementation."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from pbem.commands.api.context import CommandContext, CommandResult
from pbem.mail.outgoing.kinds.refusals import ArgumentHelp, Usage


class Scope(Enum):
    """The kind of email in which a command is valid."""

    MATCH = "match"
    CLUB = "club"
    """The club as a whole, whichever match the email is about."""
    EITHER = "either"
    """The match of the email if it has one, otherwise the club."""


class Need(Enum):
    """Proof of the sender that a command needs."""

    NOTHING = "nothing"
    """The command only reads."""
    ANY = "any"
    """The email comes from the sender, whichever of our emails it answers."""
    RECENT = "recent"
    """Like ANY, and the answered email is not older than `RECENT_DAYS`."""
    UNDOING = "undoing"
    """Like ANY, and the answered email was sent after they added an address that is still new."""
    MOVING = "moving"
    """Like ANY, and it answers the newest of all emails to them. For directors, like DIRECTOR."""
    NEWEST = "newest"
    """Like ANY, and it answers the newest email to them on its topic."""
    DIRECTOR = "director"
    """Like ANY, and it answers the newest email to them as a director, about any match."""


RECENT_DAYS = 90
"""An answer to an older email only proves that somebody got hold of it."""


class Giver(Enum):
    """The people who may use a command."""

    STRANGER = "stranger"
    """Anyone, including members."""
    PLAYER = "player"
    SEAT_TO_ACT = "seat to act"
    DIRECTOR = "director"


class HelpGroup(Enum):
    """Groups of commands, in the order that help shows them.

    Their headings are in the templates' `phrases.toml`.
    """

    JOIN = "join"
    """Only for people who are not members."""
    PLAY = "play"
    LOOK = "look"
    FIND = "find"
    CHOOSE = "choose"
    HELP = "help"
    DIRECT = "direct"
    """Only for directors."""


@dataclass(frozen=True)
class Argument:
    """A word that follows a command."""

    name: str
    """The name shown by help."""
    required: bool = True
    rest: bool = False
    """Whether it takes all remaining words."""
    among: Callable[[], Collection[str]] | None = None
    """Lower-case words that are valid, None for any. With an invalid one, the line is a note."""
    fits: Callable[[str], bool] | None = None
    """Checks whether a text is valid, None for any. With an invalid one, the line is a note."""
    before: Callable[[], Collection[str]] | None = None
    """Lower-case words that people write before it, such as `from` or `no.`. They are dropped."""
    number: bool = False
    """Whether it must be a number, for example of a match. Otherwise the line is a note."""
    below: bool = False
    """Whether the rest of the line and all lines below, up to a line `end`, belong to it."""
    spoken: bool = False
    """Like `below`, for what somebody says to players or to themselves. Without a line `end`, it
    also ends above moves and other commands, so that none of them is lost. No director sees it."""
    turns: bool = False
    """Whether it is a line of turns, read as written. All actions below in the email belong to it,
    so none of them is played by mistake."""
    wraps: bool = False
    """Whether it may continue below a long line, up to a blank line or another request."""
    help: str = ""
    """Description in a player's words, shown to someone who wrote an invalid one."""

    @property
    def shown(self) -> str:
        """The name as shown in a usage."""
        return self.name.upper() if self.required else f"[{self.name.upper()}]"

    def takes(self, text: str) -> bool:
        """Return whether a text is a valid value."""
        if self.fits is not None and not self.fits(text):
            return False
        if self.number:
            return _NUMBER.fullmatch(text) is not None
        return self.among is None or text.casefold() in self.among()


@dataclass(frozen=True)
class Command:
    """A request that one line of an email can make."""

    word: str
    """The lower-case word, or two words, that players write."""
    summary: str
    """Summary for `help` in a player's words. The template may translate it."""
    run: Callable[[CommandContext], CommandResult]
    """Implementation. Raises RefusedError, CommandError or ActionError."""
    scope: Scope = Scope.MATCH
    need: Need = Need.NOTHING
    giver: Giver = Giver.PLAYER
    arguments: tuple[Argument, ...] = ()
    apart: bool = False
    """Whether it may change matches on its own. Then no moves can be in the same email."""
    group: HelpGroup = HelpGroup.PLAY
    """The heading of `help` for it. Directors' commands have their own."""
    free: bool = False
    """Whether its answers use none of those that a member gets in a day."""
    shares: bool = False
    """Whether it lets the address in its argument act for the sender."""
    without_rules: bool = False
    """Whether it works in a match whose game is not installed. Only asked of the scope MATCH."""

    def given_by(self, *, member: bool, director: bool) -> bool:
        """Return whether somebody may ever use it, regardless of whose turn it is."""
        if self.giver is Giver.DIRECTOR or self.group is HelpGroup.DIRECT:
            return director
        if self.group is HelpGroup.JOIN:
            return not member
        return member or self.giver is Giver.STRANGER

    @property
    def changes(self) -> bool:
        """Whether it changes something, so the sender must be proven."""
        return self.need is not Need.NOTHING

    @property
    def takes_below(self) -> bool:
        """Whether the lines below it belong to it."""
        return self.speaks or any(argument.below for argument in self.arguments)

    @property
    def speaks(self) -> bool:
        """Whether its text is for players or for its author."""
        return any(argument.spoken for argument in self.arguments)

    def wrapped(self, line: str, given: Sequence[str]) -> bool:
        """Return whether a line, with these arguments, may continue below."""
        last = self.arguments[len(given) - 1] if given else None
        return last is not None and last.wraps and len(line.strip()) >= WRAPPED_FROM

    @property
    def takes_turns(self) -> bool:
        """Whether it takes a line of turns."""
        return any(argument.turns for argument in self.arguments)

    @property
    def usage(self) -> str:
        """The usage: arguments in capitals, optional ones in brackets."""
        return " ".join([self.word, *(argument.shown for argument in self.arguments)])

    @property
    def told(self) -> Usage:
        """The usage, for an email."""
        helps = (ArgumentHelp(each.name, each.required, each.help) for each in self.arguments)
        return Usage(self.word, self.summary, tuple(helps))

    def arguments_in(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """Return the words after the command as its arguments, None if they do not fit.

        An optional argument left out before others is an empty text.
        """
        texts = _filled(self.arguments, words)
        if texts is None:
            return None
        given = len(texts)
        while given and not texts[given - 1]:
            given -= 1
        return texts[:given]


WRAPPED_FROM = 50
"""Characters. Mail programs wrap longer lines, and lines below a shorter one are a note."""
_NUMBER = re.compile(r"#?[0-9]{1,9}", re.ASCII)


def _filled(arguments: Sequence[Argument], words: Sequence[str]) -> tuple[str, ...] | None:
    """Return a text for each argument, empty if left out, None if the words do not fit."""
    if not arguments:
        return None if words else ()
    first, *others = arguments
    for count in (2, 1):  # `open house` has two words
        before = " ".join(words[:count]).casefold()
        if before and first.before is not None and before in first.before():
            filled = _filled(arguments, words[count:])
            if filled is not None:
                return filled
    taken = len(words) if first.rest or first.below or first.spoken else 1
    if words and first.takes(text := " ".join(words[:taken])):
        after = _filled(others, words[taken:])
        if after is not None:
            return (text, *after)
    if first.required:
        return None
    after = _filled(others, words)
    return None if after is None else ("", *after)
