"""The cost of a simulated club, as docs/scale.md quotes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bench.aims import at_most
from bench.ledger import Ledger
from bench.simulated.life import MONTH, STEP, Life

LISTED = 12
"""Rows shown of a long table."""
_KIB = 1024


def report(life: Life, months: float, seconds: float) -> None:
    """Print all of it."""
    ledger, costs = life.ledger, life.machine.cpu()
    statements = life.machine.statements()  # before the queries below are counted too
    members, moves = len(life.players), max(ledger.moves, 1)
    out = ledger.number("SELECT count(*) FROM outbox")
    lived = members * months
    print(f"{months:g} months of {members} members in {seconds:.0f} s")
    for what, number in (
        ("emails in", life.handed),
        ("moves", moves),
        ("emails out", out),
    ):
        said = f"{number / lived:10.1f} per member and month"
        print(f"  {what:<22}{number:>10,}{said}{number / moves:10.2f} per move")
    hours = months * MONTH / STEP
    print(f"  the busiest hour had {life.busiest / (life.handed / hours):.1f} times the average")
    _counted("Results of emails in", ledger.counted(_STATES))
    _counted("Emails out by kind", ledger.counted(_KINDS))
    _counted("Matches by state", ledger.counted(_MATCHES))
    _sizes(ledger, lived, moves)
    _each("CPU, ms per move", costs, 1000 / moves)
    if life.club.room is not None:
        at_most("reading room on to off, CPU", _share(costs, "publish"), 1.25)
    _each("SQL statements per move", statements, 1 / moves)
    _ages(life)


def _counted(title: str, rows: Sequence[tuple[str, int]]) -> None:
    print(f"\n{title}")
    for name, number in rows[:LISTED]:
        print(f"  {name:<32}{number:>10,}")


def _sizes(ledger: Ledger, lived: float, moves: int) -> None:
    sizes = ledger.sizes()
    total = sum(size.bytes for size in sizes)
    print(f"\n{'Tables':<28}{'rows':>10}{'KiB':>12}{'bytes/row':>14}{'bytes/move':>14}")
    for size in sizes[:LISTED]:
        each = size.bytes / max(size.rows, 1)
        told = f"{each:>14,.0f}{size.bytes / moves:>14,.0f}"
        print(f"  {size.table:<26}{size.rows:>10,}{size.bytes / _KIB:>12,.0f}{told}")
    print(f"  total: {total / _KIB:,.0f} KiB, {total / lived / _KIB:,.0f} KiB per member and month")


def _each(title: str, parts: Mapping[str, float], factor: float) -> None:
    print(f"\n{title}")
    for part, value in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"  {part:<32}{factor * value:>10.2f}")
    print(f"  {'total':<32}{factor * sum(parts.values()):>10.2f}")


def _share(costs: Mapping[str, float], part: str) -> float:
    """Return the whole cost in multiples of the cost without a part."""
    whole = sum(costs.values())
    return whole / (whole - costs[part])


def _ages(life: Life) -> None:
    ages = life.crowd.ages
    if not ages:
        return
    told = ", ".join(f"{name} {1000 * _at(ages, part):,.0f} ms" for name, part in _PARTS)
    print(f"\nFrom recording an email to its answer, an hour's email at once: {told}")
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
