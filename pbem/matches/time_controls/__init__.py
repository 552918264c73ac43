"""Time controls: one module each, found by being in this folder.

A module names its control `CONTROL`. In a match option it is written by its terms, with one space
between two of them: `days=5`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from pbem.games.api import OptionError
from pbem.matches.time_control import TimeControl
from pbem.matches.words import phrase


@cache
def all_controls() -> Mapping[str, type[TimeControl]]:
    """Every control, by each name of its terms."""
    names = (f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__))
    controls: list[type[TimeControl]] = [import_module(name).CONTROL for name in names]
    return {key: control for control in controls for key in control.keys}


def control_of(terms: Mapping[str, str]) -> TimeControl:
    """The control that terms agree on; raises OptionError."""
    found = {control for key, control in all_controls().items() if key in terms}
    if len(found) != 1:
        raise OptionError(phrase("clock.not-one", text=repr(spelled(terms))))
    (control,) = found
    for key in terms:
        if key not in control.keys:
            raise OptionError(phrase("clock.no-term", key=repr(key), others=" ".join(terms)))
    return control.read(terms)


@cache
def read_control(text: str) -> TimeControl:
    """The control of a text like `days=5`; raises OptionError."""
    pairs = (word.partition("=") for word in text.split())
    return control_of({key: value for key, _, value in pairs})


def write_control(control: TimeControl) -> str:
    """Text that `read_control` reads back."""
    return spelled(control.terms)


def spelled(terms: Mapping[str, str]) -> str:
    """Terms as they are written; one without a value is a word alone."""
    return " ".join(f"{key}={value}" if value else key for key, value in terms.items())
