"""Emails that no client sends: the mutated corpus, and mutations that once broke something.

`make fuzz` runs for as long as you ask, and stores what it finds in tests/data/fuzz.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.mail.mutations import corpus, findings, mutated
from tests.mail.promises import check
from tests.support.examples import examples


@cache
def mails() -> list[bytes]:
    return corpus()


@settings(max_examples=examples(75), derandomize=True, deadline=None, database=None)
@given(chance=st.randoms(use_true_random=False))
def test_mutated_email_is_read_or_refused_but_breaks_nothing(chance: Random) -> None:
    check(mutated(chance, mails()))


@pytest.mark.parametrize("file", findings(), ids=lambda file: file.stem)
def test_earlier_findings_no_longer_break_anything(file: Path) -> None:
    check(file.read_bytes())


@pytest.mark.thorough
def test_every_email_of_the_corpus_keeps_the_promises() -> None:
    for raw in mails():
        check(raw)
