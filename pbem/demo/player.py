"""A player of the demonstration: a program that has nothing but e-mail.

It knows a mail server, an address and a password, and imports nothing of pbem. What is legal it
learns from its mails; it answers the way people do, and now and then gets something wrong.

    python player.py HOST IMAP_PORT SMTP_PORT NAME ADDRESS PASSWORD SEED REPORT
"""

from __future__ import annotations

import email
import email.message
import email.policy
import imaplib
import json
import random
import re
import smtplib
import sys
import time
from email.utils import make_msgid
from pathlib import Path

LANKO_ACTION = re.compile(r"\[[^\]\s]+\]")
PATIENCE_S = 0.02
GREETINGS = ("Hi all,", "Hello!", "Dear friends,", "Cześć!", "Good evening,", "")
CLOSINGS = ("Best wishes,\n{name}", "{name}", "Cheers!", "-- \n{name}\nclub champion 1997", "")
FOOTERS = ("Sent from my iPhone", "Wysłane z iPhone'a", "Von meinem iPhone gesendet", "")


class Mistakes:
    """What this player still wants to get wrong, each once."""

    def __init__(self) -> None:
        self.illegal = self.ambiguous = self.out_of_turn = self.repeated = False

    def all_made(self) -> bool:
        """Whether there is nothing left to get wrong."""
        return self.illegal and self.ambiguous and self.out_of_turn and self.repeated


class Player:
    """One person at a mail client."""

    def __init__(self, arguments: list[str]) -> None:
        self.host, imap_port, smtp_port, self.name, self.address, self.password = arguments[:6]
        self.imap_port, self.smtp_port = int(imap_port), int(smtp_port)
        self.chance = random.Random(arguments[6])
        self.report_file = Path(arguments[7])
        self.seen = 0
        self.counts: dict[str, int] = {}
        self.mistakes: set[str] = set()
        self.refusals: list[str] = []
