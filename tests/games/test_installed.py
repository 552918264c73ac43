"""Games of other distributions: found by entry points, and broken ones are named and left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games
from pbem.games.api import OptionError
from pbem.games.installed import Choice
from pbem.games.phrases import ENGLISH
from tests.support.distributions import FAMILY, Shelf, shelf
from tests.toys.pocket_games import Nim

OURS = ["lanko-88", "lanko-68", "lanko-103", "lanrick-1881", "lanrick-1893", "lancelot"]


@pytest.fixture
def installs(tmp_path: Path) -> Iterator[Shelf]:
    """A place to install distributions in."""
    with shelf(tmp_path / "site-packages") as here:
        yield here


def problems() -> dict[str, str]:
    """Return what is wrong with families, by distribution."""
    return {
        each.distribution: ENGLISH.text(each.problem)
        for each in games.families()
        if each.problem is not None
    }


def test_installed_game_is_one_of_the_games(installs: Shelf) -> None:
    installs.install("Toy_Nim", version="2.3")
    assert games.keys() == [*OURS, "nim"]
    assert games.provider_of(games.game_of("nim")) == "toy-nim 2.3"
    assert not problems()
    installs.uninstall("Toy_Nim")
    assert games.keys() == OURS


def test_upgrade_keeps_rules_that_it_names_as_older(installs: Shelf) -> None:
    installs.install("toy-nim", "FAMILY = Family(api=1, games=(nim(rules_version=2),))")
    with pytest.raises(OptionError, match=r"version 1 .* is unknown. The known version is 2"):
        games.game_of("nim", 1, "toy-nim 1.0")
    both = "FAMILY = Family(api=1, games=(nim(rules_version=2),), older=(nim(),))"
    installs.install("toy-nim", both, version="2.0")
    assert games.game_of("nim", 1, "toy-nim 1.0").info.rules_version == 1
    assert games.game_of("nim").info.rules_version == 2
    with pytest.raises(OptionError, match="this match is from other-nim"):
        games.game_of("nim", 1, "other-nim 1.0")


BROKEN = {
    "1 / 0": "cannot be loaded: ZeroDivisionError",
    "raise SystemExit(3)": "cannot be loaded: SystemExit: 3",
    "import no_such_library": "cannot be loaded: ModuleNotFoundError: No module named 'no_such",
    "": "cannot be loaded: AttributeError",
    "FAMILY = nim()": "should be a family of games, but its type is Nim",
    "FAMILY = Family(api=1, games=(object(),))": "but its type is object",
    "FAMILY = Family(api=99, games=(nim(),))": "written for version 99 of the games API, and this",
    "FAMILY = Family(api=1, games=())": "has no games",
    "FAMILY = Family(api=1, games=(nim(), nim()))": "must have different keys",
    "FAMILY = Family(api=1, games=(nim('Nim!'),))": "'Nim!' cannot be the key of a game",
    "FAMILY = Family(api=1, games=(nim(title='a\\nb'),))": "cannot have the title",
    "FAMILY = Family(api=1, games=(nim(seats=('first', '2nd')),))": "called '2nd'",
    "Nim.rules = lambda *_: ' '\n" + FAMILY: "nim has no rules for players",
    "from pbem.games.phrases import page\n"
    "Nim.rules = lambda *_: page('pbem_pocket', 'NONE.md', 'en')\n" + FAMILY: "NONE.md",
    "from pbem.games.phrases import Phrase\n"
    "FAMILY = Family(api=1, games=(nim(summary=Phrase('pbem_pocket.words', 'no-words')),))": (
        "nim does not work: PhraseError"
    ),
    "Nim.diagram = lambda *_: 1 / 0\n" + FAMILY: "nim does not work: ZeroDivisionError",
    "FAMILY = Family(api=1, games=(nim('lancelot'),))": "pbem itself has a game with the key lan",
}


@pytest.mark.parametrize(("code", "problem"), BROKEN.items())
def test_broken_family_is_named_and_affects_no_other(
    installs: Shelf, monkeypatch: pytest.MonkeyPatch, code: str, problem: str
) -> None:
    for name in ("rules", "diagram"):
        monkeypatch.setattr(Nim, name, getattr(Nim, name))
    installs.install("broken-nim", code)
    installs.install("good-nim", "FAMILY = Family(api=1, games=(nim('good'),))")
    assert problem in problems()["broken-nim"]
    assert games.keys() == ([*OURS, "good"] if "Nim." not in code else OURS)


def test_key_of_two_strangers_is_used_only_if_the_club_names_one(installs: Shelf) -> None:
    installs.install("a-nim")
    installs.install("b-nim", version="3.0")
    assert games.keys() == OURS
    assert problems()["a-nim"] == (
        "b-nim has a game with the key nim too. "
        'To use this one, add "a-nim:nim" to enabled in [games]'
    )
    assert 'add "b-nim:nim"' in problems()["b-nim"]
    games.choose(Choice(enabled=("*", "b-nim:nim")))
    assert games.provider_of(games.game_of("nim")) == "b-nim 3.0"
    assert set(problems()) == {"a-nim"}
    games.choose(Choice(enabled=("*", "a-nim:nim", "b-nim:nim")))
    assert set(problems()) == {"a-nim", "b-nim"}


def test_enabled_and_disabled_games(installs: Shelf) -> None:
    installs.install("a-nim")

    def offered(*enabled: str, disabled: tuple[str, ...] = ()) -> list[str]:
        games.choose(Choice(enabled, disabled))
        assert games.keys() == [*OURS, "nim"]
        return [game.info.key for game in games.offered()]

    assert offered("*") == [*OURS, "nim"]
    assert offered("*", disabled=("lancelot", "a-nim:nim")) == OURS[:-1]
    assert offered("nim", "lancelot") == ["lancelot", "nim"]
    assert offered("a-nim:nim") == ["nim"]
    assert offered("b-nim:nim") == []
