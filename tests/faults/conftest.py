"""Fixtures of the fault tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.trial import Trial
from tests.support.certificates import Certificates
from tests.support.dovecot import Dovecot


@pytest.fixture
def begin(
    dovecot: Dovecot, certificates: Certificates, domain: str, tmp_path: Path
) -> Iterator[Callable[[str], Trial]]:
    """Start a trial on the database of a URL."""
    with ExitStack() as ended:
        yield lambda url: ended.enter_context(
            Trial(dovecot, certificates.ca_file, domain, url, tmp_path)
        )


@pytest.fixture
def trial(begin: Callable[[str], Trial], sqlite_url: str) -> Trial:
    """A club with three players and a match that has just started."""
    return begin(sqlite_url)


@pytest.fixture
def postgresql_trial(begin: Callable[[str], Trial], postgresql_url: str) -> Trial:
    """The same on PostgreSQL."""
    return begin(postgresql_url)
