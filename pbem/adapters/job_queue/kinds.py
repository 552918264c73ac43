"""Kinds of jobs: the queue in which each waits, and what is done again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.ports.process import Every, Trigger

HOUR_S = 3600
URGENT = 10
"""Of what keeps the club alive."""
AHEAD = 5
"""More than others of its kind have, for a job that goes ahead of them."""
PATIENT = -10
"""Of what takes its time, so that no mail waits for it."""


@dataclass(frozen=True)
class JobKind:
    """What the queue knows of jobs of one name."""

    queue: str
    """Workers choose what they do by queue."""
    every: str = ""
    """When it is wanted by itself, as a line of cron with seconds as a sixth field; empty: never.
    Once, whatever the number of workers."""
    alone: bool = False
    """Whether no two jobs of the kind are done at once."""
    again: bool = False
    """Whether one that fails is tried once more; the others come back by themselves."""
    for_all: bool = False
    """Whether each does all that the others want which are in line as it begins."""
    priority: int = 0
    """What has more of it goes before what else waits in its queue."""


KINDS: Mapping[str, JobKind] = {
    "process": JobKind("process", again=True),
    "bots": JobKind("process", every="* * * * * 10", alone=True, priority=PATIENT),
    "sweep": JobKind("process", every="* * * * * 0", alone=True, priority=URGENT),
    # Not alone: nobody would take up the one over which a worker has died.
    "stalled": JobKind("process", every="* * * * * */20", priority=URGENT),
    "forgotten": JobKind("process", every="*/5 * * * * 40", alone=True, priority=URGENT),
    "absent": JobKind("process", every="7 * * * * 20", alone=True),
    "erase": JobKind("process", every="* * * * * 30", alone=True),
    "prune": JobKind("process", every="37 * * * * 50", alone=True),
    "deliver": JobKind("deliver", every="* * * * * */10", for_all=True),
    "publish": JobKind("publish", every="* * * * * 15", alone=True),
    "pages": JobKind("publish", every="* * * * * 45", alone=True),
}


def kind_of(name: str, trigger: Trigger | None = None) -> JobKind:
    """Return what the queue knows of a job: its row here, or else what its trigger says."""
    return KINDS.get(name) or JobKind("process", _cron(trigger), alone=True)


def _cron(trigger: Trigger | None) -> str:
    """Return a line of cron. An interval becomes every minute, or every hour if it is that long.

    Raises ValueError for a time of day in another zone: the queue goes by UTC.
    """
    if trigger is None:
        return ""
    if isinstance(trigger, Every):
        return "* * * * * 25" if trigger.seconds < HOUR_S else "17 * * * * 25"
    if trigger.zone != "UTC":
        raise ValueError(f"the queue of jobs runs daily jobs in UTC, not in {trigger.zone}")
    return f"{trigger.minute} {trigger.hour} * * * 25"


QUEUES = tuple(dict.fromkeys(kind.queue for kind in KINDS.values()))
