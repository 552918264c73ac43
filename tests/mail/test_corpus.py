"""Every mail in tests/data/mail: a new case is a new folder, and no code."""

from pathlib import Path

import pytest

from pbem.mail.incoming.message import read_message
from pbem.mail.incoming.reply_text import fresh_text
from pbem.mail.incoming.screening import Verdict, screen

CLUB = "club@games.example"
CASES = sorted((Path(__file__).parents[1] / "data" / "mail").iterdir())


def lines(text: str) -> list[str]:
    """Lines that say something: blank ones and blanks at line ends mean nothing in a mail."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def test_there_are_cases_for_every_verdict() -> None:
    seen = {(case / "verdict.txt").read_text().strip() for case in CASES}
    assert seen == set(Verdict)


@pytest.mark.parametrize("line_end", (b"\n", b"\r\n"), ids=("lf", "crlf"))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_mail_is_read_as_a_person_would(case: Path, line_end: bytes) -> None:
    raw = (case / "raw.eml").read_bytes().replace(b"\n", line_end)

    message = read_message(raw)
    screening = screen(message, CLUB)

    assert screening.verdict == (case / "verdict.txt").read_text().strip(), screening.reason
    if not screening.silent:
        expected = (case / "fresh.txt").read_text(encoding="utf-8")
        assert lines(fresh_text(message.text).fresh) == lines(expected)
