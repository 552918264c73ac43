"""Check of the folder of the reading room."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding


def look(examined: Examined) -> Iterator[Finding]:
    """Whether pages can be written where the configuration wants them.

    Of several machines that have the same configuration, one writes them.
    """
    room, config = examined.club.room, examined.config
    if room is None:
        return
    folder = config.site_dir
    if config.has_queue and not folder.exists():
        yield Finding("reading room", note=f"{folder} is not here; another machine has it")
        return
    try:
        with room.store.alone():
            pass
    except OSError as error:
        trouble = f"{folder} cannot be written: {error.strerror}. Look at folder in [site]."
        yield Finding("reading room", trouble)
        return
    yield Finding("reading room", note=f"its pages go to {folder}")
