"""A player: answers emails one after the other, and makes four mistakes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from email.policy import SMTP
from typing import Protocol

from .captures import ambiguous, shortened, squares
from .mail import PlayerMail
from .report import PlayerReport
from .writing_style import Pen

HOME = "X"
GOOD = 2
"""A move of at least this worth is played without asking for others."""
CURIOSITY = 0.8
"""Probability of asking for all legal moves if the example is poor, or a capture."""
LAZINESS = 0.3
"""Probability of shortening a capture."""
ADVERSE = {"S": "bsp", "N": "bsp", "W": "BSP", "E": "BSP"}
"""Pieces of the other side, by seat."""
SHOWN_TURN = 12
"""The first turn email from this turn on is kept."""
MISTAKES = ("illegal", "ambiguous", "out of turn", "repeated")


class Puzzled(Exception):
    """Raised at an answer after which the player cannot continue."""


class Post(Protocol):
    """Sends the player's emails."""

    def send(self, to: str, raw: bytes) -> None:
        """Send an email as it is."""


@dataclass
class Sent:
    """An email from the player, the expected answer, and the number of answers."""

    kind: str
    move: str
    turn: int
    to: str
    raw: bytes
    expects: Sequence[str] = ()
    answers: int = 0


class MailPlayer:
    """One simulated player."""

    def __init__(self, address: str, seed: str, post: Post) -> None:
        self._report = PlayerReport(address.partition("@")[0].capitalize())
        # Two generators, so that the way of writing does not change the moves.
        self._chance = random.Random(f"{seed} {address} moves")
        self._habits = random.Random(f"{seed} {address} habits")
        self._pen = Pen(self._report.name, address, self._habits)
        self._post = post
        self._sent: dict[str, Sent] = {}
        self._due = {kind: self._habits.randrange(4, 40) for kind in MISTAKES}
        """Mistakes still to be made, with the first turn for each."""
        self._due["ambiguous"] = 1
        self._legal: list[str] = []
        """All legal moves, if the player has asked."""
        self._move = ""

    def take(self, mail: PlayerMail) -> None:
        """Read an email, and answer it if needed."""
        self._report.received[mail.kind] += 1
        sent = self._sent.get(mail.header("In-Reply-To"))
        if sent is not None:
            self._judge(mail, sent)
        elif mail.kind not in ("turn", "position", "over"):
            self._complain(f"an email that answers nothing: {mail.text[:200]}")
        if mail.kind == "turn":
            self._think(mail)
        elif mail.kind == "over":
            self._note_end(mail)

    def _complain(self, what: str) -> None:
        self._report.problems.append(" ".join(what.split()))

    def _judge(self, mail: PlayerMail, sent: Sent) -> None:
        """Check an answer, and continue after it."""
        sent.answers += 1
        if sent.kind == "move":
            self._judge_receipt(mail, sent)
        elif sent.kind == "legal":
            self._judge_list(mail, sent)
        else:
            self._judge_refusal(mail, sent)

    def _judge_receipt(self, mail: PlayerMail, sent: Sent) -> None:
        if mail.taken != [sent.move]:
            raise Puzzled(f"{sent.move} was answered: {mail.text[:400]!r}")
        self._report.moves.append((mail.match, sent.move))
        if self._has_due("repeated", sent.turn):
            del self._due["repeated"]
            self._report.mistakes["repeated"] = "no answer"
            self._report.sent["repeated"] += 1
            self._post.send(sent.to, sent.raw)

    def _judge_list(self, mail: PlayerMail, sent: Sent) -> None:
        if mail.turn != sent.turn or not mail.legal:
            raise Puzzled(f"legal in turn {sent.turn} was answered: {mail.text[:400]!r}")
        self._legal = mail.legal
        self._choose(mail.legal)
        self._answer(mail)

    def _judge_refusal(self, mail: PlayerMail, sent: Sent) -> None:
        text = " ".join(mail.text.split())
        if mail.kind == "refusal" and all(words in text for words in sent.expects):
            self._report.mistakes[sent.kind] = text.partition(" Nothing has changed")[0]
            self._due.pop(sent.kind, None)
        elif sent.kind != "out of turn" or mail.kind != "refusal":
            self._complain(f"{sent.kind} email was answered: {text[:400]}")
            self._due.pop(sent.kind, None)
        # An out-of-turn email may arrive when it is their turn again, or after the end. Try again.
        if sent.kind != "out of turn":
            self._answer(mail)

    def _has_due(self, kind: str, turn: int) -> bool:
        return kind in self._due and turn >= self._due[kind]

    def _think(self, mail: PlayerMail) -> None:
        """Play the example, or ask for the list to choose from."""
        if mail.turn >= SHOWN_TURN and not self._report.turn_mail:
            self._report.turn_mail = mail.shown
        self._turn, self._legal = mail, []
        curious = ":" in mail.example or self._worth(mail.example) < GOOD
        if mail.choice and curious and self._chance.random() < CURIOSITY:
            self._send(mail, "legal", ["legal"])
            return
        self._choose([mail.example])
        self._answer(mail)

    def _worth(self, move: str) -> int:
        """Return the player's liking for a move: castle home, capture, castle closer to home."""
        start, *_, to = squares(move)
        castle = self._turn.board[start].piece in "BSbs"
        if to == HOME and castle:
            return 9
        if ":" in move:
            return 3
        if to == HOME:
            return 0  # a pawn is burned there
        return 1 + (self._way_home(start) - self._way_home(to) if castle else 0)

    def _way_home(self, label: str) -> int:
        square, home = self._turn.board[label], self._turn.board[HOME]
        return abs(square.row - home.row) + abs(square.column - home.column)

    def _choose(self, legal: list[str]) -> None:
        most = max(map(self._worth, legal))
        self._move = self._chance.choice([m for m in legal if self._worth(m) == most])

    def _answer(self, mail: PlayerMail) -> None:
        """Answer with a mistake that is due, otherwise with the chosen move."""
        turn = self._turn.turn
        unclear = ambiguous(self._legal)
        if self._has_due("illegal", turn):
            self._send_illegal(mail)
        elif unclear and self._has_due("ambiguous", turn):
            text, found = unclear
            self._send(
                mail, "ambiguous", [text], expects=["more than one move", text.strip("[]"), *found]
            )
        else:
            self._send(mail, "move", [self._written()], self._move)
            if self._has_due("out of turn", turn):
                expects = ["it is not your turn", "I didn't play your move"]
                self._send(mail, "out of turn", [self._turn.example], expects=expects)

    def _send_illegal(self, mail: PlayerMail) -> None:
        theirs, board = ADVERSE[self._turn.seat], self._turn.board
        start = self._habits.choice([label for label in board if board[label].piece in theirs])
        to = squares(self._move)[-1]
        text = f"[{start}-{to}]"
        expects = [
            "that is not legal",
            text.strip("[]"),
            f"piece on {start} belongs to the other side",
        ]
        self._send(mail, "illegal", [text], expects=expects)

    def _written(self) -> str:
        """Return the move as the player writes it."""
        short = [text for text, found in shortened(self._legal) if found == [self._move]]
        if short and self._habits.random() < LAZINESS:
            return self._habits.choice(short)
        return self._pen.move(self._move)

    def _send(
        self,
        mail: PlayerMail,
        kind: str,
        lines: list[str],
        move: str = "",
        expects: Sequence[str] = (),
    ) -> None:
        letter = self._pen.letter(mail, lines)
        to, raw = str(letter["To"]), letter.as_bytes(policy=SMTP)
        self._sent[str(letter["Message-ID"])] = Sent(kind, move, self._turn.turn, to, raw, expects)
        self._report.sent[kind] += 1
        self._post.send(to, raw)

    def _note_end(self, mail: PlayerMail) -> None:
        self._report.scores[mail.match] = mail.scores
        self._report.table, self._report.table_text = mail.table, mail.table_text

    def reported(self) -> PlayerReport:
        """Return the report, after the end."""
        for sent in self._sent.values():
            if sent.answers != 1:
                what = f"{sent.kind} email {sent.move} of turn {sent.turn}"
                self._complain(f"{sent.answers} answers to the {what}")
        return self._report
