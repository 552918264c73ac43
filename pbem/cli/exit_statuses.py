"""Exit statuses: what a command says to the script or the service manager that started it."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """How a command ended. From 64 on they are those of sysexits.h, which systemd knows by name."""

    meaning: str

    def __new__(cls, status: int, meaning: str) -> ExitStatus:
        each = int.__new__(cls, status)
        each._value_ = status
        each.meaning = meaning
        return each

    DONE = (0, "Done. What runs until SIGTERM was ended by a signal.")
    REFUSED = (
        1,
        "What was asked for cannot be done, or what was looked at is not well; it says why.",
    )
    USAGE = (2, "The command line is wrong: no such command or option, or no such value.")
    TO_BE_DONE = (3, "There is something to be done; only of commands that look for it.")
    MAIL_SERVER = (69, "A mail server cannot be reached, or does not take what it was asked.")
    LATER = (
        75,
        "The database cannot be used, or another process is there; the same may work later.",
    )
    SCHEMA = (76, "The schema of the database is older or newer than this pbem works with.")
    CONFIGURATION = (
        78,
        "The configuration is missing or wrong, or a folder of it unusable; see pbem doctor.",
    )
    INTERRUPTED = (130, "Ended by Ctrl-C.")
    NOBODY_READS = (141, "Whoever read what was printed went away, as head does.")
