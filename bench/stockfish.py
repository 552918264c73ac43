"""Play a match of chess by email against a UCI engine, through `pbem serve --embedded`.

`python -m bench.stockfish [ENGINE [MOVES]]` with pbem-chess installed. A player's program answers
every email: in turns by tapping a link, and in short, long and engine notation.
"""

from __future__ import annotations

import email
import poplib
import re
import smtplib
import sys
import tempfile
import time
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from bench.answers import TurnMail, written
from pbem.extras.demo.club import ClubProcess, MailPorts
from pbem.extras.demo.time_limit import TimeLimit
from pbem.games.replay import replay
from pbem.matches.bots import Thinking
from pbem_chess import CHESS
from pbem_chess.engine import Engine
from pbem_chess.pgn import read

ENGINE, MOVES, NODES = "/usr/games/stockfish", 60, 20_000
ANNA = "anna@players.example"
SECONDS, WAIT_S = 3600, 120
_PLAYED = re.compile(r"\b\d+ (white|black) +(\S+(?: claim draw)?)")
_LINK = re.compile(r'href="(mailto:[^"]+)"')


class Player:
    """Anna: her mailbox, and the match as her emails tell it."""

    def __init__(self, ports: MailPorts, password: str) -> None:
        self._ports, self._password = ports, password
        self._seen = 0
        self.position = CHESS.initial(2, {})
        self._thinking = Thinking(lambda below: 0)

    def new(self) -> Iterator[bytes]:
        """Yield new emails."""
        box = poplib.POP3(self._ports.host, self._ports.pop3_port)
        box.user(ANNA)
        box.pass_(self._password)
        count = len(box.list()[1])
        for number in range(self._seen + 1, count + 1):
            yield b"\r\n".join([*box.retr(number)[1], b""])
        self._seen = count
        box.quit()

    def takes_in(self, text: str) -> None:
        """Play what an email says of the other side's move."""
        for seat, said in _PLAYED.findall(text)[-1:]:
            if seat == "black" and self.position.seat == "black":
                self._plays(said)

    def _plays(self, text: str) -> None:
        action = CHESS.parse(self.position, text, self.position.seat)
        self.position = CHESS.play(self.position, action)

    def answers(self, raw: bytes, way: int, engine: str) -> None:
        """Answer an email with a move, written or tapped in one of several ways."""
        mail = TurnMail.read(raw)
        move = Engine(engine, NODES).advice(self.position, self._thinking).move
        san = self.position.board.san(move)
        tapped = dict(taps(raw)).get(san)
        text = (san, move.uci(), f"{self.position.board.fullmove_number}. {san.lower()}")[way % 3]
        if "x" in san and san[0] == "b":
            text = san
        answer = written(mail, text, "Anna", ANNA, f"u{way}")
        to = mail.reply_to
        if tapped and way % 2:
            answer, to = tapped
        with smtplib.SMTP(self._ports.host, self._ports.smtp_port) as smtp:
            smtp.sendmail(ANNA, [to], answer)
        self._plays(san)


def taps(raw: bytes) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield the emails that the links of an email open, by their text."""
    message = email.message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("html",))
    for link in _LINK.findall(part.get_content() if part else ""):
        parts = urlsplit(link.replace("&amp;", "&"))
        query = parse_qs(parts.query)
        tapped = EmailMessage()
        tapped["From"], tapped["To"] = f"Anna <{ANNA}>", unquote(parts.path)
        tapped["Subject"] = query["subject"][0]
        tapped["Message-ID"] = email.utils.make_msgid(domain="players.example")
        tapped.set_content(query["body"][0])
        yield query["body"][0].strip(), (tapped.as_bytes(), unquote(parts.path))


def main(engine: str = ENGINE, moves: str = str(MOVES)) -> None:
    """Play, then check the record and the PGN."""
    with tempfile.TemporaryDirectory() as folder:
        club = ClubProcess(Path(folder), TimeLimit(SECONDS))
        club.set_up()
        path = Path(folder) / "pbem.toml"
        table = f'\n[games.chess]\nengine = "{engine}"\nbot = "engine"\nnodes = {NODES}\n'
        path.write_text(path.read_text("utf-8") + table, "utf-8")
        with club:
            ports = club.servers()
            club.director("member", "add", "Anna", ANNA)
            anna = Player(ports, club.password(ANNA))
            club.director("match", "new", "chess", "Anna", "--bot", "engine")
            begun = time.monotonic()
            number = play(anna, engine, int(moves))
            spent = time.monotonic() - begun
            if anna.position.ending is None:
                club.director("match", "adjudicate", "1", "draw", "far enough")
            print(f"{number} moves by email in {spent:.0f} s\n")
            pgn = club.director("archive", "export", "1", "--as", "pgn")
            club.stop()
        check(pgn, anna)


def play(anna: Player, engine: str, moves: int) -> int:
    """Answer emails until the match has ended or has so many moves. Return how many."""
    for way in range(moves + 1):
        limit, raw = TimeLimit(WAIT_S), b""
        while not raw or (anna.position.seat == "black" and anna.position.ending is None):
            raw = limit.wait_for(lambda: list(anna.new()) or None)[-1]
            anna.takes_in(TurnMail.read(raw).text)
        if anna.position.ending is not None or way == moves:
            return way
        anna.answers(raw, way, engine)
    return moves


def check(pgn: str, anna: Player) -> None:
    """Print the PGN, and compare it with what Anna has seen."""
    print(pgn)
    (found,) = read(pgn)
    pairs = [(action.seat, action.text) for action in found.actions]
    *_, last = replay(CHESS, 2, found.options, pairs)
    assert last.position.board.fen() == anna.position.board.fen()


if __name__ == "__main__":
    main(*sys.argv[1:])
