"""Publish room: write the stale pages of the reading room, and nothing else.

Any transaction that changes a page marks it as stale. A run takes the marked pages kind by kind,
and a match marks the pages that mention it. Each page is read in a transaction, and rendered and
written outside any. Only then are its marks removed, so the next run finishes one that died.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

from pbem.archive.files import ArchiveFile
from pbem.archive.site import pages
from pbem.archive.site.values import Site
from pbem.log import get_logger
from pbem.ports.process import StorageUnavailable
from pbem.ports.progress import Report, unreported
from pbem.ports.room import StalePage
from pbem.ports.storage import Storage
from pbem.service.club import Room
from pbem.service.reading_room.pages import Task, always, task_of
from pbem.service.reading_room.reading import Known, RoomReading

log = get_logger(__name__)

BATCH = 50
"""Pages of a kind that are settled together."""
LOOK = "version.txt"
"""Name of the file that identifies the program and settings that wrote all pages. If it differs,
all pages are rewritten.
"""


@dataclass
class RoomPublished:
    """Result of publishing the reading room."""

    written: int = 0
    """Number of files."""
    right: int = 0
    """Number of files that were already right."""
    removed: int = 0
    problems: list[str] = field(default_factory=list)
    """Errors in writing, one sentence each."""
    busy: bool = False
    """Whether another process is writing, so nothing was done."""
    finished: bool = False
    """Whether everything stale when the run began has been written."""


def publish_room(
    storage: Storage,
    room: Room,
    stopping: Callable[[], bool] = lambda: False,
    report: Report = unreported,
    *,
    everything: bool = False,
) -> RoomPublished:
    """Write the stale pages. With `everything`, write all pages and remove other files.

    Reports files without a total, as a page can make others stale.
    """
    done = RoomPublished()
    try:
        with room.store.alone() as alone:
            done.busy = not alone
            if alone:
                _Run(storage, room, done, report, everything).run(stopping)
    except OSError as error:
        log.error("reading room not written", error=str(error))
        reason = error.strerror or error
        done.problems.append(f"The reading room cannot be written: {reason}.")
    return done


class _Run:
    """One run through the stale pages."""

    def __init__(
        self,
        storage: Storage,
        room: Room,
        done: RoomPublished,
        report: Report,
        everything: bool,
    ) -> None:
        self._storage = storage
        self._room = room
        self._done = done
        self._report = report
        self._everything = everything
        self._known = Known()
        self._names: set[str] = set()
        """Names of all files, if all are written."""

    def run(self, stopping: Callable[[], bool]) -> None:
        """Write kind by kind, since pages mark only pages of later kinds."""
        self._begin()
        while waiting := self._waiting():
            if not self._batch(waiting, stopping):
                return
        if self._everything and not self._done.problems:
            self._tidy()
        self._done.finished = True

    def _begin(self) -> None:
        """Mark all pages if program or settings changed, and write static files."""
        look = _look(self._room.site, str(self._room.public), self._room.delay, self._room.version)
        if self._everything or self._room.store.read(LOOK) != look:
            with self._storage.writing() as uow:
                uow.stale.mark_all()
                for kind, key in always():
                    uow.stale.mark(kind, [key])
            self._put([*_static(self._room.site), ArchiveFile(LOOK, look)])

    def _waiting(self) -> Sequence[StalePage]:
        with self._storage.reading() as uow:
            kinds = uow.stale.kinds()
            return uow.stale.waiting(kinds[0], BATCH) if kinds else ()

    def _batch(self, waiting: Sequence[StalePage], stopping: Callable[[], bool]) -> bool:
        """Write pages until asked to stop. Return whether all were done."""
        settled = list[tuple[StalePage, Task]]()
        try:
            for page in waiting:
                if stopping():
                    return False
                settled.append((page, self._page(page)))
        finally:
            self._settle(settled)
        return True

    def _page(self, page: StalePage) -> Task:
        """Write a page. One that cannot be rendered does not block the others."""
        try:
            with self._storage.reading() as uow:
                task = task_of(RoomReading(self._room, uow, self._known), page)
            files = task.paint()
        except (StorageUnavailable, OSError):
            raise
        except Exception as error:
            log.exception("page not made", kind=str(page.kind), key=page.key)
            self._done.problems.append(f"{page.kind} {page.key} cannot be shown: {error}.")
            return Task()
        kept, store = {file.name for file in files}, self._room.store
        there = (name for beginning in task.gone for name in store.names(beginning))
        gone = [name for name in there if name not in kept]
        if task.listed is not None and (gone or self._is_new(files)):
            # Before writing, since a run after a crash could not see that the page is new.
            with self._storage.writing() as uow:
                uow.stale.mark(task.listed)
        self._put(files)
        self._remove(gone)
        return task

    def _is_new(self, files: Sequence[ArchiveFile]) -> bool:
        return bool(files) and self._room.store.read(files[0].name) is None

    def _put(self, files: Iterable[ArchiveFile]) -> None:
        """Write the files that differ."""
        store, wanted = self._room.store, list(files)
        other = [file for file in wanted if self._everything or store.read(file.name) != file.data]
        store.write_all(other)
        self._done.written += len(other)
        self._done.right += len(wanted) - len(other)
        self._report(self._done.written + self._done.right, 0)
        if self._everything:
            self._names.update(file.name for file in wanted)

    def _remove(self, names: Sequence[str]) -> None:
        for name in names:
            self._room.store.remove(name)
        self._done.removed += len(names)

    def _settle(self, settled: Sequence[tuple[StalePage, Task]]) -> None:
        """Settle written pages and mark those that mention them."""
        if not settled:
            return
        with self._storage.writing() as uow:
            uow.stale.settle(page for page, _ in settled)
            for kind, key in dict.fromkeys(mark for _, task in settled for mark in task.stale):
                uow.stale.mark(kind, [key])
            for _, task in settled:
                if task.renamed is not None:
                    uow.stale.mark_where_named(task.renamed)
                if task.news is not None and uow.watches.stir(*task.news):
                    uow.jobs.enqueue("watch")
                if task.news is not None and self._room.announces:
                    match, now = task.news
                    uow.announcements.stir(match.id, now)
                    uow.jobs.enqueue("webhook")

    def _tidy(self) -> None:
        """Remove files in the folders of the pages that are no longer pages."""
        store = self._room.store
        ours = {name.partition("/")[0] for name in self._names if "/" in name}
        there = [name for name in store.names() if "/" in name and name not in self._names]
        self._remove([name for name in there if name.partition("/")[0] in ours])


@cache
def _static(site: Site) -> tuple[ArchiveFile, ...]:
    return pages.static_files(site)


@cache
def _look(site: Site, public: str, delay: int, version: str) -> bytes:
    """Return a hash of everything that all pages depend on."""
    settings = site, public, delay, version
    parts = [repr(settings).encode(), *(part for file in _static(site) for part in file)]
    digest = sha256()
    for part in parts:
        digest.update(sha256(part if isinstance(part, bytes) else part.encode()).digest())
    return f"{digest.hexdigest()}\n".encode()
