"""Two players at the mail server: Anna answers her turn, and Bert hears of it.

Run with the mailboxes' password; tells which turn Bert was asked for.
"""

import sys
from email.message import EmailMessage

from pbem.demo.outside.player.mail import Mail
from pbem.demo.outside.player.mailbox import Mailbox

PATIENCE_S = 30.0


def mailbox(name: str) -> Mailbox:
    return Mailbox("127.0.0.1", 143, 25, f"{name}@example.org", sys.argv[1])


def turn_mail(box: Mailbox) -> Mail:
    """The first mail that says it is the reader's turn."""
    for _ in range(5):
        for mail in box.new():
            if mail.kind == "turn":
                return mail
        box.wait(PATIENCE_S)
    raise SystemExit("no turn mail has come")


anna = mailbox("anna")
asked = turn_mail(anna)
answer = EmailMessage()
answer["From"], answer["To"] = "Anna <anna@example.org>", asked.header("Reply-To")
answer["Subject"] = f"Re: {asked.header('Subject')}"
answer["Message-ID"], answer["In-Reply-To"] = "<1@anna.example>", asked.header("Message-ID")
answer.set_content(f"{asked.example}\n")
anna.send(answer["To"], bytes(answer))
print("Bert is asked for turn", turn_mail(mailbox("bert")).turn)
