"""Test emails about topics other than matches: memberships, and questions of a new kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.inbox.explain import explain
from pbem.inbox.proof.exposure import note_exposures
from pbem.inbox.proof.sender import identify
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.message.message import Message, read_message
from pbem.mail.outgoing.kinds import Mail
from pbem.mail.outgoing.letter import to_bytes
from pbem.mail.outgoing.render import Renderer
from pbem.mail.stranger import Stranger
from pbem.mail.topic import Holder, MembershipTopic, QuestionTopic, Topic
from pbem.matches.match import Player
from pbem.resources import folder
from pbem.service.club import Club
from pbem.service.post.post import post
from pbem.service.questions import CHANGES, ask, waiting
from pbem.service.work import reading, writing
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage

EVE = "eve@mail.example"


@dataclass(frozen=True)
class WantsIn:
    """A toy question: does somebody without a player row want to join?"""

    kind: ClassVar[str] = "wants in"
    name: str


HELLO = {"en/hello.txt.j2": "{% set subject = 'Welcome' %}Hello"}


@dataclass(frozen=True)
class Hello(Mail):
    """A toy email."""


@pytest.fixture
def club() -> Club:
    """Return a club with one player, Anna."""
    numbers = iter(range(1, 99))
    pbems = [FileSystemLoader(folder("templates") / "mail")]
    club = Club(
        name="pbem",
        address="club@games.example",
        director="",
        storage=FakeStorage(),
        clock=FakeClock(),
        archive=FakeArchive(),
        signer=TokenSigner({1: b"a secret for the tests"}, 1),
        templates=lambda: Renderer(ChoiceLoader([DictLoader(HELLO), *pbems])),
        unique=lambda: f"u{next(numbers)}",
        rater=OpenSkillRater(),
        chance=int,
    )
    with writing(club) as work:
        work.players.add("Anna", ["anna@mail.example"])
    return club


def anna(club: Club) -> Player:
    with reading(club) as work:
        return work.players.get(1)


def mailed(club: Club, to: Player | str, topic: Topic) -> Message:
    """Return an email about a topic, as its reader receives it."""
    with writing(club) as work:
        message_id = post(work, Hello(), to, topic=topic)
        posted = work.outbox.by_message_id(message_id)
        assert posted is not None
        return read_message(to_bytes(posted.mail.letter))


def replied_to(mail: Message) -> str:
    """Return the reply address of an email of the club."""
    return mail.headers.first("reply-to")


def answer(to: Message, author: str, *more: str) -> Message:
    """Return an answer to an email of the club."""
    fields = (f"From: {author}", f"To: {replied_to(to)}", f"In-Reply-To: {to.message_id}", *more)
    return read_message("\r\n".join((*fields, "", "yes")).encode())


def proven(club: Club, message: Message, who: Player | Stranger) -> Topic | None:
    """Return the topic in which an email proves its author."""
    with writing(club) as work:
        sender = identify(work, message, who)
    return sender.topic if sender.proven else None


def test_answer_is_proven_in_its_topic_and_only_for_its_reader(club: Club) -> None:
    of_anna = answer(mailed(club, anna(club), MembershipTopic(1)), "anna@mail.example")
    of_eve = answer(mailed(club, EVE, QuestionTopic(31)), "Eve@Mail.example")
    assert proven(club, of_anna, anna(club)) == MembershipTopic(1)
    assert proven(club, of_eve, Stranger(EVE)) == QuestionTopic(31)
    assert proven(club, of_eve, Stranger("bob@mail.example")) is None
    assert proven(club, of_eve, anna(club)) is None


@pytest.mark.parametrize("stranger", (False, True))
def test_emails_of_a_topic_form_their_own_thread(club: Club, stranger: bool) -> None:
    to = EVE if stranger else anna(club)
    topics: Sequence[Topic] = (QuestionTopic(1), QuestionTopic(2), QuestionTopic(1))
    first, other, again = (mailed(club, to, topic) for topic in topics)
    assert (first.references, other.references) == ((), ())
    assert again.references == (first.message_id,)


def test_exposed_proof_counts_again_only_after_a_newer_email(club: Club) -> None:
    topic, player = MembershipTopic(1), anna(club)
    mail = mailed(club, player, topic)
    shown = answer(mail, "anna@mail.example", f"Cc: {EVE}")
    with writing(club) as work:
        note_exposures(work, shown, b"To: " + replied_to(mail).encode(), by_person=True)
    assert proven(club, answer(mail, "anna@mail.example"), player) is None
    newer = mailed(club, player, topic)
    assert proven(club, answer(newer, "anna@mail.example"), player) == topic


def test_question_of_a_new_kind_waits_for_a_stranger(club: Club) -> None:
    holder: Holder = "Eve@Mail.example"
    with writing(club) as work:
        question = ask(work, WantsIn("Eve"), holder, days=7)
        work.questions.asked(question.id, post(work, Hello(), EVE, topic=question.topic))
    mail = mailed(club, EVE, question.topic)
    assert proven(club, answer(mail, EVE), Stranger(EVE)) == question.topic
    with reading(club) as work:
        [pending] = waiting(work, (WantsIn,), EVE)
        assert (pending.asked, pending.question.topic) == (WantsIn("Eve"), question.topic)
        assert waiting(work, CHANGES, EVE) == []


def test_confirm_without_a_question_gets_an_answer(club: Club) -> None:
    mail = mailed(club, anna(club), MembershipTopic(1))
    raw = (
        f"From: anna@mail.example\r\nTo: {replied_to(mail)}\r\nMessage-ID: <x@mail.example>\r\n"
        "\r\nconfirm\r\n"
    ).encode()
    shown = explain(club, raw)
    assert (shown["fate"], shown["sender"]["proven"], shown["match"]) == ("refused", True, None)
    assert shown["refusal"] == {"name": "nothing_to_confirm"}
