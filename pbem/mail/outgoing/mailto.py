"""Mailto: an address that opens a mail with its recipient, subject and text filled in (RFC 6068).

Everything but unreserved characters is encoded, the plus of the address too: some programs take it
for a space (GNOME hands links on so), and those that would keep it decode `%2B` (section 5).
"""

from __future__ import annotations

from functools import lru_cache

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LINE_BREAK = "%0D%0A"  # section 5; behind the text, too: what programs sign with begins a new line


def mailto(address: str, subject: str, text: str) -> str:
    """Address that opens a mail of one line."""
    return f"{_headed(address, subject)}&body={_encoded(text)}{_LINE_BREAK}"


@lru_cache(16)  # the links of a mail differ in nothing but their text
def _headed(address: str, subject: str) -> str:
    local, _, host = address.rpartition("@")
    return f"mailto:{_encoded(local)}@{_encoded(host)}?subject={_encoded(subject)}"


@lru_cache(1024)  # and that is the same in many mails
def _encoded(text: str) -> str:
    octets = text.encode(errors="replace")
    return "".join(chr(each) if each in _UNRESERVED else f"%{each:02X}" for each in octets)
