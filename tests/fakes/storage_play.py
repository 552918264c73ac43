"""In-memory matches, deadlines and heartbeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.place import Place
from pbem.matches.time_control import DeadlineKind, Due
from pbem.service.ports import Deadline, Exposure, StorageError
from tests.fakes.storage_clock import set_back
from tests.fakes.storage_data import Repository, match_in_utc, utc


class FakeMatches(Repository):
    """The port Matches."""

    def add(self, match: MatchSummary) -> MatchSummary:
        """Its place in a competition must be free."""
        data = self._changing()
        data.require(players=match.players)
        if match.place is not None:
            self._require_free(match.place)
        stored = replace(match_in_utc(match), id=data.next_id("matches"))
        data.matches[stored.id] = stored
        data.actions[stored.id] = ()
        return stored

    def get(self, match_id: int) -> MatchSummary:
        """By id."""
        self._data.require(match=match_id)
        return self._data.matches[match_id]

    def lock(self, match_id: int) -> MatchSummary:
        """There is one writer at a time."""
        self._changing()
        return self.get(match_id)

    def save(self, match: MatchSummary) -> None:
        """Replaces it."""
        data = self._changing()
        data.require(match=match.id)
        data.matches[match.id] = match_in_utc(match)

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
    ) -> None:
        """All or none of each."""
        data = self._changing()
        data.require(match=match_id)
        new = tuple(action._replace(at=utc(action.at)) for action in actions)
        both = data.actions[match_id] + new
        if len({action.number for action in both}) < len(both):
            raise StorageError(f"match {match_id} has these actions")
        data.actions[match_id] = tuple(sorted(both))
        happened = tuple(each._replace(at=utc(each.at)) for each in happenings)
        all_happened = data.happenings.get(match_id, ()) + happened
        if len({each.entry for each in all_happened}) < len(all_happened):
            raise StorageError(f"match {match_id} has these entries")
        data.happenings[match_id] = tuple(sorted(all_happened))

    def recorded(self, match_id: int, from_turn: int = 0) -> list[RecordedAction]:
        """Kept in order."""
        recorded = self._data.actions.get(match_id, ())
        return [action for action in recorded if action.turn >= from_turn]

    def happenings(self, match_id: int) -> list[Happening]:
        """Kept in order."""
        return list(self._data.happenings.get(match_id, ()))

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        """Looks at every match."""
        his = [match for match in self.all() if player in match.players]
        return [match for match in his if match.result is None or not playing]

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        """Looks at every match."""
        placed = [(match.place, match) for match in self.all() if match.place is not None]
        of_it = [(place.index, m) for place, m in placed if place.competition == competition_id]
        return [match for _, match in sorted(of_it, key=lambda each: each[0])]

    def _require_free(self, place: Place) -> None:
        if place.competition not in self._data.competitions:
            raise StorageError(f"there is no competition {place.competition}")
        others = (match.place for match in self.of_competition(place.competition))
        if any(other is not None and other.index == place.index for other in others):
            raise StorageError("its place in the competition is taken")

    def all(self) -> list[MatchSummary]:
        """Ids rise, and dicts keep their order."""
        return list(self._data.matches.values())

    def expose(self, match_id: int, player: PlayerId, exposure: Exposure) -> None:
        """By match and player."""
        known = self.exposure(match_id, player) or exposure
        larger = Exposure(max(known.mail, exposure.mail), max(known.turn, exposure.turn))
        self._changing().exposed[match_id, player] = larger

    def exposure(self, match_id: int, player: PlayerId) -> Exposure | None:
        """By match and player."""
        return self._data.exposed.get((match_id, player))

    def unarchived(self) -> list[int]:
        """Looks at every match."""
        ended = [match.id for match in self.all() if match.result is not None]
        return [match_id for match_id in ended if match_id not in self._data.archived]

    def mark_archived(self, match_id: int, at: datetime) -> None:
        """Noted beside the match."""
        data = self._changing()
        data.require(match=match_id)
        data.archived[match_id] = utc(at)


class FakeDeadlines(Repository):
    """The port Deadlines."""

    def put(
        self, match_id: int, turn: int, dues: Iterable[Due], *, stopped_at: datetime | None = None
    ) -> None:
        """Takes off the old ones first."""
        data = self._changing()
        data.require(match=match_id)
        new = [Due(due.kind, utc(due.due_at)) for due in dues]
        stopped = None if stopped_at is None else utc(stopped_at)
        if len({due.kind for due in new}) < len(new):
            raise StorageError("a kind is due twice")
        for old in [each.id for each in data.deadlines.values() if each.match_id == match_id]:
            del data.deadlines[old]
            data.stopped.pop(old, None)
        for kind, due_at in new:
            deadline = Deadline(data.next_id("deadlines"), match_id, turn, kind, due_at)
            data.deadlines[deadline.id] = deadline
            if stopped is not None:
                data.stopped[deadline.id] = stopped

    def due(self, until: datetime) -> list[Deadline]:
        """Looks at all."""
        until = utc(until)
        due = [each for each in self._running() if each.due_at <= until]
        return sorted(due, key=lambda each: (each.due_at, each.id))

    def done(self, deadline_id: int) -> bool:
        """Whether it was there."""
        data = self._changing()
        data.stopped.pop(deadline_id, None)
        return data.deadlines.pop(deadline_id, None) is not None

    def flag_at(self, match_id: int) -> datetime | None:
        """Looks at all."""
        flags = [each for each in self._running() if each.kind is DeadlineKind.FLAG]
        return next((each.due_at for each in flags if each.match_id == match_id), None)

    def postpone(self, by: timedelta, after: datetime) -> int:
        """One by one."""
        self._changing()
        after = utc(after)
        later = [each for each in self._running() if each.due_at > after]
        for each in later:
            self._move(each, by)
        return len(later)

    def stop(self, match_ids: Sequence[int], at: datetime) -> None:
        """Notes the moment beside each."""
        data, at = self._changing(), utc(at)
        for each in self._running():
            if each.match_id in match_ids and each.due_at > at:
                data.stopped[each.id] = at

    def go_on(self, match_ids: Sequence[int], at: datetime) -> None:
        """One by one."""
        data, at = self._changing(), utc(at)
        for deadline_id, stopped_at in list(data.stopped.items()):
            deadline = data.deadlines[deadline_id]
            if deadline.match_id in match_ids:
                self._move(deadline, at - stopped_at)
                del data.stopped[deadline_id]

    def _running(self) -> list[Deadline]:
        return [e for e in self._data.deadlines.values() if e.id not in self._data.stopped]

    def _move(self, deadline: Deadline, by: timedelta) -> None:
        self._data.deadlines[deadline.id] = replace(deadline, due_at=deadline.due_at + by)


class FakeServiceLog(Repository):
    """The port ServiceLog."""

    def last_beat(self) -> datetime | None:
        """As noted."""
        return self._data.moments.get("beat")

    def beat(self, at: datetime) -> None:
        """The later of two stays."""
        self._note("beat", at)

    def last_poll(self) -> datetime | None:
        """As noted."""
        return self._data.moments.get("poll")

    def polled(self, at: datetime) -> None:
        """The later of two stays."""
        self._note("poll", at)

    def lock(self) -> datetime | None:
        """There is one writer at a time."""
        self._changing()
        return self.last_beat()

    def set_back(self, by: timedelta, now: datetime) -> None:
        """Table by table."""
        set_back(self._changing(), by, utc(now))

    def _note(self, name: str, at: datetime) -> None:
        moments = self._changing().moments
        moments[name] = max(utc(at), moments.get(name, utc(at)))
