"""Exposition: everything that is counted and measured, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from pbem.adapters.metrics.meter import PrometheusMeter
from pbem.service.ports import Number

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Exposition:
    """What a process has counted, and numbers that are looked up whenever it is read."""

    def __init__(self, numbers: Callable[[], Iterable[Number]]) -> None:
        registry = CollectorRegistry()
        self.meter = PrometheusMeter(registry)
        self._registry = registry
        registry.register(_Numbers(numbers))
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def text(self) -> bytes:
        """As it is now."""
        return generate_latest(self._registry)


class _Numbers(Collector):
    """Numbers as gauges."""

    def __init__(self, numbers: Callable[[], Iterable[Number]]) -> None:
        self._numbers = numbers

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing, lest they are looked up when this is registered."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for number in self._numbers():
            family = GaugeMetricFamily(number.name, number.about, labels=number.labels)
            for labels, value in number.values:
                family.add_metric(labels, value)
            yield family
