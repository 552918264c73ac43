"""Records from transcripts: a match of another program's file, such as PGN, as our record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.games import game_of, provider_of
from pbem.games.api import AnyGame, GamePosition, OptionError, Outcome, Seat
from pbem.games.replay import ReplayError, replay
from pbem.games.transcript import Transcript
from pbem.matches.history import Kind
from pbem.matches.match import ADJUDICATED_DRAW, RESIGNATION
from pbem.matches.record import HistoryEntry, Record, RecordError


def record_of_transcript(of: Transcript) -> Record:
    """Return the record of an ended match. Its players are numbered as they are named.

    An end that does not follow from the rules is a resignation, or else a decision. Raises
    RecordError if something is missing, or an action cannot be played.
    """
    start, winners = of.started_at, of.winners
    if not of.club or not of.match_id or start is None or winners is None:
        raise RecordError("a club, a number of the match, a start and a result are needed")
    names = list(dict.fromkeys(of.players.values()))
    try:
        game = game_of(of.game_key)
        options = game.info.with_defaults(of.options)
        pairs = [(action.seat, action.text) for action in of.actions]
        played = list(replay(game, len(names), options, pairs))
    except (OptionError, ReplayError) as error:
        raise RecordError(str(error).rstrip(".")) from error
    at, entries = start, list[HistoryEntry]()
    for each, action in zip(played, of.actions, strict=True):
        try:
            at += action.taken or timedelta()
        except OverflowError as error:
            raise RecordError(f"{each.text} ends too late, after the year 9999") from error
        entries.append(HistoryEntry(each.turn, each.seat, each.text, at))
    position = played[-1].position if played else game.initial(len(names), options)
    result = game.outcome(position)
    if result is None:
        result, decisions = _decided(of, game, position, winners)
        entries += (HistoryEntry(position.turn, seat, "", at, kind) for seat, kind in decisions)
    elif result.winners != winners:
        raise RecordError(f"by the rules, it ends by {result.termination}, with another result")
    return Record(
        club=of.club,
        match_id=of.match_id,
        game_key=game.info.key,
        rules_version=game.info.rules_version,
        provider=provider_of(game),
        players=of.players,
        numbers={seat: names.index(name) + 1 for seat, name in of.players.items()},
        days=0,
        draw_offers=game.info.draw_offers,
        options=options,
        started_at=start,
        ended_at=at,
        entries=tuple(entries),
        result=result,
    )


def _decided(
    of: Transcript, game: AnyGame, position: GamePosition, winners: Sequence[Seat]
) -> tuple[Outcome, list[tuple[Seat, Kind]]]:
    """Return a result that the file claims, and the events of our history that explain it."""
    losers = [seat for seat in of.players if seat not in winners]
    if of.termination == RESIGNATION and winners:
        termination, events = RESIGNATION, [(seat, Kind.RESIGNED) for seat in losers]
    elif winners:
        termination, events = "adjudication", [("", Kind.ADJUDGED)]
    else:
        termination, events = ADJUDICATED_DRAW, [("", Kind.ADJUDGED)]
    due = game.forfeit(position, losers) if winners else dict.fromkeys(of.players, 0)
    scores = {seat: due[seat] for seat in of.players}
    return Outcome(tuple(winners), termination, scores), events
