"""Metrics: counts and measurements, for Prometheus and for health checks."""

from pbem.adapters.metrics.meter import CONTENT_TYPE, Cached, Exposition
from pbem.adapters.metrics.server import HttpPage, MetricsServer

__all__ = ["CONTENT_TYPE", "Cached", "Exposition", "HttpPage", "MetricsServer"]
