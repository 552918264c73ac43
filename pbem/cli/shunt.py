"""`pbem shunt`: mails that were set aside."""

from __future__ import annotations

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.cli.terminal import printable
from pbem.service.ports import InboundState, StorageError
from pbem.service.process_incoming import process

app = typer.Typer(help="Mails that were set aside after an error.", no_args_is_help=True)


@app.command("list")
def list_shunted(config: ConfigOption = None) -> None:
    """List what was set aside."""
    with club_of(config) as club, club.storage.reading() as uow:
        for mail in uow.inbound.in_state(InboundState.SHUNTED):
            error = (mail.reason.strip().splitlines() or [""])[-1]
            told = f"{mail.id:6}  {mail.received_at:%Y-%m-%d %H:%M}  {mail.sender}  {error}"
            typer.echo(printable(told))


@app.command()
def show(number: int, config: ConfigOption = None) -> None:
    """Show a mail and the error."""
    with club_of(config) as club, club.storage.reading() as uow:
        mail = uow.inbound.get(number)
        typer.echo(printable(mail.reason))
        typer.echo(printable(mail.raw.decode("utf-8", "replace")))


@app.command()
def retry(number: int, config: ConfigOption = None) -> None:
    """Process a mail again."""
    with club_of(config) as club:
        with club.storage.writing() as uow:
            if uow.inbound.lock(number).state is not InboundState.SHUNTED:
                raise StorageError(f"mail {number} is not set aside")
            uow.inbound.close(number, InboundState.NEW)
        process(club, number)
        with club.storage.reading() as uow:
            typer.echo(f"mail {number}: {uow.inbound.get(number).state}")
