"""The URL of a database as it is given to a command: it may hold a password."""

from __future__ import annotations

import typer

ASKED = "-"
"""In place of a URL: others on the machine see what stands on a command line."""


def given_url(word: str, database: str) -> str:
    """The URL that a word is, or that is asked for: that of which database."""
    if word != ASKED:
        return word
    answer: str = typer.prompt(f"URL of the {database}", hide_input=True)
    return answer.strip()
