"""Check of the names of members: those that could mislead others."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.commands import command_words
from pbem.service.members.names import misleading_names
from pbem.service.work import reading

MOST_SHOWN = 5


def look(examined: Examined) -> Iterator[Finding]:
    """Name members who could not take their name today; they keep it."""
    with reading(examined.club) as work:
        names = misleading_names(work, command_words())
    if names:
        shown = ", ".join(names[:MOST_SHOWN])
        more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
        what = "These names can mislead people, and nobody can take them today"
        remedy = "pbem member rename gives a member another one"
        yield Finding("names", advice=f"{what}: {shown}{more}. {remedy}.")
