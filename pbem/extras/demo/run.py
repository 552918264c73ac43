"""Run the demonstration from start to end, and show its progress."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TextIO

from pbem.archive.files import ArchiveFile, match_of_file, read_record
from pbem.extras.demo.club import ClubProcess, MailPorts, PlayerNews, PlayerProcess
from pbem.extras.demo.compare import DemoReport, differences
from pbem.extras.demo.time_limit import DemoFailed, TimeLimit
from pbem.matches.record import Record, RecordError

BOARD = "lanko-68"
NAMES = ("Anna", "Bert", "Clara")
REPORTS = "reports.json"
GLANCE_S = 0.5
RULE = "-" * 72


class Demonstration:
    """A set of three matches between three players, and its result."""

    def __init__(self, folder: Path, seed: str, seconds: float, out: TextIO) -> None:
        self._folder = folder
        self._seed = seed
        self._out = out
        self._deadline = TimeLimit(seconds)
        self._news: SimpleQueue[PlayerNews] = SimpleQueue()
        self.club = ClubProcess(folder, self._deadline)
        self._progress = ProgressLine(out, self._deadline)

    def run(self) -> list[str]:
        """Play and show it. Return the differences found, one sentence each. Raises DemoFailed."""
        self.club.set_up()
        with self.club:
            servers = self._begin()
            reports = self._play(servers)
            seconds = self.club.stop()
        self._say(f"SIGTERM stopped the club within {seconds:.1f} s.")
        self._show(reports)
        return self._judge(reports)

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()

    def _begin(self) -> MailPorts:
        servers = self.club.servers()
        self._say(f"The club is running, with its mail servers on {servers.host}.")
        self._say(f"{', '.join(NAMES)} play a set of {BOARD}, each in their own process.")
        return servers

    def _play(self, servers: MailPorts) -> list[DemoReport]:
        with ExitStack() as stack:
            people = [stack.enter_context(self._player(name, servers)) for name in NAMES]
            self._from_all(people, "last")
            for player in people:
                player.ask_for_report()
            reports = self._from_all(people, "report")
            self._progress.done()
        path = self._folder / REPORTS
        path.write_text(json.dumps([reports[name] for name in NAMES], indent=1), "utf-8")
        return read_reports(path)

    def _player(self, name: str, servers: MailPorts) -> PlayerProcess:
        address = address_of(name)
        mailbox = {
            **servers._asdict(),
            "address": address,
            "password": self.club.password(address),
            "imap": self.club.imap(address),
        }
        settings = {"mailbox": mailbox, "seed": self._seed}
        return PlayerProcess(name, settings, self._folder / f"{name.lower()}.log", self._news)

    def _from_all(self, people: Sequence[PlayerProcess], key: str) -> dict[str, Any]:
        """Wait until every player has reported a fact. Return it by name."""
        reported: dict[str, Any] = {}
        while len(reported) < len(people):
            name, facts = self._next()
            if facts is None:
                if name not in reported:
                    words = next(player.last_words for player in people if player.name == name)
                    raise DemoFailed(f"{name}'s process ended too early: {words}")
                continue
            if "mail" in facts:
                self._progress.mail(facts)
            if facts.get(key):
                reported[name] = facts[key]
        return reported

    def _next(self) -> PlayerNews:
        while True:
            self.club.require_running()
            try:
                return self._news.get(timeout=min(GLANCE_S, self._deadline.left_s))
            except Empty:
                continue

    def _show(self, reports: Sequence[DemoReport]) -> None:
        anna = reports[0]
        self._say(
            f"\nOne of {anna.name}'s turn emails:\n\n{RULE}\n{anna.turn_mail.rstrip()}\n{RULE}"
        )
        self._say("\nAnswers to emails with mistakes:\n")
        for report in reports:
            for kind, answer in report.mistakes.items():
                self._say(f"  {report.name}, {kind}: {answer}")
        self._say(f"\nThe last cross-table:\n\n{anna.table_text}\n")

    def _judge(self, reports: Sequence[DemoReport]) -> list[str]:
        said = self.club.director("archive", "verify").strip()
        self._say(f"pbem archive verify: {said}")
        records = read_records(self.club.archive)
        found = list(differences(records, reports))
        turns = sum(len(record.entries) for record in records)
        received = sum(count for report in reports for count in report.received.values())
        sent = sum(count for report in reports for count in report.sent.values())
        self._say(
            f"{turns} moves in {len(records)} matches; {sent} emails sent, {received} received."
        )
        self._say(f"Records: {self.club.archive}")
        self.club.director("archive", "publish")
        return found


def address_of(name: str) -> str:
    """Return the address of a player."""
    return f"{name.lower()}@players.example"


def read_reports(path: Path) -> list[DemoReport]:
    """Return the players' reports."""
    return [DemoReport.of(facts) for facts in json.loads(path.read_text("utf-8"))]


def read_records(folder: Path) -> list[Record]:
    """Return the records in a folder by number of the match. Raises DemoFailed."""
    paths = sorted(path for path in folder.glob("*.txt") if match_of_file(path.name))
    try:
        return [read_record(ArchiveFile(path.name, path.read_bytes())) for path in paths]
    except RecordError as error:
        raise DemoFailed(f"cannot read a record: {error}") from error


PAUSE_S = 5.0
"""Seconds between lines of output that cannot be overwritten."""
PAUSE_TERMINAL_S = 0.1


class ProgressLine:
    """A line that is overwritten on a terminal. Elsewhere, a new line at intervals."""

    def __init__(self, out: TextIO, clock: TimeLimit) -> None:
        self._out = out
        self._clock = clock
        self._live = out.isatty()
        self._pause_s = PAUSE_TERMINAL_S if self._live else PAUSE_S
        self._shown_s = 0.0
        self.mails = 0
        self.match, self.turn = 1, 0
        self._turns = 0

    def mail(self, facts: Mapping[str, Any]) -> None:
        """Count an email that a player received."""
        self.mails += 1
        match, turn = int(facts["match"]), int(facts["turn"])
        if match > self.match:
            self._turns += self.turn
            self.match, self.turn = match, 0
            self.show()
        self.turn = max(self.turn, turn if match == self.match else 0)
        if self._clock.passed_s - self._shown_s >= self._pause_s:
            self.show()

    def show(self) -> None:
        """Show the progress."""
        self._shown_s = self._clock.passed_s
        text = f"match {self.match} of 3, turn {self.turn:3}; {self.mails:4} emails received"
        text += f", {self._turns + self.turn} turns in all, {self._shown_s:.0f} s"
        self._out.write(f"\r  {text}  " if self._live else f"  {text}\n")
        self._out.flush()

    def done(self) -> None:
        """End the line."""
        self.show()
        if self._live:
            self._out.write("\n")
