"""Values: valid values of keys, in any section."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr

from pbem.adapters.club_holidays import HOW, read_holidays
from pbem.mail.address import is_address
from pbem.resources import folder


class ConfigSection(BaseModel):
    # Errors never quote a value, which may be a secret.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


LONGEST_LOCAL_PART = 24
"""Octets before the @ of the club's address. The proof of a player's email is added to them, and
RFC 5321 section 4.5.3.1.1 allows 64 in all.
"""


LEAST_SECRET = 16
"""Least number of characters in a secret."""
LEAST_DIFFERENT = 8
"""Least number of different ones. Random secrets have more, even in hexadecimal."""
KNOWN_TO_ALL = ("replace me by what pbem init has written",)
"""Secrets from sample configurations."""
HOW_TO_GET_ONE = (
    "pbem init makes a good one, and so does "
    'python3 -c "import secrets; print(secrets.token_hex(32))"'
)


def _fit_to_sign(secret: SecretStr) -> SecretStr:
    """Return a secret that is hard to guess. Its holder could answer for every player."""
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
            "a name is up to 31 letters, digits and spaces, without accents, and begins with a"
            " letter or digit; it stands in every subject: [pbem 12]"
        )
    return text


def an_address(text: str) -> str:
    """Return an email address. Raises ValueError."""
    if not is_address(text):
        raise ValueError("it is not a plain e-mail address, such as club@example.org")
    return text


def club_address(text: str) -> str:
    """Return an address to which proofs can be added. Raises ValueError."""
    address = an_address(text)
    if len(address.rpartition("@")[0].encode()) > LONGEST_LOCAL_PART:
        raise ValueError(f"at most {LONGEST_LOCAL_PART} characters may stand before the @")
    return address


def an_address_or_none(text: str) -> str:
    return an_address(text) if text else ""


def club_address_or_none(text: str) -> str:
    return club_address(text) if text else ""


def an_ip_address(text: str) -> str:
    """Return a numeric IP address. Raises ValueError."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise ValueError("it is a numerical address of this machine, such as 127.0.0.1") from error


def a_language(key: str) -> str:
    """Return a language with email templates. Raises ValueError."""
    there = sorted(path.name for path in (folder("templates") / "mail").iterdir())
    if key not in there:
        raise ValueError(f"there are no mails in {key!r}; there are: {', '.join(there)}")
    return key


def listed(given: object) -> object:
    """Return a list as texts, since TOML allows dates without quotation marks."""
    if not isinstance(given, list | tuple):
        raise ValueError(f"it is a list in brackets; {HOW}")
    return tuple(map(str, given))


def known_holidays(written: tuple[str, ...]) -> tuple[str, ...]:
    read_holidays(written)
    return written


class ConfigError(Exception):
    """Raised for a bad configuration. The text says what is wrong and which key fixes it."""
