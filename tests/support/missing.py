"""What a test needs and this machine has not."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip(lacking: str) -> NoReturn:
    """Skips the test, which CI does not forgive."""
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)
