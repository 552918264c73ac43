"""`pbem init`: asks, and writes a commented configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from pbem.cli.new_config import Answers, MailServer, require_new, write_config
from pbem.cli.sentences import errors_as_sentences
from pbem.config import FILE_NAME, an_address, club_address, club_name
from pbem.mail.addresses.addressing import is_club_address

Answer = TypeVar("Answer")


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")] = Path(
        FILE_NAME
    ),
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing; good for --embedded.")
    ] = False,
) -> None:
    """Ask for what is needed and write a commented configuration."""
    with errors_as_sentences():
        require_new(path)
        write_config(path, Answers(embedded=True) if defaults else _ask())
    option = "" if path == Path(FILE_NAME) else f" --config {path}"
    typer.echo(f"{path} is written. Next: pbem doctor{option}, pbem member add, pbem serve{option}")


def _ask() -> Answers:
    name = _answer("Short name of the club", club_name, default="pbem")
    address = _answer("The club's e-mail address", club_address)
    director = _answer("Your own address (the director's)", _other_than(address))
    data_dir = _answer("Folder for the database and the archive", _any_text, default="club")
    imap = _answer("IMAP server, or server:port", MailServer.read)
    typer.echo(f"  {imap}")
    smtp = _answer("SMTP server, or server:port", MailServer.read, default=imap.host)
    typer.echo(f"  {smtp}")
    user = _answer("User name at the servers", _any_text, default=address)
    password = typer.prompt(
        "Password (none: log in by access token)", default="", hide_input=True, show_default=False
    )
    return Answers(name, address, director, data_dir, imap, smtp, user, password)


def _answer(question: str, read: Callable[[str], Answer], default: str | None = None) -> Answer:
    """An answer as `read` takes it; asks again, with its reason, where that raises ValueError."""

    def taken(text: str) -> Answer:
        try:
            return read(text.strip())
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return typer.prompt(question, default=default, value_proc=taken)  # type: ignore[no-any-return]


def _any_text(text: str) -> str:
    return text


def _other_than(club: str) -> Callable[[str], str]:
    """Reads an address of a person, who is not the club."""

    def read(text: str) -> str:
        address = an_address(text)
        if is_club_address(address, (club,)):
            raise ValueError("that is the club's own address; its mail is read as moves")
        return address

    return read
