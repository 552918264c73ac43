"""What a command is: everything about it but what it does is declared."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum

from pbem.commands.api.asked import Asked
from pbem.commands.api.done import Done


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
    number: bool = False
    """Whether it is a number; with anything else the line is a note."""
    below: bool = False
    """Whether all lines below belong to it, too; then it takes the rest of its own."""

    def takes(self, text: str) -> bool:
        """Whether it can be a text."""
        if self.number and not (text.isascii() and text.isdigit() and len(text) <= 9):
            return False
        return self.among is None or text.casefold() in self.among()


@dataclass(frozen=True)
class Command:
    """A request that a line of a mail can make."""

    word: str
    """As it is written, lower case; may be two words."""
    summary: str
    """What it does, for `help`, in a player's words; its template may say it in other languages."""
    run: Callable[[Asked], Done]
    """What it does; raises Refused, CommandError or an ActionError."""
    scope: Scope = Scope.MATCH
    need: Need = Need.NOTHING
    giver: Giver = Giver.PLAYER
    arguments: tuple[Argument, ...] = ()
    apart: bool = False
    """Whether it may change matches by itself, and stands in no mail that changes its own."""

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
        """How it is written, arguments in capitals."""
        return " ".join([self.word, *(argument.name.upper() for argument in self.arguments)])

    def arguments_in(self, words: list[str]) -> tuple[str, ...] | None:
        """The words that follow it as its arguments; None if they are not."""
        least = sum(argument.required for argument in self.arguments)
        takes_rest = bool(self.arguments) and (self.arguments[-1].rest or self.takes_below)
        if len(words) < least or (len(words) > len(self.arguments) and not takes_rest):
            return None
        last = len(self.arguments) - 1
        texts = (*words[:last], " ".join(words[last:])) if words[last:] else tuple(words)
        fits = all(each.takes(text) for each, text in zip(self.arguments, texts, strict=False))
        return texts if fits else None
