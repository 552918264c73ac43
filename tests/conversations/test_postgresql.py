"""The same club on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from pbem.adapters.db.unit_of_work import open_storage
from pbem.service.records.verify import verify_all
from tests.conversations.house import House
from tests.conversations.post_office import Servers
from tests.fakes.clock import FakeClock


def test_match_is_played_and_archived(
    postgresql_url: str, servers: Servers, clock: FakeClock, tmp_path: Path
) -> None:
    storage = open_storage(postgresql_url)
    house = House(servers, storage, clock, tmp_path)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    for person, text in ((anna, "[41-36]"), (bert, "[10-19]"), (anna, "[99-1]")):
        person.receives()
        person.says(text)
        house.works()
    house.resigns(anna)
    assert house.moves() == ["[41-36]", "[10-19]"]
    result = house.state().result
    assert result is not None
    assert result.winners == ("W", "E")
    assert [path.name for path in house.records()] == [
        "match-000001-lanko-68.json",
        "match-000001-lanko-68.txt",
    ]
    assert list(verify_all(storage, house.club.archive)) == []
    house.close()
    storage.close()
