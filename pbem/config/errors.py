"""What is wrong with a configuration."""

from __future__ import annotations


class ConfigError(Exception):
    """What is wrong with the configuration, and which key mends it."""
