"""Polite moves: find the moves in an email without a line that holds only moves.

People write "Hi! I play D11." or "3. H4, please". A sentence counts if, besides its moves, it has
nothing but a greeting, a number or polite words. If anything else in the email mentions a move or
casts doubt, as in "or D11?", no sentence counts, and the answer asks "Did you mean".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from pbem.commands import FoundCommand, find, without_courtesy
from pbem.games.api import AnyGame, Reading
from pbem.games.lenient_text import LONGEST_LINE, undressed
from pbem.mail.addresses.addressing import without_secrets

LONGEST_TEXT = 2000
"""Characters of an email whose sentences are read. A longer one is prose."""
MOST_COURTESIES = 6
"""Maximum number of courtesies around the moves of a sentence."""

_NAME = r"[^\W\d_]{3,}(?:[-'][^\W\d_]+)?"
_HELLO = r"(?:hi|hello|hey|hallo|greetings|good\s+(?:morning|afternoon|evening|day))"
_ALL = r"(?:\s+(?:again|there|all|everyone|everybody|both))?"
_PLAY = r"(?:play|move|go|place|put|choose|pick|take|answer|reply|respond)"
_TO = r"(?:\s+(?:to|with|on|at|for))?"
_OWN = r"(?:move|turn|play|action|choice|answer|reply)"
_THANKS = r"(?:thanks|thx|thank\s+you)(?:\s+(?:a\s+lot|very\s+much|so\s+much))?"

_SAYS_FIRST = (
    rf"I(?:'ll|\s+will|\s+shall|(?:'d|\s+would)\s+like\s+to|'m\s+going\s+to)?\s+{_PLAY}{_TO}",
    rf"(?:let's|let\s+(?:me|us))\s+{_PLAY}{_TO}",
    rf"(?:(?:here(?:'s|\s+is|\s+comes)|this\s+is)\s+)?my\s+{_OWN}(?:\s+(?:is|will\s+be))?",
    r"turn\s+\d{1,4}(?=\s+[a-z*@\[])",
    rf"(?:{_OWN}|{_PLAY}{_TO})",
    "please",
)
_SAYS_LAST = (
    "please|pls|plz",
    rf"is\s+my\s+{_OWN}",
    r"for\s+me|it\s+is|as\s+my\s+move",
)
_OPENS = (
    rf"(?:{_HELLO}|dear){_ALL}(?:\s+{_NAME}){{1,2}}(?=\s*(?:[,.!:;]|$))",
    rf"{_HELLO}{_ALL}",
    r"ok(?:ay)?|yes|yep|well|all\s+right|alright|right|sure|so|now|cheers",
    _THANKS,
    r"sorry\s+(?:for|about)\s+(?:the|my)\s+(?:long\s+)?(?:delay|wait|late\s+(?:reply|answer))",
)
_CLOSES = (
    rf"(?:many\s+)?{_THANKS}",
    r"cheers|bye|see\s+you|good\s+luck|have\s+fun|(?:(?:best|kind)\s+)?regards|best(?:\s+wishes)?",
    r"over\s+to\s+you|your\s+(?:move|turn)",
)
_NUMBER = r"(?:(?:number\s+|no\.?\s*|\#)?\d{1,4}\s*[.):]+)"
_DOUBTS = re.compile(
    r"\b(?:no|not|never|if|unless|or|either|instead|actually|maybe|perhaps|wait|ignore|forget"
    r"|kidding|joking|cancel|undo|rather|wrong|mistake|typo|meant|oops|unsure|ask\w*)\b|n't\b",
    re.IGNORECASE,
)
"""Words after which a move in another sentence may not be meant."""
_GAP = r"[\s,.:;!]*(?:-+\s+)?"
_AND = re.compile(r"\s*,?\s+(?:and|&)\s+(?:then\s+)?|\s*,\s*", re.IGNORECASE)
_BRACKET = re.compile(r"[\[\]]")
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\bno\.)(?<![.!?]\s\d\.)(?<![.!?]\s\d\d\.)(?<![.!?]\s\d\d\d\.)\s+",
    re.IGNORECASE,
)
"""The end of a sentence, but not `3.` at its start, nor `no.` before a number."""
_SMILEY = re.compile(r"(?:[:;8]-?[()DPp]|\^\^|<3)(?=\s|$)|[\u2600-\u26ff\U0001f300-\U0001faff]")
"""Smileys of letters, and pictures."""


def _any(patterns: Sequence[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


def _at_start(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^{pattern}{_GAP}", re.IGNORECASE)


def _at_end(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s,.:;!]+){pattern}[\s,.!]*$", re.IGNORECASE)


_COURTESIES = (
    (_at_end(_any(_SAYS_LAST)), True),
    (_at_end(_any(_CLOSES)), False),
    (_at_start(rf"{_any(_SAYS_FIRST)}(?!\w)"), True),
    (_at_start(rf"{_any(_OPENS)}(?!\w)"), False),
    (_at_start(_NUMBER), True),
)
"""Texts around the moves of a sentence, each with whether it says that they are moves."""

_NUMBERED = re.compile(r"\d{1,3}[.)]\s")
"""The number of a turn that a game itself reads, as chess does. It says that a move follows."""


class _Sentence(NamedTuple):
    text: str
    reading: Reading | None = None
    """Moves of the sentence, None if it holds anything but moves and courtesies."""
    says: bool = False
    """Whether it says that they are moves, as in "I play D11"."""
    courteous: bool = False
    """Whether it holds nothing but courtesies."""


def politely(readings: Sequence[Reading], game: AnyGame) -> Sequence[Reading]:
    """Return the lines with their polite moves read, or unchanged if one is in doubt.

    Splits a line with more than its moves, so that the rest is a note. The text of a command, such
    as `appeal`, stays as it is. Raises InvalidActionError if brackets hold no action.
    """
    if sum(len(reading.line) for reading in readings) > LONGEST_TEXT:
        return readings
    own = list(takewhile(lambda reading: not _takes_below(reading.line), readings))
    found, others = list[Reading](), list[str]()
    for reading in own:
        is_command = command_in(reading.line) and not _is_polite_move(reading.line, game)
        parts = [reading] if is_command else list(_parts(reading.line, game))
        found += parts
        others += [each.line for each in parts if not each.counts and each is not reading]
    in_doubt = any(_DOUBTS.search(line) or game.mentioned(line) for line in others)
    return readings if in_doubt else [*found, *readings[len(own) :]]


def command_in(line: str) -> FoundCommand | None:
    """Return the command that makes up a line, None for any other line."""
    return find(without_secrets(line))


def _is_polite_move(line: str, game: AnyGame) -> bool:
    """Return whether a line is a move and a polite word, though a command is written like it."""
    return any(each.counts for each in game.read(without_courtesy(line)))


def _takes_below(line: str) -> bool:
    """Return whether a line is a command to which all lines below it belong."""
    found = command_in(line)
    return found is not None and found.takes_below


def _parts(line: str, game: AnyGame) -> Iterator[Reading]:
    """Yield what is not a move in a line, then its moves."""
    if len(line) > LONGEST_LINE:
        yield Reading(line, False)
        return
    _, *texts = _SENTENCE.split(f"! {line}")
    sentences = [_sentence(text, game) for text in texts]
    rest = [each for each in sentences if each.reading is None]
    moves = [each for each in sentences if each.reading is not None]
    if not all(each.says for each in moves) and not all(each.courteous for each in rest):
        rest, moves = sentences, []
    if rest or not moves:
        yield Reading(line if not moves else " ".join(each.text.strip() for each in rest), False)
    yield from (each.reading for each in moves if each.reading is not None)


def _sentence(text: str, game: AnyGame) -> _Sentence:
    core, says = undressed(_SMILEY.sub("", text)), False
    if "?" in core:
        return _Sentence(text)
    for _ in range(MOST_COURTESIES + 1):
        if not core:
            return _Sentence(text, courteous=True)
        reading = _moves(core, game)
        if reading is not None:
            says = says or bool(_NUMBERED.match(core))
            return _Sentence(text, reading._replace(line=text.strip()), says)
        core, is_saying = _shorter(core)
        says = says or is_saying
    return _Sentence(text)


def _shorter(text: str) -> tuple[str, bool]:
    """Return a sentence without one of its courtesies, and whether that says "here is a move"."""
    for pattern, is_saying in _COURTESIES:
        less = pattern.sub("", text, count=1).strip()
        if less != text:
            return less, is_saying
    return text, False


def _moves(text: str, game: AnyGame) -> Reading | None:
    """Return the moves of a text that holds nothing else, perhaps joined by "and"."""
    for written in ([text], [_AND.sub(" ", text)], _AND.split(text)):
        lines = game.read("\n".join(written))
        brackets = game.read("\n".join(_BRACKET.sub(" ", each) for each in written))
        actions = [action for line in lines for action in line.actions]
        if (
            actions
            and all(line.actions for line in lines)
            and len(actions) == sum(len(line.actions) for line in brackets)
        ):
            return Reading(text, True, tuple(actions), lines[-1].goes_on)
    return None
