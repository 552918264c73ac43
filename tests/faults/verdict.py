"""The verdict: whether anything was lost, doubled or changed on the way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Protocol

from pbem.mail.outgoing.letter import to_bytes
from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.work import Work, reading
from tests.faults.people import OF_MATCH, Ledger, Mail


class Tried(Protocol):
    """A club on trial."""

    @property
    def club(self) -> Club: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def players(self) -> Sequence[Player]: ...

    @property
    def refused(self) -> Collection[str]:
        """Recipients that the SMTP server has refused permanently."""

    @property
    def taken(self) -> Sequence[tuple[str, bytes]]:
        """Recipients and emails, as they came."""

    def got(self) -> list[Mail]:
        """The same emails, parsed."""

    def rows(self, query: str) -> Sequence[Any]:
        """The rows of the database."""


def judge(trial: Tried) -> None:
    """Check that nothing is missing or superfluous, if no turn was planned."""
    by_id = judge_moves(trial)
    _everybody_is_told_of_every_move(trial, by_id)


def judge_moves(trial: Tried) -> dict[str, Mail]:
    """Check that every move is recorded once and every email answered. Return emails by id."""
    by_id = sent_once(trial)
    _every_move_is_recorded_once(trial)
    _everything_due_has_gone(trial, by_id)
    _every_mail_has_one_answer(trial, by_id)
    return by_id


def judge_order(trial: Tried) -> None:
    """Check that no email was handled before an earlier one by its sender, or too early.

    The illegal move of a day would answer an older email if the legal one had gone first.
    """
    turns = defaultdict(list)
    for mail in trial.got():
        assert "you answered an older email" not in mail.text, mail.text
        if mail.kind == "your turn":
            turns[mail.subject, mail.recipient].append(mail.turn)
    for read in turns.values():
        firsts = list(dict.fromkeys(read))
        assert firsts == sorted(firsts), turns


def sent_once(trial: Tried) -> dict[str, Mail]:
    """Return sent emails by Message-ID, checking that repeated ones are identical."""
    copies = defaultdict(set)
    for recipient, raw in trial.taken:
        copies[raw].add(recipient)
    mails = trial.got()
    by_id = {mail.id: mail for mail in mails}
    assert len(by_id) == len(copies), "one Message-ID, several contents"
    assert all(len(recipients) == 1 for recipients in copies.values()), "one email, several people"
    return by_id


def _every_move_is_recorded_once(trial: Tried) -> None:
    with reading(trial.club) as work:
        matches = work.matches.all()
        recorded = [[action.text for action in work.matches.recorded(m.id)] for m in matches]
    assert recorded == [trial.ledger.moves.get(subject, []) for subject in _subjects(trial)]
    states = Counter(row[0] for row in trial.rows("SELECT state FROM inbound"))
    assert states["new"] == states["shunted"] == 0, states
    assert states["done"] == sum(map(len, recorded))


def _subjects(trial: Tried) -> list[str]:
    """Return the subjects of all matches, in order."""
    numbered = {
        int(found[1]): found[0] for found in map(OF_MATCH.match, _all_subjects(trial)) if found
    }
    return [numbered[number] for number in sorted(numbered)]


def _all_subjects(trial: Tried) -> set[str]:
    return {mail.subject for mail in trial.got()}


def _everything_due_has_gone(trial: Tried, sent: dict[str, Mail]) -> None:
    rows = trial.rows("SELECT message_id, recipient, failed FROM outbox")
    with reading(trial.club) as work:
        queued = {
            row.message_id: (row.recipient, _bytes(work, row)) for row in rows if not row.failed
        }
    assert {id_: (mail.recipient, mail.raw) for id_, mail in sent.items()} == queued
    assert {row.recipient for row in rows if row.failed} == trial.refused


def _bytes(work: Work, row: Any) -> bytes:
    posted = work.outbox.by_message_id(row.message_id)
    assert posted is not None
    return to_bytes(posted.mail.letter)


def _every_mail_has_one_answer(trial: Tried, sent: dict[str, Mail]) -> None:
    answers = defaultdict(list)
    for mail in sent.values():
        answers[mail.answers].append(mail.recipient)
    for received in trial.ledger.to_be_answered:
        his = [] if received.sender in trial.refused else [received.sender]
        assert answers[received.id] == his
    for received in trial.ledger.silent:
        assert answers[received.id] == []


def _everybody_is_told_of_every_move(trial: Tried, sent: dict[str, Mail]) -> None:
    of_matches = Counter(
        (mail.subject, mail.recipient)
        for mail in sent.values()
        if mail.kind in ("", "your turn", "the match is over")
    )
    for subject in _subjects(trial):
        told = 1 + len(trial.ledger.moves.get(subject, []))
        for player in trial.players:
            assert of_matches[subject, player.address] == told, (subject, player.name)
