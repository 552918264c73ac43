"""`pbem member rename|remove|forget|export`: who a member is, and that they are one no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from pbem.cli.arguments import MemberArgument
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.cli.member_export import export
from pbem.cli.terminal import printable
from pbem.commands import command_words
from pbem.jobs.erase import wipe_files
from pbem.service.club import Club
from pbem.service.direct.decide import SHELL, log
from pbem.service.members.forget import Left, forget
from pbem.service.members.names import free_name
from pbem.service.members.rename import rename_by_director
from pbem.service.records.publish import publish_all
from pbem.service.room.publish import publish_room
from pbem.service.work import reading, writing

YesOption = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]


def attach(app: typer.Typer) -> None:
    """Puts the commands into the group of the members."""
    app.command("rename")(rename_member)
    app.command("remove")(remove_member)
    app.command("forget")(forget_member)
    app.command("export")(export)


def rename_member(
    name: MemberArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Their name from now on.")],
    config: ConfigOption = None,
) -> None:
    """Give a member another name, everywhere; they are told by mail."""
    with club_of(config) as club, writing(club) as work:
        member = player_named(work, name)
        new = free_name(work, new, command_words(), own=member.id)
        rename_by_director(work, member, new)
        log(work, SHELL, f"member rename {{{member.id}}}", "")
    typer.echo(f"{printable(name)} is {printable(new)} from now on")


def forget_member(
    name: MemberArgument, yes: YesOption = False, config: ConfigOption = None
) -> None:
    """Forget a member at their wish: nothing is known of them any more but what they played."""
    _forget(name, "", yes, config)


def remove_member(
    name: MemberArgument,
    reason: Annotated[list[str], typer.Argument(metavar="REASON", help="Why; they are told.")],
    yes: YesOption = False,
    config: ConfigOption = None,
) -> None:
    """Remove a member, who is told why and then forgotten."""
    _forget(name, " ".join(reason), yes, config)


def _forget(name: str, reason: str, yes: bool, config: ConfigOption) -> None:
    with club_of(config) as club:
        if not yes:
            _ask(club, name)
        with writing(club) as work:
            member = player_named(work, name)
            if reason:  # logged first: what is forgotten is taken out of the log, too
                log(work, SHELL, f"member remove {member.name}", reason)
            left = forget(work, member, reason)
        _finish(club)
    for line in _told(left):
        typer.echo(line)


def _ask(club: Club, name: str) -> None:
    """Ends the command unless the answer is yes."""
    with reading(club) as work:
        player = player_named(work, name)
        matches = [match.id for match in work.matches.of_player(player.id)]
    typer.echo(f"{printable(player.name)}, {printable(', '.join(player.addresses))}:")
    typer.echo(
        f"  plays {_matches(matches)}, which will be given up"
        if matches
        else "  plays now in no match"
    )
    typer.echo("Name, addresses and mails will be erased for ever; records stay, without the name.")
    typer.confirm("Forget this member?", abort=True)


def _finish(club: Club) -> None:
    """What lies in files, as far as it can be done here; a running service does the rest."""
    publish_all(club.storage, club.archive, club.clock)
    if club.room is not None:
        publish_room(club.storage, club.room)
    wipe_files(club)


def _told(left: Left) -> Sequence[str]:
    lines = [f"forgotten; records say: {left.player.name}"]
    if left.given_up:
        lines.append(f"given up: {_matches(left.given_up)}")
    if left.undecided:
        lines.append(f"for you to decide, as nobody can act for a pair: {_matches(left.undecided)}")
    lines.append("the next `pbem serve` takes the mails out of the mailbox, and says goodbye")
    return lines


def _matches(numbers: Sequence[int]) -> str:
    word = "match" if len(numbers) == 1 else "matches"
    return f"{word} {', '.join(map(str, numbers))}"
