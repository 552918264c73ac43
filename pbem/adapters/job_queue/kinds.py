"""Kinds of jobs: the queue of each, and when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.ports.process import Every, Trigger

HOUR_S = 3600
URGENT = 10
"""Priority of jobs that keep the club alive."""
AHEAD = 5
"""Added to the priority of a job that goes ahead of its kind."""
PATIENT = -10
"""Priority of slow jobs, so that no email waits for them."""


@dataclass(frozen=True)
class JobKind:
    """Properties of all jobs that share a name."""

    queue: str
    """Workers choose their jobs by queue."""
    every: str = ""
    """When to run it automatically, as a cron line with seconds as a sixth field. Empty means
    never. It runs once, whatever the number of workers.
    """
    alone: bool = False
    """Whether no two jobs of this kind run at once."""
    again: bool = False
    """Whether a failed job is tried again. The others recur anyway."""
    for_all: bool = False
    """Whether one job also does the work of all that are queued when it starts."""
    priority: int = 0
    """Higher priorities go first in their queue."""


KINDS: Mapping[str, JobKind] = {
    "process": JobKind("process", again=True),
    "bots": JobKind("process", every="* * * * * 10", alone=True, priority=PATIENT),
    "sweep": JobKind("process", every="* * * * * 0", alone=True, priority=URGENT),
    # Not alone: if its worker died, no other would take it up.
    "stalled": JobKind("process", every="* * * * * */20", priority=URGENT),
    "forgotten": JobKind("process", every="*/5 * * * * 40", alone=True, priority=URGENT),
    "absent": JobKind("process", every="7 * * * * 20", alone=True),
    "competitions": JobKind("process", every="*/10 * * * * 5", alone=True),
    "pair": JobKind("process", every="*/10 * * * * 35", alone=True),
    "erase": JobKind("process", every="* * * * * 30", alone=True),
    "prune": JobKind("process", every="37 * * * * 50", alone=True),
    "deliver": JobKind("deliver", every="* * * * * */10", for_all=True),
    "publish": JobKind("publish", every="* * * * * 15", alone=True),
    "pages": JobKind("publish", every="* * * * * 45", alone=True),
    "webhook": JobKind("publish", every="* * * * * 5", alone=True),
    "watch": JobKind("publish", every="* * * * * 55", alone=True),
}


def kind_of(name: str, trigger: Trigger | None = None) -> JobKind:
    """Return what the queue knows about a job: its row here, or else what its trigger says."""
    return KINDS.get(name) or JobKind("process", _cron(trigger), alone=True)


def _cron(trigger: Trigger | None) -> str:
    """Return a cron line. An interval becomes every minute, or every hour if it is that long.

    Raises ValueError for a time of day in another zone, since the queue uses UTC.
    """
    if trigger is None:
        return ""
    if isinstance(trigger, Every):
        return "* * * * * 25" if trigger.seconds < HOUR_S else "17 * * * * 25"
    if trigger.zone != "UTC":
        raise ValueError(f"the queue of jobs runs daily jobs in UTC, not in {trigger.zone}")
    return f"{trigger.minute} {trigger.hour} * * * 25"


QUEUES = tuple(dict.fromkeys(kind.queue for kind in KINDS.values()))
