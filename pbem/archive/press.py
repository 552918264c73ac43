"""Press: typeset keepsakes with Typst, if it is installed (extra `print`).

A template in `templates/print` gets its data as JSON, and never as part of its source. So whatever
names and notes contain stays text. The same data always gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal

from pbem.resources import folder

LANGUAGE = "en"
Form = Literal["pdf", "svg"]


def available() -> bool:
    """Return whether Typst is installed."""
    return find_spec("typst") is not None


def printed(name: str, data: Mapping[str, Any], at: datetime, form: Form = "pdf") -> bytes:
    """Return a document from a template and its data. `at` is its date of creation.

    Raises ImportError if Typst is not installed, and RuntimeError if the template is wrong.
    """
    import typst

    return typst.compile(
        _template(name),
        ignore_system_fonts=True,
        format=form,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        timestamp=int(at.timestamp()),
    )


@cache
def _template(name: str) -> bytes:
    return (folder("templates") / "print" / LANGUAGE / f"{name}.typ").read_bytes()
