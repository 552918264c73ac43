"""Compare pbem with GNU Mailman: an email in by LMTP, to a list of three members, out by SMTP.

Both get the same players' emails on the same machine in the same run. This is optional: `make
bench-mailman` installs Mailman in its own environment. Mailman has a process for each of its steps
and a queue on disk between them, and sends one email for all three members. pbem reads what the
email means, and sends two or three emails per move.
"""

from __future__ import annotations

import re
import smtplib
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cpu import cpu_of_family
from bench.house import House, answers, servers
from bench.pace import Pace, middle
from bench.path import begun
from bench.sink import HOST, taken
from pbem.cli.logs import log_from

PROGRAMS = Path(".venv-bench-mailman/bin").absolute()
LIST = "club@games.example"
MEMBERS = tuple(f"member{number}@mail.example" for number in range(3))
MAILS = 50
ROUNDS = 3
LOOK_SECONDS = 0.02
MOST_SECONDS = 120
_SENDER = re.compile(rb"player\d+@mail\.example")
_CONFIGURATION = """\
[mailman]
site_owner: owner@games.example
layout: here
[paths.here]
var_dir: {folder}
[mta]
incoming: mailman.mta.null.NullMTA
smtp_host: {host}
smtp_port: {smtp}
lmtp_host: {host}
lmtp_port: {lmtp}
[webservice]
port: {web}
"""


class Mailman:
    """A running Mailman with one list."""

    def __init__(self, pid: int, lmtp: int, sink: int) -> None:
        self._pid = pid
        self._lmtp = lmtp
        self._sink = sink

    def post(self, mails: Sequence[bytes]) -> Pace:
        """Post emails, each from a member, until all have reached the sink."""
        cpu, wall = cpu_of_family(self._pid), time.perf_counter()
        until = taken(self._sink) + len(mails)
        with smtplib.LMTP(HOST, self._lmtp, "localhost") as lmtp:
            for number, mail in enumerate(mails):
                sender = MEMBERS[number % len(MEMBERS)]
                lmtp.sendmail(sender, [LIST], _SENDER.sub(sender.encode(), mail))
        end = time.monotonic() + MOST_SECONDS
        while taken(self._sink) < until:
            assert time.monotonic() < end, "Mailman does not finish"
            time.sleep(LOOK_SECONDS)
        return Pace(len(mails), time.perf_counter() - wall, cpu_of_family(self._pid) - cpu)


@contextmanager
def running(sink: int) -> Iterator[Mailman]:
    """Run Mailman as installed."""
    lmtp, web = _free_port(), _free_port()
    with TemporaryDirectory(prefix="pbem-bench-") as folder:
        configuration = Path(folder) / "mailman.cfg"
        configuration.write_text(
            _CONFIGURATION.format(folder=folder, host=HOST, smtp=sink, lmtp=lmtp, web=web)
        )
        members = Path(folder) / "members"
        members.write_text("".join(f"{each}\n" for each in MEMBERS))
        ask = [str(PROGRAMS / "mailman"), "--run-as-root", "-C", str(configuration)]
        subprocess.run([*ask, "create", "-d", LIST], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            [*ask, "addmembers", str(members), LIST], check=True, stdout=subprocess.DEVNULL
        )
        master = subprocess.Popen([PROGRAMS / "master", "-C", configuration])
        try:
            _until_it_listens(lmtp)
            yield Mailman(master.pid, lmtp, sink)
        finally:
            master.terminate()
            master.wait()


def _free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.create_server((HOST, 0)) as free:
        return int(free.getsockname()[1])


def _until_it_listens(port: int) -> None:
    end = time.monotonic() + MOST_SECONDS
    while True:
        try:
            smtplib.LMTP(HOST, port, "localhost").close()
        except OSError:
            assert time.monotonic() < end, "Mailman does not listen"
            time.sleep(LOOK_SECONDS)
        else:
            return


def main() -> None:
    """Print the table."""
    log_from("error")
    with servers() as found, closing(House(found)) as house:
        matches = list(begun(house, MAILS))
        house.moves(matches)
        ours = middle([house.moves(matches) for _ in range(ROUNDS)])
        mails = list(answers(house.club, matches))
        with running(found.smtp_port) as mailman:
            theirs = middle([mailman.post(mails) for _ in range(ROUNDS)])
    print(f"{'':<36}{'emails/s':>10}{'ms/email':>12}{'CPU ms':>10}")
    for name, pace in {"pbem, IMAP to SMTP": ours, "Mailman, LMTP to SMTP": theirs}.items():
        print(f"{name:<36}{pace.rate:>10.1f}{pace.ms:>12.2f}{pace.cpu_ms:>10.2f}")
    print(f"{'rate, pbem to Mailman':<36}{ours.rate / theirs.rate:>10.2f}")


if __name__ == "__main__":
    main()
