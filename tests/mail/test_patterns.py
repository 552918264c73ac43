"""No pattern takes more than linear time on any input.

A linear pattern reads 128 KiB in a moment. Any other would take minutes, so the time limit of a
test tells the two apart on any machine.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import pbem.games
import pbem.mail
import pbem.matches
import pbem.service
from pbem.mail.identity import Identity
from pbem.mail.message.body import delimiter_line
from tests.mail.patterns import Used, attacks_on, patterns_of
from tests.toys.pocket_games import HEXAPAWN, NIM

LENGTH = 2**17
PACKAGES = (pbem.games, pbem.mail, pbem.matches, pbem.service)
PATTERNS = {place: it for package in PACKAGES for place, it in patterns_of(package).items()}
KNOWN = Identity(
    ("Anna Maria <Ó>", "Ann"), ("anna.m@ósmy.example", "a@b.example"), "former member 1"
)
PATTERNS |= {
    f"identity: {made.pattern}": Used(made, frozenset({"search"}))
    for made in (KNOWN._named, KNOWN._addressed)
}
PATTERNS |= {
    f"{game.info.key} {name}": Used(getattr(game, name), frozenset({"fullmatch", "finditer"}))
    for game in (HEXAPAWN, NIM)
    for name in ("_alone", "_line", "_in_prose")
}
PATTERNS["delimiter line"] = Used(delimiter_line(b"--a"), frozenset({"finditer"}))


def test_patterns_are_found() -> None:
    assert any("quoted_head" in place for place in PATTERNS)
    assert any("lanko.notation" in place for place in PATTERNS)
    assert len(PATTERNS) > 50


@pytest.mark.thorough
@pytest.mark.timeout(30)
@pytest.mark.parametrize("place", PATTERNS)
def test_pattern_is_linear(place: str) -> None:
    for attack in attacks_on(PATTERNS[place].pattern):
        text = attack.way_in + attack.round * (LENGTH // len(attack.round))
        for end in ("", "\0"):
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


def test_every_way_into_a_repeat_is_tried() -> None:
    attacks = attacks_on(re.compile(r"x(a+|b)+\s*,*\s*y"))

    assert {("x", "a"), ("x", "b")} <= set(attacks)
    assert {attack.round for attack in attacks} >= {" ", ","}
