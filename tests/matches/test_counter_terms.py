"""A counter-offer changes only the terms it names."""

from __future__ import annotations

from hypothesis import given, strategies as st

from pbem.games import games
from pbem.matches.terms import read_options, usual_options
from pbem.matches.time_controls import all_switches

GAME = games()[0]
CONTROLS = ("days=3", "bank=30 inc=1", "bank=30 inc=1 cap=40", "total=90", "turns=10/50 nocarry")
SWITCHES = {"weekends": ("on", "off"), "grace": ("off", "12h", "2d"), "double": ("off", "20", "7")}
OTHERS = {
    "flag": ("director", "loss", "claim"),
    "substitutes": ("off", "on"),
    "results": ("end", "split"),
    "draw_offers": ("on", "off"),
    **{each.key: (each.format(each.default),) for each in GAME.info.options},
}


def some(values: dict[str, tuple[str, ...]]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(
        {}, optional={key: st.sampled_from(each) for key, each in values.items()}
    )


def read(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (word.partition("=") for word in text.split())}


def any_terms() -> st.SearchStrategy[dict[str, str]]:
    controls: list[dict[str, str]] = [{}, *map(read, CONTROLS)]
    parts = st.tuples(st.sampled_from(controls), some(SWITCHES), some(OTHERS))
    return parts.map(lambda each: each[0] | each[1] | each[2])


def test_every_switch_is_tried() -> None:
    assert set(SWITCHES) == set(all_switches())


@given(agreed=any_terms(), countered=any_terms())
def test_unnamed_terms_are_unchanged(agreed: dict[str, str], countered: dict[str, str]) -> None:
    usual = usual_options(GAME)
    before = read_options(GAME, agreed, usual)
    after = read_options(GAME, countered, before)
    timed = {*before.control.terms, *after.control.terms} - set(all_switches())
    if not timed & countered.keys():
        own = {key: before.control.terms.get(key) for key in timed}
        assert own == {key: after.control.terms.get(key) for key in timed}
    for key in all_switches():
        if key not in countered:
            assert after.control.terms.get(key) == before.control.terms.get(key)
    assert "draw_offers" in countered or after.draw_offers == before.draw_offers
    for old, new in ((before.chosen, after.chosen), (before.game, after.game)):
        unnamed = {*old, *new} - countered.keys()
        assert {key: old.get(key) for key in unnamed} == {key: new.get(key) for key in unnamed}
    assert after.unrated == before.unrated
