"""A player at work. Reads one line of JSON. When the input ends, checks once more and reports."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from imaplib import IMAP4, IMAP4_stream
from typing import Any

from .mailbox import PlayerMailbox, imap_reader, pop3_reader
from .player import MailPlayer

BETWEEN_LOOKS_S = 0.1
QUIET_S = 0.4
"""If no email arrives for this many seconds after the end, none is on its way."""


def play(player: MailPlayer, mailbox: PlayerMailbox) -> None:
    """Answer emails until the input ends."""
    told_to_end = False
    while not told_to_end:
        _read_and_answer(player, mailbox)
        told_to_end = mailbox.wait(BETWEEN_LOOKS_S, sys.stdin)
    while _read_and_answer(player, mailbox):
        mailbox.wait(QUIET_S)


def _read_and_answer(player: MailPlayer, mailbox: PlayerMailbox) -> int:
    mails = mailbox.new()
    for mail in mails:
        player.take(mail)
        tell(mail=mail.kind, match=mail.match, turn=mail.turn, last=mail.ends_the_set)
    return len(mails)


def tell(**news: Any) -> None:
    """Print news for whoever started the player."""
    print(json.dumps(news), flush=True)


def open_mailbox(
    host: str, smtp_port: int, pop3_port: int, address: str, password: str, imap: str
) -> PlayerMailbox:
    """Return a mailbox read by IMAP if there is a command for it, otherwise by POP3."""
    read = pop3_reader(host, pop3_port, address, password)
    if imap:
        with suppress(IMAP4.error, OSError):  # for example a Dovecot with other options
            read = imap_reader(IMAP4_stream(imap))
    return PlayerMailbox(read, host, smtp_port, address)


def main() -> None:
    """Play and report."""
    settings = json.loads(sys.stdin.readline())
    mailbox = open_mailbox(**settings["mailbox"])
    player = MailPlayer(settings["mailbox"]["address"], settings["seed"], mailbox)
    play(player, mailbox)
    tell(report=vars(player.reported()))


if __name__ == "__main__":
    main()
