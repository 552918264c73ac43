"""Choices: what can be agreed for a match of any game beside its time: one of a few words each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.words import phrase


@dataclass(frozen=True)
class Choice:
    """Something that a match has in one of a few ways."""

    key: str
    """As it is written in `KEY=VALUE`; it stands in records and is for ever."""
    usual: str
    """Nothing is stored of it, and nothing said."""
    sayings: Mapping[str, Phrase]
    """The other values, and what each means."""

    @property
    def values(self) -> tuple[str, ...]:
        """All that can be chosen, the usual one first."""
        return (self.usual, *self.sayings)

    def read(self, text: str) -> str:
        """One of the values; raises OptionError."""
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
"""What happens when a player's time is over."""
SUBSTITUTES = Choice("substitutes", "off", {"on": phrase("choice.substitutes-on")})
"""Whether a substitute may go on for a player."""
RESULTS = Choice("results", "end", {"split": phrase("choice.results-split")})
"""Whose the result is where a seat has changed hands: who held it at the end, or all who did."""
NOTES = Choice("notes", "held", {"open": phrase("choice.notes-open")})
"""Whether partners read each other's notes at once, or only when the match is over."""

CHOICES: Mapping[str, Choice] = {each.key: each for each in (FLAG, SUBSTITUTES, RESULTS, NOTES)}


def read_choices(texts: Mapping[str, str], agreed: Mapping[str, str]) -> dict[str, str]:
    """What is chosen of them, the rest as agreed; usual ones are left out. Raises OptionError."""
    read = {**agreed, **{key: CHOICES[key].read(text) for key, text in texts.items()}}
    return {
        key: read[key]
        for key, choice in CHOICES.items()
        if key in read and read[key] != choice.usual
    }


def read_chosen(text: str) -> dict[str, str]:
    """What `write_chosen` wrote; raises OptionError."""
    pairs = [word.partition("=") for word in text.split()]
    for key, _, _ in pairs:
        if key not in CHOICES:
            raise OptionError(phrase("choice.unknown", key=repr(key)))
    return read_choices({key: value for key, _, value in pairs}, {})


def write_chosen(chosen: Mapping[str, str]) -> str:
    """`flag=loss substitutes=on`."""
    return " ".join(f"{key}={value}" for key, value in chosen.items())
