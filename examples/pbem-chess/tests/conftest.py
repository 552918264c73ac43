"""Settings for the tests of chess: `--every` runs all of what the default run samples."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--every", action="store_true", help="All perft numbers and 10,000 games.")


@pytest.fixture(scope="session")
def every(request: pytest.FixtureRequest) -> bool:
    """Whether to run everything."""
    return bool(request.config.getoption("--every"))
