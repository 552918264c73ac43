"""Configuration files: written by `pbem init`, or changed with comments and order kept."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tomlkit
import typer
from jinja2 import Environment, FileSystemLoader
from tomlkit.exceptions import TOMLKitError

from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.games.phrases import DEFAULT
from pbem.mail.addresses.addressing import is_club_address
from pbem.resources import folder
from pbem.run.config import (
    DATABASE,
    FILE_NAME,
    LOOPBACK,
    MOST_BOT_MATCHES,
    ConfigError,
    a_language,
    an_address,
    club_address,
    club_name,
    load_config,
)
from pbem.service.club import Joining

SECRET_BYTES = 32
SERVICE_CONFIG = Path("/etc/pbem")
"""The folder with the configuration of the installed service."""
SERVICE_DATA = "/var/lib/pbem"
"""The folder that it may write to."""

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


class ReadingRoom(StrEnum):
    """When everybody may read a match in the reading room."""

    LIVE = "live"
    ENDED = "ended"
    OFF = "off"
    """There is no reading room."""


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
    language: str = DEFAULT
    joining: Joining = Joining.OPEN
    bot_matches: int = 5
    reading_room: ReadingRoom = ReadingRoom.LIVE


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


Changes = Mapping[str, Mapping[str, str | int]]
"""Values by key, by section."""


def change_config(path: Path, changes: Changes) -> None:
    """Change values in a configuration, where they are or where a comment shows the default.

    If that fails, leave it unchanged and raise ConfigError.
    """
    path = path.resolve()  # change the target of a link, and keep the link
    try:
        document = tomlkit.parse(_without_defaults(path.read_text("utf-8"), changes))
        for section, values in changes.items():
            document.setdefault(section, tomlkit.table()).update(values)
        put(path, tomlkit.dumps(document))
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
    except TOMLKitError as error:
        raise ConfigError(f"cannot read {path}: {error}") from error


def _without_defaults(text: str, changes: Changes) -> str:
    """Return a configuration in which no default of these keys is commented out."""
    for section, values in changes.items():
        for key in values:
            before = rf"^\[{re.escape(section)}\]\n(?:(?!\[).*\n)*?"
            text = re.sub(rf"(?m)({before})# ({re.escape(key)} = .*)$", r"\1\2", text, count=1)
    return text


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
Word = TypeVar("Word", bound=StrEnum)


def _language(text: str | None) -> str | None:
    try:
        return None if text is None else a_language(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")] = Path(
        FILE_NAME
    ),
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing. Good for pbem serve --embedded.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(callback=_language, help="Language of the club's emails.")
    ] = None,
    joining: Annotated[
        Joining | None,
        typer.Option(
            help="Who can become a member: anyone (open), anyone whom the director approves "
            "(approval), or only people whom you add (closed)."
        ),
    ] = None,
    bot_matches: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_BOT_MATCHES,
            help="Matches against bots that each member may play at a time. 0 means none.",
        ),
    ] = None,
    reading_room: Annotated[
        ReadingRoom | None,
        typer.Option(
            help="When everyone may read a match on the club's website. off means no website."
        ),
    ] = None,
) -> None:
    """Ask what options leave open, and write a commented configuration file."""
    options = {
        "language": language,
        "joining": joining,
        "bot_matches": bot_matches,
        "reading_room": reading_room,
    }
    given = {name: value for name, value in options.items() if value is not None}
    with errors_as_sentences():
        require_new(path)
        usual = Answers(data_dir=_data_dir_for(path), embedded=defaults)
        answers = usual if defaults else _ask(given, usual)
        write_config(path, replace(answers, **given))  # type: ignore[arg-type]
        database = load_config(path).club.data_dir / DATABASE
    option = "" if path == Path(FILE_NAME) else f" --config {path}"
    if database.exists():
        typer.echo(
            f"{database} exists already, so this club continues with its members and matches. "
            "For a new club, move it away first.",
            err=True,
        )
    typer.echo(f"Wrote {path}. Next: pbem doctor{option}, pbem member add, pbem serve{option}")


def _data_dir_for(config: Path) -> str:
    """Return the default folder: for the installed service, the one that it may write to."""
    return SERVICE_DATA if config.absolute().parent == SERVICE_CONFIG else Answers.data_dir


def _ask(given: Container[str], usual: Answers) -> Answers:
    """Ask for everything that is not given."""
    name = _answer("Short name of the club", club_name, default="pbem")
    address = _answer("Email address of the club", club_address)
    director = _answer("Your own email address (the director's)", _other_than(address))
    chosen = {
        name: _answer(question, read, default=f"{getattr(usual, name)}")
        for name, (question, read) in _CHOICES.items()
        if name not in given
    }
    data_dir = _answer("Folder for the database and the archive", _any_text, default=usual.data_dir)
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
    return Answers(name, address, director, data_dir, imap, smtp, user, password, **chosen)


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


def _bot_matches(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_BOT_MATCHES):
        raise ValueError(f"enter a whole number from 0 to {MOST_BOT_MATCHES}")
    return int(text)


def _one_of(words: type[Word]) -> Callable[[str], Word]:
    """Return a reader for one of a few words."""

    def read(text: str) -> Word:
        if text.lower() not in list(words):
            raise ValueError(f"enter one of these words: {', '.join(words)}")
        return words(text.lower())

    return read


_CHOICES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "language": ("Language of the emails", a_language),
    "joining": ("Who can join: open, approval (by the director) or closed", _one_of(Joining)),
    "bot_matches": ("Matches against bots at a time, per member (0: none)", _bot_matches),
    "reading_room": ("Website shows matches: live, ended, or off", _one_of(ReadingRoom)),
}
"""Questions about optional settings, by the name of the answer."""


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
