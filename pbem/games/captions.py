"""Captions: what stands below a board, in the words of a language and with players' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.diagram import Diagram
from pbem.games.phrases import Phrase, Value, Words
from pbem.games.words import phrase


class Listed(NamedTuple):
    """A list of what belongs to one side or seat."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Captions:
    """Those of a diagram, each said once for all forms that show it; lines of any length."""

    diagram: Diagram
    names: Mapping[Seat, str]
    """Of players; none where they are not told."""
    words: Words

    @cached_property
    def lists(self) -> Sequence[Listed]:
        """What belongs to whom."""
        return [
            Listed(
                self.words.text(group.title),
                [self.words.text(self._line(*line)) for line in group.lines],
            )
            for group in self.diagram.groups
        ]

    def _line(self, seats: Sequence[Seat], said: Phrase) -> Phrase:
        return phrase("list.line", who=self._who(seats), said=said) if seats else said

    def _who(self, seats: Sequence[Seat]) -> Phrase:
        each = ((self.diagram.name_of(seat), self.names.get(seat)) for seat in seats)
        items = (
            phrase("list.who", seat=seat, player=name) if name else seat for seat, name in each
        )
        return phrase("list.seats", items=tuple(items))

    @cached_property
    def standing(self) -> Sequence[str]:
        """What has been declared and holds, and who stands by it."""
        return [self.words.text(self._standing(*each)) for each in self.diagram.standing]

    def _standing(self, said: Phrase, seats: Sequence[Seat]) -> Phrase:
        names = self.names
        if names:
            who: tuple[Value, ...] = tuple(dict.fromkeys(names[s] for s in seats if s in names))
        else:
            who = tuple(self.diagram.name_of(seat) for seat in seats)
        return phrase("list.standing", said=said, who=phrase("list.names", items=who))

    @cached_property
    def legend(self) -> Sequence[str]:
        """What the signs of the text mean."""
        return [self.words.text(each) for each in self.diagram.legend]
