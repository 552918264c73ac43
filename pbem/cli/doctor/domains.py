"""Domains: which of the club's are its own, so that somebody here can write records for them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.config import Config

RESERVED = (
    *("example", "test", "invalid", "localhost", "local", "internal", "localdomain", "lan"),
    *("home.arpa", "example.com", "example.net", "example.org"),
)
"""Names that nobody outside can look up (RFC 2606, 6761, 6762, 8375)."""

OF_PROVIDERS = frozenset(
    (
        *("gmail.com", "googlemail.com", "outlook.com", "hotmail.com"),
        *("live.com", "msn.com", "yahoo.com", "ymail.com"),
        *("aol.com", "icloud.com", "me.com", "mac.com"),
        *("proton.me", "protonmail.com", "pm.me", "fastmail.com"),
        *("fastmail.fm", "zoho.com", "gmx.com", "gmx.net"),
        *("gmx.de", "gmx.at", "gmx.ch", "web.de"),
        *("t-online.de", "freenet.de", "posteo.de", "posteo.net"),
        *("mailbox.org", "mail.de", "tuta.com", "tutanota.com"),
        *("runbox.com", "disroot.org", "riseup.net", "mail.com"),
        *("mail.ru", "yandex.ru", "yandex.com", "orange.fr"),
        *("free.fr", "laposte.net", "wanadoo.fr", "libero.it"),
        *("virgilio.it", "wp.pl", "o2.pl", "onet.pl"),
        *("interia.pl", "seznam.cz", "qq.com", "163.com"),
        *("126.com", "naver.com"),
    )
)
"""Domains at which everybody may have a mailbox; what stands in the DNS is the provider's."""


def own_domains(config: Config) -> Iterator[str]:
    """Each domain of an address of the club, if it is one that can be looked up and set up."""
    domains = (each.rpartition("@")[2].casefold() for each in config.addresses)
    for domain in dict.fromkeys(domains):
        if domain not in OF_PROVIDERS and not _reserved(domain):
            yield domain


def _reserved(domain: str) -> bool:
    return "." not in domain or any(f".{domain}".endswith(f".{each}") for each in RESERVED)
