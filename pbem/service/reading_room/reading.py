"""Reading: read the club's data for its pages, without anything hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.archive.site.values import FeedEntry, MatchPage, Note, NoteKind, Person
from pbem.matches.clock import Clock
from pbem.matches.competition import Competition
from pbem.matches.history import Happening, Kind
from pbem.matches.match import MatchSummary, Player, PlayerId, RecordedAction
from pbem.matches.record import (
    Record,
    RecordedCompetition,
    RecordError,
    everybody_in,
    record_of,
)
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Room
from pbem.service.people import names_in, people_in, shows_notes


@dataclass
class Known:
    """Data that many pages use, read once per run. Changes meanwhile mark pages for the next."""

    players: dict[PlayerId, Player] = field(default_factory=dict)
    competitions: dict[int, Competition] = field(default_factory=dict)
    now: datetime | None = None
    """The last heartbeat."""


@dataclass(frozen=True)
class RoomReading:
    """One reading transaction for the pages of a room."""

    room: Room
    uow: UnitOfWork
    known: Known = field(default_factory=Known)

    def player(self, player: PlayerId) -> Player:
        """Return a player. Raises StorageError if there is none."""
        if player not in self.known.players:
            self.known.players[player] = self.uow.players.get(player)
        return self.known.players[player]

    def competition(self, number: int) -> Competition:
        """Return a competition. Raises StorageError if there is none."""
        if number not in self.known.competitions:
            self.known.competitions[number] = self.uow.competitions.get(number)
        return self.known.competitions[number]

    def entries(self, matches: Iterable[MatchSummary]) -> Sequence[FeedEntry]:
        """Return matches as lists show them."""
        return [self.entry(match) for match in matches]

    def entry(self, match: MatchSummary) -> FeedEntry:
        """Return a match as lists show it."""
        if self._is_behind(match):
            match = self._shown(match).match
        return self._entry(match)

    def _entry(self, match: MatchSummary, everybody: Iterable[PlayerId] = ()) -> FeedEntry:
        """Name the current players first, so that their names don't depend on who else appears."""
        playing = dict.fromkeys((*match.players, *everybody))
        people = people_in(match, playing, self.player)
        place = None if match.hides_names else match.place
        return FeedEntry(match, people, self.competition(place.competition) if place else None)

    def match_page(self, match: MatchSummary) -> MatchPage:
        """Return the page of a match with its replay."""
        shown = self._shown(match)
        entry = self._entry(shown.match, everybody_in(shown.match, shown.happenings))
        return MatchPage(
            entry=entry,
            actions=shown.actions,
            happenings=placed(shown.happenings),
            notes=tuple(public_notes(self.uow, match, self.player)),
            delayed=match.turn - shown.match.turn,
            record=_record(entry, shown),
        )

    def _is_behind(self, match: MatchSummary) -> bool:
        return match.result is None and self.room.delay > 0

    def _shown(self, match: MatchSummary) -> _Shown:
        recorded = self.uow.matches.all_recorded(match.id)
        actions = [action for action in recorded if not action.undone]
        whole = _Shown(match, actions, self.uow.matches.happenings(match.id), recorded)
        return _behind(whole, match.turn - self.room.delay) if self._is_behind(match) else whole


def page_for_players(uow: UnitOfWork, match: MatchSummary, reader: Player) -> MatchPage:
    """Return a match without delay, with the names by which a player or director knows others."""
    happenings = uow.matches.happenings(match.id)
    names = names_in(uow, match, reader, everybody_in(match, happenings))
    people = {player: Person(player, name, page=False) for player, name in names.items()}
    return MatchPage(
        entry=FeedEntry(match, people),
        actions=[action for action in uow.matches.all_recorded(match.id) if not action.undone],
        happenings=placed(happenings),
        notes=tuple(public_notes(uow, match, uow.players.get)),
    )


_PUBLISHED = (NoteKind.MEMO, NoteKind.PLAN)
"""Kinds that are public only if their author published them."""


def public_notes(
    uow: UnitOfWork, match: MatchSummary, player: Callable[[PlayerId], Player]
) -> Iterator[Note]:
    """Yield what players said in an ended match, as far as their authors let everybody read it."""
    if match.result is None:
        return
    for note in uow.notes.of(match.id):
        if note.kind in _PUBLISHED or shows_notes(player(note.author)):
            yield replace(note, turn=min(note.turn, match.turn))


@dataclass(frozen=True)
class _Shown:
    match: MatchSummary
    actions: Sequence[RecordedAction]
    """Actions in force."""
    happenings: Sequence[Happening]
    recorded: Sequence[RecordedAction] | None = None
    """All actions ever played, for the record. None if that is unknown for an earlier moment."""


def placed(happenings: Iterable[Happening]) -> Sequence[Happening]:
    """Return happenings with those of turns taken back moved to the turn that was played again."""
    found = list[Happening]()
    for each in happenings:
        if each.kind is Kind.UNDONE:
            turn = int(each.text)
            found = [before._replace(turn=min(before.turn, turn)) for before in found]
            found.append(each._replace(turn=turn))
        else:
            found.append(each)
    return found


def _behind(shown: _Shown, turn: int) -> _Shown:
    """Return a match as it was when a turn began, or the next one that nobody had to pass.

    Even if none has been played since, leaves out what was said besides the moves.
    """
    match, later = shown.match, [each for each in shown.actions if each.turn >= turn]
    actions, before = shown.actions, turn
    if later:
        actions, before = actions[: actions.index(later[0])], later[0].turn
        match = replace(match, turn=before, to_act=later[0].seat)
    happenings = [each for each in shown.happenings if each.turn < before]
    then = replace(
        match,
        seats={seat: match.held_by(seat, before - 1) for seat in match.seats},
        hands=match.hands.before(before),
        turn_started_at=actions[-1].at if actions else match.started_at,
        actions=len(actions),
        entries=len(actions) + len(happenings),
        head="",
        offers=(),
        resigned=frozenset(),
        clock=Clock(match.options.control),
    )
    # Once turns were taken back, a turn number no longer marks a place in the history.
    return _Shown(then, actions, happenings, None if match.lead else actions)


def _record(entry: FeedEntry, shown: _Shown) -> Record | None:
    """Return the record of a match, None if a player is hidden.

    The history hashes player numbers, so a record cannot leave them out, and they are the same in
    all matches.
    """
    match, competition = entry.match, entry.competition
    place = match.place
    if match.lacks_rules:
        return None
    if shown.recorded is None or not (match.head or shown.recorded or shown.happenings):
        return None
    if any(person.hidden for person in entry.people.values()):
        return None
    names = {player: person.name for player, person in entry.people.items()}
    of = (
        RecordedCompetition(competition.kind, competition.number, place.index)
        if place and competition
        else None
    )
    try:
        return record_of(match, names, shown.recorded, shown.happenings, of)
    except RecordError:
        return None
