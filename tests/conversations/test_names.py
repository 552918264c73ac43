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
        ("E5", "means something else", ("Newcomer 2", "Newcomer 3")),
        ("E-5", "means something else", None),
        ("ADMIN", "means something else", None),
        ("Adm1n", "means something else", None),
        ("ADMINiSTRATOR", "means something else", None),
        ("THE DIRECTOR", "means something else", None),
        ("Arbıter", "means something else", None),
        ("MAILER-DAEMON", "means something else", None),
        ("WHITE", "means something else", None),
        ("RESIGN", "means something else", None),
        ("LANRICK", "means something else", None),
        ("Your partner", "means something else", None),
        ("K8", "means something else", None),
        ("d11", "means something else", None),
        ("\N{CYRILLIC CAPITAL LETTER KA}8", "means something else", None),
        ("Arbiter", "means something else", None),
        ("The Arbiter", "means something else", None),
        ("TheArbiter", "means something else", None),
        ("A r b i t e r", "means something else", None),
        ("Webrnaster", "means something else", None),
        ("W\N{LATIN LETTER SMALL CAPITAL E}bmaster", "means something else", None),
        ("Support 24", "means something else", None),
        ("Schiedsrichter", "means something else", None),
        ("None", "means something else", None),
        ("Somebody", "means something else", None),
        ("Everyone", "means something else", None),
        ("Niemand", "means something else", None),
        ("Violet", "means something else", None),
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
