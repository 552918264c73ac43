"""A player at work. Takes one JSON line; when the input ends, looks a last time and reports."""

from __future__ import annotations

import json
import sys
from typing import Any

from .mailbox import Mailbox
from .player import Player

LONGEST_WAIT_S = 1.0
QUIET_S = 0.4
"""With no mail for so long after the end, nothing more is on its way."""


def play(player: Player, mailbox: Mailbox) -> None:
    """Answers mails until the input ends."""
    told_to_end = False
    while not told_to_end:
        _read_and_answer(player, mailbox)
        told_to_end = mailbox.wait(LONGEST_WAIT_S, sys.stdin)
    while _read_and_answer(player, mailbox):
        mailbox.wait(QUIET_S)


def _read_and_answer(player: Player, mailbox: Mailbox) -> int:
    mails = mailbox.new()
    for mail in mails:
        player.take(mail)
        tell(mail=mail.kind, match=mail.match, turn=mail.turn, last=mail.ends_the_set)
    return len(mails)


def tell(**news: Any) -> None:
    """Tells whoever started the player."""
    print(json.dumps(news), flush=True)


def main() -> None:
    """Plays, and reports."""
    settings = json.loads(sys.stdin.readline())
    seed, address = settings.pop("seed"), settings["address"]
    mailbox = Mailbox(**settings)
    player = Player(address, seed, mailbox)
    play(player, mailbox)
    tell(report=vars(player.reported()))


if __name__ == "__main__":
    main()
