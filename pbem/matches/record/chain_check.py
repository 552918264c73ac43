"""Whether the heads found beside a history are those that it leads to."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.matches.history import Kind
from pbem.matches.record.chain import heads, is_head
from pbem.matches.record.model import Record


def chain_problems(record: Record) -> Iterator[str]:
    """At most one sentence: what is told by a head goes for everything before it."""
    if not record.chained or not record.heads:
        return
    due, agrees_until = heads(record), -1
    for number, found in sorted(record.heads.items()):
        if number >= len(due):
            yield f"There is a head for entry {number}, but the history has {len(due) - 1} entries."
            return
        if not is_head(found, due[number]):
            yield _changed(record, agrees_until, number)
            return
        agrees_until = number
    if agrees_until != len(due) - 1:
        yield "The end of the history has no head."


def _changed(record: Record, before: int, number: int) -> str:
    where = entry_name(record, number)
    if number == 0 or before == number - 1:
        return f"The history has been changed: {where} does not agree with its head."
    since = "from its beginning" if before < 0 else f"after {entry_name(record, before)}"
    return (
        f"The history has been changed: something {since} up to {where} does not agree with the "
        "head there."
    )


def entry_name(record: Record, number: int) -> str:
    """An entry as people find it: its number, its turn, what it says."""
    if number == 0:
        return "the beginning (club, match, game, options, players' numbers, time)"
    if number > len(record.entries):
        return f"entry {number}, the result"
    entry = record.entries[number - 1]
    by = f" by {entry.seat}" if entry.seat else ""
    what = entry.kind.replace("_", " ")
    if entry.text:
        what = entry.text if entry.kind is Kind.ACTION else f"{what} {entry.text}"
    return f"entry {number} ({what}{by} in turn {entry.turn})"
