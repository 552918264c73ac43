"""Exit statuses, which report the result of a command to scripts and service managers."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """Result of a command. From 64 on, from sysexits.h, whose names systemd knows."""

    meaning: str

    def __new__(cls, status: int, meaning: str) -> ExitStatus:
        each = int.__new__(cls, status)
        each._value_ = status
        each.meaning = meaning
        return each

    DONE = (0, "Success. Commands that run until SIGTERM were stopped by a signal.")
    REFUSED = (
        1,
        "The request cannot be carried out, or a check found a problem. The output says why.",
    )
    USAGE = (2, "The command line is wrong: an unknown command, option or value.")
    TO_BE_DONE = (3, "Something needs to be done. Only for commands that check this.")
    MAIL_SERVER = (69, "A mail server cannot be reached, or refuses a request.")
    LATER = (
        75,
        "The database cannot be used, or another process is using it. Try again later.",
    )
    SCHEMA = (76, "The schema of the database is too old or too new for this version of pbem.")
    CONFIGURATION = (
        78,
        "The configuration is missing or wrong, or a folder is unusable. See pbem doctor.",
    )
    INTERRUPTED = (130, "Stopped by Ctrl-C.")
    NOBODY_READS = (141, "The reader of the output closed it, as head does.")
