"""DNS records: what other mail servers find about a domain."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from dns.exception import DNSException
from dns.name import LabelTooLong, NameTooLong
from dns.resolver import NXDOMAIN, NoAnswer, NoResolverConfiguration, Resolver
from dns.reversename import from_address

PATIENCE_S = 3.0
"""Seconds for one question, over all servers."""
ALL_S = 15.0
"""Seconds for all questions. Records of others can lead from one question to the next."""
TRY_S = 1.5
"""Seconds for one server's answer, since a packet may be lost."""


class NamesUnavailable(Exception):
    """Raised if no name server answers."""


class DnsRecords:
    """Asks the name servers of this machine. Every method raises NamesUnavailable."""

    def __init__(
        self,
        resolver: Resolver | None = None,
        patience_s: float = PATIENCE_S,
        all_s: float = ALL_S,
    ) -> None:
        self._resolver = resolver
        self._patience_s = patience_s
        self._until = time.monotonic() + all_s

    def mail_hosts(self, domain: str) -> list[str]:
        """Return the hosts that accept email for a domain, preferred first. "" means none does."""
        found = sorted(self._records(domain, "MX"), key=lambda each: int(each.preference))
        return [_bare(each.exchange) for each in found]

    def texts(self, name: str) -> list[str]:
        """Return the texts at a name, each joined and on one line."""
        records = self._records(name, "TXT")
        found = (b"".join(each.strings).decode("ascii", "replace") for each in records)
        return ["".join(c if c.isprintable() else " " for c in text) for text in found]

    def addresses(self, host: str) -> list[str]:
        """Return the IP addresses of a host."""
        found = (each for kind in ("A", "AAAA") for each in self._records(host, kind))
        return [each.address for each in found]

    def names(self, address: str) -> list[str]:
        """Return the hosts that an IP address names as its own (PTR)."""
        return [_bare(each.target) for each in self._records(f"{from_address(address)}", "PTR")]

    def _records(self, name: str, kind: str) -> list[Any]:
        patience = min(self._patience_s, self._until - time.monotonic())
        if patience <= 0:
            raise NamesUnavailable("the name servers did not answer in time")
        try:
            answer = self._ready().resolve(f"{name.rstrip('.')}.", kind, lifetime=patience)
        except (NXDOMAIN, NoAnswer, LabelTooLong, NameTooLong):
            return []
        except (DNSException, OSError) as error:
            raise NamesUnavailable(f"no name server answers for {name}") from error
        return list(answer)

    def _ready(self) -> Resolver:
        """Return the resolver. Raises NamesUnavailable if this machine knows no name server."""
        if self._resolver is None:
            try:
                self._resolver = Resolver()
            except NoResolverConfiguration as error:
                raise NamesUnavailable("this machine knows no name server") from error
            self._resolver.timeout = TRY_S
        return self._resolver


def _bare(name: object) -> str:
    return f"{name}".rstrip(".").lower()


def own_public_addresses() -> list[str]:
    """Return the public addresses that others see of this machine. Empty behind NAT."""
    found = []
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # Sends nothing: the kernel only reports the source address it would use.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as line:
            line.connect((anywhere, 9))
            found.append(line.getsockname()[0])
    return [each for each in found if ip_address(each).is_global]
