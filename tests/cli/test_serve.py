"""Test how an operator starts and stops `pbem serve`."""

from __future__ import annotations

import json
import os
import poplib
import re
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from select import select

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.new_config import Answers, MailServer, write_config

pytestmark = pytest.mark.servers

PATIENCE_S = 20.0


def test_hanging_token_command_ends_with_the_service(tmp_path: Path) -> None:
    pipe, path = tmp_path / "pipe", tmp_path / "pbem.toml"
    os.mkfifo(pipe)
    write_config(path, Answers(user="club"))
    hanging = json.dumps(["sh", "-c", f"(exec 3>{pipe}; echo begun >&3; sleep 60) & wait"])
    text = path.read_text().replace("[imap]\n", f"[imap]\ntoken_command = {hanging}\n")
    path.write_text(text)

    words = [sys.executable, "-m", "pbem", "serve", "--config", str(path)]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as service:
        with pipe.open("rb", buffering=0) as reader:
            assert reader.read(100) == b"begun\n"
            service.send_signal(signal.SIGTERM)
            assert service.wait(PATIENCE_S) == 0
            assert select([reader], [], [], 5.0)[0], "the command's child is still alive"
            assert reader.read(100) == b""
        assert service.stderr is not None
        assert b"a job does not end" not in service.stderr.read()


@contextmanager
def served(path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run `pbem serve`, and kill it at the end."""
    words = [sys.executable, "-m", "pbem", "serve", "--config", str(path), *options]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as service:
        try:
            yield service
        finally:
            service.kill()


def run(path: Path, *words: str) -> Result:
    """Run a command that ends soon."""
    words = (*words, "--config", str(path))
    return CliRunner().invoke(command_line(words), words)


def says(service: subprocess.Popen[str], words: str) -> None:
    assert service.stdout is not None
    assert any(words in line for line in service.stdout), service.stderr


def test_second_serve_names_the_first_and_lost_database_ends_serve(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    write_config(path, Answers())
    with served(path, "--embedded") as first:
        says(first, "for trying out")
        who = re.escape(f"process {first.pid} on ") + r"\S+ since 20\S+ \S+ UTC \(pbem serve .*\)"
        for options in ((), ("--embedded",)):
            with served(path, *options) as other:
                _, told = other.communicate(timeout=PATIENCE_S)
            assert other.returncode == ExitStatus.LATER
            assert re.fullmatch(
                rf"pbem: the club in \S+ is already being served by {who}\. .*\n", told
            )
        assert run(path, "deliver").exit_code == 0
    with served(path, "--embedded") as orphaned:
        says(orphaned, "for trying out")
        for each in (tmp_path / "club").glob("pbem.sqlite*"):
            each.unlink()
        _, told = orphaned.communicate(timeout=PATIENCE_S)
        assert orphaned.returncode == ExitStatus.LATER
        assert re.search(
            r"^pbem: the database \S+ is gone\. .*restore a backup", told, re.MULTILINE
        )
    refused = run(path, "serve", "--embedded")
    assert refused.exit_code == ExitStatus.LATER
    assert "none is created" in refused.stderr
    (tmp_path / "club" / ".pbem.sqlite.made").unlink()
    with served(path, "--embedded") as after_a_kill:
        says(after_a_kill, "for trying out")
        after_a_kill.send_signal(signal.SIGTERM)
        assert after_a_kill.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGINT))
def test_second_signal_ends_serve_at_once_without_traceback(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "pbem.toml"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE_S)
        write_config(path, Answers(imap=MailServer("127.0.0.1", silent.getsockname()[1], "none")))
        words = [sys.executable, "-m", "pbem", "serve", "--config", str(path)]
        with subprocess.Popen(words, stderr=subprocess.PIPE) as service:
            held = silent.accept()  # it waits for a greeting that never comes
            assert service.stderr is not None
            service.send_signal(number)
            told = b""
            while b"ending" not in told:
                told += (line := service.stderr.readline())
                assert line, told
            service.send_signal(number)
            assert service.wait(PATIENCE_S) == 128 + number
            assert b"Traceback" not in (rest := service.stderr.read())
            assert b"Exception" not in rest
            held[0].close()


def told(service: subprocess.Popen[str], until: str = "serving. Stop") -> list[str]:
    """Return the lines that serve prints about its mailboxes."""
    lines = []
    assert service.stdout is not None
    for line in service.stdout:
        lines.append(line.rstrip())
        if until in line:
            return lines
    raise AssertionError(lines)


def ended(service: subprocess.Popen[str]) -> str:
    """Stop the service, and return its log."""
    service.send_signal(signal.SIGTERM)
    _, logged = service.communicate(timeout=PATIENCE_S)
    assert service.returncode == 0, logged
    return logged


def test_embedded_club_is_the_same_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    init = ("init", "--defaults", str(path))
    assert CliRunner().invoke(command_line(init), init).exit_code == 0
    doctor = run(path, "doctor")
    assert doctor.exit_code == 0, doctor.stdout
    assert "BAD" not in doctor.stdout
    assert "ok   mail server: embedded, for trying out" in doctor.stdout
    assert run(path, "member", "add", "Anna", "anna@mail.example").exit_code == 0
    assert run(path, "match", "new", "lancelot", "Anna", "--bot", "greedy").exit_code == 0

    with served(path) as first:
        lines = told(first)
        servers = next(line for line in lines if line.startswith("SMTP "))
        [anna] = [line for line in lines if "of Anna" in line]
        waits_for_emails(servers, anna, 1)
        assert "mail sent" in (logged := ended(first))
        assert re.search(r"\] serving club=", logged)
        assert logged.rstrip().endswith("ended")
        assert anna.split()[-1] not in logged
    kept = tmp_path / "club" / "embedded" / "settings.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700

    with served(path) as second:
        again = told(second)
        assert [line for line in again if "SMTP" in line or "mailbox of" in line] == [
            line for line in lines if "SMTP" in line or "mailbox of" in line
        ]
        waits_for_emails(servers, anna, 1)
        assert "mail read" not in ended(second)

    with served(path, "--fresh") as fresh:
        lines = told(fresh)
        [new] = [line for line in lines if "of Anna" in line]
        assert new != anna
        waits_for_emails(next(line for line in lines if line.startswith("SMTP ")), new, 0)
        ended(fresh)


def test_stranger_can_read_the_answer_of_an_embedded_club(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    write_config(path, Answers(embedded=True))
    with served(path) as first:
        servers = next(line for line in told(first) if line.startswith("SMTP "))
        port = int(re.findall(r":(\d+)", servers)[0])
        with smtplib.SMTP("127.0.0.1", port, "localhost") as client:
            wish = "From: anna@mail.example\nTo: club@localhost.localdomain\n\njoin Anna\n"
            client.sendmail("anna@mail.example", ["club@localhost.localdomain"], wish)
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                client.sendmail("anna@mail.example", ["nobody@mail.invalid"], wish)
        [anna] = told(first, until="mailbox of")
        assert "user anna@mail.example" in anna
        waits_for_emails(servers, anna, 1)
        ended(first)

    with served(path) as second:
        assert anna in told(second)
        ended(second)


def waits_for_emails(servers: str, mailbox: str, number: int) -> None:
    """Wait until a mailbox contains a number of emails."""
    port = int(servers.rpartition(":")[2])
    user, password = mailbox.split()[-3], mailbox.rsplit(maxsplit=1)[-1]
    until, found = time.monotonic() + PATIENCE_S, -1
    while found != number:
        assert time.monotonic() < until, found
        select([], [], [], 0.1)
        with closing(poplib.POP3("127.0.0.1", port)) as client:
            client.user(user)
            client.pass_(password)
            found = client.stat()[0]


def test_ports_in_use_are_reported_and_replaced(tmp_path: Path) -> None:
    path, folder = tmp_path / "pbem.toml", tmp_path / "club" / "embedded"
    write_config(path, Answers(embedded=True))
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700)
        kept = {"smtp_port": taken, "pop3_port": taken, "passwords": {}}
        (folder / "settings.json").write_text(json.dumps(kept))
        with served(path) as service:
            lines = told(service)
            assert any(f"port {taken} or {taken} is taken" in line for line in lines)
            ended(service)
    assert json.loads((folder / "settings.json").read_text())["smtp_port"] != taken


WITHOUT = """
import sys
from pbem.cli import main
sys.modules[sys.argv[1]] = None
path = sys.argv[2]
config = ["--config", path]
for words in (["serve", *config], ["serve", "--embedded", *config], ["demo"], ["doctor", *config]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as ended:
        print("ended", int(ended.code), flush=True)
"""


def test_missing_embedded_server_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    write_config(path, Answers(embedded=True))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "aiosmtpd", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    *each, rest = re.split(r"ended [1-9]\d*\n", done.stdout)
    assert (len(each), rest) == (4, ""), done.stdout
    for said in each:
        assert said.endswith("are not installed; run: pip install 'pbem[embedded]'\n")
        assert "Traceback" not in said


def test_other_commands_do_not_import_the_servers(tmp_path: Path) -> None:
    write_config(tmp_path / "pbem.toml", Answers(embedded=True))
    code = (
        "import sys; sys.argv[1:] = ['match', 'list'];"
        "from pbem.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(sorted({'aiosmtpd'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout.splitlines() == ["no match is in play", "[]"]


def test_fresh_needs_the_embedded_server(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    write_config(path, Answers())
    done = run(path, "serve", "--fresh")
    assert done.exit_code == 1
    assert done.stderr == "pbem: --fresh only works with the embedded mail server. Add --embedded\n"
