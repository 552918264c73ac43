"""`pbem match list`, in its own module: it is used often, and imports little."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.arguments import members
from pbem.cli.listing import JsonOption, listed
from pbem.cli.match_rows import match_item
from pbem.cli.shell import Said, player_named
from pbem.matches.match import MatchSummary
from pbem.service.work import Work


@shell.reads
def list_matches(
    work: Work,
    all_: Annotated[bool, typer.Option("--all", help="Finished matches too.")] = False,
    member: Annotated[
        str,
        typer.Option(
            "--of", metavar="MEMBER", autocompletion=members, help="Only this member's matches."
        ),
    ] = "",
    as_json: JsonOption = False,
) -> Said:
    """List the matches in play and their deadlines."""
    found = _of_member(work, member) if member else work.matches.all()
    nothing = "there is no match yet" if all_ else "no match is in play"
    items = (match_item(work, match) for match in found if all_ or match.result is None)
    return listed(items, nothing, as_json=as_json)


def _of_member(work: Work, member: str) -> list[MatchSummary]:
    return work.matches.of_player(player_named(work, member).id, playing=False)
