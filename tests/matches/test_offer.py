"""Offers: their promises hold after any sequence of steps."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pbem.games.lancelot import LANCELOT
from pbem.matches.offer import Offer, OfferEntry, State
from pbem.matches.offer_terms import OfferError, OfferTerms
from pbem.matches.terms import place_of, read_options, usual_options

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LATER = NOW + timedelta(days=14)
ANNA, BERT, CLARA, DORA = 1, 2, 3, 4
TERMS = OfferTerms("lancelot", 3, usual_options(LANCELOT))
OTHERS = OfferTerms("lancelot", 3, read_options(LANCELOT, {"days": "9"}, TERMS.options))

PEOPLE = st.sampled_from((ANNA, BERT, CLARA, DORA))
PLACES = st.one_of(st.none(), st.integers(0, 2))
STEPS = st.one_of(
    *(st.tuples(st.just(name), PEOPLE, PLACES) for name in ("accept", "take")),
    *(st.tuples(st.just(name), PEOPLE) for name in ("decline", "leave", "withdraw")),
    st.tuples(st.just("counter"), PEOPLE, st.sampled_from((TERMS, OTHERS)), st.just(LATER), PLACES),
    st.tuples(st.just("lapse")),
)


def challenge() -> Offer:
    asked = (OfferEntry(player, accepted=False) for player in (BERT, CLARA))
    return Offer(TERMS, (OfferEntry(ANNA, place=0), *asked), NOW, LATER, number=7)


def table() -> Offer:
    return Offer(TERMS, (OfferEntry(ANNA),), NOW, LATER, open=True, number=7)


@given(st.sampled_from((challenge(), table())), st.lists(STEPS, max_size=12))
def test_offer_stays_consistent_after_any_steps(offer: Offer, steps: list[tuple[Any, ...]]) -> None:
    for name, *values in steps:
        before = offer
        with suppress(OfferError):
            offer = getattr(offer, name)(*values)
        places = [entry.place for entry in offer.entries if entry.place is not None]
        assert len(set(places)) == len(places)
        assert len(set(offer.players)) == len(offer.players) <= TERMS.players
        assert offer.owner == ANNA
        assert offer.revision - before.revision in (0, 1)
        assert before.stands or offer == before
        if offer.complete:
            assert sorted(offer.seated(lambda count: count - 1)) == sorted(offer.players)
            offer = offer.begin("match 1")
    assert not offer.complete


def test_counter_offer_is_accepted_by_its_maker_only() -> None:
    offer = challenge().accept(BERT).counter(CLARA, OTHERS, LATER, place=0)
    assert (offer.accepted, offer.asked) == ((CLARA,), (ANNA, BERT))
    assert offer.place_of(ANNA) is None
    done = offer.accept(ANNA).accept(BERT)
    assert done.seated(lambda _: 0) == (CLARA, ANNA, BERT)


def test_challenge_is_hidden_from_others() -> None:
    for over in (False, True):
        offer = challenge().withdraw(ANNA) if over else challenge()
        for act in (offer.accept, offer.decline, offer.take, offer.leave, offer.withdraw):
            with pytest.raises(OfferError, match="there is no offer 7"):
                act(DORA)
    assert challenge().decline(BERT).state is State.DECLINED


def test_place_of_a_seat_is_that_of_its_holder() -> None:
    assert [place_of(LANCELOT, 3, seat) for seat in ("red", "YELLOW", "any")] == [0, 2, None]
