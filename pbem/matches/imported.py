"""Imported: matches of other clubs, as this club keeps, shows and rates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.ratings import EARLY_ENDINGS
from pbem.matches.record import Record
from pbem.matches.record.to_match import Stored, happenings_of, people_of, stored_of, unreplayed

NO_MATCH = (ArithmeticError, LookupError, ValueError)
"""Errors of a record whose values no match can have."""


class ImportedMatch(NamedTuple):
    """A match of another club."""

    number: int
    """Its number among all imported ones, from 1. Never used again."""
    record: Record

    @property
    def id(self) -> int:
        """Return its number among our matches: a negative one, since it is none of them."""
        return -self.number

    @property
    def summary(self) -> MatchSummary:
        """Return the match with the players' numbers in their club, not replayed."""
        return replace(unreplayed(self.record), id=self.id)

    @property
    def stored(self) -> Stored:
        """Return the match replayed, with its history. Raises OptionError without its game."""
        stored = stored_of(self.record)
        return stored._replace(match=replace(stored.match, id=self.id))

    @property
    def happenings(self) -> list[Happening]:
        """Return the events of the match other than actions."""
        return [*happenings_of(self.record)]


class RatedName(NamedTuple):
    """A name in the records of a club that stands for one of our members."""

    club: str
    name: str
    member: PlayerId


def rated_as_ours(match: ImportedMatch, rated: Iterable[RatedName]) -> MatchSummary | None:
    """Return a match as if our members had played it here.

    None unless everybody who ever played it is one of our members, each a different one.
    """
    members = {each.name: each.member for each in rated if each.club == match.record.club}
    names = people_of(match.record)
    if not members.keys() >= {*names.values()}:
        return None
    ours = {number: members[name] for number, name in names.items()}
    if len({*ours.values()}) < len(ours):
        return None
    theirs = replayed_if_early(match.record)
    spells = (each._replace(player=ours[each.player]) for each in theirs.hands.earlier)
    return replace(
        theirs,
        id=match.id,
        seats={seat: ours[number] for seat, number in theirs.seats.items()},
        hands=replace(theirs.hands, earlier=tuple(spells)),
    )


def without_name(record: Record, name: str, former: Callable[[PlayerId], str]) -> Record:
    """Return a record in which a player has another name, by their number there."""

    def renamed(number: PlayerId, old: str) -> str:
        return former(number) if old == name else old

    players = {seat: renamed(record.numbers[seat], old) for seat, old in record.players.items()}
    later = {number: renamed(number, old) for number, old in record.substitutes.items()}
    return replace(record, players=players, substitutes=later)


def replayed_if_early(record: Record) -> MatchSummary:
    """Return the match of a record, replayed only where it matters in which turn it ended.

    It is never replayed if its game is not installed.
    """
    match = unreplayed(record)
    early = record.result is not None and record.result.termination in EARLY_ENDINGS
    return stored_of(record).match if early and not match.lacks_rules else match
