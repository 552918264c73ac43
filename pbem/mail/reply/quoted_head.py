"""Quoted head: the lines a client writes above a quote, recognised in any language.

Only clients note who sent an email, when, and from which address. So each of these is evidence, in
any order and wording, within the few lines of a head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile

from pbem.mail.message.charsets import columns
from pbem.mail.reply.client_words import (
    DAY,
    DIVIDERS,
    FORWARDS,
    LABELS,
    MESSAGES,
    OPENINGS,
    SPEAKER,
    WORD,
    WROTE,
    Evidence,
)
from pbem.mail.reply.page import ReplyPage, closes, framed, label

_FEW = 9
"""Maximum number of words in a divider."""


def is_divider(key: str) -> bool:
    """Return whether a line is a divider above an email, like `-----Original Message-----`."""
    if closes(key) or (key.endswith(":") and key.startswith(FORWARDS)):
        return True
    words = framed(key)
    if not words:
        return _names_original(key)
    if words.startswith(("begin pgp", "end pgp")) or "[" in words:
        return False
    found = Evidence.of(words)
    return (
        words.startswith("pbem")
        or any(word in words for word in DIVIDERS)
        or bool(found.address or found.day)
        or (_FRAMED_WELL.match(key) is not None and len(found.words) <= _FEW)
    )


_FRAMED_WELL = re.compile(r"[^\w\s]{4,200} ?[^\W\d].{1,100}[^\w\s]{4}$")
"""A longer frame than people draw around a word."""


def _names_original(key: str) -> bool:
    """Return whether a line only says "original message", perhaps with the program's name."""
    words = WORD.findall(key[:_LONGEST])
    if not 2 <= len(words) <= _FEW:
        return False
    pairs = (words[:2], words[1::-1])
    names = any(a.startswith(DIVIDERS) and b.startswith(MESSAGES) for a, b in pairs)
    names = names or " ".join(words).startswith(_DIVIDING_PHRASES)
    return names and (len(words) == 2 or key.endswith(":") or not _BY.isdisjoint(words))


_DIVIDING_PHRASES = tuple(words for words in DIVIDERS if " " in words)
_BY = frozenset({"by", "from", "de", "von", "przez", "par", "por", "da", "door"})


_SET_APART = re.compile(r"[<(\[\"']\s*(?:mailto:)?[^\s@<>]{1,80}@")
_TOKEN_ADDRESS = re.compile(r"\+(?:\d+-\d+-[a-z0-9]+|[mq]\d+)-[a-z2-7]{16}@")
_NAME_AND_ADDRESS = re.compile(
    r"[^<>(\[@]{1,80}(?:<|\(|\[(?=mailto))(?:mailto:)?[^\s@<>]{1,80}@[^\s@<>]{1,255}[>)\]]"
)
_ENDS_IN_ADDRESS = re.compile(r"<[^<>\s@]{1,64}@[^<>\s@]{1,255}>\)? ?:$")
_ENDS_A_SENTENCE = re.compile(r"(?:[!?…]|[^\W\d]\.)[\"')]?$")
_LONGEST = 400
_NAMED, _FEW, _SOME = 5, 9, 14
"""Maximum number of words of a name with a verb, with a date, and with a date and an address."""


def head(page: ReplyPage, at: int) -> int:
    """Return how many lines are a quote head, starting at one with text that is not marked."""
    key = page.keys[at]
    if is_divider(key):
        return 1
    fields = _fields(page, at) if ":" in key or "：" in key else 0
    return fields or (_attribution(page, at) if _may_begin(key) else 0)


def is_attribution(page: ReplyPage, at: int, lines: int) -> bool:
    """Return whether a head of this many lines is a sentence, not a divider or fields."""
    found = Evidence.of(" ".join(page.keys[at : at + lines]))
    if not (found.wrote or found.colon):
        return False
    return not is_divider(page.keys[at]) and not _fields(page, at)


def _may_begin(key: str) -> bool:
    """Return whether a line may start an attribution, which is false for most text people write."""
    return bool(_FIGURE_OR_AT.search(key)) or key.endswith((":", "：")) or key.startswith(OPENINGS)


_FIGURE_OR_AT = re.compile(r"[\d@]")


# Fields, one per line


_FIELD = re.compile(r"[*_|•·# -]{0,4}[^\W\d_]{2,20}[^:：@\[\]]{0,15}[:：](?:[*_ |]|$)")
"""A label of at least two letters, then a space, since `e:12` is a move."""
_SUBJECT = re.compile(r"\[pbem \d+\]|(?:re|aw|odp|fwd?|wg|sv|antw|r) ?: ?\S")
_STRANGERS = 2
"""Maximum number of lines among fields that continue a long one."""
_MOST_FIELDS = 12
_REMEMBERED = 64
"""Number of cached lines, since each is checked with all lines near it."""


@dataclass(frozen=True)
class _Field:
    """One header field."""

    at: int
    kind: str
    """Meaning of the field. Empty if neither label nor value shows it."""
    evident: bool
    """Whether its value looks like a client's."""


def _fields(page: ReplyPage, at: int) -> int:
    if _has_several_fields(page.keys[at]):
        return 1
    if not _is_field(page.keys[at]):
        return 0
    fields = list(_fields_from(page, at))
    if not fields[0].kind:  # an unknown label counts only in consecutive fields
        fields = [field for count, field in enumerate(fields) if field.at == at + count]
    kinds = {field.kind for field in fields if field.kind}
    known = [field for field in fields if field.kind]
    surely = any(field.evident and label(page.keys[field.at]) in _ENOUGH for field in fields)
    evident = any(field.evident for field in known)
    if ("from" in kinds and len(kinds) >= 3) or (evident and len(kinds) >= 2) or surely:
        last = max(field.at for field in known)
        more = takewhile(_is_field, page.run(last + 1, _MOST_FIELDS))  # with unknown labels
        return last + 1 - at + len(list(more))
    return 0


_ENOUGH = ("from", "subject")
"""Fields that suffice for a header if their value is evident."""


def _fields_from(page: ReplyPage, at: int) -> Iterator[_Field]:
    strangers = 0
    for line in range(at, min(at + _MOST_FIELDS, len(page.keys))):
        key = page.keys[line]
        if page.marked(line):
            return
        if _is_field(key):
            yield _Field(line, *_read(key))
        elif key:
            strangers += 1
            if strangers > _STRANGERS or not page.keys[line - 1] or key.startswith("["):
                return


@lru_cache(_REMEMBERED)
def _is_field(key: str) -> bool:
    return bool(label(key)) or (len(key) <= _LONGEST and _FIELD.match(key) is not None)


@lru_cache(_REMEMBERED)
def _read(key: str) -> tuple[str, bool]:
    """Return the kind of a field, and whether its value looks like a client's."""
    value = key[:_LONGEST].replace("：", ":").partition(":")[2]
    found, named = Evidence.of(value), label(key)
    if _SUBJECT.search(value):
        kind = "subject"
    elif found.address:
        kind = "from"
    else:
        kind = "date" if found.day or found.year else ""
    fits = kind in (named, "") or (named == "to" and kind == "from") or not named
    return named or kind, bool(kind) and fits


_LABELS = "|".join(sorted(map(re.escape, LABELS), key=len, reverse=True))
_LABEL = re.compile(rf"(?<![\w'])({_LABELS})[*_]* ?[:：]")


def _has_several_fields(key: str) -> bool:
    """Return whether a line is a whole header, with three kinds of fields or more and a From."""
    if key.count(":") + key.count("：") < _SEVERAL:
        return False
    kinds = {LABELS[found] for found in _LABEL.findall(key[:_LONGEST])}
    return "from" in kinds and len(kinds) >= _SEVERAL


_SEVERAL = 3


# A sentence, on one line or several


def _attribution(page: ReplyPage, at: int) -> int:
    """Return the number of lines of "On ... Bob wrote:", with the verb perhaps on its own line."""
    lines = _sentence(page, at)
    verb = WORD.findall("".join(page.run(at + lines, 1))[:_LONGEST]) if lines else []
    return lines + (0 < len(verb) <= 2 and not WROTE.isdisjoint(verb))


def _sentence(page: ReplyPage, at: int) -> int:
    run = _up_to(_LONGEST, page.run(at, 4))
    if not run:
        return 0
    first = Evidence.of(run[0])
    alone = _tells(run[0]) or _alone(run[0], quoted=page.quote_follows(at + 1))
    if alone and (first.wrote or first.colon or not run[0].startswith(OPENINGS)):
        return 1
    return _of_several(run, first) or int(alone)


def _of_several(run: list[str], first: Evidence) -> int:
    """Return how many lines form one sentence, starting with the first, 0 if they do not."""
    if not (first.evident or run[0].startswith(OPENINGS)):
        return 0
    for count in range(2, len(run) + 1):
        above, last = run[count - 2 : count]
        opened = count == 2 and run[0].startswith(OPENINGS)
        if not (opened or _unfinished(above, last)) or _begins_again(first, run[1:count]):
            return 0
        if _tells(" ".join(run[:count])):
            return count
    return 0


def _up_to(most: int, keys: list[str]) -> list[str]:
    """Return the first lines that have at most this many characters in all."""
    sizes = accumulate(map(len, keys))
    return [key for key, size in zip(keys, sizes, strict=True) if size <= most]


def _unfinished(above: str, below: str) -> bool:
    ends = above.endswith((",", "<", "(", "[")) or below.startswith(("<", "(", "[mailto"))
    return ends or goes_on(above, below, any_words=True)


def _begins_again(first: Evidence, rest: list[str]) -> bool:
    """Return whether the rest is its own head: it repeats the evidence of the first line."""
    again = Evidence.of(" ".join(rest))
    return _tells(" ".join(rest)) and (first.kinds <= again.kinds)


def _tells(text: str) -> bool:
    """Return whether a text only says who sent an email, and when or from where."""
    found = Evidence.of(text)
    if found.wrote and found.colon and found.evident:
        return True
    if _ENDS_A_SENTENCE.search(text) or not SPEAKER.isdisjoint(found.words):
        return False
    if len(found.words) > _SOME + 10 * found.address:
        return False
    if found.wrote and (found.address or found.day):
        return Evidence.of(text[-_NEAR_THE_END:]).kinds != set()
    return found.address and found.kinds != {"address"} and _SET_APART.search(text) is not None


_NEAR_THE_END = 40


def _alone(key: str, *, quoted: bool) -> bool:
    """Return whether one line alone is a head. `quoted` says that a quote follows."""
    found = Evidence.of(key)
    if found.colon and (found.wrote or found.evident) and quoted:
        return True  # in any language, or an unusual form
    if _TOKEN_ADDRESS.search(key) or _ENDS_IN_ADDRESS.search(key):
        return True  # only clients write the address an email came from
    if len(found.words) > _FEW + 4 or not SPEAKER.isdisjoint(found.words):
        return False
    if _NAME_AND_ADDRESS.fullmatch(key):
        return True
    if found.day and key.startswith(OPENINGS) and len(WORD.findall(DAY.sub(" ", key))) <= _NAMED:
        return not _ENDS_A_SENTENCE.search(key)
    if found.colon:
        return found.day or (found.wrote and len(found.words) <= _NAMED)
    return found.day and found.time and not _ENDS_A_SENTENCE.search(key)


_NARROWEST = 56
"""Columns of the narrowest lines into which clients break quotes."""
_OF_OTHERS = re.compile(r"[>\s]*\|(?: |$)")


def is_of_others(line: str) -> bool:
    """Return whether a line of the club's, quoted or not, repeats another person's note."""
    return _OF_OTHERS.match(line) is not None


def goes_on(above: str, line: str, *, any_words: bool) -> bool:
    """Return whether a line may continue the one above, which had no room for its first word.

    The club's own sentences end with punctuation. With `any_words`, this is not checked.
    """
    above = above.rstrip()
    broken = columns(above) + 1 + columns(line.split(maxsplit=1)[0]) > _NARROWEST
    return broken and (any_words or not above.endswith((".", ":", "?")))
