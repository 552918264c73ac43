"""Settings: what can be chosen for each player; one module each, found by being in this folder.

Every module here names its setting `SETTING`. Values are stored as text with their player; who has
not chosen has the default.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from pbem.matches.match import Player


class SettingError(ValueError):
    """A value that a setting does not take; why, in a player's words."""


@dataclass(frozen=True)
class Setting:
    """Something that can be chosen for each player."""

    key: str
    """As it is written in `set KEY VALUE`, lower case; under it the value is stored, for ever."""
    help: str
    """What it is, for `settings`."""
    default: str
    read: Callable[[str], str]
    """The value to be stored, from what somebody wrote; raises SettingError."""
    by_player: bool = True
    """Whether players set it themselves; else the director does, at the shell."""
    rest: bool = False
    """Whether it says which hours do not count of their time."""
    timed: bool = False
    """Whether clocks that run for them go by it."""
    shown: bool = False
    """Whether it changes what the reading room shows of them."""

    def of(self, player: Player) -> str:
        """What was chosen for a player, or the default."""
        return player.settings.get(self.key, self.default)


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads one of some words; phones begin a line with a capital."""

    def read(text: str) -> str:
        value = text.strip().casefold()
        if value not in choices:
            raise SettingError(
                f"{text.strip()} is not a choice. Choose one of: {', '.join(choices)}"
            )
        return value

    return read


@cache
def all_settings() -> tuple[Setting, ...]:
    """Every setting, in the order of their keys; raises LookupError for a module without one."""
    return tuple(sorted(_declared(), key=lambda setting: setting.key))


def _declared() -> Iterator[Setting]:
    for module in pkgutil.iter_modules(__path__):
        setting = getattr(import_module(f"{__name__}.{module.name}"), "SETTING", None)
        if setting is None:
            raise LookupError(f"{__name__}.{module.name} declares no SETTING")
        yield setting


def players_settings() -> tuple[Setting, ...]:
    """Those that players set themselves."""
    return tuple(setting for setting in all_settings() if setting.by_player)
