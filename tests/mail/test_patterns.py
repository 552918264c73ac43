"""No pattern takes more than linear time, whatever it is asked to read.

What is linear takes a mebibyte in less than a second. What is not would take hours, so that the
time limit of a test tells the two apart on any machine.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import pbem.games
import pbem.mail
import pbem.matches
import pbem.service
from tests.mail.patterns import Used, attacks_on, patterns_of

MEBIBYTE = 2**20
PACKAGES = (pbem.games, pbem.mail, pbem.matches, pbem.service)
PATTERNS = {place: it for package in PACKAGES for place, it in patterns_of(package).items()}


def test_the_patterns_are_found() -> None:
    assert any("reply_text" in place for place in PATTERNS)
    assert any("lanko.notation" in place for place in PATTERNS)
    assert len(PATTERNS) > 50


@pytest.mark.timeout(120)
@pytest.mark.parametrize("place", PATTERNS)
def test_a_pattern_is_linear(place: str) -> None:
    for attack in attacks_on(PATTERNS[place].pattern):
        text = attack.way_in + attack.round * (MEBIBYTE // len(attack.round))
        for end in ("", "\0", "!"):
            ask(PATTERNS[place], text + end)


def ask(used: Used, text: str) -> None:
    pattern = used.pattern
    subject: Any = text
    if isinstance(pattern.pattern, bytes):
        subject = text.encode("latin-1", "replace")
    if used.ways & {"search", "findall", "finditer", "sub", "split"}:
        pattern.search(subject)
    if "match" in used.ways:
        pattern.match(subject)
    if "fullmatch" in used.ways:
        pattern.fullmatch(subject)


@pytest.mark.parametrize("bad", (r"(a+)+b", r"(\w|a)*-", r"x(\s*,?\s*)*y"))
def test_the_attacks_wear_a_bad_pattern_out(bad: str) -> None:
    """Tried on a few signs only, where worse than linear shows without lasting."""
    rounds = [attack for attack in attacks_on(re.compile(bad)) if attack.round]

    assert rounds
    for attack in rounds:
        assert re.compile(bad).fullmatch(attack.way_in + attack.round * 5) is None
