"""In-memory tallies. Everything is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

from pbem.ports.inbound import InboundState
from pbem.ports.process import UNFINISHED, JobTally, Tally
from tests.fakes.storage_data import Repository, utc

SCHEMA = "0001"


class FakeTallies(Repository):
    """The port Tallies."""

    def unfinished(self) -> Mapping[InboundState, Tally]:
        mails = self._data.inbound.values()
        return {
            state: _tally(each.received_at for each in mails if each.state is state)
            for state in UNFINISHED
        }

    def put_off(self, now: datetime) -> Tally:
        waiting = (each for each in self._data.outbox.values() if not each.closed)
        return _tally(each.at for each in waiting if each.next_attempt_at > utc(now))

    def failed(self, since: datetime) -> int:
        tried = (each for each in self._data.outbox.values() if each.tried_at is not None)
        return sum(each.failed and (each.tried_at or since) > utc(since) for each in tried)

    def playing(self) -> Counter[str]:
        matches = self._data.matches.values()
        return Counter(match.game_key for match in matches if match.result is None)

    def members(self) -> int:
        return sum(not player.bot and not player.former for player in self._data.players.values())

    def jobs(self) -> JobTally | None:
        return None

    def schema(self) -> str:
        return SCHEMA


def _tally(moments: Iterable[datetime]) -> Tally:
    found = list(moments)
    return Tally(len(found), min(found, default=None))
