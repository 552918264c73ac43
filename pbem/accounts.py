"""Accounts: the owner of a file, and why this process must not write one of another account."""

from __future__ import annotations

import os
import pwd
import shlex
import sys
from pathlib import Path

PROGRAM = "pbem"


def name_of(uid: int) -> str:
    """Return the name of an account, its number if it has no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def own_name() -> str:
    """Return the name of the account that runs this process."""
    return name_of(os.geteuid())


def belongs_to_another(path: Path, status: os.stat_result) -> str:
    """Return why this process must not write a file, and what to run instead. Empty if it may.

    If root created files there, the club's own account could not write them.
    """
    if status.st_uid == os.geteuid():
        return ""
    owner, here = name_of(status.st_uid), own_name()
    if status.st_uid == 0:
        return (
            f"{path} belongs to root, and this is {here}. To give it to {here}, run as root:"
            f" chown {here}: {shlex.quote(str(path))}"
        )
    return (
        f"{path} belongs to {owner}, and this is {here}. To run it as the owner, run as root:"
        f" runuser -u {owner} -- {_this_command()}"
    )


def _this_command() -> str:
    words = sys.argv if Path(sys.argv[0]).name == PROGRAM else [PROGRAM, *sys.argv[1:]]
    return shlex.join(words)
