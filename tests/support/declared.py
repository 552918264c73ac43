"""Find out the parameters of command functions once for all command lines of the tests.

Otherwise every command line would find them out again, a third of the cost of a short command.
"""

from __future__ import annotations

from functools import lru_cache

import typer.main
from typer.utils import get_params_from_function

typer.main.get_params_from_function = lru_cache(1024)(get_params_from_function)  # type: ignore[attr-defined]
