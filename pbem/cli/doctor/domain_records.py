"""Check of the club's domain: what other mail servers find about it in the DNS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address, ip_network

from pbem.adapters.dns_records import DnsRecords, NamesUnavailable, own_public_addresses
from pbem.cli.doctor.domains import own_domains
from pbem.cli.doctor.finding import Finding
from pbem.config import LOOPBACK, Config


def look(
    config: Config,
    names: DnsRecords | None = None,
    own_addresses: Callable[[], Sequence[str]] = own_public_addresses,
) -> Iterator[Finding]:
    """Every domain of the club that is its own; none where the mailbox is a provider's."""
    if config.club.embedded:
        return
    asked = names or DnsRecords()
    for domain in own_domains(config):
        try:
            yield from _of_domain(_Domain(domain, asked, config.smtp.host, own_addresses))
        except NamesUnavailable as error:
            yield Finding("dns", note=f"{error}; what is in the DNS for {domain} is not known now")
            return


class _Domain:
    """A domain, and from where its mail goes out as far as that can be known."""

    def __init__(
        self, name: str, names: DnsRecords, smtp_host: str, own: Callable[[], Sequence[str]]
    ) -> None:
        self.name = name
        self.names = names
        self.relay = "" if smtp_host in LOOPBACK else smtp_host
        """Name of the server that takes what goes out; empty if it is on this machine."""
        self._own = own

    def senders(self) -> list[str]:
        """Addresses from which its mail goes out."""
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
    """Whether mail to the domain finds a server (RFC 5321 section 5.1, RFC 7505)."""
    name, hosts = domain.name, domain.names.mail_hosts(domain.name)
    if hosts == [""]:
        trouble = f'the MX record of {name} is ".", which says that it takes no mail'
        return Finding("mx", f"{trouble}. Name your mail server there:", paste=_mx_lines(name))
    if not hosts and domain.names.addresses(name):
        why = f"{name} has no MX record; mail goes to the machine of that name itself"
        return Finding("mx", advice=f"{why}. Better say so:", paste=(f"{name}. IN MX 10 {name}.",))
    if not hosts:
        trouble = f"{name} has no MX record, so nobody elsewhere can send mail to it"
        remedy = "Add one with the name of your mail server:"
        return Finding("mx", f"{trouble}. {remedy}", paste=_mx_lines(name))
    lost = [host for host in hosts if not domain.names.addresses(host)]
    if lost:
        trouble = f"mail to {name} goes to {lost[0]}, which has no address in the DNS"
        return Finding("mx", f"{trouble}. Add one, or name another server in the MX record.")
    return Finding("mx", note=f"mail to {name} goes to {', '.join(hosts)}")


def _mx_lines(name: str) -> tuple[str, ...]:
    return (f"{name}. IN MX 10 mail.{name}.",)


def _spf(domain: _Domain, senders: Sequence[str]) -> Finding:
    """Whether the domain says that its mail comes from where it comes from."""
    name, found = domain.name, policies(domain.names, domain.name)
    if not found:
        why = f"{name} does not say from where its mail comes (SPF), so it may pass for spam"
        return Finding(
            "spf", advice=f"{why}. Add this record:", paste=(_spf_line(domain, senders),)
        )
    if len(found) > 1:
        why = f"{name} has {len(found)} SPF records, so none of them counts"
        return Finding("spf", advice=f"{why}. Make one of them:", paste=tuple(found))
    refused = [each for each in senders if Permits(domain.names, each).by(name) is False]
    # Of several addresses of a relay it may send from another one.
    if refused and (not domain.relay or len(refused) == len(senders)):
        where = f"{domain.relay} ({refused[0]})" if domain.relay else refused[0]
        why = f"{name} does not let {where} send its mail (SPF), if that is where it leaves from"
        mended = f"{_network(refused[0])} "
        sooner = found[0].replace("v=spf1 ", f"v=spf1 {mended}", 1)
        line = f'{name}. IN TXT "{sooner}"'
        return Finding("spf", advice=f"{why}. Change the record:", paste=(line,))
    return Finding("spf", note=f'{name} has "{found[0]}"')


def _spf_line(domain: _Domain, senders: Sequence[str]) -> str:
    """One that names the machines that can be known."""
    if domain.relay:
        return f'{domain.name}. IN TXT "v=spf1 mx a:{domain.relay} ~all"'
    words = " ".join(["v=spf1", "mx", *map(_network, senders), "-all"])
    return f'{domain.name}. IN TXT "{words}"'


def _network(address: str) -> str:
    return f"ip6:{address}" if ":" in address else f"ip4:{address}"


def _dmarc(domain: _Domain) -> Finding:
    """Whether the domain, or one above it, says what becomes of mail that only pretends."""
    labels = domain.name.split(".")
    for above in range(len(labels) - 1):
        place = "_dmarc." + ".".join(labels[above:])
        found = [each for each in domain.names.texts(place) if each.startswith("v=DMARC1")]
        if found:
            return Finding("dmarc", note=f'{place} has "{found[0]}"')
    why = (
        f"{domain.name} does not say what is to be done with mail sent falsely in its name (DMARC)"
    )
    line = f'_dmarc.{domain.name}. IN TXT "v=DMARC1; p=none"'
    asked = "Gmail and others want every domain to say so. Add this record:"
    return Finding("dmarc", advice=f"{why}. {asked}", paste=(line,))


def _reverse(names: DnsRecords, address: str) -> Finding:
    """Whether an address has a name that leads back to it; many refuse mail from one without."""
    found = names.names(address)
    if not found:
        why = f"{address}, from which mail goes out, has no name in the DNS (PTR)"
        return Finding("ptr", advice=f"{why}. Ask whoever gave you the address for one.")
    if not any(address in names.addresses(each) for each in found):
        why = f"{address} is called {found[0]} (PTR), but no host of that name has this address"
        return Finding("ptr", advice=f"{why}. Let one of both lead to the other.")
    return Finding("ptr", note=f"{address} is {found[0]}; the mail server should say so in HELO")


MOST_LOOKUPS = 10
"""RFC 7208 section 4.6.4; whoever needs more gets an error everywhere."""
_TERM = re.compile(r"([-+~?]?)([a-z0-9]+)(?:[:=]([^/]*))?((?:/\d+)?(?://\d+)?)", re.IGNORECASE)


def policies(names: DnsRecords, domain: str) -> list[str]:
    """The SPF records of a domain, which should be one."""
    return [each for each in names.texts(domain) if f"{each} ".lower().startswith("v=spf1 ")]


class Permits:
    """What the records of domains say about one address."""

    def __init__(self, names: DnsRecords, address: str) -> None:
        self._names = names
        self._address = ip_address(address)
        self._lookups = 0

    def by(self, domain: str) -> bool | None:
        """Whether a domain lets the address send; None where it is not known."""
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
        """Whether a mechanism speaks of the address; None where it is not known."""
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
        """Whether the address is in a network; `length` is /24, //64, /24//64 or nothing."""
        short, _, long = length.partition("//")
        bits = short.strip("/") if ":" not in place else long or short.strip("/")
        try:
            network = ip_network(f"{place}/{bits}" if bits else place, strict=False)
        except ValueError:
            return None
        return self._address in network


def _parsed(term: str) -> tuple[str, str, str, str]:
    """Sign, name, value and length of a term; one that is none has a name that nothing has."""
    # Networks of IPv6 have colons, and a value may hold any character.
    found = _TERM.fullmatch(term)
    if found is None:
        return "", "?", "", ""
    sign, name, value, length = found.groups()
    return sign, name.lower(), value or "", length
