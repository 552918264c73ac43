"""`pbem mail`: received emails, how they were read, and emails to be sent."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli import shell
from pbem.cli.arguments import MailArgument, matches, members
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, json_of, listed
from pbem.cli.mail_login import login
from pbem.cli.mail_rows import (
    held_item,
    mail_data,
    mail_item,
    mail_lines,
    mail_text,
    since_of,
    waiting_item,
)
from pbem.cli.shell import Said, player_named
from pbem.inbox.explain import explain as explain_mail
from pbem.mail.topic import match_key
from pbem.ports.inbound import InboundState, MailFilter
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.delivery.claims import waiting
from pbem.service.delivery.held_mail import Release, held, release
from pbem.service.work import Work, reading

app = group("Inspect received and waiting emails, and log in to a mailbox at Gmail or Microsoft.")
app.command("login")(login)

FATES = f"Their state: {', '.join(InboundState)}."

Since = Annotated[
    datetime | None,
    typer.Option(
        parser=since_of,
        metavar="WHEN",
        help="Received since 2026-11-21, 2026-11-21T18:30 (UTC), or in the last 7d or 12h.",
    ),
]


@app.command("list")
@shell.reads
def list_mails(
    work: Work,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=members,
            help="From this member or one of their addresses.",
        ),
    ] = None,
    match: Annotated[
        int | None, typer.Option(metavar="NUMBER", autocompletion=matches, help="About this match.")
    ] = None,
    fate: Annotated[InboundState | None, typer.Option(metavar="FATE", help=FATES)] = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many, newest first.")] = 50,
    as_json: JsonOption = False,
) -> Said:
    """List received emails, newest first: time, sender, match, result and reason."""
    whose = None if player is None else player_named(work, player)
    # Raises StorageError if there is no such match.
    about = None if match is None else match_key(work.matches.get(match).id)
    mails = work.inbound.newest(MailFilter(whose, about, fate, since), limit)
    return listed((mail_item(work, mail) for mail in mails), "no email", as_json=as_json)


@app.command("waiting")
@shell.reads
def list_waiting(work: Work, as_json: JsonOption = False) -> Said:
    """List emails waiting to be sent, by urgency and domain, with age and limit."""
    return listed(map(waiting_item, waiting(work)), "no email waits to be sent", as_json=as_json)


@app.command("held")
@shell.reads
def list_held(work: Work, as_json: JsonOption = False) -> Said:
    """List the emails held since the club was restored, and which of them are needed."""
    return listed(map(held_item, held(work)), "no email is held", as_json=as_json)


@app.command("hold")
@shell.writes
def hold_mails(work: Work) -> Said:
    """Hold all emails and stop all clocks, if you restored a database without pbem restore."""
    work.service.hold(work.now)
    return "emails are held and clocks stopped until pbem mail release"


@app.command("release")
@shell.writes
def release_mails(
    work: Work,
    send: Annotated[
        Release,
        typer.Option(
            help="Which held emails to send. needed: for each match and challenge, the newest email"
            " to the player it waits for, results, open questions, and answers to emails received"
            " since. all, or none. The others are never sent.",
        ),
    ] = Release.NEEDED,
) -> Said:
    """Send some of the held emails, restart the clocks, and let a restored club continue."""
    if work.service.held_since() is None:
        return "no email is held, and the club sends as usual"
    going, withheld = release(work, send)
    return f"emails to be sent now: {going}; never sent: {withheld}. The club continues"


@app.command()
@shell.reads
def show(work: Work, number: MailArgument, as_json: JsonOption = False) -> Said:
    """Show a received email, what happened to it, and why."""
    mail = work.inbound.get(number)
    if as_json:
        return json_of({**mail_data(work, mail), "mail": mail_text(mail)})
    return (*mail_lines(work, mail), "", mail_text(mail))


@app.command()
def explain(
    mails: Annotated[
        list[str],
        typer.Argument(
            metavar="MAIL",
            help="Raw emails (.eml files), - for stdin, or numbers of received emails.",
        ),
    ],
    config: ConfigOption = None,
) -> None:
    """Show as JSON how an email would be read if it arrived now. Changes and sends nothing.

    For several emails, it prints one object per line. What happened to a received email when it
    arrived is under "recorded". A number that is also the name of a file here means that file.
    """
    several, unread = len(mails) > 1, 0
    with club_of(config) as club:
        for given in mails:
            try:
                name, raw = _read(club, given)
            except StorageError as error:
                typer.echo(f"pbem: {error}", err=True)
                unread += 1
                continue
            shown = explain_mail(club, raw)
            if several:
                shown = {**name, **shown}
            # ASCII only: the content of an email must not control a terminal.
            typer.echo(json.dumps(shown, indent=None if several else 2, default=str))
    if unread:
        raise typer.Exit(ExitStatus.REFUSED)


def _read(club: Club, given: str) -> tuple[dict[str, Any], bytes]:
    """Return how an email is named among others, and its bytes. Raises StorageError."""
    file = Path(given)
    if given.isascii() and given.isdigit() and not file.exists():
        with reading(club) as work:
            return {"mail": int(given)}, work.inbound.get(int(given)).raw
    try:
        raw = sys.stdin.buffer.read() if given == "-" else file.read_bytes()
    except OSError as error:
        raise StorageError(f"cannot read {file}: {error.strerror}") from error
    return {"file": given}, raw
