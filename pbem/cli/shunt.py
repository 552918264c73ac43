"""`pbem shunt`: mails that were set aside."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import MailArgument
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, print_items, print_json
from pbem.cli.mail_rows import mail_data, mail_item, mail_text
from pbem.cli.terminal import printable
from pbem.inbox.process import process
from pbem.ports.inbound import InboundMail, InboundState
from pbem.ports.process import StorageError
from pbem.service.direct import set_aside
from pbem.service.direct.decide import SHELL
from pbem.service.work import reading, writing

app = group("Mails that were set aside after an error.")


@app.command("list")
def list_shunted(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List what was set aside."""
    with club_of(config) as club, reading(club) as work:
        mails = work.inbound.in_state(InboundState.SHUNTED)
        items = (mail_item(work, mail) for mail in mails)
        print_items(items, "no mail is set aside", as_json=as_json)


@app.command()
def show(number: MailArgument, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show a mail that was set aside, and the error."""
    with club_of(config) as club, reading(club) as work:
        mail = work.inbound.get(number)
        if mail.state is not InboundState.SHUNTED:
            raise StorageError(f"{_not_aside(mail)}; see pbem mail show {number}")
        if as_json:
            print_json({**mail_data(work, mail), "mail": mail_text(mail)})
            return
        typer.echo(printable(mail.reason))
        typer.echo(printable(mail_text(mail)))


@app.command()
def retry(number: MailArgument, config: ConfigOption = None) -> None:
    """Process a mail again."""
    with club_of(config) as club:
        with writing(club) as work:
            set_aside.retry(work, number, SHELL)
        process(club, number)
        with reading(club) as work:
            typer.echo(f"mail {number}: {work.inbound.get(number).state}")


@app.command()
def drop(number: MailArgument, config: ConfigOption = None) -> None:
    """Do nothing with a mail that was set aside, or is kept by a limit."""
    with club_of(config) as club, writing(club) as work:
        set_aside.drop(work, number, SHELL)
        typer.echo(f"mail {number} is dropped")


@app.command()
def answer(
    number: MailArgument,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What they are told.")],
    config: ConfigOption = None,
) -> None:
    """Write to the sender of such a mail; nothing else becomes of it."""
    with club_of(config) as club, writing(club) as work:
        set_aside.answer(work, number, " ".join(text), SHELL)
        typer.echo(f"mail {number} is answered")


def _not_aside(mail: InboundMail) -> str:
    return f"mail {mail.id} is not set aside, but {mail.state}"
