"""Reading: what is read of the club for its pages, with all left out that is not to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pbem.archive.site.values import Entry, MatchPage, Note
from pbem.matches.clock import Clock
from pbem.matches.competition import Competition
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, Player, PlayerId, RecordedAction
from pbem.matches.record import Competition as Recorded, Record, RecordError, record_of
from pbem.service.ports import UnitOfWork
from pbem.service.room.people import shows_notes, together
from pbem.service.room.room import Room


@dataclass
class Known:
    """What many pages name, read once a run. Who changes it meanwhile marks pages for the next."""

    players: dict[PlayerId, Player] = field(default_factory=dict)
    competitions: dict[int, Competition] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """One reading transaction for the pages of a room."""

    room: Room
    uow: UnitOfWork
    known: Known = field(default_factory=Known)

    def player(self, player: PlayerId) -> Player:
        """A player; raises StorageError if there is none."""
        if player not in self.known.players:
            self.known.players[player] = self.uow.players.get(player)
        return self.known.players[player]

    def competition(self, number: int) -> Competition:
        """A competition; raises StorageError if there is none."""
        if number not in self.known.competitions:
            self.known.competitions[number] = self.uow.competitions.get(number)
        return self.known.competitions[number]

    def entries(self, matches: Iterable[MatchSummary]) -> Sequence[Entry]:
        """Matches as lists show them."""
        return [self.entry(match) for match in matches]

    def entry(self, match: MatchSummary) -> Entry:
        """A match as lists show it."""
        if self._is_behind(match):
            match = self._shown(match).match
        return self._entry(match)

    def _entry(self, match: MatchSummary) -> Entry:
        people = together(map(self.player, match.players))
        place = match.place
        return Entry(match, people, self.competition(place.competition) if place else None)

    def match_page(self, match: MatchSummary) -> MatchPage:
        """A match to be read and replayed."""
        shown = self._shown(match)
        entry = self._entry(shown.match)
        return MatchPage(
            entry=entry,
            actions=shown.actions,
            happenings=shown.happenings,
            notes=tuple(self._notes(match)),
            delayed=match.turn - shown.match.turn,
            record=_record(entry, shown),
        )

    def _notes(self, match: MatchSummary) -> Iterator[Note]:
        if match.result is None:
            return
        for note in self.uow.notes.of(match.id):
            if shows_notes(self.player(note.author)):
                yield note

    def _is_behind(self, match: MatchSummary) -> bool:
        return match.result is None and self.room.delay > 0

    def _shown(self, match: MatchSummary) -> _Shown:
        actions = self.uow.matches.recorded(match.id)
        whole = _Shown(match, actions, self.uow.matches.happenings(match.id))
        return _behind(whole, match.turn - self.room.delay) if self._is_behind(match) else whole


@dataclass(frozen=True)
class _Shown:
    match: MatchSummary
    actions: Sequence[RecordedAction]
    happenings: Sequence[Happening]


def _behind(shown: _Shown, turn: int) -> _Shown:
    """A match as it was when a turn began, or the next that nobody had to pass.

    Where none has been played since, what was said beside the moves is left out all the same.
    """
    match, later = shown.match, [each for each in shown.actions if each.turn >= turn]
    actions, before = shown.actions, turn
    if later:
        actions, before = actions[: actions.index(later[0])], later[0].turn
        match = replace(match, turn=before, to_act=later[0].seat)
    happenings = [each for each in shown.happenings if each.turn < before]
    then = replace(
        match,
        turn_started_at=actions[-1].at if actions else match.started_at,
        actions=len(actions),
        entries=len(actions) + len(happenings),
        head="",
        offer=None,
        resigned=frozenset(),
        clock=Clock(match.options.control),
    )
    return _Shown(then, actions, happenings)


def _record(entry: Entry, shown: _Shown) -> Record | None:
    """The record; none where a player is hidden.

    The players' numbers are hashed, so they cannot be left out of it, and they are the same from
    match to match.
    """
    match, competition = entry.match, entry.competition
    place = match.place
    if not (match.head or shown.actions or shown.happenings):
        return None
    if any(person.hidden for person in entry.people.values()):
        return None
    names = {player: person.name for player, person in entry.people.items()}
    of = (
        Recorded(competition.kind, competition.number, place.index)
        if place and competition
        else None
    )
    try:
        return record_of(match, names, shown.actions, shown.happenings, of)
    except RecordError:
        return None
