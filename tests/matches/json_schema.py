"""The part of JSON Schema 2020-12 that the schema of records uses. Unknown keywords fail."""

from __future__ import annotations

import re
from typing import Any

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_SAID_ONLY = {"$schema", "$id", "title", "description", "$defs", "properties", "required"}


def errors(schema: dict[str, Any], value: Any) -> list[str]:
    """Return the reasons why a value does not fit a schema."""
    return _errors(schema, schema, value, "$")


def _errors(root: dict[str, Any], schema: Any, value: Any, at: str) -> list[str]:
    if isinstance(schema, bool):
        return [] if schema else [f"{at}: does not belong there"]
    found: list[str] = []
    for word, wanted in schema.items():
        if word not in _SAID_ONLY and word != "additionalProperties":
            found += _CHECKS[word](root, wanted, value, at)
    if isinstance(value, dict):
        found += [f"{at}: lacks {key}" for key in schema.get("required", ()) if key not in value]
        properties = schema.get("properties", {})
        for key, item in value.items():
            below = properties.get(key, schema.get("additionalProperties", True))
            found += _errors(root, below, item, f"{at}.{key}")
    return found


def _type(root: dict[str, Any], wanted: str, value: Any, at: str) -> list[str]:
    fits = isinstance(value, _TYPES[wanted]) and not (
        wanted == "integer" and value in (True, False) and isinstance(value, bool)
    )
    return [] if fits else [f"{at}: is no {wanted}"]


def _const(root: dict[str, Any], wanted: Any, value: Any, at: str) -> list[str]:
    return [] if value == wanted else [f"{at}: is not {wanted!r}"]


def _ref(root: dict[str, Any], wanted: str, value: Any, at: str) -> list[str]:
    return _errors(root, root["$defs"][wanted.removeprefix("#/$defs/")], value, at)


def _any_of(root: dict[str, Any], wanted: list[Any], value: Any, at: str) -> list[str]:
    fits = any(not _errors(root, schema, value, at) for schema in wanted)
    return [] if fits else [f"{at}: fits none"]


def _pattern(root: dict[str, Any], wanted: str, value: Any, at: str) -> list[str]:
    fits = not isinstance(value, str) or re.search(wanted.replace("$", r"\Z"), value, re.ASCII)
    return [] if fits else [f"{at}: is not like {wanted}"]


def _minimum(root: dict[str, Any], wanted: int, value: Any, at: str) -> list[str]:
    small = isinstance(value, int) and value < wanted
    return [f"{at}: is less than {wanted}"] if small else []


def _maximum(root: dict[str, Any], wanted: int, value: Any, at: str) -> list[str]:
    large = isinstance(value, int) and value > wanted
    return [f"{at}: is more than {wanted}"] if large else []


def _shortest(root: dict[str, Any], wanted: int, value: Any, at: str) -> list[str]:
    small = isinstance(value, str | dict) and len(value) < wanted
    return [f"{at}: has less than {wanted}"] if small else []


def _items(root: dict[str, Any], wanted: Any, value: Any, at: str) -> list[str]:
    items = value if isinstance(value, list) else []
    return [e for i, item in enumerate(items) for e in _errors(root, wanted, item, f"{at}[{i}]")]


def _names(root: dict[str, Any], wanted: Any, value: Any, at: str) -> list[str]:
    keys = value if isinstance(value, dict) else ()
    return [error for key in keys for error in _errors(root, wanted, key, f"{at} key {key!r}")]


_CHECKS = {
    "type": _type,
    "const": _const,
    "$ref": _ref,
    "anyOf": _any_of,
    "pattern": _pattern,
    "minimum": _minimum,
    "maximum": _maximum,
    "minLength": _shortest,
    "minProperties": _shortest,
    "items": _items,
    "propertyNames": _names,
}
