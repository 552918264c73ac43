"""A toy job: write the number of running matches into the club's archive each morning."""

from __future__ import annotations

from pbem.jobs.table import ClubJob, JobContext
from pbem.ports.process import Daily
from pbem.service.work import reading


def count_matches(at: JobContext) -> int:
    """Write the number to `census.txt` and return it."""
    with reading(at.club) as work:
        playing = sum(match.result is None for match in work.matches.all())
    at.club.archive.write("census.txt", f"{playing}\n".encode())
    return playing


JOB = ClubJob("census", Daily(6, 30), count_matches)
