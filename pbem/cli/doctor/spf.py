"""SPF: whether a domain says that an address may send its mail (RFC 7208).

Macros, `exists` and `ptr` are rare and not followed. What they would decide counts as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from pbem.adapters.dns_records import DnsRecords

MOST_LOOKUPS = 10
"""RFC 7208 section 4.6.4. A domain that needs more gets an error everywhere."""
_TERM = re.compile(r"([-+~?]?)([a-z0-9]+)(?:[:=]([^/]*))?((?:/\d+)?(?://\d+)?)", re.IGNORECASE)


def policies(names: DnsRecords, domain: str) -> list[str]:
    """Return the SPF records of a domain. There should be one."""
    return [each for each in names.texts(domain) if f"{each} ".lower().startswith("v=spf1 ")]


class Permits:
    """Answers of the SPF records of domains for one address."""

    def __init__(self, names: DnsRecords, address: str) -> None:
        self._names = names
        self._address = ip_address(address)
        self._lookups = 0

    def by(self, domain: str) -> bool | None:
        """Return whether a domain lets the address send. None if unknown."""
        found = policies(self._names, domain)
        if len(found) != 1:
            return None
        terms, sure = [_parsed(each) for each in found[0].split()[1:]], True
        for sign, name, value, length in terms:
            hit = self._matches(name, value or domain, length)
            sure = sure and hit is not None
            if hit:
                return sign in ("", "+") if sure else None
        elsewhere = next((value for _, name, value, _ in terms if name == "redirect"), None)
        if elsewhere and self._counted():
            return self.by(elsewhere)
        return False if sure else None

    def _matches(self, name: str, value: str, length: str) -> bool | None:
        """Return whether a mechanism covers the address. None if unknown."""
        if name == "all":
            return True
        if name in ("ip4", "ip6"):
            return self._is_in(value, length)
        if name in ("redirect", "exp"):
            return False
        if "%" in value or not self._counted():
            return None
        if name == "include":
            return self.by(value)
        if name in ("a", "mx"):
            return any(self._is_in(each, length) for each in self._of(name, value))
        return None

    def _counted(self) -> bool:
        self._lookups += 1
        return self._lookups <= MOST_LOOKUPS

    def _of(self, name: str, value: str) -> Iterator[str]:
        hosts = [value] if name == "a" else self._names.mail_hosts(value)[:MOST_LOOKUPS]
        for host in hosts:
            yield from self._names.addresses(host) if host else ()

    def _is_in(self, place: str, length: str) -> bool | None:
        """Return whether the address is in a network. `length` is /24, //64, /24//64 or empty."""
        short, _, long = length.partition("//")
        bits = short.strip("/") if ":" not in place else long or short.strip("/")
        try:
            network = ip_network(f"{place}/{bits}" if bits else place, strict=False)
        except ValueError:
            return None
        return self._address in network


def _parsed(term: str) -> tuple[str, str, str, str]:
    """Return sign, name, value and length of a term. The name of a malformed one never matches."""
    # IPv6 networks contain colons, and a value may contain any character.
    found = _TERM.fullmatch(term)
    if found is None:
        return "", "?", "", ""
    sign, name, value, length = found.groups()
    return sign, name.lower(), value or "", length
