"""Records: a match in the exchange format, as text or JSON, and its check by replay."""

from pbem.matches.record.chain import (
    WrittenHistory,
    everybody_in,
    heads,
    is_head,
    opened,
    record_of,
    short,
    written,
)
from pbem.matches.record.check import chain_problems, entry_name, replayed, standing, verify
from pbem.matches.record.differences import differences
from pbem.matches.record.json_form import SCHEMA, from_json, to_json
from pbem.matches.record.model import HistoryEntry, Record, RecordedCompetition, RecordError
from pbem.matches.record.text_form import from_text, to_text

__all__ = [
    "SCHEMA",
    "HistoryEntry",
    "Record",
    "RecordError",
    "RecordedCompetition",
    "WrittenHistory",
    "chain_problems",
    "differences",
    "entry_name",
    "everybody_in",
    "from_json",
    "from_text",
    "heads",
    "is_head",
    "opened",
    "record_of",
    "replayed",
    "short",
    "standing",
    "to_json",
    "to_text",
    "verify",
    "written",
]
