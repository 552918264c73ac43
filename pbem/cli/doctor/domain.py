"""Checks of the club's domain: its DNS records, and the signature of its email (DKIM)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.adapters.dns_records import DnsRecords, NamesUnavailable, own_public_addresses
from pbem.cli.doctor.finding import Finding
from pbem.cli.doctor.spf import Permits, policies
from pbem.mail.message.message import read_message
from pbem.mail.proof.authentication import DkimSigner, own_signers
from pbem.run.config import LOOPBACK, Config

RESERVED = (
    *("example", "test", "invalid", "localhost", "local", "internal", "localdomain", "lan"),
    *("home.arpa", "example.com", "example.net", "example.org"),
)
"""Names that cannot be looked up from outside (RFC 2606, 6761, 6762, 8375)."""

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
"""Domains where anyone can have a mailbox. Their DNS records are the provider's."""


def own_domains(config: Config) -> Iterator[str]:
    """Yield each domain of the club's addresses that can be looked up and configured."""
    domains = (each.rpartition("@")[2].casefold() for each in config.addresses)
    for domain in dict.fromkeys(domains):
        if domain not in OF_PROVIDERS and not _reserved(domain):
            yield domain


def _reserved(domain: str) -> bool:
    return "." not in domain or any(f".{domain}".endswith(f".{each}") for each in RESERVED)


def domain_records(
    config: Config,
    names: DnsRecords | None = None,
    own_addresses: Callable[[], Sequence[str]] = own_public_addresses,
) -> Iterator[Finding]:
    """Check the DNS records of each domain of the club, but not of a provider's."""
    if config.club.embedded:
        return
    asked = names or DnsRecords()
    for domain in own_domains(config):
        try:
            yield from _of_domain(_Domain(domain, asked, config.smtp.host, own_addresses))
        except NamesUnavailable as error:
            yield Finding(
                "dns", note=f"{error}, so the DNS records of {domain} could not be checked"
            )
            return


class _Domain:
    """A domain, and where its email is sent from, as far as we can know."""

    def __init__(
        self, name: str, names: DnsRecords, smtp_host: str, own: Callable[[], Sequence[str]]
    ) -> None:
        self.name = name
        self.names = names
        self.relay = "" if smtp_host in LOOPBACK else smtp_host
        """Name of the outgoing mail server, empty if it is on this machine."""
        self._own = own

    def senders(self) -> list[str]:
        """Return the addresses from which its email is sent."""
        if self.relay:
            return self.names.addresses(self.relay)
        return list(self._own())


def _of_domain(domain: _Domain) -> Iterator[Finding]:
    yield _mx(domain)
    senders = domain.senders()
    yield _spf(domain, senders)
    yield _dmarc(domain)
    if not domain.relay:
        yield from (_reverse(domain.names, each) for each in senders)


def _mx(domain: _Domain) -> Finding:
    """Check that email to the domain finds a server (RFC 5321 section 5.1, RFC 7505)."""
    name, hosts = domain.name, domain.names.mail_hosts(domain.name)
    if hosts == [""]:
        trouble = f'the MX record of {name} is ".", which means that it accepts no email'
        return Finding("mx", f"{trouble}. Put your mail server there:", paste=_mx_lines(name))
    if not hosts and domain.names.addresses(name):
        why = f"{name} has no MX record, so email goes to the machine of that name"
        return Finding(
            "mx", advice=f"{why}. It is better to add one:", paste=(f"{name}. IN MX 10 {name}.",)
        )
    if not hosts:
        trouble = f"{name} has no MX record, so nobody can send email to it"
        remedy = "Add one that names your mail server:"
        return Finding("mx", f"{trouble}. {remedy}", paste=_mx_lines(name))
    lost = [host for host in hosts if not domain.names.addresses(host)]
    if lost:
        trouble = f"email to {name} goes to {lost[0]}, which has no address in the DNS"
        return Finding("mx", f"{trouble}. Add an address, or put another server in the MX record.")
    return Finding("mx", note=f"email to {name} goes to {', '.join(hosts)}")


def _mx_lines(name: str) -> tuple[str, ...]:
    return (f"{name}. IN MX 10 mail.{name}.",)


def _spf(domain: _Domain, senders: Sequence[str]) -> Finding:
    """Check that SPF allows the machines that send email for the domain."""
    name, found = domain.name, policies(domain.names, domain.name)
    if not found:
        why = f"{name} has no SPF record, so its email may be treated as spam"
        return Finding(
            "spf", advice=f"{why}. Add this record:", paste=(_spf_line(domain, senders),)
        )
    if len(found) > 1:
        why = f"{name} has {len(found)} SPF records, so all of them are ignored"
        return Finding("spf", advice=f"{why}. Combine them into one:", paste=tuple(found))
    refused = [each for each in senders if Permits(domain.names, each).by(name) is False]
    # A relay with several addresses may send from another one.
    if refused and (not domain.relay or len(refused) == len(senders)):
        where = f"{domain.relay} ({refused[0]})" if domain.relay else refused[0]
        why = f"the SPF record of {name} does not allow {where}, which may be where it sends from"
        mended = f"{_network(refused[0])} "
        sooner = found[0].replace("v=spf1 ", f"v=spf1 {mended}", 1)
        line = f'{name}. IN TXT "{sooner}"'
        return Finding("spf", advice=f"{why}. Change the record:", paste=(line,))
    return Finding("spf", note=f'{name} has "{found[0]}"')


def _spf_line(domain: _Domain, senders: Sequence[str]) -> str:
    """Return a record that names the machines that we know."""
    if domain.relay:
        return f'{domain.name}. IN TXT "v=spf1 mx a:{domain.relay} ~all"'
    words = " ".join(["v=spf1", "mx", *map(_network, senders), "-all"])
    return f'{domain.name}. IN TXT "{words}"'


def _network(address: str) -> str:
    return f"ip6:{address}" if ":" in address else f"ip4:{address}"


def _dmarc(domain: _Domain) -> Finding:
    """Check that the domain, or one above it, says what to do with forged email (DMARC)."""
    labels = domain.name.split(".")
    for above in range(len(labels) - 1):
        place = "_dmarc." + ".".join(labels[above:])
        found = [each for each in domain.names.texts(place) if each.startswith("v=DMARC1")]
        if found:
            return Finding("dmarc", note=f'{place} has "{found[0]}"')
    why = f"{domain.name} does not say what to do with email forged in its name (DMARC)"
    line = f'_dmarc.{domain.name}. IN TXT "v=DMARC1; p=none"'
    asked = "Gmail and others expect this of every domain. Add this record:"
    return Finding("dmarc", advice=f"{why}. {asked}", paste=(line,))


def _reverse(names: DnsRecords, address: str) -> Finding:
    """Check that an address has a name that leads back to it, which many servers require."""
    found = names.names(address)
    if not found:
        why = f"{address}, which sends the club's email, has no name in the DNS (PTR)"
        return Finding("ptr", advice=f"{why}. Ask the provider of the address for one.")
    if not any(address in names.addresses(each) for each in found):
        why = f"the name of {address} is {found[0]} (PTR), but that name does not lead back to it"
        return Finding("ptr", advice=f"{why}. Change one of them to match the other.")
    return Finding(
        "ptr", note=f"{address} is {found[0]}; the mail server should use that name in HELO"
    )


def signing(config: Config, arrived: bytes, names: DnsRecords | None = None) -> Iterator[Finding]:
    """Check the signature of an email that arrived, unless the domain is a provider's."""
    domain = config.club.address.rpartition("@")[2].casefold()
    if config.club.embedded or domain not in own_domains(config):
        return
    signers = own_signers(read_message(arrived))
    if not signers:
        why = f"the email that arrived was not signed for {domain} (DKIM)"
        remedy = (
            "If your server signs outgoing email, pbem doctor cannot see that. If not, set it up"
        )
        yield Finding("dkim", advice=f"{why}. {remedy}, or many servers will treat emails as spam.")
        return
    try:
        yield _key(names or DnsRecords(), signers)
    except NamesUnavailable as error:
        yield Finding("dkim", note=f"emails are signed for {signers[0].domain}; {error}")


def _key(names: DnsRecords, signers: list[DkimSigner]) -> Finding:
    """Check whether others can verify one of the signatures."""
    places = [f"{each.selector}._domainkey.{each.domain}" for each in signers]
    found = next((each for each in places if _has_key(names, each)), None)
    if found is not None:
        return Finding("dkim", note=f"emails are signed; the key is at {found}")
    why = f"emails are signed, but there is no key at {places[0]}"
    remedy = "Add the TXT record that was made with the key. It looks like this:"
    line = f'{places[0]}. IN TXT "v=DKIM1; k=rsa; p=..."'
    return Finding("dkim", advice=f"{why}, so nobody can verify them. {remedy}", paste=(line,))


def _has_key(names: DnsRecords, place: str) -> bool:
    """Return whether there is a key. One that was withdrawn is empty (RFC 6376 section 3.6.1)."""
    tags = (tag.partition("=") for text in names.texts(place) for tag in text.split(";"))
    return any(name.strip() == "p" and bool(value.strip()) for name, _, value in tags)
