"""Test lists: lines for people, JSON for programs, and a sentence if a list is empty."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.games import games
from pbem.games.phrases import ENGLISH
from tests.cli.test_commands import Shell, with_players

PEOPLE = ("Anna", "Bert", "Clara")


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    return shell


@pytest.fixture
def busy(shell: Shell) -> Shell:
    """Add a match, a set, a series 1, a tournament 2 and a series 3."""
    with_players(shell, *PEOPLE)
    for words in (
        ("match", "new", "lanko-68", "Anna", "Bert", "--days", "3"),
        ("match", "new", "lancelot", "Anna", "Bert", "--days", "0"),
        ("set", "new", "lanko-68", *PEOPLE),
        ("series", "new", "lanrick-1893", "Anna", "Bert", "--games", "4"),
        ("tournament", "new", "lanrick-1893", *PEOPLE),
        ("series", "new", "lanrick-1881", "Bert", "Clara", "--games", "2"),
    ):
        assert shell(*words).exit_code == 0
    return shell


def told(shell: Shell, *words: str) -> Any:
    return json.loads(shell(*words, "--json").stdout)


@pytest.mark.parametrize(
    ("words", "nothing"),
    (
        (("member", "list"), "there is no member yet"),
        (("match", "list"), "no match is in play"),
        (("match", "list", "--all"), "there is no match yet"),
        (("set", "list"), "there is no set yet"),
        (("series", "list"), "there is no series yet"),
        (("tournament", "list"), "there is no tournament yet"),
        (("mail", "list"), "no email"),
        (("shunt", "list"), "no email is set aside"),
    ),
)
def test_empty_list_says_so(shell: Shell, words: tuple[str, ...], nothing: str) -> None:
    result = shell(*words)
    assert (result.exit_code, result.stdout) == (0, f"{nothing}\n")
    assert told(shell, *words) == []


def test_matches_show_the_deadline(busy: Shell) -> None:
    timed, untimed, *_ = busy("match", "list").stdout.splitlines()
    assert re.search(r"; turn 1, S to act, due 20\d\d-\d\d-\d\d \d\d:\d\d UTC$", timed)
    assert untimed.endswith("; turn 1, red to act, no clock")
    assert timed in busy("match", "show", "1").stdout.splitlines()
    first, second, *_ = told(busy, "match", "list")
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", first["due_at"])
    assert (first["to_act"], first["player_to_act"], second["due_at"]) == ("S", "Anna", None)
    assert {**told(busy, "match", "show", "1"), "turns": None} == {**first, "turns": None}


def test_bot_has_no_deadline(busy: Shell) -> None:
    begun = busy("match", "new", "lancelot", "--bot", "greedy", "--bot", "random").output
    assert begun.endswith(
        "red bot-greedy, blue bot-random; turn 1, red to act, no clock is running\n"
    )
    assert told(busy, "match", "list")[-1]["due_at"] is None


def test_sets_series_and_tournaments_are_listed_by_kind(busy: Shell) -> None:
    assert "set 1: lanko-68, Anna, Bert, Clara; 0 of 3 ended" in busy("set", "list").stdout
    assert [line.partition(";")[0] for line in busy("series", "list").stdout.splitlines()] == [
        "series 1: lanrick-1893, Anna, Bert",
        "series 3: lanrick-1881, Bert, Clara",
    ]
    assert busy("tournament", "list").stdout.startswith("tournament 2: lanrick-1893, Anna, Bert, C")
    for kind, number, matches in (("set", 1, 3), ("series", 3, 2), ("tournament", 2, 3)):
        [shown] = [each for each in told(busy, kind, "list") if each["number"] == number]
        assert (shown["matches"], shown["ended"], shown["over"]) == (matches, 0, False)
        assert shown == told(busy, kind, "show", str(number))


def test_number_of_another_kind_is_pointed_to_its_command(busy: Shell) -> None:
    together = "Series and tournaments share one numbering."
    for words, sentence in (
        (("series", "show", "2"), f"2 is a tournament. See pbem tournament show 2. {together}"),
        (("tournament", "show", "3"), f"3 is a series. See pbem series show 3. {together}"),
        (("series", "show", "7"), "there is no series 7. The numbers are: 1, 3"),
        (("set", "show", "2"), "there is no set 2; 2 is a tournament. See pbem tournament show 2"),
        (("set", "show", "7"), "there is no set 7"),
    ):
        result = busy(*words)
        assert (result.exit_code, result.stderr) == (1, f"pbem: {sentence}\n")
    for kind in ("series", "tournament"):
        assert together in " ".join(busy(kind, "--help").output.split())


def test_members_are_listed_as_json(busy: Shell) -> None:
    anna, *_ = told(busy, "member", "list")
    shown = told(busy, "member", "show", "anna")
    assert shown.pop("reliability")["turns"] == 0
    assert anna == shown
    assert (anna["name"], anna["addresses"]) == (
        "Anna",
        [{"address": "anna@mail.example", "failed_at": None}],
    )
    assert anna["matches"][:2] == [1, 2]


def test_every_game_is_listed_with_its_options(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    text, listed = shell("games").stdout, told(shell, "games")
    assert [game["key"] for game in listed] == [game.info.key for game in games()]
    for game in games():
        assert f"{game.info.key}: {game.info.title}, for 2" in text
        for option in game.info.options:
            default, meaning = option.format(option.default), ENGLISH.text(option.help)
            assert f"--option {option.key}={default}  {meaning}" in text
    assert "5 players: red; blue; yellow; green; violet" in text
    assert "3 players: S; W+E; N (partners: S+N)" in text


def test_listed_options_can_be_agreed(busy: Shell) -> None:
    for game in told(busy, "games"):
        options = [f"--option={each['key']}={each['default']}" for each in game["options"]]
        names = PEOPLE[: game["players"][0]]
        assert busy("match", "new", game["key"], *names, *options).exit_code == 0


def test_members_settings_can_be_changed_on_the_command_line(shell: Shell) -> None:
    with_players(shell, *PEOPLE)
    shell("match", "new", "lancelot", "Anna", "Bert")
    assert shell("member", "set", "Anna", "zone", "Warsaw").stdout == "Anna: zone Europe/Warsaw\n"
    assert shell("member", "mails", "anna", "1", "turn").stdout == "Anna: mails 1 turn\n"
    listed = shell("member", "settings", "Anna").stdout
    assert "zone Europe/Warsaw\n" in listed
    assert "mails 1 turn\n" in listed
    for wrong, told in (
        (("set", "Anna", "colour", "red"), "there is no setting colour"),
        (("set", "Anna", "zone", "Nowhere"), "Nowhere"),
        (("mails", "Anna", "1", "none"), "none is not a choice"),
        (("mails", "Anna", "7", "all"), "7"),
    ):
        refused = shell("member", *wrong)
        assert refused.exit_code == 1
        assert refused.stderr.startswith("pbem: ")
        assert told in refused.stderr
