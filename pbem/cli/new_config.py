"""A new configuration file: what it is made of, and how it gets onto the disk."""

from __future__ import annotations

import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from pbem.cli.sentences import Refused
from pbem.config import LOOPBACK, ConfigError, load_config
from pbem.resources import folder

SECRET_BYTES = 32

_PLAIN = re.compile(r"[\w.\[\]:-]+")
_TLS_PORTS = (993, 465)
_STARTTLS_PORTS = (143, 587, 25)


@dataclass(frozen=True)
class MailServer:
    """Where a mail server is, and how it is talked to."""

    host: str
    port: int = 0
    """0: the usual one."""
    security: str = "tls"

    @classmethod
    def read(cls, text: str) -> MailServer:
        """Server of `host` or `host:port`, its security guessed; raises ValueError."""
        if not _PLAIN.fullmatch(text.strip()):
            raise ValueError("please write the name of a server, such as imap.example.org")
        host, port = _host_and_port(text.strip())
        return cls(host, port, _security(host, port))

    def __str__(self) -> str:
        port = f"port {self.port}" if self.port else "the usual port"
        return f"{self.host}, {port}, {_IN_WORDS[self.security]}"


_IN_WORDS = {"tls": "TLS", "starttls": "STARTTLS", "none": "no encryption, on this machine alone"}


def _host_and_port(text: str) -> tuple[str, int]:
    if text.startswith("["):  # an IPv6 address (RFC 3986 section 3.2.2)
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        host, port = text, ""
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"{port} is no port; it is a number up to 65535, such as 993")
    return host, int(port or 0)


def _security(host: str, port: int) -> str:
    if port in _TLS_PORTS:
        return "tls"
    if host in LOOPBACK:
        return "none"
    return "starttls" if port in _STARTTLS_PORTS else "tls"


@dataclass(frozen=True)
class Answers:
    """What has to be known of a club; these are good for `serve --embedded`."""

    name: str = "pbem"
    address: str = "club@localhost.localdomain"
    director: str = "director@localhost.localdomain"
    data_dir: str = "club"
    """Relative to the file."""
    imap: MailServer = MailServer("localhost", security="none")
    smtp: MailServer = MailServer("localhost", security="none")
    user: str = ""
    password: str = ""
    embedded: bool = False


def require_new(path: Path) -> None:
    """Raises Refused if the file exists already."""
    if path.exists() or path.is_symlink():
        raise Refused(f"{path} exists already; it is left as it is")


def write_config(path: Path, answers: Answers) -> None:
    """Writes a configuration that only its owner can read; a folder that is missing is made.

    What is written is read back before it gets its name. Raises Refused and ConfigError.
    """
    require_new(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        put(path, _text(answers))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error


def put(path: Path, text: str) -> None:
    """Puts a configuration in its place, for its owner alone, once it could be read back.

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
