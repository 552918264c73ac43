"""Years of a club by its use cases: two implementations agree on every clock, flag and reminder.

`Years` says what holds at every moment. Time is conserved to the second. Clocks run for at most one
player and never during a pause. No flag falls while an earlier email waits. `python -m
tests.years.soak SECONDS [SEED]` runs longer.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import Phase, given, note, settings, strategies as st

from tests.support.examples import examples
from tests.years.years import Years

STEPS = 40


@settings(
    max_examples=examples(10),
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_clock_is_right_for_years(seed: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        years = Years(Path(home), random.Random(seed))
        try:
            years.lives(STEPS)
        except AssertionError:
            note("\n".join(years.lived))
            raise
