"""How many examples a property is tried with: a tenth where time is short, all where it is not."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("check", max_examples=10)
"""For `make check`; by default a property has a hundred examples."""
settings.register_profile("every", max_examples=10_000)
"""For `make faults`: a process dies at every place, where else places are drawn."""


def examples(number: int) -> int:
    """So many in a whole run of the tests, fewer by the profile."""
    return max(1, number * settings().max_examples // 100)
