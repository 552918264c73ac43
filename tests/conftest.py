"""Settings for all tests. Fixtures that several parts share are in tests/support."""

from os import cpu_count

import pytest

# Each module comes after those that it imports: pytest has to be the first to load each.
pytest_plugins = (
    "tests.support.outside",
    "tests.support.compiled",
    "tests.support.declared",
    "tests.support.examples",
    "tests.support.postgres",
    "tests.support.databases",
    "tests.support.certificates",
    "tests.support.dovecot",
    "tests.support.smtp",
    "tests.support.token_server",
    "tests.support.authorisation_server",
    "tests.support.token_logins",
    "tests.support.imap",
    "tests.support.mail_servers",
    "tests.support.posts",
    "tests.support.relayed_club",
    "tests.support.outgoing",
)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start 1.5 workers per processor for tests that wait for servers: each one costs seconds."""
    processors = cpu_count() or 1
    return processors if "not servers" in config.option.markexpr else -(-processors * 3 // 2)
