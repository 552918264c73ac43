"""Names of members: which are free, which stand nearby, and which are nearest to what was written.

A name that is given away looks like nobody else's, is no word that means something in a mail, and
is neither a bot's nor an office's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import chain, count, islice

from pbem.games import keys
from pbem.mail.topic import Holder
from pbem.matches.bots import BOTS
from pbem.matches.names.skeleton import skeleton_of
from pbem.matches.names.spelling import MOST, NotAName, made_a_name, read_name
from pbem.service.ports import StorageError
from pbem.service.questions import Application, all_waiting
from pbem.service.room.people import is_hidden
from pbem.service.work import Work

OFFICES = (
    "director",
    "operator",
    "admin",
    "administrator",
    "moderator",
    "club",
    "pbem",
    "postmaster",
)
"""Words that no name has: who is called so could speak for the club."""
NOBODY = ("me", "myself", "all", "any", "anybody", "everybody", "nobody", "member", "stranger")
"""Words that commands and mails use for people whom they do not name."""
COMMON = (
    *("the", "and", "or", "but", "not", "of", "for", "from", "with", "by", "at", "if", "as"),
    *("you", "your", "they", "them", "their", "we", "us", "our", "it", "its", "who", "whom"),
    *("this", "that", "these", "those", "what", "which", "when", "where", "how", "why", "than"),
    *("is", "are", "was", "were", "has", "have", "had", "been", "can", "there", "here", "then"),
)
"""Words of every text, of which a name that is erased some day could not be told."""
FORMER = ("former member", "a member")
"""How those are called whose name is not shown."""
FREE_SHOWN = 2
NEAREST_SHOWN = 3

_BOTS_NAME = re.compile(rf"(?:bot\b.*|(?:{'|'.join(BOTS)})(?: \d+)?)")


class NameRefused(StorageError):
    """A name that nobody can have now; says why, and which are free nearby."""

    def __init__(self, name: str, reason: str, free: Collection[str]) -> None:
        super().__init__(f"{reason}; free are, for example: {', '.join(free)}")
        self.name, self.reason, self.free = name, reason, tuple(free)


def free_name(work: Work, text: str, words: Collection[str], *, own: Holder = "") -> str:
    """A text as somebody's name; raises NameRefused.

    `words` are those of commands. `own` is who may have it, or wait for it, already.
    """
    try:
        name = read_name(text)
        _require_free(work, name, words, own)
    except (NotAName, _NotFree) as refused:
        free = tuple(islice(_free_nearby(work, text, words), FREE_SHOWN))
        raise NameRefused(text, str(refused), free) from refused
    return name


def nearest_names(work: Work, text: str, *, hidden: bool = False) -> tuple[str, ...]:
    """Names of members that somebody may have meant, the likeliest first.

    Those who hide are told to the operator alone.
    """
    known = [each for each in work.players.all() if hidden or not is_hidden(each)]
    by_key = {player.name.casefold(): player.name for player in known}
    wanted = " ".join(text.split()).casefold()
    of_a_word = (key for key in by_key if wanted in key.split())
    close = get_close_matches(wanted, by_key, NEAREST_SHOWN)
    return tuple(
        by_key[key] for key in islice(dict.fromkeys(chain(of_a_word, close)), NEAREST_SHOWN)
    )


class _NotFree(Exception):
    """Why a name cannot be given away."""


def _require_free(work: Work, name: str, words: Collection[str], own: Holder) -> None:
    if _means_something(work, name, words):
        raise _NotFree(f"{name} means something else in the mails of the club")
    holder = work.players.named(name) or work.players.like(name)
    if holder is None and _is_wanted(work, name, own):
        raise _NotFree(f"somebody waits to be a member as {name}")
    if holder is None or holder.id == own:
        return
    if holder.name.casefold() == name.casefold():
        raise _NotFree(f"the name {holder.name} is taken")
    like = "another name" if is_hidden(holder) else holder.name
    raise _NotFree(f"{name} looks like {like}, and that name is taken")


def _is_wanted(work: Work, name: str, own: Holder) -> bool:
    """Whether a director is asked about somebody else with a name like this one."""
    others = (each for each in all_waiting(work, Application) if each.question.holder != own)
    return skeleton_of(name) in (skeleton_of(each.asked.name) for each in others)


def _means_something(work: Work, name: str, words: Collection[str]) -> bool:
    """Whether a name is a word of a command or a game, an office, nobody or a bot."""
    skeleton = skeleton_of(name)
    spoken = (*NOBODY, *COMMON, *FORMER, *OFFICES, work.club.name)
    whole = chain(words, (word.split()[0] for word in words), keys(), spoken)
    return (
        skeleton in map(skeleton_of, whole)
        or not set(re.split(r"[ .'-]+", skeleton)).isdisjoint(map(skeleton_of, OFFICES))
        or skeleton.startswith(tuple(map(skeleton_of, FORMER)))
        or _BOTS_NAME.fullmatch(skeleton) is not None
        or _BOTS_NAME.fullmatch(name.casefold()) is not None
    )


def _free_nearby(work: Work, text: str, words: Collection[str]) -> Iterator[str]:
    """Names that are free, those nearest to a text first."""
    for name in _nearby(made_a_name(text)):
        try:
            _require_free(work, name, words, "")
        except _NotFree:
            continue
        yield name


def _nearby(name: str) -> Iterator[str]:
    """A name without its wrong words, then with numbers; then one that tells nothing."""
    honest = " ".join(word for word in name.split() if word.casefold() not in OFFICES)
    tried = dict.fromkeys((name, honest)) if len(honest) > 1 else (name,)
    yield from (each for each in tried if each)
    for each in (*(each for each in tried if each), "Newcomer"):
        yield from (f"{each[: MOST - 3]} {number}" for number in range(2, 100))
    yield from (f"Newcomer {number}" for number in count(100))
