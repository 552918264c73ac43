"""Check by the trial mail: whether what the club sends is signed, and the key is there (DKIM)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.adapters.dns_records import DnsRecords, NamesUnavailable
from pbem.cli.doctor.domains import own_domains
from pbem.cli.doctor.finding import Finding
from pbem.config import Config
from pbem.mail.message.message import read_message
from pbem.mail.proof.signature import Signer, own_signers


def look(config: Config, arrived: bytes, names: DnsRecords | None = None) -> Iterator[Finding]:
    """What the mail that arrived shows; nothing where the club's domain is a provider's."""
    domain = config.club.address.rpartition("@")[2].casefold()
    if config.club.embedded or domain not in own_domains(config):
        return
    signers = own_signers(read_message(arrived))
    if not signers:
        why = f"the mail that arrived was not signed for {domain} (DKIM)"
        remedy = (
            "If your server signs what leaves it: pbem doctor cannot see that. If not: set it up"
        )
        yield Finding("dkim", advice=f"{why}. {remedy}, or many will take mails for spam.")
        return
    try:
        yield _key(names or DnsRecords(), signers)
    except NamesUnavailable as error:
        yield Finding("dkim", note=f"mails are signed for {signers[0].domain}; {error}")


def _key(names: DnsRecords, signers: list[Signer]) -> Finding:
    """Whether one of the signatures can be verified by others."""
    places = [f"{each.selector}._domainkey.{each.domain}" for each in signers]
    found = next((each for each in places if _has_key(names, each)), None)
    if found is not None:
        return Finding("dkim", note=f"mails are signed; the key is at {found}")
    why = f"mails are signed, but there is no key at {places[0]}"
    remedy = "Add the TXT record that was written when the key was made, to be like this:"
    line = f'{places[0]}. IN TXT "v=DKIM1; k=rsa; p=..."'
    return Finding("dkim", advice=f"{why}, so nobody can verify it. {remedy}", paste=(line,))


def _has_key(names: DnsRecords, place: str) -> bool:
    """Of a key that was withdrawn the value is empty (RFC 6376 section 3.6.1)."""
    tags = (tag.partition("=") for text in names.texts(place) for tag in text.split(";"))
    return any(name.strip() == "p" and bool(value.strip()) for name, _, value in tags)
