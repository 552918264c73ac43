"""Compare the records with what the players saw in their emails, and with how many arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, Self

from pbem.matches.competitions.set import MATCHES
from pbem.matches.record import Record, verify

MISTAKES = ("illegal", "ambiguous", "out of turn", "repeated")


@dataclass(frozen=True)
class DemoReport:
    """The experience of one player, as reported by their process."""

    name: str
    received: Mapping[str, int]
    """Number of emails by kind."""
    sent: Mapping[str, int]
    """Number of emails by kind: moves, requests for the list, mistakes."""
    moves: Sequence[tuple[int, str]]
    """Match and move, as confirmed by receipts."""
    mistakes: Mapping[str, str]
    """Mistakes made, each with its answer."""
    scores: Mapping[int, Mapping[str, int]]
    """Everybody's score by match, from the email that announced its end."""
    table: Mapping[str, Sequence[int | None]]
    """Rows of the last cross-table."""
    table_text: str
    turn_mail: str
    problems: Sequence[str]

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """Return the report for its JSON."""
        return cls(
            **{
                **facts,
                "moves": [(match, move) for match, move in facts["moves"]],
                "scores": {int(match): scores for match, scores in facts["scores"].items()},
            }
        )


def differences(records: Sequence[Record], reports: Sequence[DemoReport]) -> Iterator[str]:
    """Yield every difference, one sentence each."""
    places = [record.competition.index for record in records if record.competition is not None]
    if places != list(range(1, MATCHES + 1)):
        yield f"There are records of {len(records)} matches, not {MATCHES} as in a set."
    for record in records:
        for problem in verify(record):
            yield f"Match {record.match_id}: {problem}"
        if record.result is None:
            yield f"Match {record.match_id} has no result."
    for report in reports:
        yield from (f"{report.name}: {problem}." for problem in report.problems)
        yield from _made_mistakes(report)
        yield from _same_results(records, report)
        yield from _same_moves(records, report)
        yield from _same_mails(records, report)


def _made_mistakes(report: DemoReport) -> Iterator[str]:
    for kind in MISTAKES:
        if kind not in report.mistakes:
            yield f"{report.name} had no chance to send the {kind} email."


def credits_of(record: Record) -> dict[str, int]:
    """Return what a match is worth to each player: the balance of their side."""
    if record.result is None:
        return {}
    return {name: record.result.scores[seat] for seat, name in record.players.items()}


def _same_results(records: Sequence[Record], report: DemoReport) -> Iterator[str]:
    by_match = {record.match_id: credits_of(record) for record in records}
    for match, scores in by_match.items():
        if report.scores.get(match) != scores:
            mailed = report.scores.get(match)
            yield f"Match {match} ended {scores} in its record, but {report.name} got {mailed}."
    for name in {name for scores in by_match.values() for name in scores}:
        credits = [scores.get(name) for scores in by_match.values()]
        row = [*credits, sum(credit or 0 for credit in credits)]
        if report.table.get(name) != row:
            told_row = report.table.get(name)
            yield f"{name}'s row is {row} in the records, but {report.name} was sent {told_row}."


def _same_moves(records: Sequence[Record], report: DemoReport) -> Iterator[str]:
    recorded = [
        (record.match_id, entry.text)
        for record in records
        for entry in record.entries
        if record.players[entry.seat] == report.name
    ]
    for mine, theirs in zip_longest(report.moves, recorded):
        if mine != theirs:
            yield f"{report.name} sent {mine}, but the records have {theirs}."
            return
    sent = report.sent.get("move")
    if sent != len(recorded):
        yield f"{report.name} sent {sent} moves, but {len(recorded)} are recorded."


def _same_mails(records: Sequence[Record], report: DemoReport) -> Iterator[str]:
    due = sum((mails_due(record, report.name) for record in records), Counter(answers_due(report)))
    for kind in sorted({*due, *report.received}):
        came = report.received.get(kind, 0)
        if came != due[kind]:
            yield f"{report.name} got {came} emails of the kind {kind}, but {due[kind]} were due."


def answers_due(report: DemoReport) -> dict[str, int]:
    """Return the answers due to emails without a valid move: one each, none to the repeated one."""
    sent = Counter(report.sent)
    refused = sent["illegal"] + sent["ambiguous"] + sent["out of turn"]
    return {"legal": sent["legal"], "refusal": refused}


def mails_due(record: Record, name: str) -> Counter[str]:
    """Return the emails due to a player in a match: one at the start, one per turn and per move.

    With three players, nobody gets emails only for others' moves.
    """
    movers = [record.players[entry.seat] for entry in record.entries]
    first = [_kind(name, None, movers[0])] if movers else []
    kinds = (_kind(name, mover, after) for mover, after in pairwise(movers))
    return Counter([*first, *(kind for kind in kinds if kind != "position"), "over"])


def _kind(name: str, mover: str | None, to_act: str) -> str:
    """Return the kind of an email. A player of both seats gets one email for move and next turn."""
    if name == to_act:
        return "turn"
    return "receipt" if name == mover else "position"
