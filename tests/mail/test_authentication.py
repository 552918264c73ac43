"""Signatures count for their own domain only, and domains with non-ASCII letters stay distinct."""

from __future__ import annotations

import pytest

from pbem.mail.message.message import read_message
from pbem.mail.proof.authentication import is_signed, read_results, signing_domains

HOST = "mx.games.example"


@pytest.mark.parametrize(
    ("domain", "signer", "counts"),
    (
        ("strasse.example", "strasse.example", True),
        ("Strasse.example", "STRASSE.EXAMPLE", True),
        ("straße.example", "straße.example", True),
        ("STRAẞE.example", "straße.example", True),
        ("mail.strasse.example", "strasse.example", True),
        ("strasse.example", "straße.example", False),
        ("straße.example", "strasse.example", False),
        ("straße.example", "xn--strae-oqa.example", False),
        ("mail.straße.example", "straße.example", False),
        ("\N{LATIN SMALL LIGATURE FI}ne.example", "fine.example", False),
    ),
)
def test_signature_counts_for_the_exact_domain_only(domain: str, signer: str, counts: bool) -> None:
    raw = (
        f"Authentication-Results: {HOST}; dkim=pass header.d={signer}\r\n"
        f"From: Anna <anna@{domain}>\r\n\r\nhello\r\n"
    )
    assert is_signed(read_message(raw.encode()), (HOST,)) is counts


def test_sender_domain_keeps_its_letters() -> None:
    assert read_message("From: ANNA@STRAẞE.example\n\n".encode()).from_address == (
        "anna@straße.example"
    )


# The field, by RFC 8601 section 2.2

GOOD = "header.d=good.example"
WRITTEN = {
    "Gmail": (
        "{}; dkim=pass header.i=@good.example header.s=20230601 header.b=AbC/d+f=;"
        " spf=pass (google.com: domain of a@good.example designates 192.0.2.1 as permitted sender)"
        " smtp.mailfrom=a@good.example; dmarc=pass (p=NONE sp=QUARANTINE dis=NONE)"
        " header.from=good.example; dara=pass header.i=@good.example"
    ),
    "Microsoft": (
        "{}; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=good.example; dkim=pass (signature was"
        " verified) header.d=good.example;dmarc=pass action=none"
        " header.from=good.example;compauth=pass reason=100"
    ),
    "Fastmail": (
        "{}; arc=none (no signatures found); bimi=skipped (DMARC Policy is not at enforcement);"
        " dkim=pass (2048-bit rsa key sha256) header.d=good.example header.i=@good.example"
        ' header.b="A/c" header.a=rsa-sha256 header.s=s1 x-bits=2048; iprev=pass'
        " smtp.remote-ip=192.0.2.1 (mail.good.example); x-tls=pass smtp.bits=256/256"
    ),
    "OpenDKIM": '{}; dkim=pass (2048-bit key; unprotected) header.d=good.example header.b="a/b+"',
    "rspamd": (
        '{};\tdkim=pass header.d=good.example header.s=s1 header.b="AbC=dE";\tdmarc=pass'
        ' (policy=none) header.from=good.example;\tspf=pass (x: of "a@b") smtp.mailfrom=a@b'
    ),
    "Yahoo": (
        "{}; dkim=pass header.i=@good.example header.s=s; spf=none smtp.mailfrom=;"
        " dmarc=pass(p=NONE)"
    ),
    "spaces, comments, versions": (
        "(a) {} (b) 1 (c); (d) dkim/1 = (e) pass (f) header.d (g) = (h) good.example (i)"
    ),
    "a reason": '{}; dkim=pass reason="all \\"well\\"; (" header.d=good.example;',
    "the server's own quotes": '"{}"; dkim=pass header.i="x@good.example"',
    "a quoted local part": '{}; dkim=pass header.i="x@evil.example"@good.example',
}
UNREADABLE = {
    "a quoted local part": '{}; dkim=pass header.i="x@good.example"@evil.example',
    "one that continues twice": '{}; dkim=pass header.i="x"@good.example"@evil.example',
    "a quoted domain that continues": '{}; dkim=pass header.d="good.example"evil.example',
    "a word that continues": '{}; dkim=pass header.d=good.example"."evil.example',
    "quotes without an end": f'{{}}; dkim=fail reason="x; dkim=pass {GOOD}',
    "quotes that end by an escape": f'{{}}; dkim=fail reason="x\\"; dkim=pass {GOOD}',
    "a comment without an end": f"{{}}; dkim=pass {GOOD} (x",
    "a comment that ends by an escape": f"{{}}; dkim=pass {GOOD} (x\\)",
    "a comment that only ends": f"{{}}; dkim=fail x); dkim=pass {GOOD}",
    "a comment inside the domain": "{}; dkim=pass header.d=good.example(x).evil.example",
    "a rest of words": f"{{}}; dkim=pass {GOOD} evil.example",
    "a rest in another result": f"{{}}; spf=pass smtp.mailfrom=a b; dkim=pass {GOOD}",
    "text injected by a sender": (
        f'{{}}; spf=pass smtp.mailfrom="a;dkim=pass {GOOD};"b"@evil.example'
    ),
    "an escape outside of quotes": f"{{}}; dkim=pass {GOOD}\\",
    "no verdict": f"{{}}; dkim {GOOD}",
    "words after the host": f"{{}} evil; dkim=pass {GOOD}",
    "the domain given twice": "{}; dkim=pass header.d=good.example header.d=good.example",
    "an invisible letter": "{}; dkim=pass header.d=good\u200b.example",
    "a control character": f"{{}}; dkim=pass\x01 {GOOD}",
    "another method": f"{{}}; x-google-dkim=pass {GOOD}",
    "another verdict": f"{{}}; dkim=passed {GOOD}",
}


@pytest.mark.parametrize("case", WRITTEN)
def test_results_of_real_servers_are_read(case: str) -> None:
    assert domains(WRITTEN[case]) == ("good.example",)


@pytest.mark.parametrize("case", UNREADABLE)
def test_uncertain_result_proves_nothing(case: str) -> None:
    assert "good.example" not in domains(UNREADABLE[case])


@pytest.mark.parametrize("case", UNREADABLE)
def test_results_sent_with_the_email_do_not_count(case: str) -> None:
    assert "good.example" not in domains(UNREADABLE[case], "{}; dkim=pass " + GOOD)


def test_unreadable_results_of_another_host_are_skipped() -> None:
    others = 'mx.other.example; dkim=fail reason="x'
    microsofts = (
        "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x; dkim=pass header.d=evil.example"
    )
    good = "{}; dkim=pass " + GOOD
    assert domains(others, microsofts, good) == ("good.example",)
    assert domains('"mx.other.example; dkim=fail', good) == (), "its host is uncertain"


def domains(*fields: str) -> tuple[str, ...]:
    lines = [f"Authentication-Results: {each.replace('{}', HOST)}" for each in fields]
    raw = "\r\n".join([*lines, "From: a@good.example", "", "hello"]).encode()
    return signing_domains(read_message(raw), (HOST,))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ("(", '"', '"\\', ";", "a=", 'a="', "= ", "a=b ", '"x"', ")", "\\(")
)
def test_field_of_any_length_takes_linear_time(piece: str) -> None:
    assert read_results(f"{HOST}; dkim=pass {piece * (2**16 // len(piece))}") is not None
