"""The metrics of a monitored club, which name nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.ports.outbox import Delivery, DeliveryReport, TransportError
from pbem.ports.process import StorageUnavailable
from pbem.ports.storage import UnitOfWork
from pbem.run.monitoring import Watched
from pbem.service.delivery.deliver import Connection, WatchedTransport
from tests.conversations.house import House
from tests.fakes.mail import FakeTransport
from tests.fakes.storage import FakeStorage


class Away(FakeStorage):
    """A storage that cannot be read."""

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        raise StorageUnavailable('server at "db.example" failed: user "pbem"')
        yield


class Gauges:
    """The monitoring pages of the club in a house, whose work is counted from now on."""

    def __init__(self, house: House, folder: Path) -> None:
        self.trouble = ""
        self.monitored = Watched(house.club, 60, folder, lambda: self.trouble, 0)
        house.club = self.monitored.club

    def text(self) -> str:
        return self.monitored.pages["/metrics"]().body.decode()

    def __call__(self, name: str, **labels: str) -> float | None:
        """Return a number, or None if it is missing."""
        for family in text_string_to_metric_families(self.text()):
            for sample in family.samples:
                if sample.name == f"pbem_{name}" and sample.labels == labels:
                    return sample.value
        return None

    def ready(self) -> list[str]:
        """Return the reported problems."""
        page = self.monitored.pages["/readyz"]()
        told = json.loads(page.body)
        assert told["ready"] is (page.status == 200) is (not told["troubles"])
        return list(told["troubles"])


@pytest.fixture
def gauges(house: House, tmp_path: Path) -> Gauges:
    return Gauges(house, tmp_path)


def test_emails_are_counted_by_result(house: House, gauges: Gauges) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]\nshow")
    anna.says("[99-99]")
    house.stranger("eve@elsewhere.example").says("Hello")
    bert.says("I am away.", headers=[("Auto-Submitted", "auto-replied")])
    house.works()

    assert gauges("mails_read_total", fate="done", reason="") == 1
    assert gauges("mails_read_total", fate="refused", reason="not_your_turn") == 1
    assert gauges("mails_read_total", fate="stranger", reason="") == 1
    assert gauges("mails_read_total", fate="ignored", reason="automatic") == 1
    assert gauges("commands_total", command="show") == 1
    assert gauges("match_entries_total", game="lanko-68", kind="action") == 1
    assert gauges("mails_sent_total", kind="turn", urgency="play") == 2
    assert (gauges("matches_playing", game="lanko-68"), gauges("members")) == (1, 2)


def test_answer_time_is_measured_from_receipt(house: House, gauges: Gauges) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    assert gauges("answer_seconds_count", urgency="play") == 0, "nobody had written"
    anna.receives()
    anna.says("[41-36]")
    house.clock.advance(seconds=45)
    house.works()
    assert gauges("answer_seconds_count", urgency="play") == 2, "her answer, and his turn"
    assert gauges("answer_seconds_bucket", urgency="play", le="30.0") == 0
    assert gauges("answer_seconds_bucket", urgency="play", le="60.0") == 2


def test_undelivered_emails_are_counted_by_reason(house: House, gauges: Gauges) -> None:
    refused = gauges("mails_not_sent_total", outcome="refused", reason="address")
    assert refused == 0, "an alarm must notice the first one"
    anna, bert = house.player("Anna"), house.player("Bert")
    assert isinstance(house.transport, FakeTransport)
    house.transport.answers = [DeliveryReport(Delivery.REFUSED, "550 5.1.1 Nobody of that name")]
    house.match("lanko-68", anna, bert)
    assert gauges("mails_not_sent_total", outcome="refused", reason="address") == 1
    assert gauges("outbox_failed_mails") == 1


def test_flag_falls_are_counted(house: House, gauges: Gauges) -> None:
    house.match("lanko-68", house.player("Anna"), house.player("Bert"), days=1)
    house.passes(days=2)
    assert gauges("match_entries_total", game="lanko-68", kind="flag_fell") == 1


def test_absent_mail_server_is_shown(house: House, gauges: Gauges) -> None:
    assert isinstance(house.transport, FakeTransport)
    connection = Connection("SMTP", house.clock, house.club.meter)
    transport = WatchedTransport(house.transport, connection)
    house.sweeps()
    for away in (True, False):
        house.transport.unreachable = "no route to host" if away else ""
        with suppress(TransportError), transport.connect():
            pass
        assert gauges("server_up", server="SMTP") == (not away)
        assert gauges("server_failures_total", server="SMTP") == 1
        assert gauges.ready() == (["SMTP could not be reached"] if away else [])


def test_club_is_ready_unless_something_stops_its_work(house: House, gauges: Gauges) -> None:
    health = gauges.monitored.pages["/healthz"]
    assert gauges.ready() == ["nobody serves the club", "nobody takes email from the first mailbox"]
    assert (health().status, health().body) == (200, b"ok\n"), "this process does its work"
    gauges.trouble = "the thread deliver has stood still since 12:00"
    assert (health().status, health().body) == (503, f"{gauges.trouble}\n".encode())
    assert gauges.ready()[0] == gauges.trouble


def test_absent_database_is_shown_with_the_remaining_numbers(house: House, tmp_path: Path) -> None:
    house.club = replace(house.club, storage=Away())
    gauges = Gauges(house, tmp_path)
    assert gauges.ready() == ["the database cannot be read; see the log"]
    assert (gauges("database_up"), gauges("healthy")) == (0, 1)
    assert gauges("members") is None
    assert (gauges("data_dir_free_bytes") or 0) > 0


def test_metrics_name_nobody(house: House, gauges: Gauges) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    bert.receives()
    bert.says("draw?")
    house.stranger("eve@elsewhere.example").says("join Eve")
    house.works()
    told = gauges.text().lower()
    for name in ("anna", "bert", "eve@", '"eve', "mail.example", "elsewhere", house.club.host):
        assert name not in told, name
