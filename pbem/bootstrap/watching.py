"""How the processes of a club are watched, where that is configured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pbem.config import Config
from pbem.service.club import Club


class Watch:
    """What a process needs to be watched, and gives to be."""

    def __init__(self, club: Club) -> None:
        self.club = club
        """The club whose work is counted, where it is."""
        self.unwell: Callable[[], str] = lambda: ""
        """What does not go on in the process, in words; empty if everything does."""

    def trouble(self) -> str:
        """What it says now."""
        return self.unwell()


@contextmanager
def watched(config: Config, club: Club) -> Iterator[Watch]:
    """A process that shows its numbers as long as the block, where a port is configured."""
    watch = Watch(club)
    if not config.metrics.port:
        yield watch
        return
    from pbem.adapters.metrics import MetricsServer
    from pbem.watched import Watched

    seen = Watched(club, config.policy.poll_seconds, config.club.data_dir, watch.trouble)
    watch.club = seen.club
    server = MetricsServer(
        config.metrics.address,
        config.metrics.port,
        seen.pages,
        places=config.metrics.connections,
        silent_seconds=config.metrics.timeout_s,
    )
    server.start()
    try:
        yield watch
    finally:
        server.stop()
