"""Values: types that check the values of keys, for all sections."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr

from pbem.adapters.club_holidays import HOW, read_holidays
from pbem.games.installed import ALL, normal
from pbem.mail.address import is_address
from pbem.resources import folder


class ConfigSection(BaseModel):
    # Errors do not quote invalid values, as they may be secrets.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


LONGEST_LOCAL_PART = 24
"""Octets before the @ of the club's address. A player's proof is added to them, and RFC 5321
section 4.5.3.1.1 allows 64 in all."""


LEAST_SECRET = 16
"""Minimum length of a secret."""
LEAST_DIFFERENT = 8
"""Minimum number of different characters. Random secrets have more, even in hexadecimal."""
KNOWN_TO_ALL = ("replace me by what pbem init has written",)
"""Secrets from old sample configurations."""
HOW_TO_GET_ONE = (
    "make a good one with pbem init, or with "
    'python3 -c "import secrets; print(secrets.token_hex(32))"'
)


def _fit_to_sign(secret: SecretStr) -> SecretStr:
    """Return a secret if it is hard to guess. Anyone who knows it could write as any player."""
    text = secret.get_secret_value()
    if not text:
        raise ValueError(f"it is empty; {HOW_TO_GET_ONE}")
    if len(text) < LEAST_SECRET or len(set(text)) < LEAST_DIFFERENT or text in KNOWN_TO_ALL:
        raise ValueError(f"it is too easy to guess; {HOW_TO_GET_ONE}")
    return secret


SigningSecret = Annotated[SecretStr, AfterValidator(_fit_to_sign)]


_CLUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,30}")


def club_name(text: str) -> str:
    """Return a short name. Raises ValueError."""
    if not _CLUB_NAME.fullmatch(text):
        raise ValueError(
            "a name has up to 31 letters, digits and spaces, without accents, and begins with a"
            " letter or digit. It appears in every subject: [pbem 12]"
        )
    return text


def an_address(text: str) -> str:
    """Return an email address. Raises ValueError."""
    if not is_address(text):
        raise ValueError("it is not a plain email address, such as club@example.org")
    return text


def club_address(text: str) -> str:
    """Return an address to which proofs can be added. Raises ValueError."""
    address = an_address(text)
    if len(address.rpartition("@")[0].encode()) > LONGEST_LOCAL_PART:
        raise ValueError(f"at most {LONGEST_LOCAL_PART} characters may come before the @")
    return address


def an_address_or_none(text: str) -> str:
    return an_address(text) if text else ""


def club_address_or_none(text: str) -> str:
    return club_address(text) if text else ""


def an_ip_address(text: str) -> str:
    """Return an IP address. Raises ValueError."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise ValueError("it must be an IP address of this machine, such as 127.0.0.1") from error


def a_language(key: str) -> str:
    """Return a language for which there are email templates."""
    there = sorted(path.name for path in (folder("templates") / "mail").iterdir())
    if key not in there:
        raise ValueError(f"there are no emails in {key!r}. The languages are: {', '.join(there)}")
    return key


def listed(given: object) -> object:
    """Accept dates without quotation marks, as TOML allows."""
    if not isinstance(given, list | tuple):
        raise ValueError(f"it must be a list in brackets; {HOW}")
    return tuple(map(str, given))


def known_holidays(written: tuple[str, ...]) -> tuple[str, ...]:
    read_holidays(written)
    return written


_GAME = re.compile(r"(?:([A-Za-z0-9][A-Za-z0-9._-]*):)?([a-z0-9-]+)", re.IGNORECASE | re.ASCII)


def game_name(text: str) -> str:
    """Return the name of a game, or of all games, as they are compared."""
    if text == ALL:
        return text
    found = _GAME.fullmatch(text.strip())
    if found is None:
        raise ValueError(
            f"{text!r} is not the name of a game. Write its key, such as lancelot, or the"
            ' distribution too, such as pbem-chess:chess. "*" means all games'
        )
    distribution, key = found.groups()
    return f"{normal(distribution)}:{key.lower()}" if distribution else key.lower()


class ConfigError(Exception):
    """An error in the configuration. The message names the key that fixes it."""
