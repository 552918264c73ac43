"""`pbem init`: asks, and writes a commented configuration."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from jinja2 import Environment

from pbem.cli.context import errors_as_sentences
from pbem.cli.shunt import printable
from pbem.config import FILE_NAME, ConfigError, load_config
from pbem.mail.address import is_address

SECRET_BYTES = 32

TEMPLATE = """\
# Configuration of pbem. This file holds secrets: keep it readable for the club's account only.
# Every key can be overridden by the environment, e.g. PBEM_IMAP__PASSWORD.

[club]
# Short name, for subjects: [{{ name }} 12] ...
name = {{ name|toml }}
# The club's address. Mail to club+anything@host must reach the same mailbox.
address = {{ address|toml }}
# Who hears of fallen flags and of mail that could not be read.
director = {{ director|toml }}
# Database, archive and what else is the club's; relative to this file.
data_dir = {{ data_dir|toml }}
# Signs the addresses that prove who sent a mail. To replace it, raise the version and keep the
# old one under [club.old_secrets] (0 = "...") until the mails that carry it are answered.
secret = {{ secret|toml }}
secret_version = 1

[imap]
host = {{ imap_host|toml }}
# 0: 993 for tls, else 143
port = 0
user = {{ user|toml }}
password = {{ password|toml }}
# Gmail and Microsoft want access tokens instead of a password; deploy/README.md tells how to get
# them. Either a command that prints one in its first line, here and without a password:
# token_command = ["oama", "access", {{ user|toml }}]
# or a section [imap.oauth] with provider ("google" or "microsoft"), client_id, client_secret and
# refresh_token. [smtp] logs in the same way if it has a user and no password.
# tls, starttls, or none (on loopback only)
security = "tls"
folder = "INBOX"
# Mails that are recorded are moved here; empty: they only become \\Seen.
done_folder = ""

[smtp]
host = {{ smtp_host|toml }}
# 0: 465 for tls, 587 for starttls, 25 for none
port = 0
user = {{ user|toml }}
password = {{ password|toml }}
security = "tls"

[database]
# Empty: SQLite in data_dir. Or postgresql://user:password@host/name
url = ""

[policy]
# Mails of one sender; past them he gets one notice, then nothing. 0 is without a limit.
mails_an_hour = 60
# Mails about one match, whoever sends them; likewise.
match_mails_an_hour = 120
# What proves that a mail is a player's: "token" (he answered our mail), "dkim" (the server of his
# address has signed it), or "token+dkim". For signatures name the host that checks them, as it
# calls itself in the Authentication-Results of the mails in your mailbox; see SECURITY.md.
proof = "token"
trusted_hosts = []
# How long a mail without proof of its sender waits for "confirm".
parked_days = 7
# Every mail goes out from an address of its own (club+b-...@host), so that it is known which one
# comes back. Set this to false where the mail server lets you send from the club's address alone.
bounce_addresses = true
# How often the mailbox is read where the server does not tell of new mail by itself.
poll_seconds = 60
"""


def init(
    path: Annotated[Path, typer.Argument(help="The file to write.")] = Path(FILE_NAME),
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing; good for --embedded.")
    ] = False,
) -> None:
    """Ask for what is needed and write a commented configuration."""
    with errors_as_sentences():
        answers = default_answers() if defaults else _ask()
        write_config(path, answers)
    typer.echo(f"{path} is written. Next: pbem doctor, pbem player add, pbem serve")


def default_answers() -> dict[str, str]:
    """A club for trying out on this machine."""
    return {
        "name": "pbem",
        "address": "club@localhost.localdomain",
        "director": "director@localhost.localdomain",
        "data_dir": "club",
        "imap_host": "localhost",
        "smtp_host": "localhost",
        "user": "",
        "password": "",
    }


def _ask() -> dict[str, str]:
    answers = {
        "name": typer.prompt("Short name of the club", default="pbem"),
        "address": typer.prompt("The club's e-mail address"),
        "director": typer.prompt("Your own address (the director's)"),
        "data_dir": typer.prompt("Folder for the database and the archive", default="club"),
        "imap_host": typer.prompt("IMAP server"),
    }
    answers["smtp_host"] = typer.prompt("SMTP server", default=answers["imap_host"])
    answers["user"] = typer.prompt("User name at the servers", default=answers["address"])
    answers["password"] = typer.prompt(
        "Password (none: log in by access token)", default="", hide_input=True, show_default=False
    )
    return answers


def write_config(path: Path, answers: dict[str, str]) -> None:
    """Writes a configuration that only its owner can read; raises ConfigError if it exists."""
    if path.exists():
        raise ConfigError(f"{path} exists already; it is left as it is")
    for key in ("address", "director"):
        if answers[key] and not is_address(answers[key]):
            raise ConfigError(f"{printable(answers[key])} is not a plain e-mail address")
    environment = Environment(keep_trailing_newline=True)  # noqa: S701  TOML, not HTML
    environment.filters["toml"] = _quoted
    secret = secrets.token_urlsafe(SECRET_BYTES)
    text = environment.from_string(TEMPLATE).render(**answers, secret=secret)
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")
    load_config(path)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{"".join(c for c in escaped if c.isprintable())}"'
