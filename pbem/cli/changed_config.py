"""A configuration file with other values: its comments and its order stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from pbem.cli.new_config import put
from pbem.config import ConfigError

Changes = Mapping[str, Mapping[str, str]]
"""Values by key, by section."""


def change_config(path: Path, changes: Changes) -> None:
    """Writes other values into a configuration, or leaves it as it is and raises ConfigError."""
    path = path.resolve()  # what is at the end of a link is changed, and the link stays
    try:
        document = tomlkit.parse(path.read_text("utf-8"))
        for section, values in changes.items():
            document.setdefault(section, tomlkit.table()).update(values)
        put(path, tomlkit.dumps(document))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
    except TOMLKitError as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error


def lines_of(changes: Changes) -> Iterator[str]:
    """The same as somebody would write it."""
    yield from tomlkit.dumps(changes).strip().splitlines()
