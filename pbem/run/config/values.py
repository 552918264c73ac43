"""Values: what may stand for a key, whatever section it is in."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr

from pbem.adapters.club_holidays import HOW, read_holidays
from pbem.mail.address import is_address
from pbem.resources import folder


class ConfigSection(BaseModel):
    # Nothing of what is wrong is quoted: it may be a secret.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


LONGEST_LOCAL_PART = 24
"""Octets before the @ of the club's address: the proof of a player's mail is added to them, and
RFC 5321 section 4.5.3.1.1 allows 64 in all."""


LEAST_SECRET = 16
"""Characters of a secret."""
LEAST_DIFFERENT = 8
"""Different ones among them; what is made by chance has more, also in hexadecimal digits."""
KNOWN_TO_ALL = ("replace me by what pbem init has written",)
"""Secrets that stood in sample configurations."""
HOW_TO_GET_ONE = (
    "pbem init makes a good one, and so does "
    'python3 -c "import secrets; print(secrets.token_hex(32))"'
)


def _fit_to_sign(secret: SecretStr) -> SecretStr:
    """A secret that nobody guesses: who knows it can answer in the name of every player."""
    text = secret.get_secret_value()
    if not text:
        raise ValueError(f"it is empty; {HOW_TO_GET_ONE}")
    if len(text) < LEAST_SECRET or len(set(text)) < LEAST_DIFFERENT or text in KNOWN_TO_ALL:
        raise ValueError(f"it is too easy to guess; {HOW_TO_GET_ONE}")
    return secret


SigningSecret = Annotated[SecretStr, AfterValidator(_fit_to_sign)]


_CLUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,30}")


def club_name(text: str) -> str:
    """A short name; raises ValueError."""
    if not _CLUB_NAME.fullmatch(text):
        raise ValueError(
            "a name is up to 31 letters, digits and spaces, without accents, and begins with a"
            " letter or digit; it stands in every subject: [pbem 12]"
        )
    return text


def an_address(text: str) -> str:
    """An e-mail address; raises ValueError."""
    if not is_address(text):
        raise ValueError("it is not a plain e-mail address, such as club@example.org")
    return text


def club_address(text: str) -> str:
    """An address to which proofs can be added; raises ValueError."""
    address = an_address(text)
    if len(address.rpartition("@")[0].encode()) > LONGEST_LOCAL_PART:
        raise ValueError(f"at most {LONGEST_LOCAL_PART} characters may stand before the @")
    return address


def an_address_or_none(text: str) -> str:
    return an_address(text) if text else ""


def club_address_or_none(text: str) -> str:
    return club_address(text) if text else ""


def an_ip_address(text: str) -> str:
    """An address of a machine, as a number; raises ValueError."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise ValueError("it is a numerical address of this machine, such as 127.0.0.1") from error


def a_language(key: str) -> str:
    """A language in which there are templates of mails."""
    there = sorted(path.name for path in (folder("templates") / "mail").iterdir())
    if key not in there:
        raise ValueError(f"there are no mails in {key!r}; there are: {', '.join(there)}")
    return key


def listed(given: object) -> object:
    """Dates may stand without quotation marks, as TOML has them."""
    if not isinstance(given, list | tuple):
        raise ValueError(f"it is a list in brackets; {HOW}")
    return tuple(map(str, given))


def known_holidays(written: tuple[str, ...]) -> tuple[str, ...]:
    read_holidays(written)
    return written


class ConfigError(Exception):
    """What is wrong with the configuration, and which key mends it."""
