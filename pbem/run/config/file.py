"""File: find the configuration, and read it together with the environment."""

from __future__ import annotations

import os
import stat
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO

from platformdirs import user_config_path, user_data_path
from pydantic import ValidationError

from pbem.accounts import belongs_to_another
from pbem.run.config.config import Config
from pbem.run.config.servers import imap_in_file
from pbem.run.config.values import ConfigError

FILE_NAME = "pbem.toml"


def find_config(given: Path | None = None) -> Path:
    """Return the configuration file. Raises ConfigError if there is none."""
    named = given or (Path(os.environ["PBEM_CONFIG"]) if "PBEM_CONFIG" in os.environ else None)
    if named is not None:
        return _named(named)
    places = [Path(FILE_NAME), user_config_path("pbem") / FILE_NAME]
    for place in places:
        with suppress(OSError):  # another account's home may be unreadable
            if place.is_file():
                return place
    looked = " nor ".join(map(str, places))
    raise ConfigError(
        f"there is no configuration: neither {looked} exists. Write one with pbem init"
    )


def _named(path: Path) -> Path:
    try:
        if path.is_file():
            return path
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    raise ConfigError(f"there is no configuration file {path}. Write one with pbem init")


def load_config(path: Path) -> Config:
    """Load the configuration from a file and the environment. Raises ConfigError with the key."""
    _require_private(path)
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    try:
        return Config(**_with_data_dir(_with_mailboxes(values), path))
    except ValidationError as error:
        raise ConfigError(f"{path}: {_in_words(error)}") from error


def _require_private(path: Path) -> None:
    """Refuse a file with secrets and passwords that others can read.

    Its owner must be the current account: files that another account creates would not belong to
    the club.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    if trouble := belongs_to_another(path, status):
        raise ConfigError(trouble)
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"others can read {path}, which contains secrets. Run: chmod 600 {path}")


def _with_mailboxes(values: dict[str, Any]) -> dict[str, Any]:
    """Return `[[imap]]` as the first mailbox and the others by name, as in the environment."""
    imaps = values.get("imap")
    if "mailboxes" in values:
        raise ConfigError("[mailboxes]: put mailboxes in [[imap]], with a name")
    if not isinstance(imaps, list) or not all(isinstance(each, dict) for each in imaps):
        return values
    names = [str(each.get("name", "")) for each in imaps]
    if not all(names[1:]) or len(set(names)) < len(names):
        raise ConfigError("[[imap]]: each mailbox except the first needs a unique name")
    others = dict(zip(names[1:], imaps[1:], strict=True))
    return {**values, "imap": imaps[0] if imaps else {}, "mailboxes": others}


def _with_data_dir(values: dict[str, Any], path: Path) -> dict[str, Any]:
    """Resolve `data_dir` relative to the file. The default is the user's data folder."""
    club = values.get("club")
    if isinstance(club, dict):
        given = club.get("data_dir")
        data_dir = path.parent / given if isinstance(given, str) else user_data_path("pbem")
        return {**values, "club": {**club, "data_dir": data_dir.absolute()}}
    return values


UNKNOWN = "pbem does not know this name"


def _in_words(error: ValidationError) -> str:
    problems = []
    for problem in error.errors():
        is_unknown = problem["type"] == "extra_forbidden"
        told = UNKNOWN if is_unknown else problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:  # about several sections, which the sentence names
            problems.append(told)
            continue
        section, *keys = (str(part) for part in problem["loc"])
        if section == "mailboxes":
            place = imap_in_file(keys.pop(0) if keys else "")
        else:
            place = f"[{section}]"
        key = f"{place} {'.'.join(keys)}".strip()
        problems.append(f"{key}: {told}")
    return "; ".join(problems)


SYSTEMD: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID")
"""Variables through which systemd talks to this process only, not to its children."""


def environment_without_settings() -> dict[str, str]:
    """Return the environment for a process that must read its configuration from a file only."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PBEM_") and name not in SYSTEMD
    }


def notify_socket() -> str:
    """Return where systemd wants status reports (sd_notify(3)). Empty if nobody listens."""
    return os.environ.get("NOTIFY_SOCKET", "")


def watchdog_seconds() -> float:
    """Return how long systemd waits for each sign of life (sd_watchdog_enabled(3)).

    Infinite if it does not wait.
    """
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (ours and microseconds.isdecimal() and int(microseconds)):
        return float("inf")
    return int(microseconds) / 1_000_000


FIRST_GIVEN: Final = 3
"""The first file descriptor after standard error."""


def sockets_given() -> range:
    """Return the file descriptors of the sockets that systemd passes to us (sd_listen_fds(3))."""
    number = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or not number.isdecimal():
        return range(0)
    return range(FIRST_GIVEN, FIRST_GIVEN + int(number))


def is_journal(stream: TextIO) -> bool:
    """Return whether a stream goes to journald, which says so (systemd.exec(5))."""
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"


def shows_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal with colours and Unicode whose user wants them.

    NO_COLOR means none (https://no-color.org).
    """
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    return wanted and encoding == "utf8" and stream.isatty()
