"""Metrics: what is counted and measured, for Prometheus and for whoever asks if all is well."""

from pbem.adapters.metrics.meter import CONTENT_TYPE, Cached, Exposition
from pbem.adapters.metrics.server import HttpPage, MetricsServer

__all__ = ["CONTENT_TYPE", "Cached", "Exposition", "HttpPage", "MetricsServer"]
