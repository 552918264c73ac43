"""A process that publishes a reading room, and is killed after syncing some files.

python dying_publisher.py DATABASE-URL FOLDER COUNT
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.unit_of_work import open_storage
from pbem.archive.site.values import Site
from pbem.service.club import Room
from pbem.service.reading_room.publish import publish_room

sync = os.fsync


def room_in(folder: Path) -> Room:
    """Return a reading room in a folder."""
    return Room(Site("pbem", "club@games.example"), FileArchive(folder, public=True))


class Blow:
    """Kill in the middle of a write: the file is neither synced nor renamed to its final name."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, descriptor: int) -> None:
        """Replace os.fsync."""
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        sync(descriptor)


if __name__ == "__main__":
    url, folder, count = sys.argv[1:]
    os.fsync = Blow(int(count))  # type: ignore[assignment]
    with closing(open_storage(url)) as storage:
        done = publish_room(storage, room_in(Path(folder)))
    sys.exit(0 if done.finished else 1)
