"""Test which checks detect changes made in both the database and the archive.

A plain forger changes values. A clever one also recomputes all heads, but can't change the emails
that have been sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.archive.files import ArchiveFile, record_files
from pbem.archive.verify_files import verify_files
from pbem.matches.history import Kind
from pbem.matches.match import MatchSummary, RecordedAction, Result
from pbem.matches.record import WrittenHistory, record_of, short
from pbem.matches.record.chain import heads
from pbem.ports.storage import UnitOfWork
from pbem.service.records.audit import audit
from pbem.service.records.publish import publish_again, publish_all, stored_record
from pbem.service.records.verify import verify_all
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.matches.playing import ANNA, CLARA, START
from tests.service.stored_matches import ended, rechained, stored, with_players

CLOCK = FakeClock(START)
HOUR = timedelta(hours=1)
TOKEN_FROM = "From: pbem <club+1-3-s-aaaabbbbccccdddd@games.example>"
"""The sender as older versions wrote it."""
TOKEN_REPLY_TO = (
    "From: pbem <club@games.example>\nReply-To: club+1-3-s-aaaabbbbccccdddd@games.example"
)
MAIL = """\
{sender}
To: anna@mail.example
Subject: [pbem 1] Lanko-68: Anna, Bert, Clara
Date: Sat, 21 Nov 2026 12:00:00 +0000
Message-ID: <1-3-s-aaaabbbbccccdddd.u{entry}@games.example>
Auto-Submitted: auto-generated

Anna, it is your turn.

History of match 1, entry {entry}: {head}.
"""


class Club:
    """A database with an ended match, its archive, and the emails that a player kept."""

    def __init__(self) -> None:
        self.storage, self.archive = FakeStorage(), FakeArchive()
        with_players(self.storage)
        stored(self.storage, ended())
        publish_all(self.storage, self.archive, CLOCK)
        with self.storage.reading() as uow:
            chain = heads(stored_record(uow, uow.matches.get(1)))
        self.mails = [
            MAIL.format(
                sender=TOKEN_REPLY_TO if entry % 2 else TOKEN_FROM, entry=entry, head=short(head)
            )
            .replace("\n", "\r\n")
            .encode()
            for entry, head in enumerate(chain)
        ]

    def forge(self, change: Change, *, clever: bool) -> None:
        """Forge the database, and the archive to match."""
        with self.storage.writing() as uow:
            data = uow.matches._data  # type: ignore[attr-defined]  # the fake lets history be changed
            match, actions = change(uow.matches.get(1), uow.matches.recorded(1))
            written = WrittenHistory(match, tuple(actions), tuple(uow.matches.happenings(1)))
            if clever:
                written = rechained(*written)
            match = written.match
            uow.matches.save(match)
            data.actions[1], data.happenings[1] = written.actions, written.happenings
        with self.storage.reading() as uow:
            record = stored_record(uow, match)
        for file in record_files(record):
            self.archive.write(file.name, file.data)
        if not clever:
            # The heads that to_text computes are restored to the old ones.
            self._with_old_heads(uow, match)

    def _with_old_heads(self, uow: UnitOfWork, match: MatchSummary) -> None:
        old = [mail.decode().rsplit(": ", 1)[1].removesuffix(".\r\n") for mail in self.mails]
        names = {player: uow.players.get(player).name for player in match.players}
        history = uow.matches.recorded(1), uow.matches.happenings(1)
        new = [short(head) for head in heads(record_of(match, names, *history))]
        name = "match-000001-lanko-68.txt"
        for was, is_now in zip(old, new, strict=True):
            text = self.archive.files[name].replace(is_now.encode(), was.encode())
            self.archive.files[name] = text

    def verified(self) -> list[str]:
        """Return the result of `verify` for the match."""
        return [each for each in verify_all(self.storage, self.archive) if each[:8] == "Match 1:"]


Actions = list[RecordedAction]
Forged = tuple[MatchSummary, Actions]
Change = Callable[[MatchSummary, list[RecordedAction]], tuple[MatchSummary, list[RecordedAction]]]


def _other_move(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    return match, [actions[0], actions[1]._replace(text="[26-27]")]


def _other_time(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    return match, [actions[0]._replace(at=actions[0].at - HOUR), actions[1]]


def _result(**fields: Any) -> Change:
    def change(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
        assert isinstance(match.result, Result)
        return replace(match, result=replace(match.result, **fields)), actions

    return change


def _options(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    return replace(match, options=replace(match.options, days=9)), actions


def _game_option(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    game = {**match.options.game, "repetition": 0}
    return replace(match, options=replace(match.options, game=game)), actions


def _players(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    return replace(match, seats={**match.seats, "S": CLARA, "N": ANNA}), actions


def _start(match: MatchSummary, actions: list[RecordedAction]) -> Forged:
    return replace(match, started_at=match.started_at - HOUR), actions


FLIPPED = {"winners": ("S", "N"), "scores": {"S": 96, "W": -96, "N": 96, "E": -96}}
CHANGES: dict[str, Change] = {
    "another legal move": _other_move,
    "a time": _other_time,
    "the winner": _result(**FLIPPED),
    "the reason": _result(termination="adjudication"),
    "the time of the end": _result(ended_at=START + 99 * HOUR),
    "the days": _options,
    "an option of the game": _game_option,
    "the seats": _players,
    "the start": _start,
}


def test_unchanged_history_has_no_problems() -> None:
    club = Club()
    assert club.verified() == []
    found = audit(club.mails, club.archive)
    assert (found.problems, found.compared, found.matches) == ([], len(club.mails), 1)


@pytest.mark.parametrize("changed", CHANGES)
def test_plain_forgery_is_found_by_verify_with_and_without_the_database(changed: str) -> None:
    club = Club()
    club.forge(CHANGES[changed], clever=False)
    assert any("The history has been changed" in problem for problem in club.verified())
    name = "match-000001-lanko-68.txt"
    files = [file for file in club_files(club) if file.name == name]
    assert any("The history has been changed" in each for each in verify_files(files).problems)


CONTRADICTIONS = ("the winner", "the reason")
"""Changes that `verify` detects even from a clever forger, as the history says who resigned."""


@pytest.mark.parametrize("changed", CHANGES)
def test_clever_forgery_is_found_by_comparing_emails(changed: str) -> None:
    club = Club()
    club.forge(CHANGES[changed], clever=True)
    publish_again(club.storage, club.archive, CLOCK)
    assert bool(club.verified()) == (changed in CONTRADICTIONS)
    found = audit(club.mails, club.archive)
    assert len(found.problems) == 2, "in the text, and in the JSON"
    assert all(" differs from the emails " in problem for problem in found.problems)


def test_place_of_the_change_is_reported() -> None:
    club = Club()
    club.forge(CHANGES["another legal move"], clever=True)
    (_, problem) = audit(club.mails, club.archive).problems
    assert "after entry 1 ([42-36] by S in turn 1). The first email that disagrees" in problem
    assert "Sat, 21 Nov 2026 12:00:00 +0000 from club@games.example" in problem
    assert "at entry 2 ([26-27] by W in turn 2)" in problem


def test_truncated_history_is_reported() -> None:
    club = Club()
    with club.storage.writing() as uow:
        match = uow.matches.get(1)
        record = stored_record(uow, match)
    entries = tuple(entry for entry in record.entries if entry.kind is not Kind.RESIGNED)
    open_again = replace(record, entries=entries, result=None, ended_at=None, heads={})
    for file in record_files(open_again):
        club.archive.write(file.name, file.data)
    (_, problem) = audit(club.mails, club.archive).problems
    assert "at entry 3, and the record has 2 entries" in problem


def club_files(club: Club) -> list[ArchiveFile]:
    return [ArchiveFile(name, data) for name, data in club.archive.files.items()]


def test_only_the_clubs_own_emails_count() -> None:
    club = Club()
    first = club.mails[0].decode()
    reply = first.replace("pbem <club+1-3-s-aaaabbbbccccdddd@games.example>", "anna@mail.example")
    other_id = first.replace("Message-ID: <1-3", "Message-ID: <1-4")
    other_host = first.replace("@games.example>\r\nAuto", "@other.example>\r\nAuto")
    quoted = first.replace("History of", "> History of").replace("Anna, it", "| History of x\r\nA")
    no_head = first.replace("History of match 1,", "History of match 2,")
    wrong = [each.replace("entry 0: ", "entry 0: aaaa-").encode() for each in (reply, other_id)]
    found = audit([*wrong, other_host.encode()], club.archive)
    assert (found.compared, found.foreign, found.problems) == (0, 3, [])
    found = audit([quoted.encode(), no_head.encode()], club.archive)
    assert (found.compared, found.without) == (0, 2)
    found = audit([club.mails[1]], club.archive, ("other@games.example",))
    assert (found.compared, found.foreign) == (0, 1)


@pytest.mark.parametrize(
    "fields",
    (
        "From: anna@mail.example\nReply-To: club+1-3-s-aaaabbbbccccdddd@games.example",
        "From: club@games.example\nReply-To: club@games.example",
        "From: club@games.example\nReply-To: eve+1-3-s-aaaabbbbccccdddd@games.example",
        "From: club@games.example\nReply-To: club+1-3-s-aaaabbbbccccdddd@eve.example",
        "From: club@games.example\nReply-To: club+1-4-s-aaaabbbbccccdddd@games.example",
        f"{TOKEN_REPLY_TO}, eve@mail.example",
        f"{TOKEN_REPLY_TO}\nReply-To: eve@mail.example",
        "From: club@games.example",
    ),
)
def test_copy_with_another_reply_address_is_not_the_clubs_own(fields: str) -> None:
    club = Club()
    mail = MAIL.format(sender=fields, entry=0, head="aaaa-aaaa-aaaa-aaaa").encode()
    assert (audit([mail], club.archive).foreign, audit([mail], club.archive).problems) == (1, [])


def test_match_without_a_record_is_reported() -> None:
    club = Club()
    mail = club.mails[0].replace(b"+1-3", b"+7-3").replace(b"<1-3", b"<7-3")
    found = audit([mail.replace(b"of match 1,", b"of match 7,")], club.archive)
    assert (found.compared, dict(found.unknown)) == (0, {7: 1})
