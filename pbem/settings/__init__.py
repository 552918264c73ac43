"""Settings: what can be chosen for each player; one module each, found by being in this folder.

Every module here names its setting `SETTING`. Values are stored as text with their player; who has
not chosen has the default.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from pbem.settings.api import Setting


@cache
def all_settings() -> tuple[Setting, ...]:
    """Every setting, in the order of their keys; raises LookupError for a module without one."""
    return tuple(sorted(_declared(), key=lambda setting: setting.key))


def _declared() -> Iterator[Setting]:
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            continue
        setting = getattr(import_module(f"{__name__}.{module.name}"), "SETTING", None)
        if setting is None:
            raise LookupError(f"{__name__}.{module.name} declares no SETTING")
        yield setting


def players_settings() -> tuple[Setting, ...]:
    """Those that players set themselves."""
    return tuple(setting for setting in all_settings() if setting.by_player)
