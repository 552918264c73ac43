"""In-memory sets, series and tournaments."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.events import Event
from pbem.matches.sets import MatchSet
from pbem.service.ports import EventT, StorageError
from tests.fakes.storage_data import Repository, utc


class FakeSets(Repository):
    """The port Sets."""

    def add(self, match_set: MatchSet) -> MatchSet:
        """Gives it the next id."""
        data = self._changing()
        data.require(players=match_set.players)
        created_at = utc(match_set.created_at)
        stored = replace(match_set, id=data.next_id("sets"), created_at=created_at)
        data.sets[stored.id] = stored
        return stored

    def get(self, set_id: int) -> MatchSet:
        """By id."""
        if set_id not in self._data.sets:
            raise StorageError(f"there is no set {set_id}")
        return self._data.sets[set_id]

    def lock(self, set_id: int) -> MatchSet:
        """There is one writer at a time."""
        self._changing()
        return self.get(set_id)

    def all(self) -> list[MatchSet]:
        """Ids rise, and dicts keep their order."""
        return list(self._data.sets.values())


class FakeEvents(Repository):
    """The port Events."""

    def add(self, event: EventT) -> EventT:
        """Gives it the next id."""
        data = self._changing()
        data.require(players=event.players)
        created_at = utc(event.created_at)
        stored = replace(event, id=data.next_id("events"), created_at=created_at)
        data.events[stored.id] = stored
        return stored

    def get(self, event_id: int) -> Event:
        """By id."""
        if event_id not in self._data.events:
            raise StorageError(f"there is no event {event_id}")
        return self._data.events[event_id]

    def lock(self, event_id: int) -> Event:
        """There is one writer at a time."""
        self._changing()
        return self.get(event_id)

    def all(self) -> list[Event]:
        """Ids rise, and dicts keep their order."""
        return list(self._data.events.values())
