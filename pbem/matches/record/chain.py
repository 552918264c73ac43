"""Chain: each entry of a history is hashed together with everything that came before it.

The first head is the SHA-256 of the match's beginning, each further one that of the head before
(64 hexadecimal digits) and the entry, as JSON with sorted keys and no spaces (RFC 8785). Whoever
has seen a head can tell whether anything up to there has been changed since. `docs/record.md` shows
how to work it out by other means.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import accumulate

from pbem.games.api import Outcome
from pbem.matches.history import WITH_TEXT
from pbem.matches.record.model import Entry, Record, write_moment

VERSION = 1
_SHORT = 10
"""Bytes of a head that mails show: 80 bits, as much as the MAC of a token has."""

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
"""Numbers are whole and keys ASCII here, where this is what RFC 8785 asks for."""

Data = Mapping[str, object]


def heads(record: Record) -> tuple[str, ...]:
    """Head before the first entry, then after each; the result is the last entry."""
    first = _digest(_JSON.encode(beginning(record)))
    return tuple(accumulate(entries(record), follow, initial=first))


def beginning(record: Record) -> Data:
    """What is fixed when a match begins. Names are not: a person can take theirs away."""
    return {
        "chain": VERSION,
        "club": record.club,
        "match": record.match_id,
        "game": record.game_key,
        "rules_version": record.rules_version,
        "options": {
            "days": record.days,
            "draw_offers": record.draw_offers,
            "game": dict(record.options),
            **unusual_data(record),
        },
        "seats": dict(record.numbers),
        "started": write_moment(record.started_at),
    }


def unusual_data(record: Record) -> Data:
    """Another time control than days a turn, that it is unrated, what else was chosen.

    Of what is usual nothing, today and ever: so a record has the same heads as before there was any
    of it.
    """
    unusual = {
        "time": record.time,
        "unrated": record.unrated,
        "chosen": dict(record.chosen),
    }
    return {key: value for key, value in unusual.items() if value}


def entries(record: Record) -> Iterator[Data]:
    """All entries as they are hashed."""
    for number, entry in enumerate(record.entries, start=1):
        yield entry_data(number, entry)
    if record.result is not None and record.ended_at is not None:
        yield result_data(len(record.entries) + 1, record.result, record.ended_at)


def entry_data(number: int, entry: Entry) -> Data:
    """An action, or what happened beside them."""
    data: dict[str, object] = {"entry": number, "kind": str(entry.kind), "turn": entry.turn}
    if entry.seat:
        data["seat"] = entry.seat
    if entry.kind in WITH_TEXT:
        data["text"] = entry.text
    return {**data, "at": write_moment(entry.at)}


def result_data(number: int, result: Outcome, ended_at: datetime) -> Data:
    """The end."""
    return {
        "entry": number,
        "kind": "result",
        "winners": list(result.winners),
        "termination": result.termination,
        "scores": dict(result.scores),
        "at": write_moment(ended_at),
    }


def follow(head: str, entry: Data) -> str:
    """Head after one more entry."""
    return _digest(head + _JSON.encode(entry))


def short(head: str) -> str:
    """A head as people see it: `k7qa-3mz2-p5xw-6v2d`."""
    text = base64.b32encode(bytes.fromhex(head)[:_SHORT]).decode("ascii").lower()
    return "-".join(text[i : i + 4] for i in range(0, len(text), 4))


def is_head(found: str, head: str) -> bool:
    """Whether what was found, in full or short, is this head."""
    return found in (head, short(head))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
