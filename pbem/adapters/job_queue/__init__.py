"""The job queue in PostgreSQL, with procrastinate. No other module uses it."""

from pbem.adapters.job_queue.kinds import KINDS, QUEUES, JobKind
from pbem.adapters.job_queue.queue import ProcrastinateQueue
from pbem.adapters.job_queue.runner import JobRunner

__all__ = ["KINDS", "QUEUES", "JobKind", "JobRunner", "ProcrastinateQueue"]
