"""Plan lines: find the lines of a plan in an email, and read what each says.

The grammar is in docs/contracts.md, "Plans".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.games.api import AnyGame, InvalidActionError
from pbem.games.lenient_text import plain, without_bullet
from pbem.games.phrases import Phrase
from pbem.matches.line import holds_only_turns
from pbem.matches.plans import ANYTHING, DRAW, RESIGN


class PlanError(Exception):
    """A line that can't be part of a plan. `key` says why."""

    def __init__(
        self,
        key: str,
        line: str,
        text: str = "",
        reason: Phrase | str = "",
        candidates: Sequence[str] = (),
    ) -> None:
        super().__init__(f"{key}: {line}")
        self.key = key
        self.line = line
        self.text = text
        """The part of it that is wrong, or the other line that it contradicts."""
        self.reason = reason
        self.candidates = tuple(candidates)


# Which lines of an email are a plan


_STARTS = re.compile(r"if\b\s*(.*)", re.IGNORECASE)
_AHEAD = re.compile(r"ahead\b\s*(.*)", re.IGNORECASE)
_ANY = r"(?:\[\s*)?\b(any|anything)\b(?:\s+else\b)?(?:\s*\])?"
_WILD = re.compile(_ANY, re.IGNORECASE)
_WORDS = re.compile(rf"{_ANY}|\b(?:if|then|else)\b|[;,]", re.IGNORECASE)
LONGEST_END = 8
"""Characters at the end of a line that may say that it continues."""
_OPEN = re.compile(r"(?:[;,]|\b(?:if|then))\s*$", re.IGNORECASE)


class FoundPlan(NamedTuple):
    """The lines of a plan in an email, and the other lines."""

    lines: tuple[str, ...]
    """Each from `if` on, in one piece."""
    above: str
    below: str


def find_plan(fresh: str, game: AnyGame) -> FoundPlan | None:
    """Return the plan in a fresh text, None if there is none.

    A line is part of a plan if it begins with `if`, and nothing but turns follow up to `then` or
    its end, or with `ahead` and an action. The lines below continue it if it is open, or if they
    hold nothing but actions and the words of plans.
    """
    found: list[str] = []
    others: tuple[list[str], list[str]] = [], []
    inside = False
    for raw in fresh.splitlines():
        line = _bare(raw)
        new, continues = _starts(line, game), inside and bool(line)
        if continues and not _OPEN.search(found[-1][-LONGEST_END:]):
            continues = not new and _is_more(line, game)
        if continues:
            found[-1] = f"{found[-1]} {line}"
        elif new:
            found.append(new)
        else:
            others[bool(found)].append(raw)
        inside = bool(new) or (continues and found[-1].endswith(line))
    if not found:
        return None
    return FoundPlan(tuple(found), "\n".join(others[0]), "\n".join(others[1]))


def _bare(raw: str) -> str:
    return " ".join(without_bullet(plain(raw)).strip().strip("\"'`<>").split())


def _starts(line: str, game: AnyGame) -> str:
    """Return a line that begins a plan, with `ahead` written out, or an empty text."""
    if start := _STARTS.fullmatch(line):
        return f"if {start[1]}" if _names_turns(start[1], game) else ""
    ahead = _AHEAD.fullmatch(line)
    if ahead and _acts(ahead[1], game):
        return f"if {ANYTHING[0]} then {ahead[1]}"
    return ""


def _names_turns(text: str, game: AnyGame) -> bool:
    """Return whether a text after `if` is nothing but turns up to its `then`, or its end."""
    turns, *answer = re.split(r"\bthen\b", text, maxsplit=1, flags=re.IGNORECASE)
    named = _WORDS.sub(" ", turns).strip()
    if not named:  # prose begins with "if anything", too
        return bool(answer) and bool(_WILD.search(turns))
    return _acts(named, game) or holds_only_turns(game, named)


def _is_more(line: str, game: AnyGame) -> bool:
    return line.startswith(";") or _acts(_WORDS.sub(" ", line), game)


def _acts(text: str, game: AnyGame) -> bool:
    """Return whether a text holds actions and nothing else, or is meant to."""
    try:
        return bool(text.strip()) and bool(game.read(text.strip())[0].actions)
    except InvalidActionError:
        return True


# Reading one line


class Segment(NamedTuple):
    """Turns of others, and the answer to them."""

    turns: tuple[str, ...]
    """Texts of one or more turns each, or `any` or `anything`."""
    answer: str


_SEGMENT = re.compile(r"(?:if\b)?(?P<turns>.*?)\bthen\b(?P<answer>.*)", re.IGNORECASE)


def segments_of(line: str) -> list[Segment]:
    """Return the segments of a line. Raises PlanError."""
    parts = [part.strip() for part in line.split(";")]
    return [_segment(part, line) for part in parts if part]


def _segment(part: str, line: str) -> Segment:
    found = _SEGMENT.fullmatch(part)
    if not found or not found["turns"].strip() or not found["answer"].strip():
        raise PlanError("shape", line, part)
    word = found["answer"].casefold().strip("\"'`. ")  # "resign!" may be banter
    answer = word if (word,) in (RESIGN, DRAW) else found["answer"].strip()
    return Segment(tuple(_turns(found["turns"])), answer)


def _turns(text: str) -> Iterator[str]:
    at = 0
    for wild in _WILD.finditer(text):
        yield from _named(text[at : wild.start()])
        yield wild[1].casefold()
        at = wild.end()
    yield from _named(text[at:])


def _named(text: str) -> Iterator[str]:
    if bare := text.strip(" ,"):
        yield bare
