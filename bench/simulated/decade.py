"""Keep a club at the same size for ten years, and show what it stores each year."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from bench.answers import TurnMail
from bench.earnest import postgresql
from bench.ledger import Size
from bench.simulated.club import lived
from bench.simulated.life import MONTH, Life
from bench.simulated.mailroom import Taken
from bench.simulated.people import Crowd
from pbem.cli.logs import log_from
from pbem.jobs.prune import prune

STEP = timedelta(days=2)
PRUNED_EVERY = timedelta(days=7)
YEAR = timedelta(days=365)
SEED = 15
_KIB = 1024

GAMES = frozenset(
    {"matches", "seats", "actions", "happenings", "competitions", "competition_players"}
)
"""Tables that are kept for ever, because there is no club without them."""
TRACES = frozenset({"fingerprints", "exposures", "decisions", "notes", "stale_pages", "pauses"})
"""Tables that also grow with the games, by a few bytes per row."""

RARELY = 12
"""After one in this many turn emails, the reader also does something else."""


class LivelyCrowd(Crowd):
    """Members who also take leave, offer matches, show their emails around and are away."""

    def reads(self, taken: Taken, now: datetime) -> None:
        """Read an email. Besides the answer there may be another email."""
        super().reads(taken, now)
        mail = TurnMail.read(taken.raw)
        if mail.example is None or self.chance.randrange(RARELY):
            return
        at = now + timedelta(minutes=self.chance.randrange(1, 60))
        match self.chance.randrange(4):
            case 0:
                self._writes(mail, "offer lancelot players=5 expires=7d", taken.recipient, at)
            case 1:
                self._writes(mail, "leave 1 day", taken.recipient, at)
            case 2:
                self.sends(mail.reply_to, taken.recipient, _away(mail, taken.recipient, at), at)
            case 3:
                stranger = f"stranger{self.chance.randrange(1000)}@elsewhere.example"
                self.sends(mail.reply_to, stranger, _hello(stranger, at), at)


def _away(mail: TurnMail, sender: str, at: datetime) -> bytes:
    """Return a robot's answer (RFC 3834)."""
    message = _mail(sender, f"Out of office: {mail.subject}", at)
    message["In-Reply-To"] = mail.message_id
    message["Auto-Submitted"] = "auto-replied"
    message.set_content(f"I am away, and have been since {at}.\n")
    return message.as_bytes(policy=SMTP)


def _hello(sender: str, at: datetime) -> bytes:
    message = _mail(sender, "hello", at)
    message.set_content("What is this?\n")
    return message.as_bytes(policy=SMTP)


def _mail(sender: str, subject: str, at: datetime) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Subject"] = sender, subject
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{at.timestamp()}.{sender}>"
    return message


def years(
    life: Life, members: int, number: int, keep: timedelta, year: timedelta = YEAR
) -> Iterator[Mapping[str, Size]]:
    """Yield the tables of a club, by name, after each of this many years."""
    life.step, life.crowd = STEP, LivelyCrowd(life.chance)
    club = replace(life.club, policy=replace(life.club.policy, keep_mails=keep))
    life.begins(members)
    for _ in range(number):
        end = life.clock.now() + year
        while life.clock.now() < end:
            life.lives(min(PRUNED_EVERY, year) / MONTH)
            for _ in range(2):  # the second run drops what the first has marked
                prune(club)
        yield {size.table: size for size in life.ledger.sizes()}


def main() -> None:
    """Run the years and print what is stored."""
    wanted = _options().parse_args()
    log_from("error")
    server = postgresql() if wanted.postgresql else nullcontext()
    began = time.monotonic()
    with server as found, lived(0, wanted.seed, server=found) as life:
        found_each = []
        kept = timedelta(days=wanted.keep_mails)
        for sizes in years(life, wanted.members, wanted.years, kept):
            found_each.append(sizes)
            seconds = time.monotonic() - began
            said = f"{life.clock.now():%Y-%m-%d}: {life.handed:,} emails in, {seconds:.0f} s"
            print(said, flush=True)
        for title, of in (("Rows", _rows), ("KiB", _kib)):
            _print(title, found_each, of)


def _rows(size: Size) -> int:
    return size.rows


def _kib(size: Size) -> int:
    return round(size.bytes / _KIB)


def _print(title: str, each: list[Mapping[str, Size]], of: Callable[[Size], int]) -> None:
    """Print a row per table and a column per year, with the games first."""
    print(f"\n{title:<28}" + "".join(f"{year:>9}" for year in range(1, len(each) + 1)))
    groups: tuple[tuple[str, frozenset[str]], ...] = (
        ("games", GAMES),
        ("traces", TRACES),
        ("everything else", frozenset(each[-1]) - GAMES - TRACES),
    )
    for name, tables in groups:
        for table in sorted(tables & each[-1].keys()):
            numbers = [of(sizes[table]) for sizes in each]
            if numbers[-1]:
                print(f"  {table:<26}" + "".join(f"{number:>9,}" for number in numbers))
        sums = [sum(of(sizes[table]) for table in tables & sizes.keys()) for sizes in each]
        print(f"{name:<28}" + "".join(f"{number:>9,}" for number in sums))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make decade", description=__doc__)
    parser.add_argument("--members", type=int, default=2)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--keep-mails", type=int, default=365, help="days")
    parser.add_argument("--postgresql", action="store_true", help="one process on PostgreSQL")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser


if __name__ == "__main__":
    main()
