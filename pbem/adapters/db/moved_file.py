"""MovedFile: a SQLite database that went to a PostgreSQL server says so, and is opened no more.

A club that goes on in two databases would ask its players twice, and take one answer here and one
there.
"""

from __future__ import annotations

from pathlib import Path

from pbem.ports.process import StorageUnavailable


class MovedFile:
    """The marker beside a SQLite file; deleting it is the way back."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.path = database.with_name(f"{database.name}.moved")

    @property
    def target(self) -> str:
        """Where the club went, or was about to go, without a password; empty: it is here."""
        try:
            return self.path.read_text("utf-8").partition("\n")[0]
        except FileNotFoundError:
            return ""

    def write(self, target: str) -> None:
        """Says that the club goes to another database."""
        self.path.write_text(f"{target}\n\n{_words(self._database, self.path)}", "utf-8")

    def remove(self) -> None:
        """The club is here as before."""
        self.path.unlink(missing_ok=True)

    def require_unmoved(self) -> None:
        """Raises StorageUnavailable where the club is elsewhere by now."""
        if target := self.target:
            raise StorageUnavailable(
                f"the club in {self._database} has been moved to {target}, or the move did not "
                "come to its end: set url in [database] to that database, or do pbem upgrade "
                f"again. {self.path} tells the way back"
            )


def _words(database: Path, marker: Path) -> str:
    return (
        f"The club in {database.name} has been moved to the database above. {database.name} is as\n"
        "it was then, and while this file is here pbem does not work on it.\n\n"
        "The way back, as if there had been no move: stop every process of the club, set url in\n"
        f"[database] and engine in [jobs] as they were, and delete {marker.name}. What was\n"
        "played in the other database is read again from the mailbox, as docs/restore.md says.\n"
    )
