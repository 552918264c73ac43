"""Kinds of jobs: the queue in which each waits, and what is done again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

URGENT = 10
"""Of what keeps the club alive."""
AHEAD = 5
"""More than others of its kind have, for a job that goes ahead of them."""
PATIENT = -10
"""Of what takes its time, so that no mail waits for it."""


@dataclass(frozen=True)
class Kind:
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


KINDS: Mapping[str, Kind] = {
    "process": Kind("process", again=True),
    "bots": Kind("process", every="* * * * * 10", alone=True, priority=PATIENT),
    "sweep": Kind("process", every="* * * * * 0", alone=True, priority=URGENT),
    # Not alone: nobody would take up the one over which a worker has died.
    "stalled": Kind("process", every="* * * * * */20", priority=URGENT),
    "forgotten": Kind("process", every="*/5 * * * * 40", alone=True, priority=URGENT),
    "absent": Kind("process", every="7 * * * * 20", alone=True),
    "erase": Kind("process", every="* * * * * 30", alone=True),
    "prune": Kind("process", every="37 * * * * 50", alone=True),
    "deliver": Kind("deliver", every="* * * * * */10", for_all=True),
    "publish": Kind("publish", every="* * * * * 15", alone=True),
    "pages": Kind("publish", every="* * * * * 45", alone=True),
}
QUEUES = tuple(dict.fromkeys(kind.queue for kind in KINDS.values()))
