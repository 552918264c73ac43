"""Test `pbem mail list|waiting|show|explain` and `pbem shunt`, which show emails to operators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.inbox.pending import process_pending
from pbem.mail.message.message import digest, read_message
from pbem.mail.topic import MatchTopic
from pbem.ports.inbound import InboundKey, InboundState, ReceivedMail
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.club import Club, Policy
from pbem.service.delivery.claims import claim
from pbem.service.work import writing

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def shell(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


@pytest.fixture
def club(club_folder: Path) -> Iterator[Club]:
    """Create a club in the current folder. Anna and Bert play match 1, and no email has arrived."""
    shell("init", "--defaults")
    shell("member", "add", "Anna", "anna@mail.example")
    shell("member", "add", "Bert", "bert@mail.example")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    club = build_club(load_config(club_folder / "pbem.toml"))
    with closing(club.storage):
        yield club


def receives(
    club: Club, uid: int, sender: str, text: str, to: str = "", subject: str = "Hi"
) -> None:
    """Receive and process an email, a day later for each UID."""
    lines = [f"From: {sender}", f"To: {to or club.address}", f"Message-ID: <{uid}@x.example>"]
    raw = "\r\n".join([*lines, f"Subject: {subject}", "", text, ""]).encode()
    message = read_message(raw)
    key = InboundKey(message.message_id, digest(raw), message.from_address)
    with club.storage.writing() as uow:
        at = NOON + timedelta(days=uid - 1)
        uow.inbound.add(ReceivedMail("INBOX", 1, uid, at, raw), key, at)
    process_pending(club)


@pytest.fixture
def visited(club: Club) -> Club:
    """Receive a move from Anna, an email from Eve and an absence notice from Anna."""
    token = club.signer.token(MatchTopic(1, 1, "S"), 1)
    to = club.address.replace("@", f"+{token}@")
    receives(club, 1, "anna@mail.example", "[41-36]", to)
    receives(club, 2, "eve@mail.example", "Hello \x1b[31mthere\x07", subject="\x1b]0;x")
    receives(club, 3, "anna@mail.example", "Away", subject="Out of Office")
    return club


def numbers(*words: str) -> list[int]:
    listed = json.loads(shell("mail", "list", "--json", *words).stdout)
    return [mail["number"] for mail in listed]


def test_emails_are_listed_newest_first_with_fate_and_reason(visited: Club) -> None:
    lines = shell("mail", "list").stdout.splitlines()
    assert lines[0].startswith("     3  2026-11-22 12:00 UTC  anna@mail.example  ignored: ")
    assert lines[1:] == [
        "     2  2026-11-21 12:00 UTC  eve@mail.example  stranger",
        "     1  2026-11-20 12:00 UTC  anna@mail.example  match 1  done: changed the match",
    ]
    assert json.loads(shell("mail", "list", "--json").stdout)[-1] == {
        "number": 1,
        "received_at": "2026-11-20T12:00:00Z",
        "sender": "anna@mail.example",
        "player": "Anna",
        "match": 1,
        "proven": True,
        "fate": "done",
        "reason": "changed the match",
    }


def test_emails_are_found_by_player_match_fate_and_date(visited: Club) -> None:
    for words, found in (
        (("--player", "anna"), [3, 1]),
        (("--player", "Bert"), []),
        (("--match", "1"), [1]),
        (("--fate", "stranger"), [2]),
        (("--since", "2026-11-21"), [3, 2]),
        (("--since", "2026-11-21T12:01"), [3]),
        (("--since", "2026-11-21T14:00+02:00"), [3, 2]),
        (("--since", "99999d", "--limit", "2"), [3, 2]),
    ):
        assert numbers(*words) == found, words
    assert shell("mail", "list", "--player", "Bert").stdout == "no email\n"
    for words, told in (
        (("--player", "Zoe"), "there is no member Zoe. The members are: Anna, Bert"),
        (("--match", "9"), "there is no match 9"),
        (("--since", "yesterday"), "is not a date. Write 2026-11-21"),
        (("--since", "0001-01-01T00:00+09:00"), "is not a date"),
        (("--fate", "lost"), "stranger"),
        (("--limit", "0"), "greater than or equal to 1"),
    ):
        result = shell("mail", "list", *words)
        assert result.exit_code in (1, 2)
        assert told in result.output


def test_email_is_shown_as_received_without_steering_the_terminal(visited: Club) -> None:
    shown = shell("mail", "show", "1").stdout
    assert shown.startswith(
        "email 1, received 2026-11-20 12:00 UTC\nfrom: anna@mail.example\n"
        "player: Anna, proven\nmatch: 1\nfate: done\nreason: changed the match\n\n"
        "From: anna@mail.example\n"
    )
    assert shown.endswith("Subject: Hi\n\n[41-36]\n\n")
    for words in (("show", "2"), ("show", "2", "--json"), ("list",)):
        told = shell("mail", *words).stdout
        assert "\x1b" not in told
        assert "\x07" not in told
    assert (
        "Hello \x1b[31mthere\x07" in json.loads(shell("mail", "show", "2", "--json").stdout)["mail"]
    )
    missing = shell("mail", "show", "99999999999999")
    assert (missing.exit_code, missing.stderr) == (
        1,
        "pbem: there is no received mail 99999999999999\n",
    )


def test_received_email_is_explained_by_number(visited: Club) -> None:
    told = json.loads(shell("mail", "explain", "1").stdout)
    assert told["recorded"][0]["id"] == 1
    assert told["recorded"][0]["state"] == "done"
    assert told["sender"]["player"] == "Anna"
    Path("1").write_bytes(b"From: zoe@mail.example\r\n\r\nHello\r\n")
    lines = shell("mail", "explain", "1", "2").stdout.splitlines()
    assert [json.loads(line).get("file") for line in lines] == ["1", None]
    assert json.loads(lines[0])["sender"]["claimed"] == "zoe@mail.example"
    assert json.loads(lines[1])["mail"] == 2
    missing = shell("mail", "explain", "77", "eml")
    assert missing.exit_code == 1
    assert missing.stderr.splitlines() == [
        "pbem: there is no received mail 77",
        "pbem: cannot read eml: No such file or directory",
    ]


def test_only_shunted_emails_are_shown_by_shunt(visited: Club) -> None:
    assert shell("shunt", "list").stdout == "no email is set aside\n"
    assert json.loads(shell("shunt", "list", "--json").stdout) == []
    refused = shell("shunt", "show", "1")
    assert refused.exit_code == 1
    assert refused.stderr == "pbem: email 1 is not set aside but done. See pbem mail show 1\n"
    with visited.storage.writing() as uow:
        uow.inbound.close(1, InboundState.SHUNTED, "Traceback\n  File\nKeyError\n")
    assert shell("shunt", "list").stdout == (
        "     1  2026-11-20 12:00 UTC  anna@mail.example  match 1  shunted: KeyError\n"
    )
    assert shell("shunt", "show", "1").stdout.startswith("Traceback\n  File\nKeyError\n\nFrom: ")


def test_waiting_emails_are_listed_with_the_limit_that_delays_them(
    club: Club, club_folder: Path
) -> None:
    """The club has written to Anna and Bert, and may send one email a minute to their domain."""
    file = club_folder / "pbem.toml"
    file.write_text(file.read_text().replace("# domain_rates = {}", 'domain_rates = {"*" = 1}'))
    assert re.fullmatch(
        r" +2  play +to mail\.example since [-0-9: ]+ UTC\n", shell("mail", "waiting").output
    )
    limited = replace(club, policy=Policy(rates=load_config(file).smtp.rates))
    assert len(claim(limited).mails) == 1
    waits = shell("mail", "waiting").output
    assert waits.startswith("     1  play")
    assert waits.endswith("UTC: 1 a minute by domain_rates in [smtp]\n")
    (told,) = json.loads(shell("mail", "waiting", "--json").output)
    assert (told["mails"], told["domain"], told["urgency"]) == (1, "mail.example", "play")
    assert "limits: 1 email waits to be sent, the oldest since" in shell("doctor").output
    with writing(limited) as work:
        work.outbox.drop(1)
        work.outbox.drop(2)
    assert shell("mail", "waiting").output == "no email waits to be sent\n"
