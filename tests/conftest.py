"""Fixtures that more than one part of the tests uses live in tests/support."""

pytest_plugins = ("tests.support.postgres", "tests.support.databases")
