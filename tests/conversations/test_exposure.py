"""A token that others may have read is spent, wherever it was and however they were named."""

from __future__ import annotations

import base64
from typing import NamedTuple

import pytest

from tests.conversations.house import HOST, House, Person

MOVE = "[41-36]"
ANNA = "anna@mail.example"


class Table(NamedTuple):
    """Anna, to move in S, against Mallory."""

    anna: Person
    mallory: Person


@pytest.fixture
def table(house: House) -> Table:
    table = Table(house.player("Anna", "anna@work.example"), house.player("Mallory"))
    house.match("lanko-68", *table)
    for person in table:
        assert len(person.receives()) == 1
    return table


def sent(
    house: House, table: Table, fields: str, *, to: str = "", sender: str = ANNA, body: str = "show"
) -> None:
    """Send a handmade email, by default to Anna's reply address, and let the club work."""
    told = f"From: {sender}\nTo: {to or table.anna.read[0].reply_to}\n{fields}"
    raw = f"{told.rstrip()}\nMessage-ID: <m1@mail.example>\nSubject: hello\n\n{body}\n"
    table.anna.sends(raw.replace("\n", "\r\n").encode())
    house.works()
    table.anna.receives(), table.mallory.receives()


def is_spent(house: House, table: Table) -> bool:
    """Return whether Anna's first email no longer lets Mallory act in her name."""
    table.mallory.says(MOVE, to=table.anna.read[0], sender=ANNA, quoting=False)
    house.works()
    return house.moves() == []


SHOWN_TO = {
    "plainly": "Cc: mallory@mail.example",
    "quoted local part": 'Cc: "mallory"@mail.example',
    "comment": "Cc: mallory(x)@mail.example",
    "comment in the host": "Cc: mallory@mail(x).example",
    "spaces around the at-sign": "Cc: mallory @ mail.example",
    "domain literal": "Cc: mallory@[192.0.2.7]",
    "dots in quotes": 'Cc: "mal..lory."@docomo.example',
    "folded inside": "Cc: mallory@mail.\n example",
    "a bare name": "Cc: mallory",
    "a group": "Cc: players: mallory@mail.example;",
    "a route": "Cc: <@evil.example:mallory@mail.example>",
    "an encoded word": "Cc: =?utf-8?q?mallory=40mail.example?=",
    "no ASCII": "Cc: m\u00e4llory@mail.example",
    "hidden in what looks like Anna": "Cc: anna@mail.example\u200b",
    "beside the club": "Cc: <club@games.example> <mallory@mail.example>",
    "a comment that is not one": 'Cc: (") mallory@mail.example, (")',
    "in a name": "Cc: mallory@mail.example <club@games.example>",
    "Bcc": "Bcc: mallory@mail.example",
    "Resent-To": "Resent-To: mallory@mail.example",
    "Resent-Cc": "Resent-Cc: mallory@mail.example",
    "Resent-Bcc": "Resent-Bcc: mallory@mail.example",
    "Apparently-To": "Apparently-To: mallory@mail.example",
    "a second Cc": "Cc: anna@mail.example\nCc: mallory@mail.example",
    "after the fields that are read": "X: y\n" * 1000 + "Cc: mallory@mail.example",
    "after the part of a field that is read": "Cc: "
    + f"{ANNA},\n " * 5000
    + "mallory@mail.example",
    "the club at a host that folds alike": "Cc: club@game\u017f.example",
}


@pytest.mark.parametrize("case", SHOWN_TO)
def test_anyone_who_may_have_read_the_token_spends_it(
    house: House, table: Table, case: str
) -> None:
    sent(house, table, SHOWN_TO[case])
    assert is_spent(house, table)


NOT_SHOWN = {
    "nobody": "",
    "the club": "Cc: pbem <CLUB@games.example> (the club)",
    "another address of the club": f"Cc: club+help@{HOST}",
    "herself": "Cc: Anna <Anna@Mail.example>, anna@work.example",
    "a group of nobody": "Bcc: undisclosed-recipients:;",
    "where a server notes whom it is for": "X-Original-To: postmaster@mail.example",
}


@pytest.mark.parametrize("case", NOT_SHOWN)
def test_token_read_only_by_club_and_player_stays_valid(
    house: House, table: Table, case: str
) -> None:
    sent(house, table, NOT_SHOWN[case])
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def quoted_somewhere(token: str) -> dict[str, str]:
    """Return fields and bodies of emails that show a token outside any reply address."""
    address = f"club+{token}@{HOST}"
    encoded = base64.encodebytes(f"pbem <{address}> wrote:".encode()).decode()
    parts = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nshow\n--b\n"
    return {
        "the quote": f"\n\nshow\n\nOn Sat, 21 Nov 2026, pbem <{address}> wrote:\n> hello",
        "quoted header fields": f"\n\nshow\n\n> From: pbem\n> Reply-To: {address}\n> To: Anna",
        "Reply-To": f"Reply-To: {address}",
        "a field that nobody knows": f"X-Was-To: {address}",
        "capital letters": f"\n\nshow\n\n> pbem <{address.upper()}> wrote:",
        "a soft line end": (
            "Content-Transfer-Encoding: quoted-printable\n\nshow\n\n"
            f"> pbem <{address[:20]}=\n{address[20:]}> wrote:"
        ),
        "base64": f"Content-Transfer-Encoding: base64\n\n{encoded}",
        "a mail sent along": (
            f"{parts}Content-Type: message/rfc822\n\nReply-To: {address}\n\nx\n--b--"
        ),
        "a file in base64": (
            f"{parts}Content-Type: text/x-y; name=z\nContent-Transfer-Encoding: base64\n\n"
            f"{encoded}\n--b--"
        ),
        "a link of HTML": (
            'Content-Type: text/html\n\n<p>show</p><blockquote><a href="mailto:'
            f'{address.replace("+", "%2B")}">pbem</a></blockquote>'
        ),
    }


@pytest.mark.parametrize("case", quoted_somewhere(""))
def test_token_is_spent_wherever_it_appears(house: House, table: Table, case: str) -> None:
    token = table.anna.read[0].reply_to.partition("+")[2].partition("@")[0]
    fields = f"Cc: mallory@mail.example\n{quoted_somewhere(token)[case]}"
    sent(house, table, fields, to=f"club@{HOST}")
    assert is_spent(house, table)


@pytest.mark.parametrize("sender", ("mallory@mail.example", "anna@elsewhere.example"))
def test_token_in_someone_elses_email_is_spent(house: House, table: Table, sender: str) -> None:
    sent(house, table, "", sender=sender)
    assert is_spent(house, table)


ROBOTS = {
    "a vacation answer": "Auto-Submitted: auto-replied",
    "a bounce": "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "a list": "List-Id: <x.mail.example>",
}


@pytest.mark.parametrize("robot", ROBOTS)
def test_email_returned_by_a_machine_spends_nothing(house: House, table: Table, robot: str) -> None:
    """An absent player has exposed nothing, whatever name their autoresponder has."""
    token = table.anna.read[0].reply_to
    sent(house, table, ROBOTS[robot], sender="robot@mail.example", body=f"> From: {token}")
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_machine_that_copies_others_spends_the_token(house: House, table: Table) -> None:
    fields = "Auto-Submitted: auto-replied\nCc: mallory@mail.example"
    sent(house, table, fields, sender="robot@mail.example")
    assert is_spent(house, table)


def test_nobody_spends_a_token_without_having_it(house: House, table: Table) -> None:
    """Mallory guesses: a token with another code, and his own for her seat."""
    right = table.anna.read[0].reply_to
    wrong = right.replace("@", "a@").replace("-s-", "-s-b")
    his = table.mallory.read[0].reply_to
    for to in (wrong, his, f"club@{HOST}"):
        sent(house, table, "Cc: x@mail.example", to=to, sender="mallory@mail.example")
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_player_is_asked_after_exposure_and_the_answer_counts(house: House, table: Table) -> None:
    sent(house, table, 'Cc: "mallory"@mail.example')
    table.anna.says(MOVE, to=table.anna.read[0], quoting=False)
    house.works()
    [asked] = table.anna.receives()
    assert (asked.kind, house.moves()) == ("did you send this?", [])
    table.anna.says("confirm", to=asked, quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_answered_question_is_spent_too(house: House, table: Table) -> None:
    anna, mallory = table
    anna.says("block Mallory", recipient=house.address, references=False)
    house.works()
    [question] = anna.receives()
    anna.says("confirm", to=question)
    anna.says("thanks", to=question, headers=[("Cc", "mallory@mail.example")])
    house.works()
    anna.receives()
    mallory.says("unblock Mallory", to=question, sender=ANNA, quoting=False, references=False)
    house.works()
    assert "did you send this?" in anna.receives()[-1].text
