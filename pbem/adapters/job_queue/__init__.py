"""The queue of jobs in PostgreSQL: procrastinate. Nothing else knows it."""

from pbem.adapters.job_queue.kinds import KINDS, QUEUES, JobKind
from pbem.adapters.job_queue.queue import ProcrastinateQueue
from pbem.adapters.job_queue.runner import JobRunner

__all__ = ["KINDS", "QUEUES", "JobKind", "JobRunner", "ProcrastinateQueue"]
