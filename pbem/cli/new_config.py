"""Configuration files: written by `pbem init`, or changed with comments and order kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import tomlkit
import typer
from jinja2 import Environment, FileSystemLoader
from tomlkit.exceptions import TOMLKitError

from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.mail.addresses.addressing import is_club_address
from pbem.resources import folder
from pbem.run.config import (
    FILE_NAME,
    LOOPBACK,
    ConfigError,
    an_address,
    club_address,
    club_name,
    load_config,
)

SECRET_BYTES = 32

_PLAIN = re.compile(r"[\w.\[\]:-]+")
_TLS_PORTS = (993, 465)
_STARTTLS_PORTS = (143, 587, 25)


@dataclass(frozen=True)
class MailServer:
    """A mail server and its security."""

    host: str
    port: int = 0
    """0 is the usual port."""
    security: str = "tls"

    @classmethod
    def read(cls, text: str) -> MailServer:
        """Read `host` or `host:port`, and guess its security. Raises ValueError."""
        if not _PLAIN.fullmatch(text.strip()):
            raise ValueError("enter the name of a server, such as imap.example.org")
        host, port = _host_and_port(text.strip())
        return cls(host, port, _security(host, port))

    def __str__(self) -> str:
        port = f"port {self.port}" if self.port else "the usual port"
        return f"{self.host}, {port}, {_IN_WORDS[self.security]}"


_IN_WORDS = {"tls": "TLS", "starttls": "STARTTLS", "none": "no encryption, on this machine only"}


def _host_and_port(text: str) -> tuple[str, int]:
    if text.startswith("["):  # an IPv6 address (RFC 3986 section 3.2.2)
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        host, port = text, ""
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"{port} is not a port. Enter a number up to 65535, such as 993")
    return host, int(port or 0)


def _security(host: str, port: int) -> str:
    if port in _TLS_PORTS:
        return "tls"
    if host in LOOPBACK:
        return "none"
    return "starttls" if port in _STARTTLS_PORTS else "tls"


@dataclass(frozen=True)
class Answers:
    """Answers that make a configuration. The defaults suit `serve --embedded`."""

    name: str = "pbem"
    address: str = "club@localhost.localdomain"
    director: str = "director@localhost.localdomain"
    data_dir: str = "club"
    """Relative to the configuration file."""
    imap: MailServer = MailServer("localhost", security="none")
    smtp: MailServer = MailServer("localhost", security="none")
    user: str = ""
    password: str = ""
    embedded: bool = False


def require_new(path: Path) -> None:
    """Raise Refused if the file exists already."""
    if path.exists() or path.is_symlink():
        raise RefusedCommand(f"{path} exists already and is not changed. Choose another name")


def write_config(path: Path, answers: Answers) -> None:
    """Write a configuration that only its owner can read. Missing folders are created.

    It is read back before it gets its name. Raises Refused and ConfigError.
    """
    require_new(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        put(path, _text(answers))
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error


def put(path: Path, text: str) -> None:
    """Put a configuration in its place, readable by its owner only, once it was read back.

    Raises ConfigError and OSError.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    new.write_text(text, "utf-8")
    _read_back(new)
    new.rename(path)


def _read_back(new: Path) -> None:
    try:
        load_config(new)
    except ConfigError:
        new.unlink()
        raise


def _text(answers: Answers) -> str:
    environment = Environment(  # noqa: S701  TOML, not HTML
        loader=FileSystemLoader(folder("templates")), keep_trailing_newline=True
    )
    environment.filters["toml"] = _quoted
    secret = secrets.token_urlsafe(SECRET_BYTES)
    return environment.get_template("pbem.toml.j2").render(asdict(answers), secret=secret)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{"".join(c for c in escaped if c.isprintable())}"'


Changes = Mapping[str, Mapping[str, str]]
"""Values by key, by section."""


def change_config(path: Path, changes: Changes) -> None:
    """Change values in a configuration. If that fails, leave it unchanged and raise ConfigError."""
    path = path.resolve()  # change the target of a link, and keep the link
    try:
        document = tomlkit.parse(path.read_text("utf-8"))
        for section, values in changes.items():
            document.setdefault(section, tomlkit.table()).update(values)
        put(path, tomlkit.dumps(document))
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    except TOMLKitError as error:
        raise ConfigError(f"cannot read {path}: {error}") from error


def lines_of(changes: Changes) -> Iterator[str]:
    """Yield the changes as someone would write them."""
    yield from tomlkit.dumps(changes).strip().splitlines()


ASKED = "-"
"""Stands for a URL, as others on the machine can see the command line."""


def given_url(word: str, database: str) -> str:
    """Return the URL in a word, or ask for the URL of this database."""
    if word != ASKED:
        return word
    answer: str = typer.prompt(f"URL of the {database}", hide_input=True)
    return answer.strip()


Answer = TypeVar("Answer")


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")] = Path(
        FILE_NAME
    ),
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing. Good for pbem serve --embedded.")
    ] = False,
) -> None:
    """Ask a few questions and write a commented configuration file."""
    with errors_as_sentences():
        require_new(path)
        write_config(path, Answers(embedded=True) if defaults else _ask())
    option = "" if path == Path(FILE_NAME) else f" --config {path}"
    typer.echo(f"Wrote {path}. Next: pbem doctor{option}, pbem member add, pbem serve{option}")


def _ask() -> Answers:
    name = _answer("Short name of the club", club_name, default="pbem")
    address = _answer("Email address of the club", club_address)
    director = _answer("Your own email address (the director's)", _other_than(address))
    data_dir = _answer("Folder for the database and the archive", _any_text, default="club")
    imap = _answer("IMAP server, or server:port", MailServer.read)
    typer.echo(f"  {imap}")
    smtp = _answer("SMTP server, or server:port", MailServer.read, default=imap.host)
    typer.echo(f"  {smtp}")
    user = _answer("User name on the servers", _any_text, default=address)
    password = typer.prompt(
        "Password (leave empty to log in by access token)",
        default="",
        hide_input=True,
        show_default=False,
    )
    return Answers(name, address, director, data_dir, imap, smtp, user, password)


def _answer(question: str, read: Callable[[str], Answer], default: str | None = None) -> Answer:
    """Return an answer accepted by `read`. Asks again, with the reason, if it raises ValueError."""

    def taken(text: str) -> Answer:
        try:
            return read(text.strip())
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return typer.prompt(question, default=default, value_proc=taken)  # type: ignore[no-any-return]


def _any_text(text: str) -> str:
    return text


def _other_than(club: str) -> Callable[[str], str]:
    """Return a reader for a person's address, which must not be the club's."""

    def read(text: str) -> str:
        address = an_address(text)
        if is_club_address(address, (club,)):
            raise ValueError(
                "that is the club's own address, whose emails are read as moves. Enter another one"
            )
        return address

    return read
