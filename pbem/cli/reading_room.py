"""What `pbem archive` does with the reading room."""

from __future__ import annotations

from collections.abc import Sequence
from errno import EADDRINUSE
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated

import typer

from pbem.adapters.site_server import LOOPBACK, site_server
from pbem.archive.site.rendering import CSP
from pbem.cli.context import ConfigOption, configured
from pbem.cli.sentences import Refused, errors_as_sentences
from pbem.service.club import Club
from pbem.service.room.publish import RoomPublished, publish_room

PORT = 8765
LONGEST_S = 120
PAUSE_S = 0.2


def publish_site(club: Club, *, everything: bool) -> Sequence[str]:
    """Writes the pages of a club and says so; returns what could not be done."""
    if club.room is None:
        return ()
    done = publish_room(club.storage, club.room, everything=everything)
    until = monotonic() + LONGEST_S
    while done.busy and monotonic() < until:
        sleep(PAUSE_S)
        done = publish_room(club.storage, club.room, everything=everything)
    if done.busy:
        return [f"The reading room is being written by the service, and was for {LONGEST_S} s."]
    typer.echo(f"reading room: {_in_words(done)}")
    return done.problems


def _in_words(done: RoomPublished) -> str:
    removed = f", {done.removed} removed" if done.removed else ""
    return f"{done.written} written, {done.right} right as they are{removed}"


def serve_site(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on this machine; 0: one that is free.")
    ] = PORT,
    config: ConfigOption = None,
) -> None:
    """Show the reading room in a browser of this machine, until Ctrl-C."""
    with errors_as_sentences(OSError):
        folder = configured(config).site_dir
        if not (folder / "index.html").is_file():
            raise Refused(f"there is no page in {folder} yet: pbem archive publish")
        try:
            _serve(folder, port)
        except OSError as error:
            if error.errno != EADDRINUSE:
                raise
            raise Refused(
                f"port {port} is taken; name another, or 0 for one that is free"
            ) from error


def _serve(folder: Path, port: int) -> None:
    with site_server(folder, port, CSP) as server:
        typer.echo(f"http://{LOOPBACK}:{server.server_port}/ shows {folder}; end with Ctrl-C")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("")
