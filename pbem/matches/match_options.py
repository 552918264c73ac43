"""Match options that every game has, except time. Each has a few possible values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Choice:
    """A match option with a few possible values."""

    key: str
    """Key in `KEY=VALUE`. It appears in records, so it can never change."""
    usual: str
    """Default value. It is neither stored nor mentioned."""
    sayings: Mapping[str, Phrase]
    """Meanings of the other values."""

    @property
    def values(self) -> tuple[str, ...]:
        """All values, the default first."""
        return (self.usual, *self.sayings)

    def read(self, text: str) -> str:
        """Return the value that a text names. Raises OptionError."""
        value = text.strip().casefold()
        if value not in self.values:
            values = phrase("list.values", items=self.values)
            raise OptionError(phrase("choice.none", key=self.key, values=values, text=repr(text)))
        return value


FLAG = Choice(
    "flag",
    "director",
    {
        "loss": phrase("choice.flag-loss"),
        "claim": phrase("choice.flag-claim"),
        "bot": phrase("choice.flag-bot"),
        "substitute": phrase("choice.flag-substitute"),
        "play-on": phrase("choice.flag-play-on"),
    },
)
"""Consequence of running out of time."""
SUBSTITUTES = Choice("substitutes", "off", {"on": phrase("choice.substitutes-on")})
"""Whether a substitute may take over a player's seats."""
RESULTS = Choice("results", "end", {"split": phrase("choice.results-split")})
"""Owner of the result if a seat changed hands: its last player, or everyone who held it."""
NOTES = Choice("notes", "held", {"open": phrase("choice.notes-open")})
"""Whether partners read each other's notes at once or only after the match."""
TALK = Choice("talk", "any", {"open": phrase("choice.talk-open")})
"""Whether a player may say something to one other, or only to the whole table."""
NAMES = Choice("names", "shown", {"hidden": phrase("choice.names-hidden")})
"""Whether players and readers know the players' names before the end."""
TAKEBACKS = Choice("takebacks", "on", {"off": phrase("choice.takebacks-off")})
"""Whether a player may ask the others to take back a turn."""

CHOICES: Mapping[str, Choice] = {
    each.key: each for each in (FLAG, SUBSTITUTES, RESULTS, NOTES, TALK, NAMES, TAKEBACKS)
}


def read_choices(texts: Mapping[str, str], agreed: Mapping[str, str]) -> dict[str, str]:
    """Read some choices and keep the rest as agreed, without defaults. Raises OptionError."""
    read = {**agreed, **{key: CHOICES[key].read(text) for key, text in texts.items()}}
    if (read.get(NAMES.key), read.get(SUBSTITUTES.key)) == ("hidden", "on"):
        raise OptionError(phrase("choice.blind"))  # the others must know who would like to play
    return {
        key: read[key]
        for key, choice in CHOICES.items()
        if key in read and read[key] != choice.usual
    }


def read_chosen(text: str) -> dict[str, str]:
    """Read the text that `write_chosen` returns. Raises OptionError."""
    pairs = [word.partition("=") for word in text.split()]
    for key, _, _ in pairs:
        if key not in CHOICES:
            raise OptionError(phrase("choice.unknown", key=repr(key)))
    return read_choices({key: value for key, _, value in pairs}, {})


def write_chosen(chosen: Mapping[str, str]) -> str:
    """Return choices as text: `flag=loss substitutes=on`."""
    return " ".join(f"{key}={value}" for key, value in chosen.items())
