"""What a simulated club has cost, as docs/scale.md quotes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bench.ledger import Ledger
from bench.simulated.life import MONTH, STEP, Life

LISTED = 12
"""Rows of a table of which there are many."""
_KIB = 1024


def report(life: Life, months: float, seconds: float) -> None:
    """Prints all of it."""
    ledger, costs = life.ledger, life.machine.cpu()
    statements = life.machine.statements()  # before what is asked here is counted with them
    members, moves = len(life.players), max(ledger.moves, 1)
    out = ledger.number("SELECT count(*) FROM outbox")
    lived = members * months
    print(f"{months:g} months of {members} members in {seconds:.0f} s")
    for what, number in (
        ("mails that came", life.handed),
        ("moves", moves),
        ("mails that went", out),
    ):
        said = f"{number / lived:10.1f} a member and month"
        print(f"  {what:<22}{number:>10,}{said}{number / moves:10.2f} a move")
    hours = months * MONTH / STEP
    print(
        f"  the busiest hour had {life.busiest / (life.handed / hours):.1f} times its share of them"
    )
    _counted("What became of mails", ledger.counted(_STATES))
    _counted("Mails by kind", ledger.counted(_KINDS))
    _counted("How matches are", ledger.counted(_MATCHES))
    _sizes(ledger, lived, moves)
    _each("CPU, ms a move", costs, 1000 / moves)
    _each("SQL statements a move", statements, 1 / moves)
    _ages(life)


def _counted(title: str, rows: Sequence[tuple[str, int]]) -> None:
    print(f"\n{title}")
    for name, number in rows[:LISTED]:
        print(f"  {name:<32}{number:>10,}")


def _sizes(ledger: Ledger, lived: float, moves: int) -> None:
    sizes = ledger.sizes()
    total = sum(size.bytes for size in sizes)
    print(f"\n{'Tables':<28}{'rows':>10}{'KiB':>12}{'bytes a row':>14}{'bytes a move':>14}")
    for size in sizes[:LISTED]:
        each = size.bytes / max(size.rows, 1)
        told = f"{each:>14,.0f}{size.bytes / moves:>14,.0f}"
        print(f"  {size.table:<26}{size.rows:>10,}{size.bytes / _KIB:>12,.0f}{told}")
    print(f"  all: {total / _KIB:,.0f} KiB; {total / lived / _KIB:,.0f} KiB a member and month")


def _each(title: str, parts: Mapping[str, float], factor: float) -> None:
    print(f"\n{title}")
    for part, value in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"  {part:<32}{factor * value:>10.2f}")
    print(f"  {'all':<32}{factor * sum(parts.values()):>10.2f}")


def _ages(life: Life) -> None:
    ages = life.crowd.ages
    if not ages:
        return
    told = ", ".join(f"{name} {1000 * _at(ages, part):,.0f} ms" for name, part in _PARTS)
    print(f"\nFrom a mail that is recorded to its answer, an hour's mail at once: {told}")
    print(f"The longest hour took {life.slowest:.1f} s")


_PARTS = (("median", 0.5), ("p99", 0.99), ("longest", 1.0))


def _at(values: Iterable[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))]


_STATES = (
    "SELECT CASE WHEN state = 'done' THEN 'done: ' || reason ELSE state END AS what, count(*)"
    " FROM inbound GROUP BY 1"
)
_KINDS = "SELECT kind, count(*) FROM outbox GROUP BY kind"
_MATCHES = (
    "SELECT CASE WHEN ended_at IS NULL THEN 'being played' ELSE 'ended' END, count(*)"
    " FROM matches GROUP BY 1"
)
