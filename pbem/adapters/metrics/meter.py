"""PrometheusMeter counts what a process does and exposes it in Prometheus's text format."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from pbem.mail.bounce.failure import Subject
from pbem.mail.outgoing.letter import Urgency
from pbem.ports.inbound import InboundState
from pbem.ports.outbox import Delivery
from pbem.ports.process import Number, SentMail

SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600, 24 * 3600)
"""Bounds of answer times: seconds with IDLE or LMTP, a minute by polling, hours after limits or
problems.
"""


class PrometheusMeter:
    """Counts with the Prometheus client. Satisfies the port Meter."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._read = Counter(
            "pbem_mails_read",
            "Received emails by what happened to them, and why.",
            ("fate", "reason"),
            registry=registry,
        )
        self._asked = Counter(
            "pbem_commands",
            "Commands carried out from emails.",
            ("command",),
            registry=registry,
        )
        self._happened = Counter(
            "pbem_match_entries",
            "Actions and other entries in the histories of matches.",
            ("game", "kind"),
            registry=registry,
        )
        self._sent = Counter(
            "pbem_mails_sent",
            "Emails that the mail server accepted.",
            ("kind", "urgency"),
            registry=registry,
        )
        self._not_sent = Counter(
            "pbem_mails_not_sent",
            "Failed attempts to send an email, temporary or permanent, by reason.",
            ("outcome", "reason"),
            registry=registry,
        )
        self._answered = Histogram(
            "pbem_answer_seconds",
            "Seconds from receiving an email until the server accepted the emails that it caused.",
            ("urgency",),
            buckets=SECONDS,
            registry=registry,
        )
        self._reached = Gauge(
            "pbem_server_up",
            "Whether a mail server answered this process at the last attempt.",
            ("server",),
            registry=registry,
        )
        self._failures = Counter(
            "pbem_server_failures",
            "How often a mail server could not be reached.",
            ("server",),
            registry=registry,
        )
        self._lost: set[str] = set()
        self._begin()

    def _begin(self) -> None:
        """Create the series now, since Prometheus sees no increase in one that appears later."""
        for urgency in Urgency:
            self._answered.labels(urgency.name.lower())
        for state in InboundState:
            self._read.labels(state, "")
        for outcome in (Delivery.DEFERRED, Delivery.REFUSED):
            for reason in (*Subject, "connection"):
                self._not_sent.labels(outcome, reason)

    @property
    def lost(self) -> list[str]:
        """Return the mail servers that could not be reached last time."""
        return sorted(self._lost)

    def read(self, fate: str, reason: str) -> None:
        self._read.labels(fate, reason).inc()

    def asked(self, command: str) -> None:
        self._asked.labels(command).inc()

    def happened(self, game: str, kind: str, times: int) -> None:
        self._happened.labels(game, kind).inc(times)

    def sent(self, mail: SentMail) -> None:
        self._sent.labels(mail.kind, mail.urgency).inc()
        if mail.answered_after is not None:
            # The clock of the mail server that dated it may be ahead.
            seconds = max(0.0, mail.answered_after.total_seconds())
            self._answered.labels(mail.urgency).observe(seconds)

    def not_sent(self, outcome: str, reason: str) -> None:
        self._not_sent.labels(outcome, reason).inc()

    def reached(self, server: str, *, works: bool) -> None:
        self._reached.labels(server).set(works)
        self._failures.labels(server).inc(not works)
        (self._lost.discard if works else self._lost.add)(server)


CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Exposition:
    """Counters of a process, and numbers computed at each scrape."""

    def __init__(self, numbers: Callable[[], Iterable[Number]]) -> None:
        registry = CollectorRegistry()
        self.meter = PrometheusMeter(registry)
        self._registry = registry
        registry.register(_Numbers(numbers))
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def text(self) -> bytes:
        """Return the metrics as of now."""
        return generate_latest(self._registry)


class _Numbers(Collector):
    """Exposes numbers as gauges."""

    def __init__(self, numbers: Callable[[], Iterable[Number]]) -> None:
        self._numbers = numbers

    def describe(self) -> list[GaugeMetricFamily]:
        """Return nothing, so that registering this computes no numbers."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for number in self._numbers():
            family = GaugeMetricFamily(number.name, number.about, labels=number.labels)
            for labels, value in number.values:
                family.add_metric(labels, value)
            yield family


ValueT = TypeVar("ValueT")


class CachedLook(NamedTuple, Generic[ValueT]):
    """The latest result of a lookup."""

    value: ValueT
    at: float
    """On a monotonic clock, in seconds."""

    @property
    def ago(self) -> float:
        """Return the seconds since the lookup."""
        return time.monotonic() - self.at


class Cached(Generic[ValueT]):
    """A value that may be some seconds old. Never looks it up twice at once."""

    def __init__(self, look_up: Callable[[], ValueT], seconds: float) -> None:
        self._look_up = look_up
        self._seconds = seconds
        self._looking = threading.Lock()
        self._last: CachedLook[ValueT] | None = None

    def look(self) -> CachedLook[ValueT]:
        """Return the value, or the previous one while another thread is looking it up."""
        before = self._last
        if before is not None and not self._looking.acquire(blocking=False):
            return before
        if before is None:
            self._looking.acquire()
        try:
            if self._last is None or self._last.ago >= self._seconds:
                self._last = CachedLook(self._look_up(), time.monotonic())
            return self._last
        finally:
            self._looking.release()
