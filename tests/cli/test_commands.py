"""Test the command line as its user sees it."""

from __future__ import annotations

import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.logs import log_to_stderr
from pbem.mail.topic import match_key
from pbem.ports.people import AbsenceNotice
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from tests.support.stored import claim, outgoing


class Shell:
    """Run commands in a folder with a configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(command_line(words), list(words), input=typed)


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    return shell


def with_players(shell: Shell, *names: str) -> None:
    for name in names:
        assert shell("member", "add", name, f"{name.lower()}@mail.example").exit_code == 0


def test_init_writes_private_file(shell: Shell) -> None:
    assert stat.S_IMODE((shell.folder / "pbem.toml").stat().st_mode) == 0o600


def test_command_closes_database(shell: Shell) -> None:
    with_players(shell, "Anna")
    # SQLite keeps a second file next to the database while it is open.
    assert [file.name for file in (shell.folder / "club").glob("pbem.sqlite*")] == ["pbem.sqlite"]


def test_two_clubs_have_different_secrets(shell: Shell) -> None:
    shell("init", "other.toml", "--defaults")
    secrets = [
        next(line for line in path.read_text().splitlines() if line.startswith("secret ="))
        for path in shell.folder.glob("*.toml")
    ]
    assert len(set(secrets)) == 2


def test_configuration_that_others_can_read_is_refused(shell: Shell) -> None:
    (shell.folder / "pbem.toml").chmod(0o644)
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert "chmod 600" in result.output


@pytest.mark.parametrize(
    ("old", "new", "told"),
    (
        ('user = ""', 'user = ""\nuser = "club"', "cannot read"),
        ('# folder = "INBOX"', 'fodler = "INBOX"', "[imap] fodler"),
        ('name = "pbem"', 'name = "pbem\\n"', "[club] name"),
        ("# mails_an_hour = 60", 'mails_an_hour = "many"', "[policy] mails_an_hour"),
        ("club@localhost.localdomain", "a" * 30 + "@games.example", "[club] address"),
        ("secret_version = 1", "secret_version = one", "cannot read"),
        ("# rate = 0", "rate = -1", "[smtp] rate: "),
        (
            "# domain_rates = {}",
            'domain_rates = {"@x.example" = 5}',
            "'@x.example' is not a domain",
        ),
        (
            "secret_version = 1",
            'secret_version = 1\nold_secrets.0 = ""',
            "[club] old_secrets.0: it",
        ),
    ),
)
def test_invalid_configuration_names_the_key(shell: Shell, old: str, new: str, told: str) -> None:
    path = shell.folder / "pbem.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert told in result.output


@pytest.mark.parametrize(
    ("line", "told"),
    (
        ("", "[club] secret: it is empty"),
        ('secret = ""', "[club] secret: it is empty"),
        ('secret = "k3jX9-q_Tz0aBc7"', "[club] secret: it is too easy to guess"),
        ('secret = "00000000000000000000000000000000"', "[club] secret: it is too easy to guess"),
        ('secret = "changechangechangechange"', "[club] secret: it is too easy to guess"),
        ('secret = "replace me by what pbem init has written"', "[club] secret: it is too easy"),
    ),
)
def test_guessable_secret_is_refused_and_not_repeated(shell: Shell, line: str, told: str) -> None:
    path = shell.folder / "pbem.toml"
    path.write_text(re.sub(r"^secret = .*", line, path.read_text(), flags=re.MULTILINE))
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert told in result.output
    assert "pbem init" in result.output
    assert "secrets.token_hex(32)" in result.output
    secret = line.partition('"')[2].strip('"')
    assert not secret or secret not in result.output


def test_secret_of_hexadecimal_digits_is_accepted(shell: Shell) -> None:
    path = shell.folder / "pbem.toml"
    line = 'secret = "5d41402abc4b2a76b9719d911017c592"'
    path.write_text(re.sub(r"^secret = .*", line, path.read_text(), flags=re.MULTILINE))
    assert shell("member", "list").exit_code == 0


def test_plain_connections_are_for_loopback_only(shell: Shell) -> None:
    path = shell.folder / "pbem.toml"
    text = path.read_text().replace('security = "tls"', 'security = "none"')
    path.write_text(text.replace('host = "localhost"', 'host = "mail.example"', 1))
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert "is for loopback only" in result.output


def test_environment_overrides_file(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_POLICY__MAILS_AN_HOUR", "-1")
    assert "[policy] mails_an_hour" in shell("member", "list").output


def test_missing_configuration_suggests_init(shell: Shell) -> None:
    (shell.folder / "pbem.toml").unlink()
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert "pbem init" in result.output


@pytest.mark.parametrize(
    ("words", "told"),
    (
        (["Zoe", "zoe"], "zoe is not the email address of a person"),
        (["Zoe", "club+1@localhost.localdomain"], "is not the email address of a person"),
        (["Zoe", "zoe@mail.example", "--time-zone", "Europe"], "there is no time zone Europe"),
        (["Zoe\nBcc: all", "zoe@mail.example"], "a name has only letters, digits"),
    ),
)
def test_member_add_refuses_invalid_member(shell: Shell, words: list[str], told: str) -> None:
    result = shell("member", "add", *words)
    assert result.exit_code == 1
    assert told in result.output


def test_member_add_adds_listed_member(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    assert "Anna  anna@mail.example" in shell("member", "list").output
    again = shell("member", "add", "ANNA", "other@mail.example")
    assert again.exit_code == 1


def test_new_match_is_listed_and_shown(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    result = shell("match", "new", "lanko-68", "anna", "Bert", "--option", "quiet_limit=40")
    assert result.exit_code == 0, result.output
    assert "match 1: Lanko-68, S Anna, W Bert, N Anna, E Bert; turn 1, S to act" in result.output
    assert "match 1" in shell("match", "list").output
    assert "41P" in shell("match", "show", "1").output


@pytest.mark.parametrize(
    ("words", "told"),
    (
        (["lanko-69", "Anna", "Bert"], "there is no game 'lanko-69'"),
        (["lanko-68", "Anna"], "is for 2 to 4 players, not 1"),
        (["lanko-68", "Anna", "Anna"], "twice"),
        (["lanko-68", "Anna", "Zoe"], "there is no member Zoe. The members are: Anna, Bert"),
        (["lanko-68", "Anna", "Bert", "--option", "colour=red"], "has no option 'colour'"),
        (
            ["lanko-68", "Anna", "Bert", "--option", "repetition=maybe"],
            "repetition must be on or off",
        ),
        (["lanko-68", "Anna", "Bert", "--option", "quiet"], "KEY=VALUE"),
    ),
)
def test_match_new_explains_refusal(shell: Shell, words: list[str], told: str) -> None:
    with_players(shell, "Anna", "Bert")
    result = shell("match", "new", *words)
    assert result.exit_code == 1
    assert told in result.output
    assert shell("match", "list").output == "no match is in play\n"


def test_new_set_is_shown(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert", "Clara")
    result = shell("set", "new", "lanko-103", "Anna", "Bert", "Clara")
    assert result.exit_code == 0, result.output
    shown = shell("set", "show", "1").output
    assert "match 1: Lanko-103, S Bert, W Anna, N Clara, E Anna" in shown
    assert "Clara" in shown
    two = shell("set", "new", "lanko-103", "Anna", "Bert")
    assert two.exit_code == 1
    assert "three players" in two.output


def test_new_series_is_shown(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    result = shell("series", "new", "lanrick-1893", "Anna", "Bert", "--games", "10", "--days", "3")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("series 1\nmatch 1: ")
    shown = shell("series", "show", "1").output
    assert "0 games between Anna and Bert." in shown
    assert "match 1: " in shown
    assert shell("tournament", "show", "1").exit_code == 1
    same = shell("series", "new", "lanrick-1893", "Anna", "anna", "--games", "10")
    assert same.exit_code == 1
    assert "Anna is named twice" in same.output


def test_new_tournament_is_shown(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert", "Clara", "Dan")
    people = ("Anna", "Bert", "Clara", "Dan")
    result = shell("tournament", "new", "lanrick-1893", *people)
    assert result.exit_code == 0, result.output
    assert result.output.count("\nmatch ") == 2
    shown = shell("tournament", "show", "1").output
    assert "  1 Anna   x  .  .  .   0.0   0.00" in shown
    assert shell("series", "show", "1").exit_code == 1
    again = shell("tournament", "new", "lanrick-1893", *people, "--double", "--concurrent")
    assert again.output.count("\nmatch ") == 12


def test_tournament_needs_three_players(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    result = shell("tournament", "new", "lanrick-1893", "Anna", "Bert")
    assert result.exit_code == 1
    assert "three or more players" in result.output


@pytest.mark.servers
def test_unreachable_server_is_reported_without_traceback(shell: Shell) -> None:
    path = shell.folder / "pbem.toml"
    text = path.read_text().replace("port = 0", "port = 1").replace('"tls"', '"none"')
    path.write_text(text)
    result = shell("poll")
    assert result.exit_code == ExitStatus.MAIL_SERVER
    assert "Nothing answers at localhost, port 1" in result.output
    assert "Traceback" not in result.output


def test_archive_verify_accepts_empty_archive(shell: Shell) -> None:
    assert shell("archive", "verify").exit_code == 0


def test_every_command_has_help(shell: Shell) -> None:
    listed = shell("--help")
    assert listed.exit_code == 0
    for word in ("init", "doctor", "serve", "poll", "deliver", "sweep", "member", "match", "set",
                 "series", "tournament",
                 "shunt", "archive", "demo", "engine"):  # fmt: skip
        assert word in listed.output
        assert shell(word, "--help").exit_code == 0


def test_logged_error_shows_its_place_but_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr()
    password = "open sesame"
    try:
        raise KeyError(password)
    except KeyError:
        structlog.get_logger().exception("trouble")
    finally:
        structlog.reset_defaults()
    printed = capsys.readouterr().err
    assert "test_commands.py" in printed
    assert "KeyError\n" in printed
    assert "open sesame" not in printed


def test_bot_takes_a_seat(shell: Shell) -> None:
    with_players(shell, "Anna")
    result = shell("match", "new", "lancelot", "Anna", "--bot", "greedy", "--bot", "random")
    assert result.exit_code == 0, result.output
    assert "red Anna, blue bot-greedy, yellow bot-random" in result.output
    both = shell("match", "new", "lanko-68", "--bot", "random", "--bot", "random")
    assert "S bot-random, W bot-random-2" in both.output


def test_unknown_bot_lists_the_bots(shell: Shell) -> None:
    with_players(shell, "Anna")
    result = shell("match", "new", "lanko-68", "Anna", "--bot", "clever")
    assert result.exit_code == 1
    assert "The bots are: random, greedy" in result.output


def test_member_addresses_are_added_ordered_and_removed(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    result = shell("member", "address", "add", "anna", "anna@second.example")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "addresses:",
        "  anna@mail.example  accepts email",
        "  anna@second.example  accepts email",
    ]
    assert shell("member", "address", "first", "Anna", "ANNA@second.example").exit_code == 0
    assert "Anna  anna@second.example, anna@mail.example" in shell("member", "list").output
    assert shell("member", "address", "remove", "Anna", "anna@mail.example").exit_code == 0
    for words, told in (
        (
            ("remove", "Anna", "anna@second.example"),
            "it is the last that accepts email. Add",
        ),
        (
            ("remove", "Anna", "anna@mail.example"),
            "Anna does not have that address. Theirs are: anna@second",
        ),
        (("add", "Anna", "bert@mail.example"), "an address is taken"),
        (("add", "Anna", "nonsense"), "nonsense is not the email address of a person"),
        (("works", "Carol", "carol@mail.example"), "there is no member Carol"),
    ):
        result = shell("member", "address", *words)
        assert (result.exit_code, told in result.output) == (1, True), result.output


def test_member_show_prints_failures_and_absence_notices(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    at = datetime(2026, 11, 21, 18, 40, tzinfo=UTC)
    club = build_club(load_config(shell.folder / "pbem.toml"))
    with club.storage.writing() as uow:
        uow.players.address_failed("anna@mail.example", at, "550 \x1b[31mno \u202euser")
        uow.absences.add(AbsenceNotice(1, 1, at, "Away \x07", "Back on\nMonday\x1b]0;x"))
    result = shell("member", "show", "Anna")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines.pop(1).startswith("joined 20")
    assert lines.pop(3) == "reliability: no turns with a clock in the last year, so new"
    assert lines.pop(3) == "Anna: not on leave"
    assert lines.pop(3).endswith(": 30 of 30 days left")
    assert lines == [
        "member 1: Anna, UTC",
        "addresses:",
        "  anna@mail.example  has not accepted email since 2026-11-21 18:40 UTC: 550 �[31mno �user",
        "plays:",
        "  match 1  Lanko-68, turn 1, to act",
        "absence notices, newest first:",
        "2026-11-21 18:40 UTC, match 1: Away �",
        "| Back on",
        "| Monday�]0;x",
    ]
    result = shell("member", "address", "works", "Anna", "anna@mail.example")
    assert result.output.splitlines()[1:] == ["  anna@mail.example  accepts email"]
    with club.storage.reading() as uow:
        assert uow.outbox.latest(match_key(1), 1) is not None


def test_member_show_says_when_there_is_nothing(shell: Shell) -> None:
    with_players(shell, "Anna")
    told = shell("member", "show", "anna").output.splitlines()
    assert told[-2:] == ["plays in no match", "no absence notices"]


def test_match_send_sends_position_again(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    for words, told in (
        (("1",), ["match 1 will be sent to Anna <anna@mail.example>"]),
        (("1", "bert"), ["match 1 will be sent to Bert <bert@mail.example>"]),
        (
            ("1", "--all"),
            [
                "match 1 will be sent to Anna <anna@mail.example>",
                "match 1 will be sent to Bert <bert@mail.example>",
            ],
        ),
    ):
        result = shell("match", "send", *words)
        assert (result.exit_code, result.output.splitlines()) == (0, told)
    club = build_club(load_config(shell.folder / "pbem.toml"))
    with club.storage.reading() as uow:
        assert uow.outbox.unsent() == 2 + 4
    for wrong, sentence in (
        (("2",), "there is no match 2"),
        (("1", "Zoe"), "there is no member Zoe"),
    ):
        result = shell("match", "send", *wrong)
        assert (result.exit_code, sentence in result.output) == (1, True), result.output


def test_match_send_sends_nothing_to_bots(shell: Shell) -> None:
    with_players(shell, "Anna")
    shell("match", "new", "lanko-68", "--bot", "greedy", "Anna")
    result = shell("match", "send", "1", "bot-greedy")
    assert result.exit_code == 1
    assert "bot-greedy is a computer opponent and gets no email" in result.output


def test_undelivered_emails_are_shown_with_their_player(shell: Shell) -> None:
    with_players(shell, "Anna", "Bert")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    club = build_club(load_config(shell.folder / "pbem.toml"))
    now = club.clock.now()
    with club.storage.writing() as uow:
        first, other = claim(uow, now, now + timedelta(minutes=1), 9)
        uow.outbox.failed(first.id, "554 5.7.1 Spam\x07\nno", now)
        uow.outbox.retry(other.id, "450 later", now)
    shown = shell("member", "show", "Anna").output.splitlines()
    at = shown.index("undelivered emails of the last 30 days, newest first:")
    assert shown[at + 1].endswith(
        "  to anna@mail.example: the email that says it is their turn, in match 1, has failed:"
        " 554 5.7.1 Spam� no"
    )
    told = "news of the other players' moves, in match 1, will be tried again: 450 later"
    assert told in shell("member", "show", "Bert").output
    assert told in shell("doctor").output
    assert "1 refused email will be tried again, 1 has failed recently" in shell("doctor").output


def test_doctor_reports_failed_email_to_director(shell: Shell) -> None:
    path = shell.folder / "pbem.toml"
    text = re.sub(r"(?m)^director = .*$", 'director = "me@games.example"', path.read_text())
    path.write_text(text)
    club = build_club(load_config(path))
    now = club.clock.now()
    mail = outgoing(1, to_address="me@games.example", kind="director_flag")
    with club.storage.writing() as uow:
        uow.outbox.add(mail, now, failure="554 5.7.1 Spam")
    told = shell("doctor").output
    assert "BAD  outbox: " in told
    assert "to me@games.example: an email of the club has failed: 554 5.7.1 Spam" in told


@pytest.mark.parametrize(
    "address",
    (
        *("cl\u200bara@mail.example", "cl\u00adara@mail.example", "cl(x)ara@mail.example"),
        *("clara@mail.example\x7f", '"clara"@mail.example', "=?utf-8?q?clara?=@mail.example"),
        "cl\U000e0061ara@mail.example",
    ),
    ids=ascii,
)
def test_address_that_no_email_could_come_from_is_refused(shell: Shell, address: str) -> None:
    for words in (("add", "Zoe", address), ("address", "add", "Anna", address)):
        result = shell("member", *words)
        assert (result.exit_code, "is not the email address" in result.stderr) == (1, True)
        assert all(c.isprintable() for c in result.stderr.strip())


@pytest.mark.parametrize("key", ("address", "director"))
def test_configured_address_must_be_plain(shell: Shell, key: str) -> None:
    configuration = shell.folder / "pbem.toml"
    lines = configuration.read_text().splitlines()
    configuration.write_text(
        "\n".join(
            f'{key} = "cl\u200bub@x.example"' if it.startswith(f"{key} =") else it for it in lines
        )
    )
    result = shell("member", "list")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert f"[club] {key}: it is not a plain" in result.stderr


@pytest.mark.parametrize("days", ("3651", "999999999", "99999999999999999999"))
def test_too_many_days_per_turn_are_refused(shell: Shell, days: str) -> None:
    shell("member", "add", "Anna", "anna@example.org")
    shell("member", "add", "Bert", "bert@example.org")
    refused = shell("match", "new", "lanko-68", "Anna", "Bert", "--days", days)
    assert refused.exit_code == 1
    assert refused.output == f"pbem: days per turn must be from 0 (no clock) to 3650, not {days}\n"
    assert shell("match", "list").output == "no match is in play\n"
