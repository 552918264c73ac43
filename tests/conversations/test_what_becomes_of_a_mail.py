"""The result of every kind of email (docs/contracts.md): each row, from raw email to answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from email.policy import SMTP
from typing import NamedTuple

import pytest
from jinja2 import FileSystemLoader
from structlog.testing import capture_logs

from pbem.mail.message import size_limits
from pbem.mail.outgoing.kinds import ClubName, Mail
from pbem.mail.outgoing.look import USUAL, Look
from pbem.mail.outgoing.render import Renderer, WrittenMail
from pbem.ports.inbound import InboundState
from pbem.resources import folder
from pbem.service.club import Policy
from tests.conversations.house import HOST, House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.mail import FakeMailbox


class Trio(NamedTuple):
    """A match of three: Bert in S, Anna in W and E, Clara in N. It is Bert's turn."""

    anna: Person
    bert: Person
    clara: Person


@pytest.fixture
def trio(house: House) -> Trio:
    trio = Trio(*(house.player(name, mails="all") for name in ("Anna", "Bert", "Clara")))
    house.match("lanko-68", trio.bert, trio.anna, trio.clara)
    for person in trio:
        assert len(person.receives()) == 1
    return trio


def counts(house: House, trio: Trio) -> tuple[int, int, int]:
    """Return how many new emails Anna, Bert and Clara got."""
    house.works()
    anna, bert, clara = (len(person.receives()) for person in trio)
    return anna, bert, clara


# Accepted turn


def test_accepted_turn_is_emailed_to_everyone_once(house: House, trio: Trio) -> None:
    trio.bert.says("[41-36]")
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[41-36]"]
    assert trio.bert.latest.kind == ""
    assert "Done: [41-36]" in trio.bert.latest.text
    assert trio.anna.latest.kind == "your turn"
    assert trio.clara.latest.kind == ""
    assert "Anna (W, Black) to move" in trio.clara.latest.text
    for person in trio:
        assert re.search(r"\b36P<", person.latest.text)
        assert re.search(r"\b41\.>", person.latest.text)


@pytest.mark.parametrize(
    ("written", "note"),
    (
        ("Hi all! 41-36", "Hi all!"),
        ("1. 41-36, please", ""),
        ("I play 41-36. See you!", "See you!"),
    ),
)
def test_polite_move_is_played_and_the_rest_is_a_note(
    house: House, trio: Trio, written: str, note: str
) -> None:
    trio.bert.says(written)
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[41-36]"]
    assert note in trio.anna.latest.text
    assert "41-36, please" not in trio.anna.latest.text


def test_illegal_polite_move_is_refused_with_what_was_read(house: House, trio: Trio) -> None:
    trio.bert.says("Hi! I play 41-37.")
    assert counts(house, trio) == (0, 1, 0)
    assert "41-37" in trio.bert.latest.text
    assert house.moves() == []


def test_subject_is_read_if_the_email_has_no_text(house: House, trio: Trio) -> None:
    trio.bert.says("", subject="41-36")
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[41-36]"]
    trio.anna.says("", subject="show")
    assert counts(house, trio) == (1, 0, 0)
    assert "Anna (W, Black)" in trio.anna.latest.text


def test_text_of_an_email_comes_before_its_subject(house: House, trio: Trio) -> None:
    trio.bert.says("[42-36]", subject="41-36")
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[42-36]"]


def test_player_of_several_seats_gets_one_email(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    anna.says("[41-36]")
    house.works()
    assert [len(anna.receives()), len(bert.receives())] == [1, 1]


# Unproven emails


def without_proof(person: Person, text: str) -> None:
    """Send an email that answers nothing: no plus-address, no references."""
    person.says(text, recipient=f"club@{HOST}", references=False, quoting=False)


def test_unproven_query_is_answered_to_the_address_on_file(house: House, trio: Trio) -> None:
    elsewhere = house.stranger("elsewhere@mail.example")
    elsewhere.says(
        "show",
        sender=f"Bert <{trio.bert.address}>",
        headers=[("Reply-To", elsewhere.address)],
        recipient=f"club@{HOST}",
    )
    assert counts(house, trio) == (0, 1, 0)
    assert elsewhere.receives() == []
    assert "41P" in trio.bert.latest.text
    assert house.state().turn == 1


def test_unproven_change_is_asked_about_and_confirmed_once(house: House, trio: Trio) -> None:
    without_proof(trio.bert, "[41-36]")
    assert counts(house, trio) == (0, 1, 0)
    question = trio.bert.latest
    assert question.kind == "did you send this?"
    assert "| [41-36]" in question.text
    assert house.moves() == []
    assert len(house.inbound(InboundState.PARKED)) == 1

    trio.bert.says("confirm", to=question)
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[41-36]"]
    assert house.inbound(InboundState.PARKED) == []

    trio.bert.says("Confirm.", to=question)
    assert counts(house, trio) == (0, 1, 0)
    assert "nothing in match 1 is waiting" in trio.bert.latest.text
    assert house.moves() == ["[41-36]"]


def test_confirmed_change_is_checked_against_the_current_position(house: House, trio: Trio) -> None:
    without_proof(trio.bert, "[41-36]")
    assert counts(house, trio) == (0, 1, 0)
    turn, question = trio.bert.read[-2:]
    trio.bert.says("[42-36]", to=turn)
    assert counts(house, trio) == (1, 1, 1)
    trio.bert.says("confirm", to=question)
    assert counts(house, trio) == (0, 1, 0)
    said = flat(trio.bert.latest.text)
    assert "it is not your turn, so I didn't play your move. Anna (W, Black) to move." in said
    assert house.moves() == ["[42-36]"]


def test_question_can_be_confirmed_for_seven_days(house: House, trio: Trio) -> None:
    without_proof(trio.bert, "[41-36]")
    assert counts(house, trio) == (0, 1, 0)
    house.clock.advance(days=7, seconds=1)
    trio.bert.says("confirm")
    assert counts(house, trio) == (0, 1, 0)
    assert house.moves() == []


def test_only_the_word_confirm_confirms(house: House, trio: Trio) -> None:
    without_proof(trio.bert, "[41-36]")
    assert counts(house, trio) == (0, 1, 0)
    trio.bert.says("confirm\nI think")
    assert counts(house, trio) == (0, 1, 0)
    assert house.moves() == []


# Refusals


REFUSALS = {
    "illegal": ("[41-30]", "I read 41-30 but that is not legal: the pawn on 41 cannot move", True),
    "not on the board": ("[41-99]", "there is no square 99 on this board", False),
    "not a move": ("[hello]", "[hello] is not a move", False),
    "no command": ("What a fine day.", "no move or command in your email", False),
    "inside prose": ("I could play 41-36.", "Did you mean: [41-36]", False),
    "asked": ("Should I play 41-36?", "Did you mean: [41-36]", False),
    "empty": ("", "nothing new in your email", False),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusal_explains_itself_and_changes_nothing(house: House, trio: Trio, case: str) -> None:
    written, told, candidates = REFUSALS[case]
    trio.bert.says(written)
    assert counts(house, trio) == (0, 1, 0)
    answer = trio.bert.latest
    assert told in flat(answer.text)
    assert "Nothing has changed" in flat(answer.text)
    assert re.search(r"\b41P", answer.text), "the diagram"
    assert "[41-36]" in answer.text or not candidates
    assert house.moves() == []
    assert house.state().turn == 1


def flat(text: str) -> str:
    """Return text with its lines joined."""
    return " ".join(text.split())


def test_email_is_all_or_nothing(house: House, trio: Trio) -> None:
    trio.bert.says("[41-36]\n[42-35]")
    assert counts(house, trio) == (0, 1, 0)
    assert "42-35" in trio.bert.latest.text
    assert house.moves() == []


def test_out_of_turn_refusal_names_the_player_to_move(house: House, trio: Trio) -> None:
    trio.clara.says("[2-C]")
    assert counts(house, trio) == (0, 0, 1)
    assert "Bert (S, White) to move." in flat(trio.clara.latest.text)
    assert re.search(r"\b41P", trio.clara.latest.text)
    assert house.moves() == []


def test_answer_to_an_old_turn_shows_what_has_changed(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    [first] = anna.receives()
    bert.receives()
    for person, move in ((anna, "[41-36]"), (bert, "[10-19]")):
        person.says(move)
        house.works()
        anna.receives(), bert.receives()
    anna.says("[6-C]", to=first)
    house.works()
    assert bert.receives() == []
    [answer] = anna.receives()
    assert "you answered an older email" in flat(answer.text)
    assert "1 S  [41-36]" in answer.text
    assert "2 W  [10-19]" in answer.text
    assert "It is now your turn" in flat(answer.text)
    assert house.moves() == ["[41-36]", "[10-19]"]


def test_resigning_needs_the_newest_email(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    [first] = anna.receives()
    anna.says("[41-36]")
    house.works()
    anna.receives()
    anna.says("resign", to=first)
    house.works()
    [answer] = anna.receives()
    assert "counts only in reply to the newest email" in flat(answer.text)
    assert house.state().result is None
    house.resigns(anna)
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("resignation", ("W", "E"))


def test_move_for_an_unknown_match_is_asked_about(house: House, trio: Trio) -> None:
    house.match("lanko-88", trio.bert, trio.anna)
    assert counts(house, trio) == (1, 1, 0)
    trio.bert.says("[41-36]", recipient=f"club@{HOST}", references=False, subject="hello")
    assert counts(house, trio) == (0, 1, 0)
    assert "which match do you mean?" in trio.bert.latest.text
    assert "match 2, Lanko-88" in trio.bert.latest.text
    assert house.moves() == []


# Other emails


def test_stranger_gets_one_short_answer_a_week(house: House, trio: Trio) -> None:
    joe = house.stranger("joe@elsewhere.example")
    for _ in range(3):
        joe.says("Let me play!", recipient=f"club@{HOST}")
        house.works()
    assert len(joe.receives()) == 1
    assert "I don't know your address" in flat(joe.latest.text)
    assert len(house.inbound(InboundState.STRANGER)) == 3
    house.clock.advance(days=7, minutes=1)
    joe.says("Please!", recipient=f"club@{HOST}")
    assert counts(house, trio) == (0, 0, 0)
    assert len(joe.receives()) == 1


def test_stranger_with_a_non_ascii_address_is_processed(house: House, trio: Trio) -> None:
    jorg = house.stranger("jörg@mail.example")
    raw = f"From: {jorg.address}\r\nMessage-ID: <j@mail.example>\r\n\r\nHello!\r\n"
    trio.anna.sends(raw.encode())
    house.works()
    assert len(house.inbound(InboundState.STRANGER)) == 1
    assert house.inbound(InboundState.SHUNTED) == []


def test_long_note_is_marked_on_every_line_without_bidi_controls(house: House, trio: Trio) -> None:
    trio.bert.says("[41-36]\n\n" + "We play on \u202eand on. " * 9, quoting=False)
    assert counts(house, trio) == (1, 1, 1)
    lines = [line for line in trio.anna.latest.text.splitlines() if "and on" in line]
    assert len(lines) > 2
    assert all(line.startswith("| ") and "\u202e" not in line for line in lines)


def test_same_email_twice_is_one_email(house: House, trio: Trio) -> None:
    mail = trio.bert.says("[41-36]")
    assert counts(house, trio) == (1, 1, 1)
    trio.bert.sends(b"Received: by another way\r\n" + mail.as_bytes(policy=SMTP), str(mail["To"]))
    assert counts(house, trio) == (0, 0, 0)
    assert len(house.inbound(InboundState.DUPLICATE)) == 1
    assert house.moves() == ["[41-36]"]


def test_exceeded_rate_limit_gives_one_notice(house: House, trio: Trio) -> None:
    house.club = replace(house.club, policy=Policy(mails_an_hour=3))
    for number in range(6):
        trio.clara.says(f"show\n\nfor the {number}. time")
    assert counts(house, trio) == (0, 0, 4)
    assert "more than 3 emails from you came" in flat(trio.clara.latest.text)
    assert "answer the rest, in order, when the hour is over" in flat(trio.clara.latest.text)
    assert len(house.inbound(InboundState.KEPT)) == 3
    house.passes(days=61 / 1440)
    assert counts(house, trio) == (0, 0, 3)
    assert re.search(r"\b41P", trio.clara.latest.text)


def test_fast_players_stay_below_the_limit(house: House) -> None:
    house.club = replace(house.club, policy=Policy(mails_an_hour=3, match_mails_an_hour=4))
    people = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", *people)
    for turn in range(12):
        person = people[turn % 2]
        example = re.search(r"for example:\n\n +(\[.*\])", person.receives()[-1].text)
        assert example
        person.says(example[1], quoting=False)
        house.works()
    assert len(house.moves()) == 12


ROBOTS = {
    "automatic": [("Auto-Submitted", "auto-replied")],
    "list": [("List-Id", "<players.mail.example>"), ("Precedence", "list")],
    "bulk": [("Precedence", "bulk")],
}


@pytest.mark.parametrize("case", ROBOTS)
def test_robot_is_stored_and_never_answered(house: House, trio: Trio, case: str) -> None:
    trio.bert.says("[41-36]", headers=ROBOTS[case])
    assert counts(house, trio) == (0, 0, 0)
    assert len(house.inbound(InboundState.IGNORED)) == 1
    assert house.moves() == []


def test_bounce_is_stored_and_never_answered(house: House, trio: Trio) -> None:
    bounce = (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mail.example\r\n"
        f"To: {trio.bert.latest.reply_to}\r\n"
        "Subject: Undelivered Mail\r\nMessage-ID: <b1@mail.example>\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nno such user\r\n--b--\r\n"
    )
    trio.bert.sends(bounce.encode(), trio.bert.latest.reply_to)
    assert counts(house, trio) == (0, 0, 0)
    assert len(house.inbound(InboundState.IGNORED)) == 1


def test_clubs_own_email_is_stored_and_never_answered(house: House, trio: Trio) -> None:
    trio.bert.sends(trio.bert.latest.message.as_bytes(policy=SMTP), trio.bert.latest.reply_to)
    assert counts(house, trio) == (0, 0, 0)
    assert len(house.inbound(InboundState.IGNORED)) == 1


# Unexpected errors


class _Stumbling(Renderer):
    """Fails at `help`, as only a bug could."""

    def written(self, mail: Mail, club: ClubName, reader: str, look: Look = USUAL) -> WrittenMail:
        if any(each.name == "help" for each in mail.data.get("sections", ())):
            raise KeyError(reader)
        return super().written(mail, club, reader, look)


def with_a_broken_help(house: House) -> None:
    """Set aside emails that ask for help."""
    templates = FileSystemLoader(folder("templates") / "mail")
    house.club = replace(house.club, templates=lambda: _Stumbling(templates))


def test_unexpected_error_sets_one_email_aside_and_work_continues(house: House, trio: Trio) -> None:
    with_a_broken_help(house)
    trio.clara.says("help")
    trio.bert.says("[41-36]")
    assert counts(house, trio) == (1, 1, 1)
    assert house.moves() == ["[41-36]"]
    [mail] = house.inbound(InboundState.SHUNTED)
    assert "KeyError" in mail.reason
    [report] = house.director.receives()
    assert "pbem shunt show" in flat(report.text)
    assert "KeyError" in report.text


def test_error_report_says_where_it_arose_and_nothing_of_the_email(
    house: House, trio: Trio
) -> None:
    with_a_broken_help(house)  # its message is the name of the reader
    with capture_logs() as logs:
        trio.clara.says("help")
        house.works()
    [mail] = house.inbound(InboundState.SHUNTED)
    [report] = house.director.receives()
    [shunted] = [event for event in logs if event["event"] == "shunted"]
    for told in (mail.reason, report.text, shunted["traceback"]):
        assert "KeyError" in told
        assert "Clara" not in told
    assert "act.py" in mail.reason


def test_email_too_large_to_read_is_refused_as_a_whole(house: House, trio: Trio) -> None:
    trio.bert.says("[41-36]\n\n" + "And so on and so forth.\n" * 60_000)
    assert counts(house, trio) == (0, 1, 0)
    assert "I couldn't read all of your email" in flat(trio.bert.latest.text)
    assert house.moves() == []


def test_email_over_the_limit_is_answered_without_being_fetched(house: House, trio: Trio) -> None:
    """Only its beginning is fetched and stored. The answer says how much may be sent."""
    trio.bert.says("[41-36]\n\n" + "x" * size_limits.MAX_MAIL)
    assert counts(house, trio) == (0, 1, 0)
    assert "it is larger than 25 MiB" in flat(trio.bert.latest.text)
    assert house.moves() == []
    [mail] = house.inbound(InboundState.REFUSED)
    kept = house.raw_of(mail)
    assert len(kept) < 400 * size_limits.KIB
    assert re.match(rb"X-Pbem-Shortened: from 2\d{7} bytes\r\n", kept)


class ServerWithSizes(FakeMailbox):
    """A server that reports wrong sizes of emails."""

    told = 0

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Return the same size for all."""
        return dict.fromkeys(uids, self.told)


@pytest.mark.parametrize("told", (0, 10, size_limits.MAX_MAIL + 1))
def test_wrong_size_of_an_email_changes_nothing(house: House, trio: Trio, told: int) -> None:
    assert isinstance(house.post, Fakes)
    house.mailbox = ServerWithSizes(house.post.office, house.address, "INBOX", "")
    house.mailbox.told = told
    trio.bert.says("[41-36]\n\n" + "x" * size_limits.MAX_MAIL)
    house.works()
    [mail] = house.inbound(InboundState.REFUSED)
    assert len(house.raw_of(mail)) < 400 * size_limits.KIB
    assert "it is larger than 25 MiB" in flat(trio.bert.receives()[0].text)
    trio.bert.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]


def test_forged_note_of_a_larger_size_is_ignored(house: House, trio: Trio) -> None:
    trio.bert.says("[41-36]", headers=[("X-Pbem-Shortened", "from 99999999 bytes")])
    house.works()
    assert house.moves() == ["[41-36]"]


def test_stranger_is_answered_and_little_of_their_email_is_stored(house: House) -> None:
    zoe = house.stranger("zoe@mail.example")
    picture = b"--b\r\nContent-Type: image/png\r\n\r\n" + b"x" * 1_000_000
    zoe.sends(
        b"From: zoe@mail.example\r\nTo: club@" + HOST.encode() + b"\r\n"
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhelp\r\n" + picture
    )
    house.works()
    assert [each.kind for each in zoe.receives()] == [""]
    [mail] = house.inbound(InboundState.STRANGER)
    kept = house.raw_of(mail)
    assert len(kept) < 33 * size_limits.KIB
    assert b"help" in kept
