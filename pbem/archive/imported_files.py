"""Imported: records of other clubs in the archive, and the members who play in them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pbem.archive.files import ArchiveFile, imported_of_file, read_record, stem
from pbem.matches.imported import ImportedMatch, RatedName
from pbem.matches.record import RecordError, to_json
from pbem.matches.record.json_values import Object, integer, list_of, loaded, text

RATED = "imported.json"
"""Name of the file that says which names in imported records stand for members."""
_FORMAT = "pbem-imported-1"
_KEYS = "club", "name", "member"


def imported_file(match: ImportedMatch) -> ArchiveFile:
    """Return the file of an imported match."""
    name = stem(match.id, match.record.game_key)
    return ArchiveFile(f"{name}.json", to_json(match.record).encode())


def imported_in(file: ArchiveFile) -> ImportedMatch:
    """Return the imported match of a file. Raises RecordError."""
    return ImportedMatch(imported_of_file(file.name) or 0, read_record(file))


def rated_names_file(rated: Iterable[RatedName]) -> ArchiveFile:
    """Return the file with the names that stand for members."""
    rows = [dict(zip(_KEYS, each, strict=True)) for each in rated]
    data = json.dumps({"format": _FORMAT, "rated": rows}, indent=2)
    return ArchiveFile(RATED, f"{data}\n".encode())


def rated_names_in(data: bytes | None) -> list[RatedName]:
    """Return the names of such a file, none if there is no file. Raises RecordError."""
    if data is None:
        return []
    whole = Object(loaded(data.decode(errors="replace")), RATED, ("format", "rated"))
    if whole.value("format") != _FORMAT:
        raise RecordError(f"the format of {RATED} is not {_FORMAT!r}")
    return whole.read("rated", list_of(_rated_name))


def _rated_name(value: object, place: str) -> RatedName:
    row = Object(value, place, _KEYS)
    return RatedName(row.read("club", text), row.read("name", text), row.read("member", integer))
