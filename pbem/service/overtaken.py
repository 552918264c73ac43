"""Overtaken: somebody else was quicker."""

from __future__ import annotations


class Overtaken(Exception):
    """What a change relied on is not so any more; nothing of it is written."""
