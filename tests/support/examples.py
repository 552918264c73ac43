"""The number of examples for a property: a tenth if time is short, otherwise all."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

BUSY = (HealthCheck.too_slow,)
"""Health checks that are left out, since a machine may be busy."""
settings.register_profile("usual", suppress_health_check=BUSY)
settings.load_profile("usual")
settings.register_profile("check", max_examples=10, suppress_health_check=BUSY)
"""For `make check`. By default a property has a hundred examples."""
settings.register_profile("every", max_examples=10_000, suppress_health_check=BUSY)
"""For `make faults`: a process dies at every place. Otherwise places are drawn at random."""


def examples(number: int) -> int:
    """Return this many in a whole run of the tests, or fewer by the profile."""
    return max(1, number * settings().max_examples // 100)
