"""The mails in tests/data/mail, and the letters that were sent to their authors."""

from __future__ import annotations

from pathlib import Path

from pbem.mail.reply.witness import Witness

DATA = Path(__file__).parents[1] / "data"
CASES = sorted((DATA / "mail").iterdir())
USUAL = DATA / "letters" / "turn.txt"
"""What most of the mails answer, whole or a piece of it."""


def sent_in(case: Path) -> Witness:
    """The letter that a case answers, in HTML too if it had it; else the usual one."""
    own, page = case / "sent.txt", case / "sent.html"
    letter = (own if own.exists() else USUAL).read_text(encoding="utf-8")
    return Witness((letter,), (page.read_text(encoding="utf-8"),) if page.exists() else ())
