"""Files of records: their names, their content, and reading them back."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

from pbem.matches.competitions import RECORDED_FIRST, kinds
from pbem.matches.record import (
    SCHEMA,
    Record,
    RecordError,
    from_json,
    from_text,
    to_json,
    to_text,
)

_IMPORTED = re.compile(r"imported-(\d{6,9})-[a-z0-9-]+\.json", re.ASCII)
_RECORD = re.compile(r"match-(\d{6,})-[a-z0-9-]+\.(?:txt|json)", re.ASCII)


class ArchiveFile(NamedTuple):
    """A file to write."""

    name: str
    data: bytes


def stem(match_id: int, game_key: str) -> str:
    """Return the name of a record's files without suffix, for example `match-000012-lanko-103`.

    With a negative number, it is that of an imported match: `imported-000003-lanko-103`.
    """
    return f"{beginning(match_id)}{game_key}"


def beginning(match_id: int) -> str:
    """Return how the names of all files of a match begin."""
    return f"{'imported' if match_id < 0 else 'match'}-{abs(match_id):06d}-"


def record_files(record: Record) -> tuple[ArchiveFile, ArchiveFile]:
    """Return the text and JSON of a record. Raises RecordError if it cannot be written."""
    name = stem(record.match_id, record.game_key)
    return (
        ArchiveFile(f"{name}.txt", to_text(record).encode()),
        ArchiveFile(f"{name}.json", to_json(record).encode()),
    )


def schema_file() -> ArchiveFile:
    """Return the schema of the JSON form, with all kinds of competitions."""
    text = files("pbem.matches").joinpath(SCHEMA).read_bytes()
    first, known = "|".join(RECORDED_FIRST).encode(), "|".join(kinds()).encode()
    return ArchiveFile(SCHEMA, text.replace(first, known))


def match_of_file(name: str) -> int | None:
    """Return the number of the match in a file, by its name. None for other files."""
    found = _RECORD.fullmatch(name)
    return int(found[1]) if found else None


def imported_of_file(name: str) -> int | None:
    """Return the number of the imported match in a file, by its name. None for other files."""
    found = _IMPORTED.fullmatch(name)
    return int(found[1]) if found else None


def read_record(file: ArchiveFile) -> Record:
    """Return the record in a file, by the suffix of its name. Raises RecordError."""
    try:
        text = file.data.decode()
    except UnicodeDecodeError as error:
        line = file.data[: error.start].count(b"\n") + 1
        raise RecordError(f"line {line}: this is not UTF-8") from error
    return from_json(text) if file.name.endswith(".json") else from_text(text)
