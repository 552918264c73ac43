"""Metrics: what is counted and measured, for Prometheus and for whoever asks if all is well."""

from pbem.adapters.metrics.meter import CONTENT_TYPE, Exposition, Fresh
from pbem.adapters.metrics.server import MetricsServer, Page

__all__ = ["CONTENT_TYPE", "Exposition", "Fresh", "MetricsServer", "Page"]
