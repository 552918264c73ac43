"""Test what `pbem doctor` reports about the club's domain, with a real name server on loopback."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path

import dns.resolver
import pytest

from pbem.adapters.dns_records import DnsRecords
from pbem.cli.doctor.domain import domain_records, signing
from pbem.cli.doctor.finding import Finding
from pbem.cli.doctor.spf import Permits
from pbem.cli.new_config import Answers, write_config
from pbem.run.config import Config, load_config
from tests.support.name_server import NameServer

pytestmark = pytest.mark.servers

HERE = "203.0.113.7"
"""The address from which the club sends email."""
WELL = (
    "chess.club MX 10 mx.chess.club",
    f"mx.chess.club A {HERE}",
    'chess.club TXT "v=spf1 mx -all"',
    '_dmarc.chess.club TXT "v=DMARC1; p=reject"',
    "7.113.0.203.in-addr.arpa PTR mx.chess.club",
)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Configure a club at chess.club that sends email from its own machine."""
    write_config(tmp_path / "pbem.toml", Answers(address="moves@chess.club"))
    return load_config(tmp_path / "pbem.toml")


def at(config: Config, address: str, smtp: str = "localhost") -> Config:
    """Return the configuration with another address and SMTP host."""
    club = config.club.model_copy(update={"address": address})
    there = config.smtp.model_copy(update={"host": smtp})
    return config.model_copy(update={"club": club, "smtp": there})


def findings(
    config: Config, records: Sequence[str], sends_from: Sequence[str] = (HERE,)
) -> dict[str, Finding]:
    with NameServer(*records) as server:
        found = domain_records(config, server.names, lambda: sends_from)
        return {each.subject: each for each in found}


def without(start: str, *instead: str) -> list[str]:
    """Return the records of a correct domain except those with this start."""
    return [*(each for each in WELL if not each.startswith(start)), *instead]


def test_correct_domain_has_no_problems(config: Config) -> None:
    found = findings(config, WELL)
    assert {each.state for each in found.values()} == {"ok"}
    assert found.keys() == {"mx", "spf", "dmarc", "ptr"}


@pytest.mark.parametrize(
    ("records", "subject", "state", "said", "paste"),
    (
        ((), "mx", "bad", "has no MX record, so nobody", "chess.club. IN MX 10 mail.chess.club."),
        (without("chess.club MX", "chess.club MX 0 ."), "mx", "bad", "accepts no email", " IN MX "),
        (without("mx.chess"), "mx", "bad", "goes to mx.chess.club, which has no address", ""),
        (
            without("chess.club MX", f"chess.club A {HERE}"),
            *("mx", "advice", "the machine of that name", "IN MX 10 chess.club."),
        ),
        (
            without("chess.club TXT"),
            *("spf", "advice", "treated as spam", f'"v=spf1 mx ip4:{HERE} -all"'),
        ),
        (
            [*WELL, 'chess.club TXT "v=spf1 -all"'],
            *("spf", "advice", "2 SPF records", "v=spf1 mx -all"),
        ),
        (
            without("chess.club TXT", 'chess.club TXT "v=spf1 a:www.chess.club -all"'),
            "spf",
            "advice",
            f"does not allow {HERE}",
            f'chess.club. IN TXT "v=spf1 ip4:{HERE} a:www.chess.club -all"',
        ),
        (
            without("chess.club TXT", r'chess.club TXT "v=spf1 mx -all\010ok   smtp: well"'),
            *("spf", "ok", "-all ok   smtp: well", ""),
        ),
        (
            without("_dmarc"),
            *("dmarc", "advice", "(DMARC)", '_dmarc.chess.club. IN TXT "v=DMARC1; p=none"'),
        ),
        (without("7.113"), "ptr", "advice", "has no name in the DNS", ""),
        (
            without("7.113", "7.113.0.203.in-addr.arpa PTR dyn-7.isp.net"),
            *("ptr", "advice", "dyn-7.isp.net (PTR), but that name does not lead back", ""),
        ),
    ),
)
def test_missing_record_comes_with_a_record_to_paste(
    config: Config, records: Sequence[str], subject: str, state: str, said: str, paste: str
) -> None:
    found = findings(config, records)[subject]
    assert (found.state, said in found.text) == (state, True), found
    assert paste in "\n".join(found.paste)


def test_spf_must_allow_the_providers_server(config: Config) -> None:
    elsewhere = at(config, "moves@chess.club", smtp="smtp.isp.net")
    there = "smtp.isp.net A 198.51.100.9"
    found = findings(elsewhere, [*WELL, there])
    assert "does not allow smtp.isp.net (198.51.100.9)" in found["spf"].text
    assert "ptr" not in found, "its name is up to the provider"
    of_several = [*WELL, there, f"smtp.isp.net A {HERE}"]
    assert findings(elsewhere, of_several)["spf"].state == "ok"
    missing = findings(elsewhere, [*without("chess.club TXT"), there])["spf"]
    assert missing.paste == ('chess.club. IN TXT "v=spf1 mx a:smtp.isp.net ~all"',)


@pytest.mark.parametrize(
    "address", ("club@gmail.com", "club@gmx.de", "club@games.example", "club@localhost.localdomain")
)
def test_domain_of_a_provider_or_that_nobody_can_look_up_is_not_examined(
    config: Config, address: str
) -> None:
    assert findings(at(config, address), ()) == {}


def test_offline_machine_is_reported_once(config: Config) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        nobody = dns.resolver.Resolver(configure=False)
        nobody.nameservers, nobody.port = ["127.0.0.1"], silent.getsockname()[1]
        found = list(domain_records(config, DnsRecords(nobody, patience_s=0.1), lambda: [HERE]))
    assert [each.subject for each in found] == ["dns"]
    assert found[0].state == "ok"
    assert "no name server answers for chess.club" in found[0].text


@pytest.mark.parametrize(
    ("record", "permits"),
    (
        ("v=spf1 ip4:203.0.113.0/24 -all", True),
        ("v=spf1 ip4:203.0.113.8 -all", False),
        ("v=spf1 -ip4:203.0.113.7 +all", False),
        ("v=spf1 a:mx.chess.club ?all", True),
        ("v=spf1 a:chess.club/8 -all", False),
        ("v=spf1 mx:chess.club -all", True),
        ("v=spf1 include:inner.net -all", True),
        ("v=spf1 include:nowhere.net -all", None),
        ("v=spf1 redirect=inner.net", True),
        ("v=spf1 redirect=outer.net", False),
        ("v=spf1 exists:%{i}.chess.club -all", None),
        ("v=spf1 ip6:2001:db8::/32 ~all", False),
        ("v=spf1 ip4:nonsense what? -all", None),
        ("v=spf1 include:loop.net -all", None),
    ),
)
def test_policy_permits_an_address(record: str, permits: bool | None) -> None:
    others = ('inner.net TXT "v=spf1 ip4:203.0.113.7 -all"', 'outer.net TXT "v=spf1 -all"')
    loop = 'loop.net TXT "v=spf1 include:loop.net -all"'
    with NameServer(*WELL, *others, loop, f'asked.net TXT "{record}"') as server:
        assert Permits(server.names, HERE).by("asked.net") is permits


SIGNED = b"From: Club <moves@chess.club>\r\nDKIM-Signature: v=1; d=%s; s=key1; b=x\r\n\r\nHi\r\n"
KEY = "key1._domainkey.chess.club TXT"


@pytest.mark.parametrize(
    ("mail", "record", "state", "said"),
    (
        (SIGNED % b"chess.club", f'{KEY} "v=DKIM1; k=rsa; " "p=MIGf"', "ok", "the key is at key1."),
        (SIGNED % b"chess.club", f'{KEY} "v=DKIM1; p="', "advice", "there is no key at key1."),
        (SIGNED % b"isp.net", f'{KEY} "v=DKIM1; p=MIGf"', "advice", "not signed for chess.club"),
        (b"From: moves@chess.club\r\n\r\nHi\r\n", WELL[0], "advice", "not signed for chess.club"),
    ),
)
def test_received_email_shows_whether_it_is_signed(
    config: Config, mail: bytes, record: str, state: str, said: str
) -> None:
    with NameServer(record) as server:
        (found,) = signing(config, mail, server.names)
    assert (found.state, said in found.text) == (state, True), found


def test_endless_lookups_are_given_up(config: Config) -> None:
    found = list(domain_records(config, DnsRecords(all_s=0.0), lambda: [HERE]))
    assert [each.state for each in found] == ["ok"]
    assert "the name servers did not answer in time" in found[0].text
