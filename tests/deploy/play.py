"""Play a turn by email through the mail server, and wait for the other player's email.

Usage: python play.py PASSWORD NAME TURN NEXT. All mailboxes have the same password. Prints the turn
that NEXT is asked for.
"""

import sys
from email.message import EmailMessage
from imaplib import IMAP4

from pbem.extras.demo.outside.player.mail import PlayerMail
from pbem.extras.demo.outside.player.mailbox import PlayerMailbox, imap_reader

LOOKS = 600
LOOK_S = 0.25


def mailbox(name: str) -> PlayerMailbox:
    address, imap = f"{name}@example.org", IMAP4("127.0.0.1", 143)
    imap.login(address, sys.argv[1])
    return PlayerMailbox(imap_reader(imap), "127.0.0.1", 25, address)


def turn_mail(box: PlayerMailbox, turn: int) -> PlayerMail:
    """Return the email that says it is the reader's turn."""
    for _ in range(LOOKS):
        for mail in box.new():
            if mail.kind == "turn" and mail.turn == turn:
                return mail
        box.wait(LOOK_S)
    raise SystemExit("no turn mail has come")


name, turn, other = sys.argv[2], int(sys.argv[3]), sys.argv[4]
box = mailbox(name)
asked = turn_mail(box, turn)
answer = EmailMessage()
answer["From"], answer["To"] = f"{name} <{name}@example.org>", asked.header("Reply-To")
answer["Subject"] = f"Re: {asked.header('Subject')}"
answer["Message-ID"], answer["In-Reply-To"] = f"<{turn}@{name}.example>", asked.header("Message-ID")
answer.set_content(f"{asked.example}\n")
box.send(answer["To"], bytes(answer))
print(f"{other} is asked for turn {turn_mail(mailbox(other), turn + 1).turn}")
