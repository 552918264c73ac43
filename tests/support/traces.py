"""Traces: where a word still occurs in a club's files and tables, in any encoding."""

from __future__ import annotations

import base64
import json
import quopri
import zlib
from collections.abc import Iterator
from email.header import Header
from html import escape
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine, text

from pbem.adapters.db.tables import DatabaseRow


def forms(word: str) -> set[bytes]:
    """Return the bytes by which a word can be written in emails, pages, JSON and links."""
    octets = word.encode()
    plain = {word, escape(word), quote(word, safe=""), json.dumps(word)[1:-1]}
    plain |= {quopri.encodestring(octets, header=each).decode() for each in (False, True)}
    plain |= {str(Header(word, "utf-8").encode()).split("?")[3]} if not word.isascii() else set()
    return {each.encode() for each in plain} | set(_in_base64(octets))


def _in_base64(octets: bytes) -> Iterator[bytes]:
    """Return the base64 text that is the same in every context: it falls into groups of three."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + octets)
        first = -(-before * 4 // 3) if before else 0
        last = (before + len(octets)) * 8 // 6
        yield whole[first + (1 if before else 0) : last]


def in_files(folder: Path, word: str) -> set[str]:
    """Return the names of a folder's files that contain a word."""
    wanted = {each.lower() for each in forms(word)}
    found = set()
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        octets = path.read_bytes() if path.is_file() else b""
        if any(each in octets.lower() or each in name.encode().lower() for each in wanted):
            found.add(name)
    return found


def in_tables(engine: Engine, word: str) -> set[str]:
    """Return the names of columns that contain a word, after unpacking compressed ones."""
    wanted = {each.lower() for each in forms(word)}
    with engine.connect() as connection:
        return {
            f"{table}.{column}"
            for table in DatabaseRow.metadata.tables
            for row in connection.execute(text(f"SELECT * FROM {table}")).mappings()
            for column, value in row.items()
            if any(each in _octets(value).lower() for each in wanted)
        }


def _octets(value: object) -> bytes:
    if isinstance(value, memoryview):
        value = value.tobytes()
    if not isinstance(value, bytes):
        return (value if isinstance(value, str) else json.dumps(value, default=str)).encode()
    try:
        return zlib.decompress(value)
    except zlib.error:
        return value
