"""Proof of the sender: every way to impersonate someone, and its result.

Mallory is a player too. He reads the same matches and may have seen other people's emails.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace
from datetime import timedelta
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple

import pytest

from pbem.mail.outgoing.letter import to_bytes
from pbem.mail.proof.authentication import ProofRule
from pbem.mail.topic import match_key
from pbem.ports.inbound import InboundState
from pbem.service.club import Policy
from pbem.service.work import reading
from tests.conversations.house import HOST, House, Person, Received

MOVE = "[41-36]"
PLAIN = f"club@{HOST}"


class Table(NamedTuple):
    """Anna, to move in S, against Mallory."""

    anna: Person
    mallory: Person


@pytest.fixture
def table(house: House) -> Table:
    table = Table(house.player("Anna"), house.player("Mallory"))
    house.match("lanko-68", *table)
    for person in table:
        assert len(person.receives()) == 1
    return table


def raw_mail(headers: str, body: str = MOVE, to: str = PLAIN) -> bytes:
    """Return an email built by hand."""
    lines = f"{headers}\nTo: {to}\nMessage-ID: <m1@evil.example>\nSubject: hello\n\n{body}\n"
    return lines.replace("\n", "\r\n").encode()


def untouched(house: House) -> bool:
    """Return whether nothing has happened in the match."""
    house.works()
    return house.moves() == [] and house.state().result is None


def question(person: Person) -> Received:
    """Return the question "did you send this?", the only email received."""
    [mail] = person.receives()
    assert mail.kind == "did you send this?"
    return mail


# Tokens that prove nothing


def changed(token: str, **parts: str) -> str:
    """Return a token with some of its parts replaced."""
    match, turn, seat, mac = token.split("-")
    told = {"match": match, "turn": turn, "seat": seat, "mac": mac} | parts
    return "-".join(told[name] for name in ("match", "turn", "seat", "mac"))


def token_in(mail: Received) -> str:
    """Return the token in an email's Reply-To address."""
    return mail.reply_to.partition("+")[2].partition("@")[0].strip(">")


@pytest.mark.parametrize(
    "parts",
    ({"turn": "7"}, {"seat": "n"}, {"mac": "a" * 16}, {"mac": ""}, {"match": "2"}),
    ids=str,
)
def test_altered_token_proves_nothing(house: House, table: Table, parts: dict[str, str]) -> None:
    house.match("lanko-68", table.anna, table.mallory)
    table.anna.receives(), table.mallory.receives()
    token = changed(token_in(table.anna.read[0]), **parts)
    table.mallory.says(
        MOVE,
        sender="Anna <anna@mail.example>",
        recipient=f"club+{token}@{HOST}",
        references=False,
        subject="[pbem 1] hello",
        quoting=False,
    )
    house.works()
    assert (house.moves(1), house.moves(2)) == ([], [])
    question(table.anna)
    assert table.mallory.receives() == []


def test_another_players_token_proves_nothing(house: House, table: Table) -> None:
    """Mallory has seen an email to Anna. He answers its address under his own name."""
    table.mallory.says("resign", to=table.anna.latest, quoting=False)
    assert untouched(house)
    question(table.mallory)
    assert table.anna.receives() == []


def test_own_token_does_not_prove_another_name(house: House, table: Table) -> None:
    table.mallory.says("resign", sender="Anna <anna@mail.example>", quoting=False)
    assert untouched(house)
    question(table.anna)


def test_token_of_another_match_moves_nothing(house: House, table: Table) -> None:
    """Anna's own token for match 2 counts for match 2, whatever the subject says."""
    house.match("lanko-68", table.mallory, table.anna)
    [mail] = table.anna.receives()
    table.anna.says(MOVE, to=mail, subject="Re: [pbem 1] Lanko-68", quoting=False)
    assert untouched(house)
    assert house.moves(2) == []
    assert "is not your turn" in " ".join(table.anna.receives()[0].text.split())


def test_token_at_another_host_is_ignored(house: House, table: Table) -> None:
    to = f"club+{token_in(table.anna.latest)}@x.example"
    table.mallory.sends(raw_mail(f"From: Anna <anna@mail.example>\nX-Original-To: {to}"))
    assert untouched(house)
    question(table.anna)


# Replies to all


def answers_all(house: House, table: Table, text: str) -> None:
    """Let Anna reply with a copy to Mallory."""
    copy = [("Cc", "Mallory <mallory@mail.example>")]
    table.anna.says(text, to=table.anna.read[0], headers=copy, quoting=False)
    house.works()


def test_token_exposed_by_reply_to_all_proves_nothing(house: House, table: Table) -> None:
    """Mallory has the address Anna replied to and the Message-ID of the email she answered."""
    answers_all(house, table, "show")
    table.anna.receives()
    table.mallory.says("resign", to=table.anna.read[0], sender="anna@mail.example", quoting=False)
    assert untouched(house)
    asked = question(table.anna)
    table.anna.says("confirm", to=asked, quoting=False)
    house.works()
    assert house.state().result is not None, "only Anna has the question"


def test_later_emails_give_valid_tokens_after_reply_to_all(house: House, table: Table) -> None:
    answers_all(house, table, "show")
    [shown] = table.anna.receives()
    table.anna.says(MOVE, to=shown, quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_reply_to_all_itself_counts(house: House, table: Table) -> None:
    answers_all(house, table, MOVE)
    assert house.moves() == [MOVE]


def test_reply_to_all_exposes_token_however_it_was_sent(house: House, table: Table) -> None:
    """The email may come from an unknown address or be marked as bulk. Mallory has read it."""
    copy = ("Cc", "mallory@mail.example")
    table.anna.says("hello", headers=[copy], sender="anna@work.example", quoting=False)
    table.anna.says("hello", headers=[copy, ("Precedence", "bulk")], quoting=False)
    house.works()
    table.mallory.says(MOVE, to=table.anna.read[0], sender="anna@mail.example", quoting=False)
    assert untouched(house)


def test_client_without_references_is_believed_again_next_turn(house: House, table: Table) -> None:
    answers_all(house, table, MOVE)
    table.mallory.receives()
    table.mallory.says("[18-11]", quoting=False)
    house.works()
    news = table.anna.receives()[-1]
    legal = news.text.partition("for example:")[2].split()[0]
    table.anna.says(legal, to=news, references=False, quoting=False)
    house.works()
    assert len(house.moves()) == 3


def test_exposed_token_cannot_spend_other_tokens(house: House, table: Table) -> None:
    answers_all(house, table, "show")
    [shown] = table.anna.receives()
    copy = [("Cc", "mallory@mail.example, x@mail.example")]
    table.mallory.says("show", to=table.anna.read[0], headers=copy, quoting=False)
    house.works()
    table.anna.says(MOVE, to=shown, quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_message_id_does_not_reveal_bounce_key(house: House, table: Table) -> None:
    """Someone who has seen Message-IDs cannot make the club believe that an email bounced."""
    with reading(house.club) as work:
        latest = work.outbox.latest(match_key(1), 1)
    assert latest is not None
    assert latest.mail.bounce_key is not None
    assert latest.mail.bounce_key not in latest.mail.message_id
    assert latest.mail.bounce_key.encode() not in to_bytes(latest.mail.letter)


def test_copy_to_oneself_exposes_no_token(house: House, table: Table) -> None:
    copy = [("Cc", "anna@mail.example, club@games.example")]
    table.anna.says("show", headers=copy, quoting=False)
    house.works()
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE]


# An opponent's words in the quote that a client makes


@pytest.mark.parametrize("width", (20, 30, 38, 44, 60, 72))
@pytest.mark.parametrize("head", ("", "-----Original Message-----"))
@pytest.mark.parametrize("told", (True, False), ids=("references", "none"))
def test_quoted_note_does_not_become_a_command(
    house: House, table: Table, width: int, head: str, told: bool
) -> None:
    """The quote has no marks, and every line is wrapped again."""
    table.anna.says(MOVE, quoting=False)
    house.works()
    table.mallory.receives()
    dots = "\n" + ".\n" * 9
    lines = [f"{'nice ' * 12}"[:length] + "resign" for length in range(10, 60, 5)]
    note = "\n".join([*lines, dots, "." * 33 + " resign", dots])
    table.mallory.says(f"[18-11]\n\n{note}", quoting=False)
    house.works()
    mail = table.anna.receives()[-1]
    assert mail.text.count("resign") == 11
    broken = [
        part for line in mail.text.splitlines() for part in textwrap.wrap(line, width) or [""]
    ]
    quote = "\n".join([head, *broken])
    text = f"I will think about it.\n\n{quote}"
    table.anna.says(text, to=mail, quoting=False, references=told)
    house.works()
    assert (house.state().result, len(house.moves())) == (None, 2)
    assert not house.inbound(InboundState.PARKED)


# Replays


def test_resent_email_with_new_message_id_is_old(house: House, table: Table) -> None:
    mail = table.anna.says(MOVE, quoting=False)
    house.works()
    table.anna.receives(), table.mallory.receives()
    del mail["Message-ID"]
    mail["Message-ID"] = "<replayed@evil.example>"
    table.mallory.sends(mail.as_bytes(policy=SMTP), str(mail["To"]))
    house.works()
    assert house.moves() == [MOVE]
    [answer] = table.anna.receives()
    assert "not your turn" in " ".join(answer.text.split())


ANNAS = "Message-ID: <anna1@mail.example>\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\n"


@pytest.mark.parametrize(
    "forgery", ("Precedence: list\r\n", "Auto-Submitted: auto-replied\r\n", "")
)
def test_earlier_forged_copy_does_not_swallow_the_email(
    house: House, table: Table, forgery: str
) -> None:
    """The copy is marked as automatic, or its token is missing."""
    to = table.anna.latest.reply_to
    mail = f"From: Anna <anna@mail.example>\r\n{ANNAS}Subject: hello\r\n\r\n{MOVE}\r\n"
    copied_to = to if forgery else PLAIN
    table.mallory.sends(f"{forgery}To: {copied_to}\r\n{mail}".encode())
    house.works()
    table.anna.sends(f"To: {to}\r\n{mail}".encode())
    house.works()
    assert house.moves() == [MOVE]


def test_email_over_the_limit_can_be_resent(house: House, table: Table) -> None:
    house.club = replace(house.club, policy=Policy(mails_an_hour=1))
    table.anna.says("show", quoting=False)
    mail = table.anna.says(MOVE, quoting=False)
    house.works()
    assert house.moves() == []
    house.clock.advance(minutes=90)
    table.anna.sends(mail.as_bytes(policy=SMTP), str(mail["To"]))
    house.works()
    assert house.moves() == [MOVE]


# Confirmations


def test_question_shows_everything_a_confirmation_would_do(house: House, table: Table) -> None:
    prose = [f"line {number}" for number in range(25)]
    text = "\n".join([MOVE, *prose, "resign"])
    table.mallory.sends(raw_mail("From: anna@mail.example", text))
    house.works()
    asked = question(table.anna)
    assert "    41-36\n    resign\n" in asked.text
    assert "(7 more lines)" in asked.text


@pytest.mark.parametrize("text", ("yes", "Yes, confirm!", "ok"))
def test_answer_other_than_confirm_is_explained(house: House, table: Table, text: str) -> None:
    table.anna.says(MOVE, recipient=PLAIN, references=False, quoting=False)
    house.works()
    table.anna.says(text, to=question(table.anna), quoting=False)
    house.works()
    [answer] = table.anna.receives()
    assert "Only the word confirm counts there" in " ".join(answer.text.split())


def test_confirm_without_a_question_is_explained(house: House, table: Table) -> None:
    table.anna.says("confirm", recipient=PLAIN, references=False, quoting=False)
    house.works()
    [answer] = table.anna.receives()
    assert "only counts as a reply to the email that asked" in " ".join(answer.text.split())


# From


FROMS = {
    "a word that reads as an address": "From: =?utf-8?q?anna=40mail=2Eexample?= <m@evil.example>",
    "a name that is an address": 'From: "anna@mail.example" <m@evil.example>',
    "a comment": "From: m@evil.example (anna@mail.example)",
    "an encoded word for the whole": (
        "From: =?utf-8?q?Anna_=3Canna=40mail.example=3E?= <m@evil.example>"
    ),
    "two fields": "From: anna@mail.example\nFrom: m@evil.example",
    "two fields, the other way": "From: m@evil.example\nFrom: anna@mail.example",
    "two mailboxes": "From: anna@mail.example, m@evil.example",
    "two in angles": "From: Anna <anna@mail.example> <m@evil.example>",
    "a group": "From: players: anna@mail.example, m@evil.example;",
    "a plus-address": "From: Anna <anna+club@mail.example>",
    "a host that only begins the same": "From: anna@mail.example.evil.example",
    "a NUL byte": "From: anna@mail.example\0.evil.example",
    "a letter that looks alike": "From: \u0430nna@mail.example",
    "a route": "From: <@evil.example:anna@mail.example>",
    "a bare CR": "From: m@evil.example\rFrom: anna@mail.example",
    "no From at all": "Sender: anna@mail.example",
}


@pytest.mark.parametrize("case", FROMS)
def test_tricks_in_from_make_no_token_count(house: House, table: Table, case: str) -> None:
    """Even with Anna's token, the email belongs to a stranger or to nobody."""
    table.mallory.sends(raw_mail(FROMS[case], to=table.anna.latest.reply_to))
    assert untouched(house)
    answers = [" ".join(mail.text.split()) for mail in table.anna.receives()]
    assert all("I don't know your address" in answer for answer in answers)


def test_single_from_with_token_is_believed(house: House, table: Table) -> None:
    """Control case for the tricks above: the same email without a trick counts."""
    raw = raw_mail("From: Anna <anna@mail.example>", to=table.anna.latest.reply_to)
    table.anna.sends(raw)
    house.works()
    assert house.moves() == [MOVE]


# Header injection

SMUGGLED = "=?utf-8?q?hello=0D=0ABcc=3A_victim=40mail=2Eexample=0D=0A=0D=0A[41-36]?="


@pytest.mark.parametrize("field", ("Subject", "Message-ID", "References", "In-Reply-To"))
def test_field_injects_no_header_into_an_answer(house: House, table: Table, field: str) -> None:
    victim = house.stranger("victim@mail.example")
    stranger = house.stranger("stranger@mail.example")
    for value in (SMUGGLED, "<a\r b\x0cc\0d@x.example>", ("x" * 900 + "\r\n ") * 70):
        raw = f"From: {SMUGGLED} <stranger@mail.example>\r\n{field}: {value}\r\n\r\nhello"
        stranger.sends(raw.encode())
    house.works()
    [answer] = stranger.receives()
    assert victim.receives() == []
    assert answer.message.defects == []
    assert "Bcc" not in answer.message
    assert all(len(line) < 998 for line in answer.message.as_string().splitlines())


def test_note_injects_no_header_into_match_emails(house: House, table: Table) -> None:
    victim = house.stranger("victim@mail.example")
    note = "\rBcc: victim@mail.example\r\rhello\0\x1b[2J\n.\nRSET"
    sender = f"From: {SMUGGLED} <anna@mail.example>"
    table.anna.sends(raw_mail(sender, f"{MOVE}\n\n{note}", table.anna.latest.reply_to))
    house.works()
    [mail] = table.mallory.receives()
    assert (victim.receives(), "Bcc" in mail.message) == ([], False)
    assert "| .\n| RSET\n" in mail.text
    assert not {"\0", "\x1b", "\r"} & set(mail.text + mail.html.replace("\r\n", ""))


# Signatures


TRUSTED = "mx.games.example"
GOOD = f"Authentication-Results: {TRUSTED}; dkim=pass header.d=mail.example"


def with_rule(house: House, rule: ProofRule) -> None:
    policy = replace(house.club.policy, proof=rule, trusted_hosts=(TRUSTED,))
    house.club = replace(house.club, policy=policy)


def signed(
    house: House, results: str, to: str = PLAIN, body: str = MOVE, minutes: int = 1
) -> bytes:
    """Return an email of Anna's, dated some minutes from now, with a server's fields on top."""
    written = format_datetime(house.clock.now() + timedelta(minutes=minutes))
    return raw_mail(f"{results}\nFrom: Anna <anna@mail.example>\nDate: {written}", body, to)


BELIEVED = {
    "a signature of the domain": GOOD,
    "the identity alone, as Gmail writes": (
        f"Authentication-Results: {TRUSTED};\n dkim=pass header.i=@mail.example header.s=k1;\n"
        " spf=pass (domain of anna@mail.example) smtp.mailfrom=anna@mail.example"
    ),
    "with a version and comments": (
        f"Authentication-Results: {TRUSTED} 1; dkim=pass (2048-bit; (nested)) header.d=mail.example"
    ),
    "in capitals": f"Authentication-Results: {TRUSTED.upper()}; DKIM=Pass header.d=Mail.Example",
    "beside a failed one": (
        f"Authentication-Results: {TRUSTED}; dkim=fail header.d=list.example;"
        " dkim=pass header.d=mail.example"
    ),
}
NOT_BELIEVED = {
    "nothing": "X-Nothing: here",
    "another host": "Authentication-Results: mx.evil.example; dkim=pass header.d=mail.example",
    "below the trusted one": f"Authentication-Results: {TRUSTED}; dkim=none\n{GOOD}",
    "a failed signature": f"Authentication-Results: {TRUSTED}; dkim=fail header.d=mail.example",
    "of another domain": f"Authentication-Results: {TRUSTED}; dkim=pass header.d=evil.example",
    "of a domain that ends alike": (
        f"Authentication-Results: {TRUSTED}; dkim=pass header.d=evilmail.example"
    ),
    "of a domain below": f"Authentication-Results: {TRUSTED}; dkim=pass header.d=x.mail.example",
    "of a top-level domain": f"Authentication-Results: {TRUSTED}; dkim=pass header.d=example",
    "spf alone": f"Authentication-Results: {TRUSTED}; spf=pass smtp.mailfrom=mail.example",
    "in a comment": (
        f"Authentication-Results: {TRUSTED}; dkim=none (dkim=pass header.d=mail.example)"
    ),
    "in a quoted string": (
        f'Authentication-Results: {TRUSTED}; dkim=none reason="; dkim=pass header.d=mail.example"'
    ),
    "in a quoted local part": (
        f"Authentication-Results: {TRUSTED}; dkim=pass"
        ' header.i="@mail.example; dkim=pass header.d=mail.example"@evil.example'
    ),
    "the domain said twice": (
        f"Authentication-Results: {TRUSTED}; dkim=pass header.d=evil.example header.d=mail.example"
    ),
    "the host in a comment": (
        f"Authentication-Results: ({TRUSTED}) evil.example; dkim=pass header.d=mail.example"
    ),
}


@pytest.mark.parametrize("case", BELIEVED)
@pytest.mark.parametrize("rule", (ProofRule.TOKEN_AND_DKIM, ProofRule.DKIM))
def test_signature_verified_by_own_server_is_believed(
    house: House, table: Table, rule: ProofRule, case: str
) -> None:
    with_rule(house, rule)
    to = table.anna.latest.reply_to if rule.wants_token else PLAIN
    table.anna.sends(signed(house, BELIEVED[case], to))
    house.works()
    assert house.moves() == [MOVE]


@pytest.mark.parametrize("case", NOT_BELIEVED)
def test_other_signatures_are_not_believed(house: House, table: Table, case: str) -> None:
    """Under `token+dkim`, the token alone is not enough. The answer says what is missing."""
    with_rule(house, ProofRule.TOKEN_AND_DKIM)
    table.anna.sends(signed(house, NOT_BELIEVED[case], table.anna.latest.reply_to))
    assert untouched(house)
    [answer] = table.anna.receives()
    assert "didn't sign your email" in answer.text


@pytest.mark.parametrize("case", NOT_BELIEVED)
def test_unbelieved_signature_without_token_is_asked_about(
    house: House, table: Table, case: str
) -> None:
    with_rule(house, ProofRule.DKIM)
    table.anna.sends(signed(house, NOT_BELIEVED[case]))
    assert untouched(house)
    question(table.anna)


def test_signature_alone_is_not_enough_if_token_is_required_too(house: House, table: Table) -> None:
    with_rule(house, ProofRule.TOKEN_AND_DKIM)
    table.anna.sends(signed(house, GOOD))
    assert untouched(house)
    question(table.anna)


def test_signature_is_ignored_under_rule_token(house: House, table: Table) -> None:
    table.anna.sends(signed(house, GOOD))
    assert untouched(house)
    question(table.anna)


@pytest.mark.parametrize(
    "changed", ((b"<m1@", b"<m2@"), (b"draw?", b"draw? "), (b"hello", b"Re: x"))
)
def test_signed_email_counts_once_despite_unsigned_changes(
    house: House, table: Table, changed: tuple[bytes, bytes]
) -> None:
    """The signature stays valid for ever, but the email is older than the answer to it."""
    with_rule(house, ProofRule.DKIM)
    mail = signed(house, GOOD, body="draw?")
    house.clock.advance(minutes=2)
    table.anna.sends(mail)
    house.works()
    assert house.state().offers
    name, value = GOOD.split(": ", 1)
    table.mallory.says("no draw", headers=[(name, value)], quoting=False)
    house.works()
    assert not house.state().offers
    table.mallory.sends(mail.replace(*changed))
    house.works()
    assert not house.state().offers


TO_OTHERS = (
    "To: Mallory <mallory@mail.example>",
    "To: club@games.example\nTo: mallory@mail.example",
    "Subject: no To at all",
)


@pytest.mark.parametrize("to", TO_OTHERS)
def test_signed_email_to_another_recipient_does_not_count(
    house: House, table: Table, to: str
) -> None:
    with_rule(house, ProofRule.DKIM)
    mail = signed(house, GOOD, body="resign").replace(f"To: {PLAIN}\r\n".encode(), b"")
    house.clock.advance(minutes=2)
    table.mallory.sends(to.replace("\n", "\r\n").encode() + b"\r\n" + mail)
    assert untouched(house)
    question(table.anna)


@pytest.mark.parametrize("minutes", (-1, 0, 60 * 24 * 3))
def test_signed_email_dated_before_newest_or_in_future_is_old(
    house: House, table: Table, minutes: int
) -> None:
    with_rule(house, ProofRule.DKIM)
    table.anna.sends(signed(house, GOOD, body="resign", minutes=minutes))
    assert untouched(house)
    [answer] = table.anna.receives()
    assert "answered an older email" in answer.text


def test_bots_play_where_signatures_are_required(house: House) -> None:
    with_rule(house, ProofRule.TOKEN_AND_DKIM)
    anna = house.player("Anna")
    house.match("lanko-68", *house.bots("greedy"), anna)
    assert len(house.moves()) == 1


# Allowances


def forged(number: int) -> bytes:
    """Return an email in Anna's name that proves nothing."""
    return raw_mail("From: anna@mail.example", f"show\n{number}").replace(
        b"<m1@", f"<m{number}@".encode()
    )


def test_forged_emails_do_not_use_up_a_players_allowance(house: House, table: Table) -> None:
    house.club = replace(house.club, policy=Policy(mails_an_hour=3))
    for number in range(8):
        table.mallory.sends(forged(number))
    house.works()
    assert len(house.inbound(InboundState.KEPT)) == 5
    assert len(table.anna.receives()) == 3
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_email_storm_about_one_match_ends_with_one_notice_each(house: House, table: Table) -> None:
    house.club = replace(house.club, policy=Policy(match_mails_an_hour=4))
    for number in range(4):
        table.anna.says(f"show\n\n{number}", to=table.anna.read[0], quoting=False)
        table.mallory.says(f"show\n\n{number}", to=table.mallory.read[0], quoting=False)
    house.works()
    assert len(house.inbound(InboundState.KEPT)) == 4
    for person in table:
        answers = person.receives()
        assert len(answers) == 3
        assert "more than 4 emails about one match" in " ".join(answers[-1].text.split())


def test_player_cannot_use_up_opponents_allowance_in_a_match(house: House) -> None:
    """Two addresses do not help."""
    anna, bert = house.player("Anna"), house.player("Bert", "bert@work.example")
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    house.club = replace(house.club, policy=Policy(mails_an_hour=0, match_mails_an_hour=6))
    for number in range(10):
        sender = "bert@mail.example" if number % 2 else "bert@work.example"
        bert.says(f"show\n\n{number}", to=bert.read[0], sender=sender, quoting=False)
    house.works()
    anna.says(MOVE, quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_all_addresses_of_a_player_share_one_allowance(house: House) -> None:
    anna, bert = house.player("Anna", "anna@work.example"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    house.club = replace(house.club, policy=Policy(mails_an_hour=3))
    for number in range(6):
        sender = "anna@mail.example" if number % 2 else "anna@work.example"
        anna.says(f"show\n\n{number}", to=anna.read[0], sender=sender, quoting=False)
    house.works()
    assert len(house.inbound(InboundState.KEPT)) == 3


def test_unmarked_robot_is_answered_thirty_times_a_day(house: House, table: Table) -> None:
    house.until_noon()  # the day of thirty answers starts at seven
    for number in range(33):
        table.anna.says(
            "I am away until Monday.", headers=[("X-Number", str(number))], quoting=False
        )
        house.works()
        house.clock.advance(minutes=1)
    answers = table.anna.receives()
    assert len(answers) == 30
    assert "I answer 30 emails a day that change nothing, and this was the last" in " ".join(
        answers[-1].text.split()
    )
    [report] = house.director.receives()
    assert "I have answered 30 emails in Anna's name today" in report.text
    assert "| I am away until Monday." in report.text
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE], "an email with other text counts"
    table.anna.receives()
    table.anna.says("show", quoting=False)
    house.works()
    assert len(table.anna.receives()) == 1, "and gets an answer"


def test_mistyped_moves_are_answered_every_time(house: House, table: Table) -> None:
    for number in range(9):
        table.anna.says(f"I play 41-36 ({number})", to=table.anna.read[0], quoting=False)
        house.works()
        house.clock.advance(minutes=5)
    assert len(table.anna.receives()) == 9


def test_strangers_subject_is_sent_to_nobody(house: House) -> None:
    victim, mallory = house.stranger("v@mail.example"), house.stranger("mallory@mail.example")
    mallory.sends(raw_mail("From: v@mail.example").replace(b"hello", b"Win 1000000 now"))
    house.works()
    [mail] = victim.receives()
    assert "Win" not in mail.message.as_string()


def test_flood_of_forged_strangers_does_not_reach_bystanders(house: House) -> None:
    bystanders = [f"b{number}@mail.example" for number in range(33)]
    mallory = house.stranger("mallory@mail.example")
    for address in bystanders:
        mallory.sends(raw_mail(f"From: {address}").replace(b"<m1@", f"<{address}.".encode()))
    people = [house.stranger(address) for address in bystanders[-4:]]
    house.works()
    assert [len(person.receives()) for person in people] == [1, 0, 0, 0]
    house.clock.advance(hours=2)
    late = house.stranger("late@mail.example")
    late.sends(raw_mail("From: late@mail.example"))
    house.works()
    assert len(late.receives()) == 1
