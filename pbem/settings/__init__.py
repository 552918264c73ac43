"""Settings that each player can have. Each module in this folder is found automatically.

Every module names its setting `SETTING`. Values are stored as text with their player. Without one,
the default applies.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from pbem.matches.match import Player


class SettingError(ValueError):
    """A value that a setting does not accept, with the reason in words for a player."""


@dataclass(frozen=True)
class Setting:
    """Something that can be chosen for each player."""

    key: str
    """Name in `set KEY VALUE`, in lower case. Values are stored under it, so it never changes."""
    help: str
    """Description for `settings`."""
    default: str
    read: Callable[[str], str]
    """Function that returns the stored value for a player's text. Raises SettingError."""
    by_player: bool = True
    """Whether players set it themselves. Otherwise the director does, on the command line."""
    rest: bool = False
    """Whether it says which hours of the player's time do not count."""
    timed: bool = False
    """Whether the player's running clocks depend on it."""
    shown: bool = False
    """Whether it changes what the reading room shows of the player."""
    older_names: Mapping[str, str] = field(default_factory=dict)
    """Values that members may have stored, and their present names."""

    def of(self, player: Player) -> str:
        """Return a player's value, or the default."""
        value = player.settings.get(self.key, self.default)
        return self.older_names.get(value, value)


ON, OFF, NEW = "on", "off", "new"
SECRET_CHOICES = (ON, OFF, NEW)


@dataclass(frozen=True)
class SecretFile:
    """A file of the reading room with a member's turns, at an address that only they know."""

    setting: Setting
    """Turns it on and off, or changes its address."""
    key: str
    """Key of the secret part of its address, stored with the member's settings."""
    form: str
    """The end of its name."""

    def is_on(self, player: Player) -> bool:
        """Return whether a player wants the file."""
        return self.setting.of(player) == ON

    def secret_of(self, player: Player) -> str:
        """Return the secret part of its address, empty if there is none."""
        return player.settings.get(self.key, "") if self.is_on(player) else ""


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a reader of fixed words. It ignores case, since phones start lines with a capital."""

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
    """Return all settings, sorted by key. Raises LookupError for a module without one."""
    return tuple(sorted(_declared(), key=lambda setting: setting.key))


def _declared() -> Iterator[Setting]:
    for module in pkgutil.iter_modules(__path__):
        setting = getattr(import_module(f"{__name__}.{module.name}"), "SETTING", None)
        if setting is None:
            raise LookupError(f"{__name__}.{module.name} declares no SETTING")
        yield setting


def players_settings() -> tuple[Setting, ...]:
    """Return the settings that players set themselves."""
    return tuple(setting for setting in all_settings() if setting.by_player)
