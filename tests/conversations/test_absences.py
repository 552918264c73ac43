"""Out-of-office replies: the director gets a report, they are stored, no robot gets an answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.ports.people import AbsenceNotice
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.returned import envelope_sender, newest

AWAY = "Back on Monday, no board at hand."
VACATION = (("Auto-Submitted", "auto-replied (vacation)"),)


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def notices(house: House, person: Person) -> list[AbsenceNotice]:
    assert person.player is not None
    with reading(house.club) as work:
        return work.absences.of(person.player.id, 10)


def is_away(
    house: House,
    person: Person,
    text: str = AWAY,
    headers: Sequence[tuple[str, str]] = VACATION,
    *,
    recipient: str = "",
    references: bool = True,
    sender: str = "",
) -> None:
    """Let a person's autoresponder answer their newest email, to its envelope sender."""
    recipient = recipient or envelope_sender(house, newest(house, person))
    person.says(
        text,
        headers=headers,
        recipient=recipient,
        references=references,
        quoting=False,
        sender=sender,
        subject="Away",
    )
    house.works()


def test_absence_notice_is_reported_stored_and_not_answered(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    is_away(house, anna)
    [report] = house.director.receives()
    assert report.message["Subject"] == "[pbem] Anna may be away"
    assert "I got an automatic reply to an email to Anna about match 1, and did not" in report.text
    assert f"| {AWAY}" in report.text
    [notice] = notices(house, anna)
    assert (notice.match_id, notice.subject, notice.text) == (1, "Away", AWAY)
    assert anna.receives() == bert.receives() == []
    assert house.flag_at() is not None


@pytest.mark.parametrize(
    ("recipient", "references"),
    (("bounce", False), ("club", True), ("reply-to", False)),
)
def test_absence_notice_is_recognised_by_address_or_references(
    house: House, anna: Person, bert: Person, recipient: str, references: bool
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    to = {"bounce": "", "club": house.address, "reply-to": anna.latest.reply_to}[recipient]
    is_away(house, anna, recipient=to, references=references)
    assert len(notices(house, anna)) == len(house.director.receives()) == 1


def test_absence_notice_for_unknown_email_is_ignored(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    is_away(house, anna, recipient=house.address, references=False)
    is_away(house, anna, recipient="club+b-u999@games.example", references=False)
    assert notices(house, anna) == []
    assert house.director.receives() == []


def test_absence_belongs_to_recipient_of_answered_email(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    is_away(house, anna, sender=f"Bert <{bert.address}>")
    assert (len(notices(house, anna)), notices(house, bert)) == (1, [])


@pytest.mark.parametrize(
    "headers",
    (
        (("Auto-Submitted", "auto-generated"),),
        (("Precedence", "bulk"),),
        (("Auto-Submitted", "auto-replied"), ("X-OTRS-Loop", "yes")),
    ),
)
def test_other_automatic_emails_report_no_absence(
    house: House, anna: Person, bert: Person, headers: tuple[tuple[str, str], ...]
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    is_away(house, anna, headers=headers)
    assert notices(house, anna) == []
    assert house.director.receives() == []


def test_absence_is_reported_once_a_day_and_the_same_text_once_a_month(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=0)
    anna.receives()

    def reports(text: str) -> int:
        is_away(house, anna, text)
        return len(house.director.receives())

    assert [reports(AWAY), reports(AWAY), reports("Another text.")] == [1, 0, 0]
    house.clock.advance(hours=25)
    assert [reports(AWAY), reports("A third text.")] == [0, 1]
    house.clock.advance(days=30)
    assert reports(AWAY) == 1, "another holiday"
    texts = [notice.text for notice in notices(house, anna)]
    assert sorted(texts) == ["A third text.", "Another text.", AWAY, AWAY]


def test_long_absence_text_is_cut_and_escaped(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    is_away(house, anna, "{{ club.signer }} <b>\n" + "away " * 1000)
    [report] = house.director.receives()
    assert "| {{ club.signer }} <b>" in report.text
    assert "&lt;b&gt;" in report.html
    [notice] = notices(house, anna)
    assert len(notice.text) == 2000


@pytest.mark.parametrize(
    ("text", "headers"),
    (
        ("Pigeon lost.", (("X-Failed-Recipients", "x"),)),
        ("Pigeon lost.", ()),
        (AWAY, (("Auto-Submitted", "auto-generated"),)),
        ("Your mail could not be delivered.", VACATION),
        ("Click here, please.", (*VACATION, ("X-Boxbe-Notification", "x"))),
        ("Hello.", (("List-Id", "<a.lists.example>"),)),
    ),
)
def test_other_email_to_bounce_address_counts_as_bounce(
    house: House, anna: Person, bert: Person, text: str, headers: Sequence[tuple[str, str]]
) -> None:
    house.match("lanko-68", anna, bert, days=0)
    anna.receives()
    is_away(house, anna, text, headers)
    assert newest(house, anna).bounces == 1
    assert not notices(house, anna)
    assert not house.director.receives()
    house.clock.advance(hours=4)
    house.works()
    assert len(anna.receives()) == 1


def test_repeated_unexplained_bounces_fail_address_with_their_words(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    for _ in range(4):
        is_away(house, anna, "Pigeon lost.", headers=())
        house.clock.advance(hours=25)
        house.works()
    [report] = house.director.receives()
    assert "Pigeon lost." in report.text
    assert "Anna's clock is paused in match 1." in report.text
    assert house.flag_at() is None


RECEIPT = """\
From: Anna <{sender}>
To: {to}
Subject: Read: your turn
Message-ID: <receipt@mail.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

{said}
--b
Content-Type: message/disposition-notification

Final-Recipient: rfc822; {sender}
Disposition: automatic-action/MDN-sent-automatically; {disposition}
--b--
"""


@pytest.mark.parametrize(
    ("said", "disposition", "bounces"),
    (
        ("Your message was displayed.", "displayed", 0),
        ("Your message was deleted without being read.", "deleted", 0),
        ("Your message was refused by the recipient's mail filtering program.", "deleted", 1),
    ),
)
def test_delivery_receipt_counts_as_delivered_unless_it_returns_email(
    house: House, anna: Person, bert: Person, said: str, disposition: str, bounces: int
) -> None:
    house.match("lanko-68", anna, bert, days=0)
    to = envelope_sender(house, newest(house, anna))
    raw = RECEIPT.format(sender=anna.address, to=to, said=said, disposition=disposition)
    anna.sends(raw.replace("\n", "\r\n").encode(), to)
    house.works()
    assert newest(house, anna).bounces == bounces
    assert not notices(house, anna)
    assert not house.director.receives()
