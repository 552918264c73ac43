"""Names of members: which are free, and what is told of those that are not."""

from __future__ import annotations

import pytest

from pbem.commands import command_words
from pbem.service.members.names import NameRefused, free_name, nearest_names
from pbem.service.work import reading, writing
from tests.conversations.house import House


@pytest.mark.parametrize(
    ("text", "reason", "free"),
    (
        ("anna", "the name Anna is taken", ("anna 2", "anna 3")),
        ("\N{CYRILLIC CAPITAL LETTER A}nna", "and that name is taken", None),
        ("resign", "resign means something else", ("resign 2", "resign 3")),
        ("No", "No means something else", None),
        ("confirm", "confirm means something else", None),
        ("Lancelot", "Lancelot means something else", None),
        ("bot-greedy", "means something else", None),
        ("Greedy 7", "means something else", None),
        ("Director", "means something else", ("Newcomer 2", "Newcomer 3")),
        (
            "The Dírector".replace("í", "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}"),
            "means",
            None,
        ),
        ("Director Bert", "means something else", ("Bert", "Bert 2")),
        ("a member", "means something else", None),
        ("Former member 17", "means something else", None),
        ("Clara <3", "a name has letters", ("Clara 3", "Clara 3 2")),
        ("x", "2 to 32 characters", ("Newcomer 2", "Newcomer 3")),
    ),
)
def test_a_name_that_is_not_free_gets_the_reason_and_two_that_are(
    house: House, text: str, reason: str, free: tuple[str, str] | None
) -> None:
    house.player("Anna")
    house.bots("greedy")
    with reading(house.club) as work:
        with pytest.raises(NameRefused) as refused:
            free_name(work, text, command_words())
        assert reason in refused.value.reason
        assert free in (None, refused.value.free)
        for each in refused.value.free:
            assert free_name(work, each, command_words()) == each


def test_who_has_a_name_may_write_it_otherwise(house: House) -> None:
    anna = house.player("Anna")
    assert anna.player is not None
    with reading(house.club) as work:
        assert free_name(work, "ANNA", command_words(), own=anna.player.id) == "ANNA"


def test_a_wrong_name_is_known_by_the_nearest_ones(house: House) -> None:
    for name in ("Anna Kowalska", "Bert", "Berta"):
        house.player(name)
    with reading(house.club) as work:
        assert nearest_names(work, "kowalska") == ("Anna Kowalska",)
        assert nearest_names(work, "Brt") == ("Bert", "Berta")
        assert nearest_names(work, "Xaver") == ()
    with writing(house.club) as work:
        bert = work.players.named("Bert")
        assert bert is not None
        work.players.choose(bert.id, "page", "hidden")
        assert nearest_names(work, "Brt") == ("Berta",)
        assert nearest_names(work, "Brt", hidden=True) == ("Bert", "Berta")
