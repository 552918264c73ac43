"""Time controls and switches. Each module in this folder is found automatically.

A module names its control `CONTROL`, or a switch for any control `SWITCH`. In a match option, a
control is written as its terms, separated by single spaces: `days=5`, `turns=10/50 nocarry
double=20`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import ModuleType

from pbem.games.api import OptionError
from pbem.matches.time_control import Switch, TimeControl
from pbem.matches.words import phrase


@cache
def all_controls() -> Mapping[str, type[TimeControl]]:
    """Return all controls by the names of their terms."""
    controls: list[type[TimeControl]] = [
        module.CONTROL for module in _modules() if hasattr(module, "CONTROL")
    ]
    return {key: control for control in controls for key in control.keys}


@cache
def all_switches() -> Mapping[str, type[Switch]]:
    """Return all switches by the name of their term, in the order of application."""
    switches: list[type[Switch]] = [
        module.SWITCH for module in _modules() if hasattr(module, "SWITCH")
    ]
    return {key: switch for switch in switches for key in switch.keys}


def examples() -> tuple[str, ...]:
    """Return examples for players, switches last."""
    found = (*all_controls().values(), *all_switches().values())
    return tuple(dict.fromkeys(example for each in found for example in each.examples))


def all_terms() -> tuple[str, ...]:
    """Return the names of all terms, of controls and switches."""
    return (*all_controls(), *all_switches())


def words_alone() -> frozenset[str]:
    """Return the terms that are single words without a value."""
    return frozenset(word for control in all_controls().values() for word in control.alone)


def _modules() -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(__path__):
        yield import_module(f"{__name__}.{module.name}")


def control_of(terms: Mapping[str, str], agreed: TimeControl | None = None) -> TimeControl:
    """Return the control for some terms. Unnamed ones stay as agreed. Raises OptionError.

    A control replaces a control. Agreed switches stay on, unless the new control cannot have them:
    without a clock, there is no grace.
    """
    kept = {} if agreed is None else agreed.terms
    own = _without_switches(terms) or _without_switches(kept)
    control = _control_of(own, spelled(terms))
    for key, switch in all_switches().items():
        if key in terms:
            control = switch.on(control, terms[key])
        elif key in kept:
            with suppress(OptionError):
                control = switch.on(control, kept[key])
    return control


def _without_switches(terms: Mapping[str, str]) -> Mapping[str, str]:
    return {key: value for key, value in terms.items() if key not in all_switches()}


def _control_of(terms: Mapping[str, str], text: str) -> TimeControl:
    """Return the control for terms without switches."""
    found = {control for key, control in all_controls().items() if key in terms}
    if len(found) != 1:
        raise OptionError(phrase("clock.not-one", text=repr(text)))
    (control,) = found
    for key in terms:
        if key not in control.keys:
            raise OptionError(phrase("clock.no-term", key=repr(key), others=text))
    return control.read(terms)


@cache
def read_control(text: str) -> TimeControl:
    """Return the control of a text like `days=5`. Raises OptionError."""
    pairs = (word.partition("=") for word in text.split())
    return control_of({key: value for key, _, value in pairs})


def write_control(control: TimeControl) -> str:
    """Return the text that `read_control` turns into this control."""
    return spelled(control.terms)


def spelled(terms: Mapping[str, str]) -> str:
    """Return terms as they are written. One without a value is a single word."""
    return " ".join(f"{key}={value}" if value else key for key, value in terms.items())
