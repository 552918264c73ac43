"""Test that the example worked by hand in docs/ratings.md is right."""

from __future__ import annotations

from pathlib import Path

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.matches.ratings import EARLY_TURNS, NEW, PROVISIONAL, Rating

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8").split())


def shown(rating: Rating) -> str:
    return f"**{rating.value} ± {rating.uncertainty}**"


def test_example_has_the_ratings_of_openskill() -> None:
    rater = OpenSkillRater()
    [anna], [bert] = rater.rate([[NEW], [NEW]], [0, 1])
    assert f"Anna's mean is {anna.mean:.3f}, Bert's {bert.mean:.3f}" in PAGE
    assert f"0.0632, and *s* = 8.334 · √0.9368 = {anna.deviation:.3f}" in PAGE
    assert f"Anna is 1500 + 30 · {anna.mean - 25:.3f} = {shown(anna)}, Bert {shown(bert)}" in PAGE
    [after], [clara] = rater.rate([[anna], [NEW]], [1, 0])
    assert f"0.550 = {anna.mean - after.mean:.3f}. Her mean is {after.mean:.3f}" in PAGE
    assert f"0.550 = {clara.mean - NEW.mean:.3f}. Her mean is {clara.mean:.3f}" in PAGE
    assert shown(after) in PAGE
    assert shown(clara) in PAGE


def test_page_states_the_limits_of_the_code() -> None:
    assert PROVISIONAL == 10
    assert "fewer than ten matches" in PAGE
    assert f"up to turn {EARLY_TURNS * 2}, with four up to turn {EARLY_TURNS * 4}" in PAGE
    assert "model `BradleyTerryFull`" in PAGE
    assert OpenSkillRater().method.split("-")[1] in PAGE
