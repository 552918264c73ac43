"""Test that every command reports an unusable data folder in one sentence."""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.new_config import Answers, MailServer, write_config

pytestmark = pytest.mark.servers

NOWHERE = MailServer("127.0.0.1", 1, "none")

PROGRAM = """
import os, shlex, sys
from typer.testing import CliRunner
from pbem.cli import command_line
for line in sys.stdin:
    folder, *words = shlex.split(line)
    os.chdir(folder)
    sys.argv = ["pbem", *words]
    ran = CliRunner().invoke(command_line(words), words)
    crash = "" if ran.exception is None or isinstance(ran.exception, SystemExit) else "CRASH"
    print(int(ran.exit_code), crash, repr(ran.output))
"""

REFUSALS = tuple(
    f"{int(status)}  "  # and no crash
    for status in (ExitStatus.REFUSED, ExitStatus.LATER, ExitStatus.CONFIGURATION)
)
"""Start of the output of a command that refused to run."""

COMMANDS = (
    "doctor",
    "serve",
    "serve --embedded",
    "poll",
    "deliver",
    "sweep",
    "member list",
    "member add Anna anna@mail.example",
    "match list",
    "match new lanko-88 Anna Bert",
    "set show 1",
    "series show 1",
    "tournament show 1",
    "mail explain -",
    "shunt list",
    "archive publish",
    "archive verify",
)


def run_each(commands: Iterable[tuple[Path, str]], *before: str, **environment: str) -> list[str]:
    """Run commands in one process, each in its folder. The words `before` start it."""
    ran = subprocess.run(
        [*before, sys.executable, "-c", PROGRAM],
        input="\n".join(f"{shlex.quote(str(folder))} {line}" for folder, line in commands),
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stdout.splitlines()


def run_without_privileges(commands: Iterable[tuple[Path, str]], **environment: str) -> list[str]:
    """Run commands as an ordinary account, since root may do everything everywhere."""
    drop = ["setpriv", "--bounding-set=-all"] if os.geteuid() == 0 else []
    return run_each(commands, *drop, **environment)


def _a_file(club: Path) -> None:
    club.touch()


def _inside_a_file(club: Path) -> None:
    club.parent.joinpath("plain").touch()


def _uncreatable(club: Path) -> None:
    club.parent.joinpath("closed").mkdir(mode=0o500)


def _unwritable(club: Path) -> None:
    club.mkdir(mode=0o500)


def _unwritable_inside(name: str) -> Callable[[Path], None]:
    def spoil(club: Path) -> None:
        club.mkdir(mode=0o700)
        (club / name).mkdir(mode=0o500)

    return spoil


def _unwritable_database(club: Path) -> None:
    club.mkdir(mode=0o700)
    (club / "pbem.sqlite").touch(mode=0o400)


def _a_folder_for_a_database(club: Path) -> None:
    (club / "pbem.sqlite").mkdir(parents=True, mode=0o700)


def _a_file_for_the_archive(club: Path) -> None:
    club.mkdir(mode=0o700)
    (club / "archive").touch()


TROUBLES: Mapping[str, tuple[str, Callable[[Path], None], str]] = {
    "a file": ("club", _a_file, "there is a file in its place"),
    "inside a file": ("plain/club", _inside_a_file, "there is a file in its place"),
    "uncreatable": ("closed/club", _uncreatable, ": Permission denied. As root"),
    "unwritable": ("club", _unwritable, "Run: chmod u+rwx"),
    "archive": ("club", _unwritable_inside("archive"), "archive. Run: chmod u+rwx"),
    "oauth": ("club", _unwritable_inside("oauth"), "oauth. Run: chmod u+rwx"),
    "database": ("club", _unwritable_database, "readonly database"),
    "folder for a database": ("club", _a_folder_for_a_database, "unable to open database file"),
    "file for the archive": (
        "club",
        _a_file_for_the_archive,
        "is not a folder. Move what is in its place away",
    ),
}


def test_every_command_reports_the_problem_in_a_sentence(tmp_path: Path) -> None:
    tried = []
    for trouble, (data_dir, spoil, told) in TROUBLES.items():
        folder = tmp_path / trouble
        folder.mkdir()
        write_config(folder / "pbem.toml", Answers(data_dir=data_dir, imap=NOWHERE, smtp=NOWHERE))
        spoil(folder / "club")
        # All commands open the folder in the same way, so three are enough for most problems.
        commands = COMMANDS if trouble == "unwritable" else ("doctor", "serve", "member list")
        tried += [(folder, command, told) for command in commands]
    answers = run_without_privileges((folder, command) for folder, command, _ in tried)
    for (folder, command, told), answer in zip(tried, answers, strict=True):
        where = f"{folder.name}: {command}: {answer}"
        assert answer.startswith(REFUSALS), where
        assert told in answer, where
        one_line = "\\n" not in answer.removesuffix("\\n'").removesuffix('\\n"')
        assert one_line or command == "doctor", where


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_read_only_file_system_is_reported(tmp_path: Path) -> None:
    club = tmp_path / "club"
    club.mkdir(mode=0o700)
    write_config(tmp_path / "pbem.toml", Answers())
    mounted = subprocess.run(["mount", "--bind", club, club], capture_output=True)
    if mounted.returncode or shutil.which("umount") is None:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr.decode()}")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", club], check=True)
        commands = ("member list", "doctor", "serve")
        for answer in run_without_privileges((tmp_path, each) for each in commands):
            assert answer.startswith(REFUSALS)
            assert "Its file system is read-only" in answer
    finally:
        subprocess.run(["umount", club], check=True)


def test_unreadable_configuration_is_reported(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    write_config(closed / "pbem.toml", Answers())
    closed.chmod(0o000)
    line = f"member list --config {closed / 'pbem.toml'}"
    lines = ((tmp_path, line), (tmp_path, "member list"))
    named, looked_for = run_without_privileges(lines, XDG_CONFIG_HOME=str(closed))
    closed.chmod(0o700)
    assert named.startswith(f"{ExitStatus.CONFIGURATION}  ")
    assert "pbem.toml: Permission denied" in named
    assert looked_for.startswith(f"{ExitStatus.CONFIGURATION}  ")
    assert "there is no configuration: neither" in looked_for


def test_written_files_are_private(tmp_path: Path) -> None:
    write_config(tmp_path / "pbem.toml", Answers())
    subprocess.run(
        [sys.executable, "-m", "pbem", "member", "add", "Anna", "anna@mail.example"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        umask=0o022,  # which makes files readable for everyone
    )
    written = [tmp_path / "club", *(tmp_path / "club").iterdir()]
    assert len(written) > 1
    assert [path for path in written if path.stat().st_mode & 0o077] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_writes_nothing_into_another_accounts_folder(tmp_path: Path) -> None:
    tried = []
    for given in ("pbem.toml", "club"):
        folder = tmp_path / f"of {given}"
        (folder / "club").mkdir(0o700, parents=True)
        write_config(folder / "pbem.toml", Answers(imap=NOWHERE, smtp=NOWHERE))
        os.chown(folder / given, 65534, 65534)
        named = f"doctor --config {shlex.quote(str(folder / 'pbem.toml'))}"
        tried += [(folder, given, command) for command in (named, "match list", "serve")]
    answers = run_each((folder, command) for folder, _, command in tried)
    for (folder, given, command), answer in zip(tried, answers, strict=True):
        status = 1 if command.startswith("doctor") else int(ExitStatus.CONFIGURATION)
        assert answer.startswith(f"{status}  "), answer
        said = ast.literal_eval(answer.split(maxsplit=1)[1])
        assert f"{given} belongs to nobody, and this is root" in said
        assert f"runuser -u nobody -- pbem {command}" in said
        assert list((folder / "club").iterdir()) == []
