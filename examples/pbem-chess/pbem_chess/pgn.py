"""PGN, the format in which chess programs exchange games: out, and back in without loss."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import chess
import chess.pgn

from pbem.games.transcript import RecordFormat, Transcript, TranscriptAction
from pbem_chess.notation import CLAIM
from pbem_chess.position import SEATS, USUAL, seat_of, start

WIDTH = 80
UNKNOWN = "?"
RESULTS = {(): "1/2-1/2", ("white",): "1-0", ("black",): "0-1"}
TERMINATIONS = {
    "flag": "time forfeit",
    "flag-draw": "time forfeit",
    "forfeit": "adjudication",
    "abandoned": "abandoned",
}
"""Values of the standard tag `Termination`, if the end is not a normal one."""
_COMMAND = re.compile(r"\[%\w+ [^\]]*\]")


def write(transcript: Transcript) -> str:
    """Return the PGN of a match."""
    game = chess.pgn.Game()
    number = transcript.options.get("chess960", USUAL)
    if number != USUAL:
        game.setup(start(number).board)
    for tag, value in _tags(transcript):
        game.headers[tag] = value
    node: chess.pgn.GameNode = game
    board = game.board()
    for action in transcript.actions:
        san = action.text.removesuffix(CLAIM).strip()
        said = [*action.notes]
        if san:
            node = node.add_main_variation(board.push_san(san))
        if san != action.text:
            said.append(f"{CLAIM} by {action.seat}")
        taken = node.emt() if action.taken is None else action.taken.total_seconds()
        node.set_emt(None)
        node.comment = " / ".join(filter(None, (node.comment, *map(_plain, said))))
        node.set_emt(taken)
    return str(game.accept(chess.pgn.StringExporter(columns=WIDTH))) + "\n"


def _plain(said: str) -> str:
    """Return a note on one line, without what has a meaning in comments."""
    return " ".join(said.replace("{", "(").replace("}", ")").replace("[%", "[").split()).replace(
        " / ", " - "
    )


def _tags(transcript: Transcript) -> Iterator[tuple[str, str]]:
    winners, at = transcript.winners, transcript.started_at
    number = str(transcript.match_id) if transcript.match_id else UNKNOWN
    yield "Event", transcript.competition or f"match {number}"
    yield "Site", transcript.club or UNKNOWN
    if at is not None:
        yield "Date", f"{at.astimezone(UTC):%Y.%m.%d}"
        yield "UTCDate", f"{at.astimezone(UTC):%Y.%m.%d}"
        yield "UTCTime", f"{at.astimezone(UTC):%H:%M:%S}"
    yield "Round", number
    yield "White", transcript.players["white"]
    yield "Black", transcript.players["black"]
    yield "Result", "*" if winners is None else RESULTS[winners]
    yield "Mode", "EM"
    if transcript.time:
        yield "TimeControl", transcript.time
    normal = "unterminated" if winners is None else "normal"
    yield "Termination", TERMINATIONS.get(transcript.termination, normal)
    if transcript.termination:
        yield "Ending", transcript.termination


def read(text: str) -> Sequence[Transcript]:
    """Return the matches in a PGN file. Raises ValueError if something in it cannot be read."""
    source, found = io.StringIO(text.removeprefix("\ufeff")), list[Transcript]()
    while (game := chess.pgn.read_game(source)) is not None:
        for error in game.errors:
            raise ValueError(f"game {len(found) + 1}: {error}")
        try:
            found.append(_transcript(game))
        except ValueError as error:
            raise ValueError(f"game {len(found) + 1}: {error}") from error
    if not found:
        raise ValueError("there is no game in it")
    return found


def _transcript(game: chess.pgn.Game) -> Transcript:
    tags, board = game.headers, game.board()
    number = board.chess960_pos()
    if number is None:
        raise ValueError("the game does not begin with a starting position")
    result = tags.get("Result", "*")
    event, site, place = (tags.get(key, UNKNOWN) for key in ("Event", "Site", "Round"))
    return Transcript(
        game_key="chess",
        players={seat: tags.get(seat.capitalize(), UNKNOWN) for seat in SEATS},
        actions=tuple(_actions(game)),
        options={"chess960": number},
        winners=next((each for each, sign in RESULTS.items() if sign == result), None),
        termination=tags.get("Ending", ""),
        club="" if site == UNKNOWN else site,
        match_id=int(place) if place.isdigit() else 0,
        competition="" if event in (f"match {place}", UNKNOWN) else event,
        started_at=_moment(tags),
        time=tags.get("TimeControl", ""),
    )


def _moment(tags: chess.pgn.Headers) -> datetime | None:
    try:
        said = f"{tags['UTCDate']} {tags['UTCTime']}"
        return datetime.strptime(said, "%Y.%m.%d %H:%M:%S").replace(tzinfo=UTC)
    except (KeyError, ValueError):
        return None


def _actions(game: chess.pgn.Game) -> Iterator[TranscriptAction]:
    """Yield the moves of the main line, with claims and comments."""
    board = game.board()
    for node in game.mainline():
        seat, emt, san = seat_of(board.turn), node.emt(), board.san(node.move)
        board.push(node.move)
        said = " ".join(_COMMAND.sub("", node.comment).split())
        notes = [each for each in said.split(" / ") if each]
        claimed = [each for each in SEATS if f"{CLAIM} by {each}" in notes]
        notes = [each for each in notes if not each.startswith(f"{CLAIM} by ")]
        text = f"{san} {CLAIM}" if seat in claimed else san
        taken = None if emt is None else timedelta(seconds=round(emt))
        yield TranscriptAction(seat, text, taken, tuple(notes))
        for other in claimed:
            if other != seat:
                yield TranscriptAction(other, CLAIM)


PGN = RecordFormat("PGN", "pgn", write, read)
