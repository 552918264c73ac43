"""Names of members: which are free or too similar, the nearest to a text, and renaming.

A name given to a member looks like nobody else's, has no meaning in an email, and is neither a
bot's nor an office's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from itertools import chain, count, islice

from pbem.mail.identity import KNOWN_BEFORE
from pbem.mail.outgoing.kinds import Renamed
from pbem.mail.topic import Holder
from pbem.matches.bots import BOTS
from pbem.matches.match import Player
from pbem.matches.names.reserved import reserved, seats_and_games, squares
from pbem.matches.names.skeleton import skeleton_of, small_skeleton_of
from pbem.matches.names.spelling import MOST, NotAName, made_a_name, read_name
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.service.people import is_hidden
from pbem.service.post.post import post
from pbem.service.questions import Application, all_waiting
from pbem.service.work import Work

FORMER = ("former member", "a member")
"""Names of members whose name is hidden."""
LONG_OFFICE = 7
"""Shortest office that is also found within a word, such as `TheArbiter`."""
FREE_SHOWN = 2
NEAREST_SHOWN = 3

_APART = re.compile(r"[ .'\d-]+")
_NUMBERED = re.compile(r"(?<=\S) \d+$")
_BOTS_NAME = re.compile(rf"(?:bot\b.*|(?:{'|'.join(BOTS)})(?: \d+)?)")


class NameRefused(StorageError):
    """Raised for a name that is not available. Has the reason and similar names that are free."""

    def __init__(self, name: str, reason: str, free: Collection[str]) -> None:
        super().__init__(f"{reason}; free are, for example: {', '.join(free)}")
        self.name, self.reason, self.free = name, reason, tuple(free)


def free_name(work: Work, text: str, words: Collection[str], *, own: Holder = "") -> str:
    """Return a text as a valid, free name. Raises NameRefused.

    `words` are those of commands. `own` already has the name or has applied for it.
    """
    try:
        name = read_name(text)
        _require_free(work, name, words, own)
    except (NotAName, _NotFree) as refused:
        free = tuple(islice(_free_nearby(work, text, words), FREE_SHOWN))
        raise NameRefused(text, str(refused), free) from refused
    return name


def name_from(work: Work, address: str, words: Collection[str], wanted: str = "") -> str:
    """Return a free name for the owner of an address, if possible the wanted one."""
    local = address.rpartition("@")[0].partition("+")[0]
    text = wanted or re.sub(r"[\W_\d]+", " ", local).title()
    return next(_free_nearby(work, text, words))


def nearest_names(work: Work, text: str, *, hidden: bool = False) -> tuple[str, ...]:
    """Return the names of members that a text may mean, likeliest first.

    Includes hidden members only for the operator.
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
    """Raised for a name that is not free. The text is the reason."""


def _require_free(work: Work, name: str, words: Collection[str], own: Holder) -> None:
    if _means_something(work, name, words):
        raise _NotFree(f"{name} has another meaning in the club's emails")
    holder = work.players.named(name) or work.players.like(name)
    if holder is None and _is_wanted(work, name, own):
        raise _NotFree(f"somebody is waiting to join as {name}")
    if holder is None or holder.id == own:
        return
    if holder.name.casefold() == name.casefold():
        raise _NotFree(f"the name {holder.name} is taken")
    like = "another name" if is_hidden(holder) else holder.name
    raise _NotFree(f"{name} looks like {like}, and that name is taken")


def _is_wanted(work: Work, name: str, own: Holder) -> bool:
    """Return whether somebody else has applied under a name like this one."""
    others = (each for each in all_waiting(work, Application) if each.question.holder != own)
    return skeleton_of(name) in (skeleton_of(each.asked.name) for each in others)


def misleading_names(work: Work, words: Collection[str]) -> list[str]:
    """Return the members' names that would be refused now. They are older than the rules."""
    people = [each for each in work.players.all() if not each.bot]
    return [each.name for each in people if _misleads(work, each, words)]


def _misleads(work: Work, member: Player, words: Collection[str]) -> bool:
    try:
        name = read_name(member.name)
        _require_free(work, name, words, member.id)
    except (NotAName, _NotFree):
        return True
    return False


def _means_something(work: Work, name: str, words: Collection[str]) -> bool:
    """Return whether a name means a command, a game, a square, an office, nobody or a bot."""
    seen = {skeleton_of(name), small_skeleton_of(name)}
    return (
        not seen.isdisjoint(_reserved(frozenset((*words, work.club.name))))
        or _is_square(name)
        or any(map(_has_office, seen))
        or any(each.startswith(tuple(_skeletons(FORMER))) for each in seen)
        or any(map(_BOTS_NAME.fullmatch, (*seen, name.casefold())))
    )


def _skeletons(words: Iterable[str]) -> frozenset[str]:
    """Return skeletons of words in lower and upper case, since a capital I looks like a small L."""
    return frozenset(skeleton_of(each) for word in words for each in (word, word.upper()))


@cache
def _reserved(words: frozenset[str]) -> frozenset[str]:
    """Return the skeletons of reserved words, given those of commands."""
    kinds = (reserved(kind) for kind in ("offices", "roles", "nobody", "meanings", "common"))
    spoken = (*FORMER, *seats_and_games(), *chain.from_iterable(kinds))
    whole = chain(words, (word.split()[0] for word in words), spoken)
    return _skeletons(whole)


@cache
def _squares() -> frozenset[str]:
    return _skeletons(squares())


@cache
def _offices() -> frozenset[str]:
    return _skeletons(reserved("offices"))


def _is_square(name: str) -> bool:
    """Return whether a name, without a number at its end, is a square.

    Only names with a digit, since the skeletons of A1 and Al are the same.
    """
    tried = (_NUMBERED.sub("", name), re.sub(r"[ .'-]", "", name))
    said = (each for each in tried if any(map(str.isdecimal, each)))
    return any(skeleton_of(each) in _squares() for each in said)


def _has_office(skeleton: str) -> bool:
    """Return whether a name contains an office, however its words are spaced."""
    offices = _offices()
    joined = _APART.sub("", skeleton)
    long = tuple(each for each in offices if len(each) >= LONG_OFFICE)
    return (
        not offices.isdisjoint(_APART.split(skeleton))
        or joined in offices
        or joined.startswith(long)
        or joined.endswith(long)
    )


def _free_nearby(work: Work, text: str, words: Collection[str]) -> Iterator[str]:
    """Yield free names, nearest to a text first."""
    made = made_a_name(text)
    for name in _nearby("" if made.casefold() in _PLACEHOLDERS else made):
        try:
            _require_free(work, name, words, "")
        except _NotFree:
            continue
        yield name


_PLACEHOLDERS = {"name", "your name"}
"""Words of examples and links that stand for a name."""


def _nearby(name: str) -> Iterator[str]:
    """Yield a name without its refused words, then with numbers, then neutral names."""
    honest = " ".join(word for word in name.split() if not _has_office(skeleton_of(word)))
    tried = dict.fromkeys((name, honest)) if len(honest) > 1 else (name,)
    yield from (each for each in tried if each)
    for each in (*(each for each in tried if each), "Newcomer"):
        yield from (f"{each[: MOST - 3]} {number}" for number in range(2, 100))
    yield from (f"Newcomer {number}" for number in count(100))


def rename(work: Work, member: Player, name: str) -> Player:
    """Rename a member. Raises StorageError if the name is taken."""
    after = work.players.rename(member.id, name)
    remember(work, member, after)
    work.matches.archive_again(member.id)
    work.stale.mark(PageKind.PERSON, [member.id])
    for job in ("publish", "pages"):
        work.jobs.enqueue(job)
    return after


def rename_by_director(work: Work, member: Player, name: str) -> Player:
    """Rename a member and email them."""
    after = rename(work, member, name)
    post(work, Renamed(member.name, name), after)
    return after


def remember(work: Work, before: Player, after: Player) -> None:
    """Remember names and addresses that a member no longer has."""
    now = {after.name, *after.addresses}
    gone = [each for each in (before.name, *before.addresses) if each not in now]
    known = work.players.get(after.id).settings.get(KNOWN_BEFORE, "").splitlines()
    lines = [each for each in dict.fromkeys((*known, *gone)) if each not in now]
    if lines != known:
        work.players.choose(after.id, KNOWN_BEFORE, "\n".join(lines))
