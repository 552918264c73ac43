"""Every email in tests/data/mail, as `pbem mail explain` shows it.

A new case is a new file, its table in `cases.toml` beside it, and no code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.commands import FoundCommand
from pbem.games import game_of, games
from pbem.games.api import ActionError, AnyGame
from pbem.games.lenient_text import plain
from pbem.inbox.explain import explain
from pbem.inbox.requests import read_requests
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.message.message import read_message
from pbem.mail.outgoing.render import of_the_club
from pbem.mail.reply.blocks import blocks_of
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening.screening import Verdict
from pbem.service.club import Club
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.mail.corpus import CASES, USUAL, Case

CLUB = "club@games.example"

GAME_OF_MATCH_12 = game_of("lanko-103")

CLIENTS = {
    "gmail-web": r"gmail-(web|html)-",
    "gmail-app": r"gmail-app-",
    "outlook-desktop": r"outlook-(desktop|html|winmail)-",
    "outlook-web": r"outlook-web-",
    "apple": r"apple-",
    "thunderbird": r"thunderbird-",
    "mutt": r"mutt-",
    "k9": r"k9-",
    "yahoo": r"yahoo-",
    "gmx": r"gmx-",
}
LANGUAGES = ("en", "de", "pl", "fr", "es")


def lines(text: str) -> list[str]:
    """Return the lines with content, as their reader sees them.

    Blank lines, blanks at line ends and a single one before a line mean nothing in an email. All
    blanks are alike, and invisible characters are dropped.
    """
    visible = re.sub("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]", "", text)
    blanks = re.sub("[\xa0\u2009\u202f]", " ", visible)
    return [re.sub(r"^ (?=\S)", "", line.rstrip()) for line in blanks.split("\n") if line.strip()]


@pytest.fixture(scope="module")
def club() -> Club:
    """A club that knows nobody yet: reading an email does not depend on its sender."""
    return Club(
        name="pbem",
        address=CLUB,
        director="",
        storage=FakeStorage(),
        clock=FakeClock(),
        archive=FakeArchive(),
        signer=TokenSigner({1: b"a secret for the tests"}, 1),
        templates=of_the_club,
        unique=str,
        rater=OpenSkillRater(),
        chance=int,
    )


ANSWERS = [case for case in CASES if case.verdict == "answer"]


def test_every_verdict_has_a_case() -> None:
    assert {case.verdict for case in CASES} == set(Verdict)


def test_only_answers_have_commands() -> None:
    assert all(case.commands is None for case in CASES if case.verdict != "answer")


def test_corpus_has_many_cases() -> None:
    assert len(CASES) >= 150


def test_every_client_has_several_cases() -> None:
    for client in CLIENTS.values():
        assert sum(bool(re.match(client, case.name)) for case in CASES) >= 8, client


def test_every_language_has_several_cases() -> None:
    for language in LANGUAGES:
        assert sum(language in case.name.split("-") for case in CASES) >= 5, language


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_email_is_read_as_a_person_would(club: Club, case: Case) -> None:
    lf = case.raw.replace(b"\r\n", b"\n")
    crlf = lf.replace(b"\n", b"\r\n")

    shown = explain(club, crlf)

    assert seen(lf) == seen(crlf), "however its lines end"
    assert shown["screening"]["verdict"] == case.verdict, shown["screening"]["reason"]
    if case.verdict == "answer" and case.letter == USUAL:
        assert lines(shown["fresh"]) == lines(case.fresh)
    if case.failed is not None:
        bounces = (shown["bounce"], explain(club, lf)["bounce"])
        assert [failed(each["failed"]) for each in bounces] == 2 * [failed(case.failed)]
    if case.absence is not None:
        assert shown["absence"] == case.absence


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case.name)
def test_sent_email_shows_which_lines_are_quoted(case: Case) -> None:
    """The commands in the rest are found."""
    message = read_message(case.raw)

    fresh = fresh_text(message.text, message.from_name, case.witness).fresh

    assert lines(fresh) == lines(case.fresh)
    if case.commands is not None:
        found = commands(fresh, game_in(message.subject) or GAME_OF_MATCH_12)
        assert found == [compact(text) for text in case.commands]


@pytest.mark.parametrize(
    "case", [case for case in ANSWERS if case.blocks is not None], ids=lambda case: case.name
)
def test_answer_to_a_digest_is_split_by_match(case: Case) -> None:
    message = read_message(case.raw)

    fresh = fresh_text(message.text, message.from_name, case.witness)
    found = {
        str(each.place) if isinstance(each.place, int) else "": lines(
            "\n".join((*each.beside, each.text))
        )
        for each in blocks_of(fresh, case.witness)
    }

    assert found == {match: lines(text) for match, text in (case.blocks or {}).items()}


def seen(raw: bytes) -> dict[str, Any]:
    """Return an email as read, without its headers."""
    return {**vars(read_message(raw)), "headers": None}


def failed(reported: Iterable[dict[str, Any]]) -> list[tuple[str, bool]]:
    """Return the addresses that an email has not reached, and whether for good."""
    return sorted((each["address"], each["hard"]) for each in reported)


def commands(fresh: str, game: AnyGame | None) -> list[str]:
    """Return the commands of a text. Brackets that hold no action void all of them."""
    try:
        items = read_requests(fresh, game).items
    except ActionError:
        return []
    texts = [[item.command.word] if isinstance(item, FoundCommand) else item for item in items]
    return [compact(text) for several in texts for text in several]


def compact(text: str) -> str:
    """Return an action without the parts that notation leaves free."""
    return re.sub(r"[\[\]\s]|\.$", "", plain(text)).upper()


def game_in(subject: str) -> AnyGame | None:
    """Return the game that a subject names, as in `[pbem 12] Lanko-103: ...`."""
    named = re.sub(r"\W", "", subject).lower()
    return next(
        (game for game in games() if re.sub(r"\W", "", game.info.title).lower() in named), None
    )
