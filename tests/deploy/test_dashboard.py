"""Test that every query of the dashboard and the alerts has data, with a real Prometheus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import isfinite
from pathlib import Path
from threading import Semaphore

import pytest

from pbem.adapters.db.unit_of_work import open_storage
from pbem.adapters.job_queue import ProcrastinateQueue
from pbem.adapters.metrics import HttpPage, MetricsServer
from pbem.games import game_of
from pbem.inbox.process import shunt
from pbem.matches.match import MatchOptions
from pbem.ports.outbox import Delivery, DeliveryReport
from pbem.run.monitoring import Watched
from pbem.service.delivery.deliver import Connection, WatchedTransport
from pbem.service.play.start import start_match
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport
from tests.support.prometheus import HOST, Prometheus, scraping
from tests.support.stored import recorded_mail

pytestmark = pytest.mark.servers

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "pbem.rules.yml"
DASHBOARD = json.loads((DEPLOY / "grafana" / "pbem.json").read_text())
QUERIES = [each["expr"] for panel in DASHBOARD["panels"] for each in panel["targets"]]
NAME = re.compile(r"\bpbem_[a-z_]+")
PATIENCE_S = 60.0
WEEK = timedelta(days=7)


class Scraped:
    """A monitored club on PostgreSQL, a week old. The test can wait for each scrape."""

    def __init__(self, house: House, folder: Path) -> None:
        self.house = house
        self.monitored = Watched(house.club, 60, folder, lambda: "", 0)
        house.club = self.monitored.club
        self._looks = Semaphore(0)
        pages = {"/metrics": self._page}
        self.server = MetricsServer(HOST, 0, pages)

    def _page(self) -> HttpPage:
        self._looks.release()
        return self.monitored.pages["/metrics"]()

    def is_looked_at(self, times: int) -> None:
        """Wait for more scrapes. All but the last are stored by then."""
        while self._looks.acquire(blocking=False):
            pass
        for _ in range(times):
            assert self._looks.acquire(timeout=PATIENCE_S)

    def names(self) -> set[str]:
        return set(NAME.findall(self.monitored.pages["/metrics"]().body.decode()))


@pytest.fixture
def scraped(postgresql_url: str, tmp_path: Path) -> Iterator[Scraped]:
    clock = FakeClock(datetime.now(UTC) - WEEK)
    storage = open_storage(postgresql_url, jobs=ProcrastinateQueue())
    with closing(storage), closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        house.club = replace(house.club, witness=storage.clock)
        scraped = Scraped(house, tmp_path)
        scraped.server.start()
        yield scraped
        scraped.server.stop()


def simulate_week(house: House) -> tuple[Person, Person]:
    """Simulate a week with everything we measure. Matches 2 and 3 continue, and email waits."""
    anna, bert = house.player("Anna"), house.player("Bert")
    assert isinstance(house.transport, FakeTransport)
    house.transport.answers = [DeliveryReport(Delivery.REFUSED, "554 5.7.1 Spam message rejected")]
    connection = Connection("SMTP", house.clock, house.club.meter)
    house.transport = WatchedTransport(house.transport, connection)
    house.match("lanko-68", anna, bert, days=1)
    house.skips(days=WEEK.days)
    with writing(house.club) as work:
        work.service.backed_up(work.now)
        aside = recorded_mail(work, 1)
    shunt(house.club, aside, "Traceback\nZeroDivisionError")
    return anna, bert


def test_each_dashboard_query_returns_data(scraped: Scraped, tmp_path: Path) -> None:
    house = scraped.house
    anna, bert = simulate_week(house)
    match = house.match("lanko-68", anna, bert)
    with scraping(tmp_path, f"{HOST}:{scraped.server.port}", RULES) as prometheus:
        scraped.is_looked_at(3)
        anna.receives()
        anna.says("[41-36]\nshow")
        house.works()
        assert house.moves(match.id) == ["[41-36]"]
        with writing(house.club) as work:
            players = [each.player for each in (anna, bert) if each.player]
            start_match(work, game_of("lancelot"), players, MatchOptions())
        scraped.is_looked_at(4)
        for query in QUERIES:
            values = asked(prometheus, query)
            assert values, query
            assert all(map(isfinite, values)), (query, values)
        assert {rule["health"] for rule in prometheus.rules()} <= {"ok", "unknown"}
    wanted = set(NAME.findall(f"{RULES.read_text()} {QUERIES}"))
    assert wanted <= scraped.names()


def asked(prometheus: Prometheus, query: str) -> list[float]:
    """Return the current values of a panel, with a week shortened to a minute."""
    now = query.replace("$job", "pbem").replace("$__rate_interval", "1m")
    return [float(each["value"][1]) for each in prometheus.query(now)]
