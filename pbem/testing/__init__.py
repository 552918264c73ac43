"""Conformance: the tests that every game must pass, for the authors of games.

A test file of three lines runs them all on a family (docs/games.md):

    from pbem.testing import FamilyTests
    from pbem_nim import FAMILY
    class TestNim(FamilyTests, family=FAMILY): ...

Needs pytest, the extra `testing`. Attributes of the class add files and change how much is tried.
"""

from __future__ import annotations

import pkgutil

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{each.name}" for each in pkgutil.iter_modules(__path__))
)

from pbem.testing.family import FamilyTests  # noqa: E402 only what is imported later is rewritten

__all__ = ["FamilyTests"]
