"""Compare pbem with libraries that find the new text of a reply, on the emails of tests/data/mail.

Each gets the text that pbem extracts from MIME, with HTML quotes marked by `>`, which favours the
libraries. Except in one row, pbem also gets the email that was sent, as in play. Lines are compared
as in the corpus tests, as a bag per email. `make bench-replies` runs it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

from pbem.games import games
from pbem.games.api import ActionError, AnyGame
from pbem.mail.message.message import read_message
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from tests.mail.corpus import CASES

LANGUAGES = ["en", "de", "pl", "fr", "es"]

Reader = Callable[[str], str]
"""Returns the new part of a text."""


def _mail_parser_reply() -> Reader:
    parser = import_module("mailparser_reply").EmailReplyParser(languages=LANGUAGES)
    return lambda text: str(parser.parse_reply(text) or "")


def _email_reply_parser() -> Reader:
    parser = import_module("email_reply_parser").EmailReplyParser
    return lambda text: str(parser.parse_reply(text))


def _quotequail() -> Reader:
    quote = import_module("quotequail").quote
    return lambda text: "\n".join(part for shown, part in quote(text) if shown)


def _talon() -> Reader:
    quotations = import_module("talon.quotations")
    return lambda text: str(quotations.extract_from_plain(text))


def _talon_with_signatures() -> Reader:
    quotations = import_module("talon.quotations")
    signature = import_module("talon.signature.bruteforce")

    def read(text: str) -> str:
        return str(signature.extract_signature(quotations.extract_from_plain(text))[0])

    return read


READERS: dict[str, Callable[[], Reader]] = {
    "mail-parser-reply": _mail_parser_reply,
    "email-reply-parser": _email_reply_parser,
    "quotequail": _quotequail,
    "talon": _talon,
    "talon, signatures": _talon_with_signatures,
    "pbem, no sent email": lambda: lambda text: fresh_text(text).fresh,
}


class Case(NamedTuple):
    """One answer in the corpus."""

    text: str
    sent: QuotedLetters
    fresh: Counter[str]


class Figures(NamedTuple):
    """Scores of one reader."""

    precision: float
    recall: float
    exact: int
    old_moves: int
    """Emails in which an old line that is a move was taken as new."""
    lost_moves: int
    """Emails in which a new line that is a move was left out."""
    errors: int


AUTHORS = {"second-": "second author", "third-": "second author, later"}
"""Authors by the prefix of their cases. All other cases are the first author's."""


def main() -> None:
    """Print a table for each author's emails."""
    readers = dict(_readers())
    for author, cases in _cases().items():
        print(f"{author}: {len(cases)} answers")
        print(f"{'':20} precision  recall  exact  old moves  lost moves  errors")
        for name, reader in readers.items():
            _print(name, _figures(_without_letter(reader), cases))
        _print("pbem", _figures(_with_letter, cases))


def _print(name: str, it: Figures) -> None:
    print(
        f"{name:20} {it.precision:9.3f} {it.recall:7.3f} {it.exact:6} {it.old_moves:10}"
        f" {it.lost_moves:11} {it.errors:7}"
    )


def _without_letter(reader: Reader) -> Callable[[Case], str]:
    return lambda case: reader(case.text)


def _with_letter(case: Case) -> str:
    return fresh_text(case.text, witness=case.sent).fresh


def _readers() -> Iterator[tuple[str, Reader]]:
    for name, make in READERS.items():
        try:
            yield name, make()
        except ImportError as error:
            print(f"{name:20} not installed: {error}")


def _cases() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = {"first author": []}
    for each in CASES:
        if each.verdict == "answer":
            case = Case(read_message(each.raw).text, each.witness, _lines(each.fresh))
            cases.setdefault(_author_of(each.name), []).append(case)
    return cases


def _author_of(name: str) -> str:
    return next((who for start, who in AUTHORS.items() if name.startswith(start)), "first author")


def _lines(text: str) -> Counter[str]:
    visible = re.sub("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]", "", text)
    blanks = re.sub("[\xa0\u2009\u202f]", " ", visible)
    return Counter(line.rstrip() for line in blanks.split("\n") if line.strip())


def _figures(reader: Callable[[Case], str], cases: list[Case]) -> Figures:
    right = taken = meant = 0
    exact = old_moves = lost_moves = errors = 0
    for case in cases:
        try:
            found = _lines(reader(case))
        except Exception:  # noqa: BLE001  a library that fails on an email has read nothing of it
            found, errors = Counter(), errors + 1
        right += (found & case.fresh).total()
        taken += found.total()
        meant += case.fresh.total()
        exact += found == case.fresh
        old_moves += any(map(_is_move, found - case.fresh))
        lost_moves += any(map(_is_move, case.fresh - found))
    return Figures(right / taken, right / meant, exact, old_moves, lost_moves, errors)


def _is_move(line: str) -> bool:
    return any(_reads(game, line) for game in games())


def _reads(game: AnyGame, line: str) -> bool:
    try:
        readings: Any = game.read(line)
    except ActionError:
        return True
    return any(reading.counts for reading in readings)


if __name__ == "__main__":
    main()
