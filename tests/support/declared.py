"""What the functions of commands ask for, found out once for all command lines of the tests.

Each command line is put together anew, as in a process of its own: a third of what a short command
costs.
"""

from __future__ import annotations

from functools import lru_cache

import typer.main
from typer.utils import get_params_from_function

typer.main.get_params_from_function = lru_cache(1024)(get_params_from_function)  # type: ignore[attr-defined]
