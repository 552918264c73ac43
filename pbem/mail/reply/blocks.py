"""Blocks: split the fresh text of an answer to a digest by the matches that it is for.

A block is below a line `match 12:` that the person wrote, or inside the quoted part of the digest
about that match. If another person's note could be taken for such a quoted heading, the text below
it belongs to no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pbem.mail.reply.letters import content_of, contents_of
from pbem.mail.reply.quoted_letters import QuotedLetters, page_text
from pbem.mail.reply.reply_text import Fresh, ReadLine

_HEADING = re.compile(r"match\s+#?(\d{1,9})\s*(?:[:：]\s*(.*))?", re.IGNORECASE | re.ASCII)
"""A heading without marks around it, and what is beside it."""
_AROUND = " \t\xa0*_#"
_LISTED = re.compile(r"\s+match (\d{1,9})\s+(\S.*)", re.ASCII)
"""A row about a match that a digest lists without a heading."""
_QUOTED_HEADING = re.compile(r"match#?(\d{1,9}):", re.ASCII)
"""A heading in the content of a quote."""
_RULE = "\n* * *\n"
"""The line below all matches, above what readers seldom need."""
_TELLING = 24
"""Characters that tell one place of an email from another."""


class NoMatch(Enum):
    """Parts of a text that are for no match."""

    ABOVE = "outside all blocks"
    UNSURE = "below a quote that somebody else's note may have written"


Place = int | NoMatch
"""The number of a match, or why a text is for none."""


@dataclass(frozen=True)
class Block:
    """What a person wrote for one match, or for none."""

    place: Place
    text: str
    beside: Sequence[str] = ()
    """Texts on the lines of headings that the digest does not have there."""


def blocks_of(fresh: Fresh, digest: QuotedLetters) -> Sequence[Block]:
    """Return the blocks of a text in order, one for each match, without empty ones.

    `digest` is the email that the text answers. A line `match 12` without text below it is a
    command.
    """
    headings = _Headings.of(digest)
    texts: dict[Place, list[str]] = {}
    beside: dict[Place, list[str]] = {}
    bare: dict[Place, str] = {}
    place: Place = NoMatch.ABOVE
    quoted: list[str] = []
    for line in fresh.lines or [ReadLine(each, True) for each in fresh.fresh.split("\n")]:
        if not line.fresh:
            quoted.append(line.text)
            continue
        if not line.text.strip("* \t\xa0"):  # the rule of an unmarked quote counts as blank
            texts.setdefault(place, []).append("")
            continue
        place, quoted = headings.below(quoted, place), []
        written = _HEADING.fullmatch(line.text.strip(_AROUND))
        if written is None:
            texts.setdefault(place, []).append(line.text)
            continue
        place = int(written[1])
        texts.setdefault(place, [])
        if written[2] is None:
            bare[place] = line.text
        if written[2] and not headings.has(place, written[0]):
            beside.setdefault(place, []).append(written[2])
    for each, command in bare.items():
        if not "".join(texts[each]).strip() and each not in beside:
            texts.setdefault(NoMatch.ABOVE, []).append(command)
    blocks = (
        Block(each, "\n".join(lines).strip("\n"), tuple(beside.get(each, ())))
        for each, lines in texts.items()
    )
    return [each for each in blocks if each.text.strip() or each.beside]


class Heading(NamedTuple):
    """A line such as `match 12: H4`. Without the colon, it could be the command."""

    match: int
    beside: str


def heading_in(line: str) -> Heading | None:
    """Return the heading that a line is, None for any other line."""
    found = _HEADING.fullmatch(line.strip(_AROUND))
    return None if found is None or found[2] is None else Heading(int(found[1]), found[2])


def with_headings_apart(text: str) -> str:
    """Return a text in which whatever is beside a heading has a line of its own."""
    found = ((line, heading_in(line)) for line in text.splitlines())
    return "\n".join(f"match {it.match}:\n{it.beside}" if it else line for line, it in found)


@dataclass(frozen=True)
class _Headings:
    """The places of a digest."""

    digest: QuotedLetters
    contents: Mapping[str, Place]
    """Where each place begins, by the content there."""

    @classmethod
    def of(cls, digest: QuotedLetters) -> _Headings:
        """Find the headings in a digest, and the end of its last match.

        A heading is shorter in the text than in the HTML if it is long.
        """
        contents: dict[str, Place] = {}
        for letter in (*digest.letters, *map(page_text, digest.pages)):
            for line in letter.split("\n"):
                found = _HEADING.fullmatch(line) or _LISTED.fullmatch(line)
                if found and found[2]:
                    contents.setdefault(content_of(line), int(found[1]))
            if foot := content_of(letter.partition(_RULE)[2])[:_TELLING]:
                contents.setdefault(foot, NoMatch.ABOVE)
        return cls(digest, contents)

    def has(self, match: int, written: str) -> bool:
        """Return whether a written line is the heading of a match, or its beginning."""
        content = content_of(written)
        known = (each for each, place in self.contents.items() if place == match)
        return any(each.startswith(content) or content.startswith(each) for each in known)

    def below(self, quoted: Sequence[str], place: Place) -> Place:
        """Return where a text is that is below a quote, which begins at a place."""
        quote = "".join(contents_of(quoted))
        found = [
            (quote.rfind(each), self._sure(each, there)) for each, there in self.contents.items()
        ]
        found += self._others(quote)
        return max((each for each in found if each[0] >= 0), default=(0, place), key=_first)[1]

    def _others(self, quote: str) -> Iterator[tuple[int, Place]]:
        """Yield what may be headings in a quote, but in a form that was not recognised."""
        for found in _QUOTED_HEADING.finditer(quote):
            rest = quote[found.start() :]
            if any(rest.startswith(each) for each in self.contents):
                continue
            cut = next((each for each in self.contents if each.startswith(rest)), "")
            if cut:
                yield found.start(), self._sure(rest, self.contents[cut])
            elif not self.digest.has(rest[:_TELLING]):
                yield found.start(), NoMatch.UNSURE

    def _sure(self, content: str, place: Place) -> Place:
        return place if self.digest.say_once(content) else NoMatch.UNSURE


def _first(found: tuple[int, Place]) -> int:
    return found[0]
