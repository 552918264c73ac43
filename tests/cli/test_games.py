"""Test games of other distributions on the command line: `pbem games`, `doctor` and `verify`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.cli.context import opened
from pbem.cli.doctor.finding import Examined, Finding
from pbem.cli.doctor.games import installed_games, waiting_matches
from pbem.cli.exit_statuses import ExitStatus
from pbem.run.config import ConfigError, load_config
from pbem.service.club import Club
from pbem.service.play.missing_games import look_for_games
from pbem.service.status import status_of
from tests.cli.test_commands import Shell, with_players
from tests.support.distributions import Shelf, shelf


@pytest.fixture
def installs(tmp_path: Path) -> Iterator[Shelf]:
    """A place to install distributions in. Nim is installed."""
    with shelf(tmp_path / "site-packages") as here:
        here.install("toy-nim", version="1.2")
        yield here


@pytest.fixture
def shell(club_folder: Path, installs: Shelf) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    return shell


def with_games(shell: Shell, line: str) -> None:
    """Put a line into `[games]` of the configuration."""
    path = shell.folder / "pbem.toml"
    path.write_text(path.read_text().replace("[games]\n", f"[games]\n{line}\n"))


@contextmanager
def club_of(shell: Shell) -> Iterator[Club]:
    """The club of a shell."""
    with opened(load_config(shell.folder / "pbem.toml")) as club:
        yield club


def findings(shell: Shell) -> list[Finding]:
    """Return what doctor says of games."""
    config = load_config(shell.folder / "pbem.toml")
    with club_of(shell) as club:
        examined = Examined(config, club, status_of(club))
        return [*installed_games(config), *waiting_matches(examined)]


def test_doctor_names_unusable_settings_of_a_family(shell: Shell) -> None:
    with_games(shell, 'enabled = ["*"]\n[games.go]\nsize = 19')
    (advice,) = [each.advice for each in findings(shell) if each.advice]
    assert "[games.go] is for no game that is installed" in advice
    with_games(shell, "size = 19")
    with pytest.raises(ConfigError, match="size is not a key of"):
        load_config(shell.folder / "pbem.toml")


BOTS = """
def bots(settings):
    raise ValueError(f"engine is {settings['engine']}, which is no program")

FAMILY = Family(api=1, games=(nim(),), bots=bots)
"""


def test_doctor_names_bots_that_cannot_play(shell: Shell, installs: Shelf) -> None:
    with_games(shell, "[games.toy-nim]\nengine = 7")
    installs.install("toy-nim", BOTS)
    (found,) = [each.trouble for each in findings(shell) if each.trouble]
    assert "[games.toy-nim]: engine is 7, which is no program. Its bots cannot play" in found


def test_games_shows_origin_versions_and_broken_families(shell: Shell, installs: Shelf) -> None:
    installs.install("broken-nim", "1 / 0", version="3.0")
    with_games(shell, 'disabled = ["NIM"]')
    text = shell("games").stdout
    assert "  from pbem 1.0.0, rules version 2\n" in text
    assert "nim: Nim, for 2 players\n  from toy-nim 1.2, rules version 1; takes no new" in text
    assert "cannot be used: broken-nim, from broken-nim 3.0: it cannot be loaded: ZeroDiv" in text
    *_, nim = json.loads(shell("games", "--json").stdout)
    assert (nim["distribution"], nim["version"], nim["rules_version"]) == ("toy-nim", "1.2", 1)
    assert nim["offered"] is False


def test_doctor_names_broken_families_and_unknown_names(shell: Shell, installs: Shelf) -> None:
    assert [each.state for each in findings(shell)] == ["ok"]
    installs.install("broken-nim", "FAMILY = Family(api=7, games=(nim('other'),))", version="3.0")
    with_games(shell, 'enabled = ["*", "toy_nim:nim", "draughts"]')
    bad, advice, well = findings(shell)
    assert bad.state == "bad"
    assert bad.text == (
        "broken-nim, from broken-nim 3.0: it was written for version 7 of the games API, and this "
        "pbem knows 1. Update or uninstall it. No other game is affected."
    )
    assert advice.text == "[games] names draughts, but no such game is installed."
    assert well.text == "7 games, from pbem 1.0.0, toy-nim 1.2"


def test_name_that_no_game_can_have_is_refused(shell: Shell) -> None:
    with_games(shell, 'disabled = ["what is this"]')
    result = shell("games")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert "[games] disabled.0: 'what is this' is not the name of a game." in result.output


def test_disabled_game_is_not_started(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    with_games(shell, 'disabled = ["lancelot", "pbem:lanrick-1881"]')
    for words in (("match", "new", "lancelot"), ("series", "new", "lanrick-1881", "--games", "2")):
        result = shell(*words, "Anna", "Bert")
        assert result.exit_code == ExitStatus.REFUSED
        assert "this club starts no new matches of Lan" in result.output
    assert shell("match", "new", "nim", "Anna", "Bert").exit_code == 0


def test_waiting_match_is_listed_and_verified_without_its_game(
    shell: Shell, installs: Shelf
) -> None:
    with_players(shell, "Anna", "Bert")
    shell("match", "new", "nim", "Anna", "Bert")
    shell("match", "new", "lancelot", "Anna", "Bert")
    installs.uninstall("toy-nim")
    bad = findings(shell)[-1]
    assert bad.text == (
        "matches wait for nim, rules version 1 of toy-nim 1.2: 1. "
        "Install it, and restart the club's services."
    )
    told = shell("archive", "verify").stdout
    assert "not replayed: 1 match of games that are not installed (nim)" in told
    for line in ("match list", "match show 1", "member show Anna"):
        result = shell(*line.split())
        assert result.exit_code == 0, result.output
    assert "Nim" in shell("match", "show", "1").stdout
    with club_of(shell) as club:
        look_for_games(club)
    assert "waits for its game, which is not installed" in shell("match", "list").stdout
    for line in ("status", "match list --json", "match show 1 --json"):
        assert "Traceback" not in shell(*line.split()).output
    assert shell("match", "cancel", "1", "It won't come back").exit_code == 0
    assert shell("archive", "publish", "--all").exit_code == 0
    assert shell("archive", "verify").exit_code == 0
    installs.install("toy-nim", version="1.2")
    assert shell("archive", "publish").exit_code == 0
    assert "every match can be replayed" in shell("archive", "verify").stdout
