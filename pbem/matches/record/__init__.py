"""Records: one match in the exchange format, its text and JSON forms, and its check by replay."""

from pbem.matches.record.check import replayed, verify
from pbem.matches.record.json_form import SCHEMA, from_json, to_json
from pbem.matches.record.model import Entry, Record, RecordError, record_of
from pbem.matches.record.text_form import from_text, to_text

__all__ = [
    "SCHEMA",
    "Entry",
    "Record",
    "RecordError",
    "from_json",
    "from_text",
    "record_of",
    "replayed",
    "to_json",
    "to_text",
    "verify",
]
