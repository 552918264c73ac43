"""`pbem shunt`: emails that were set aside."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.arguments import MailArgument
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, json_of, listed
from pbem.cli.mail_rows import mail_data, mail_item, mail_text
from pbem.cli.shell import Said
from pbem.inbox.process import process
from pbem.ports.inbound import InboundMail, InboundState
from pbem.ports.process import StorageError
from pbem.service.direct import set_aside
from pbem.service.direct.decide import SHELL
from pbem.service.work import Work, reading, writing

app = group("Handle emails that were set aside after an error.")


@app.command("list")
@shell.reads
def list_shunted(work: Work, as_json: JsonOption = False) -> Said:
    """List the emails that were set aside."""
    mails = work.inbound.in_state(InboundState.SHUNTED)
    items = (mail_item(work, mail) for mail in mails)
    return listed(items, "no email is set aside", as_json=as_json)


@app.command()
@shell.reads
def show(work: Work, number: MailArgument, as_json: JsonOption = False) -> Said:
    """Show an email that was set aside, and the error."""
    mail = work.inbound.get(number)
    if mail.state is not InboundState.SHUNTED:
        raise StorageError(f"{_not_aside(mail)}. See pbem mail show {number}")
    if as_json:
        return json_of({**mail_data(work, mail), "mail": mail_text(mail)})
    return mail.reason, mail_text(mail)


@app.command()
def retry(number: MailArgument, config: ConfigOption = None) -> None:
    """Process an email again."""
    with club_of(config) as club:
        with writing(club) as work:
            set_aside.retry(work, number, SHELL)
        process(club, number)
        with reading(club) as work:
            typer.echo(f"email {number}: {work.inbound.get(number).state}")


@app.command()
@shell.writes
def drop(work: Work, number: MailArgument) -> Said:
    """Drop an email that was set aside, or that a limit holds back."""
    set_aside.drop(work, number, SHELL)
    return f"email {number} is dropped"


@app.command()
@shell.writes
def answer(
    work: Work,
    number: MailArgument,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="Your answer to its sender.")],
) -> Said:
    """Answer the sender of an email that was set aside, and do nothing else with it."""
    set_aside.answer(work, number, " ".join(text), SHELL)
    return f"email {number} is answered"


def _not_aside(mail: InboundMail) -> str:
    return f"email {mail.id} is not set aside but {mail.state}"
