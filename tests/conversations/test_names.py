"""Names of members: which are free, and why others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.commands import command_words
from pbem.service.members.names import (
    NameRefused,
    free_name,
    misleading_names,
    nearest_names,
)
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House


@pytest.mark.parametrize(
    ("text", "reason", "free"),
    (
        ("anna", "the name Anna is taken", ("anna 2", "anna 3")),
        ("\N{CYRILLIC CAPITAL LETTER A}nna", "and that name is taken", None),
        ("resign", "resign has another meaning", ("resign 2", "resign 3")),
        ("No", "No has another meaning", None),
        ("confirm", "confirm has another meaning", None),
        ("Lancelot", "Lancelot has another meaning", None),
        ("bot-greedy", "has another meaning", None),
        ("Greedy 7", "has another meaning", None),
        ("Director", "has another meaning", ("Newcomer 2", "Newcomer 3")),
        (
            "The Dírector".replace("í", "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}"),
            "has another meaning",
            None,
        ),
        ("Director Bert", "has another meaning", ("Bert", "Bert 2")),
        ("a member", "has another meaning", None),
        ("Former member 17", "has another meaning", None),
        ("E5", "has another meaning", ("Newcomer 2", "Newcomer 3")),
        ("E-5", "has another meaning", None),
        ("ADMIN", "has another meaning", None),
        ("Adm1n", "has another meaning", None),
        ("ADMINiSTRATOR", "has another meaning", None),
        ("THE DIRECTOR", "has another meaning", None),
        ("Arbıter", "has another meaning", None),
        ("MAILER-DAEMON", "has another meaning", None),
        ("WHITE", "has another meaning", None),
        ("RESIGN", "has another meaning", None),
        ("LANRICK", "has another meaning", None),
        ("Your partner", "has another meaning", None),
        ("K8", "has another meaning", None),
        ("d11", "has another meaning", None),
        ("\N{CYRILLIC CAPITAL LETTER KA}8", "has another meaning", None),
        ("Arbiter", "has another meaning", None),
        ("The Arbiter", "has another meaning", None),
        ("TheArbiter", "has another meaning", None),
        ("A r b i t e r", "has another meaning", None),
        ("Webrnaster", "has another meaning", None),
        ("W\N{LATIN LETTER SMALL CAPITAL E}bmaster", "has another meaning", None),
        ("Support 24", "has another meaning", None),
        ("Schiedsrichter", "has another meaning", None),
        ("None", "has another meaning", None),
        ("Somebody", "has another meaning", None),
        ("Everyone", "has another meaning", None),
        ("Niemand", "has another meaning", None),
        ("Violet", "has another meaning", None),
        ("A\u0274\u0274\u1d00", "the name Anna is taken", None),
        ("Clara <3", "a name has only letters", ("Clara 3", "Clara 3 2")),
        ("x", "2 to 32 characters", ("Newcomer 2", "Newcomer 3")),
    ),
)
def test_unavailable_name_gets_the_reason_and_two_free_names(
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


NAMES = Path(__file__).parent.parent / "data" / "first_names.txt"


def test_first_names_of_many_languages_are_free(house: House) -> None:
    names = NAMES.read_text("utf-8").split()
    seat, word = "Violet", "Can"  # refused on their own, fine with a second word
    with reading(house.club) as work:
        refused = {name for name in names if not is_free(work, name)}
        assert refused == {seat, word}
        assert all(is_free(work, f"{name} {name}") for name in names if len(name) < 16)


def is_free(work: Work, name: str) -> bool:
    try:
        return free_name(work, name, command_words()) == name
    except NameRefused:
        return False


def test_misleading_name_is_kept_and_reported_to_the_operator(house: House) -> None:
    for name in ("Anna", "Arbiter", "\u0274one", "E5", "A\u0274\u0274\u1d00"):
        house.player(name)
    house.bots("greedy")
    with reading(house.club) as work:
        named = misleading_names(work, command_words())
    assert set(named) == {"Arbiter", "E5", "\u0274one", "A\u0274\u0274\u1d00"}


def test_member_may_respell_their_own_name(house: House) -> None:
    anna = house.player("Anna")
    assert anna.player is not None
    with reading(house.club) as work:
        assert free_name(work, "ANNA", command_words(), own=anna.player.id) == "ANNA"


def test_wrong_name_suggests_the_nearest(house: House) -> None:
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
