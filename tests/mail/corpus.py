"""The mails in tests/data/mail, and the letters that were sent to their authors."""

from __future__ import annotations

from pathlib import Path

from pbem.mail.reply.witness import Witness

DATA = Path(__file__).parents[1] / "data"
CASES = sorted((DATA / "mail").iterdir())
USUAL = DATA / "letters" / "turn.txt"
"""What most of the mails answer, whole or a piece of it."""


def sent_in(case: Path) -> Witness:
    """The letter that a case answers; the usual one where it names none and has none of its own.

    `letter.txt` names one of those that several answer, in tests/data/letters; either has HTML
    beside its text, if it was sent with any.
    """
    text = _letter_of(case)
    page = text.with_suffix(".html")
    pages = (page.read_text(encoding="utf-8"),) if page.exists() else ()
    return Witness((text.read_text(encoding="utf-8"),), pages)


def has_letter(case: Path) -> bool:
    """Whether a case can only be read with the letter that it answers."""
    return _letter_of(case) != USUAL


def _letter_of(case: Path) -> Path:
    if (case / "letter.txt").exists():
        name = (case / "letter.txt").read_text(encoding="utf-8").strip()
        return DATA / "letters" / f"{name}.txt"
    own = case / "sent.txt"
    return own if own.exists() else USUAL
