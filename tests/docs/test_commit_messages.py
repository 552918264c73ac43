"""Test that the check of commit messages accepts good ones and rejects bad ones."""

import pytest

from tests.docs.commit_messages import LONGEST, problems


@pytest.mark.parametrize(
    "message",
    ("Fix reminders sent during leave", "Add `pbem mail waiting`\n\nIt lists held email.\n"),
)
def test_good_messages_pass(message: str) -> None:
    assert list(problems(message)) == []


@pytest.mark.parametrize(
    "message",
    (
        "fix reminders",
        "Fixed reminders",
        "Fixing reminders",
        "Adds a command",
        "The reminders are fixed",
        "Fix reminders.",
        "Fix reminders\nsent during leave",
        "Fix " + "x" * LONGEST,
    ),
)
def test_bad_messages_fail(message: str) -> None:
    assert list(problems(message))
