"""Check a record against the rules and its hashes. Every match can be replayed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, OptionError, Outcome, Seat
from pbem.games.phrases import ENGLISH, capitalised
from pbem.games.replay import Played, ReplayError, play_one
from pbem.matches.history import Kind
from pbem.matches.match import COMMON_TERMINATIONS, DRAW, DRAWS, FLAG_DRAW, UNCOUNTED, has_resigned
from pbem.matches.record.chain import heads, is_head
from pbem.matches.record.decisions import decision_problems, handing_problems
from pbem.matches.record.model import Record, read_result
from pbem.matches.time_controls import read_control


def verify(record: Record) -> list[str]:
    """Return the problems of a record, one sentence each. Empty if it replays as recorded.

    The heads found with its entries must match its history.
    """
    changed = list(chain_problems(record))
    try:
        game = game_of(record.game_key, record.rules_version, record.provider)
    except OptionError as error:
        return [*changed, _sentence(str(error))]
    problems = list(_start_problems(record, game)) or list(_play_problems(record, game))
    return changed + (problems or list(_earlier_problems(record, game)))


def _earlier_problems(record: Record, game: AnyGame) -> Iterator[str]:
    """Yield the problems of results before a reopening."""
    for number, entry in enumerate(record.entries):
        if entry.kind is Kind.RESULT:
            result, entries = read_result(entry.text), record.entries[:number]
            then = replace(record, entries=entries, result=result, ended_at=entry.at)
            for problem in _play_problems(then, game):
                yield f"Before the match was reopened: {problem}"


def _start_problems(record: Record, game: AnyGame) -> Iterator[str]:
    """Yield what prevents a replay."""
    info = game.info
    held: dict[str, set[Seat]] = defaultdict(set)
    for seat, name in record.players.items():
        held[name].add(seat)
    if {frozenset(seats) for seats in held.values()} != {
        frozenset(seats) for seats in info.holders.get(len(held), ())
    }:
        seats = ", ".join(f"{seat} {name}" for seat, name in record.players.items())
        yield f"{info.title} cannot be played with these seats: {seats}."
    try:
        info.with_defaults(record.options)
    except OptionError as error:
        yield _sentence(str(error))
    time = record.time or f"days={record.days}"
    try:
        read_control(time)
    except OptionError:
        yield f"The match cannot have the time control {time!r}."
    if record.ended_at is not None and record.ended_at < record.started_at:
        yield "The match ended before it started."


def replayed(record: Record) -> Iterator[Played]:
    """Yield its actions replayed, including those taken back later.

    Raises ReplayError, or OptionError if it cannot even start.
    """
    game, done = game_of(record.game_key, record.rules_version, record.provider), 0
    start, stand = game.initial(record.player_count, record.options), list[Played]()
    for entry in record.entries:
        if entry.kind is Kind.UNDONE:
            stand = _before(int(entry.text), stand)
        elif entry.kind is Kind.ACTION:
            position = stand[-1].position if stand else start
            try:
                stand.append(play_one(game, position, entry.seat, entry.text))
            except ActionError as error:
                raise ReplayError(done, error) from error
            done += 1
            yield stand[-1]


def standing(record: Record, played: Sequence[Played]) -> list[Played]:
    """Return the played actions that were not taken back."""
    gone = record.taken_back
    return [each for number, each in enumerate(played, start=1) if number not in gone]


def _before(turn: int, played: Sequence[Played]) -> list[Played]:
    return [each for each in played if each.turn < turn]


def _play_problems(record: Record, game: AnyGame) -> Iterator[str]:
    all_played = list[Played]()
    try:
        for number, played in enumerate(replayed(record), start=1):
            yield from _entry_problems(record, number, played)
            all_played.append(played)
            if game.outcome(played.position) is not None and number < len(record.actions):
                yield f"{_name(record, number + 1)} comes after the end of the match."
                break
    except ReplayError as failed:
        reason = ENGLISH.text(failed.error.reason).rstrip(".")
        yield f"{_name(record, failed.index + 1)} cannot be played: {reason}."
        return
    stand = standing(record, all_played)
    start = game.initial(record.player_count, record.options)
    position = stand[-1].position if stand else start
    yield from handing_problems(record, game)
    yield from _result_problems(record, game, position)
    if game.outcome(position) is None:
        yield from decision_problems(record, all_played)


def _name(record: Record, number: int) -> str:
    entry = record.actions[number - 1]
    return f"Action {number}, {entry.text} by {entry.seat} in turn {entry.turn},"


def _entry_problems(record: Record, number: int, played: Played) -> Iterator[str]:
    entry = record.actions[number - 1]
    if (entry.seat, entry.text) != (played.seat, played.text):
        yield f"{_name(record, number)} should be {played.text} by {played.seat}."
    if entry.turn != played.turn:
        yield (
            f"{_name(record, number)} is in turn {played.turn} by the rules. "
            "The passes before it differ."
        )


def _result_problems(record: Record, game: AnyGame, position: object) -> Iterator[str]:
    """Yield the differences between the recorded result and the rules' result."""
    by_rules, result = game.outcome(position), record.result
    if by_rules is not None:
        if result is None:
            ended = f"the match has ended ({by_rules.termination})"
            yield f"By the rules, {ended}, but it has no result."
        elif _in_words(result) != _in_words(by_rules):
            yield f"The result is {_in_words(result)}. By the rules, it is {_in_words(by_rules)}."
    elif result is not None and result.termination in game.info.terminations:
        yield f"The match ended by {result.termination}, but by the rules it has not ended."
    elif result is not None:
        yield from _agreed_result_problems(record, result, game, position)


def _in_words(result: Outcome) -> str:
    winners = " and ".join(result.winners)
    scores = ", ".join(f"{seat} {result.scores[seat]}" for seat in sorted(result.scores))
    end = f"a win for {winners}" if winners else "a draw"
    return f"{end} by {result.termination} ({scores})"


def _agreed_result_problems(
    record: Record, result: Outcome, game: AnyGame, position: object
) -> Iterator[str]:
    """Yield problems of a result that the players or the director decided."""
    if result.termination not in COMMON_TERMINATIONS:
        yield f"No match of {game.info.title} can end by {result.termination!r}."
    if set(result.scores) != set(record.players):
        yield "The result does not have a score for every seat."
    elif result.termination in DRAWS:
        yield from _draw_problems(record, result, game, position)
    elif result.termination in UNCOUNTED:
        if result.winners or any(result.scores.values()):
            yield "A match that does not count has no winners and no points."
    elif not _whole_sides(record, result, game):
        yield "The winners in the result are not whole sides with opponents who lose."
    elif result.termination in ("resignation", "flag", "forfeit"):
        losers = [seat for seat in record.players if seat not in result.winners]
        due = game.forfeit(position, losers)
        right = Outcome(result.winners, result.termination, {s: due[s] for s in record.players})
        if _in_words(result) != _in_words(right):
            yield f"The result is {_in_words(result)}. It should be {_in_words(right)}."


def _draw_problems(record: Record, result: Outcome, game: AnyGame, position: Any) -> Iterator[str]:
    in_play = tuple(s for s in record.players if not has_resigned(game, position, s))
    everybody = len(in_play) == len(record.players)
    if any(result.scores.values()) or (everybody and result.winners):
        yield "An agreed draw has no winners and no points."
    elif not everybody and result.winners != in_play and (result.winners or not _is_old(record)):
        yield "A draw counts only for players who had not resigned, and for all of them."
    if result.termination == FLAG_DRAW and _somebody_can_win(record, game, position):
        yield "A match is drawn on time only if the other side could no longer win."
    if result.termination == DRAW and not record.draw_offers:
        yield "A draw was agreed, but the match does not allow draw offers."


def _somebody_can_win(record: Record, game: AnyGame, position: Any) -> bool:
    """Return whether an opponent of the seat to act could still win."""
    late = game.to_act(position)
    side = game.info.side_of(record.player_count, late) if late is not None else ()
    return any(game.can_win(position, seat) for seat in record.players if seat not in side)


def _is_old(record: Record) -> bool:
    """Return whether it dates from when players who had resigned still shared a draw."""
    return record.rules_version < game_of(record.game_key).info.rules_version


def _whole_sides(record: Record, result: Outcome, game: AnyGame) -> bool:
    """Return whether the winners are some but not all sides. Only the director may give a draw."""
    won = set(result.winners)
    if not won:
        return result.termination == "adjudication"
    sides = (game.info.side_of(record.player_count, seat) for seat in won)
    return won < set(record.players) and all(won.issuperset(side) for side in sides)


def _sentence(text: str) -> str:
    return f"{capitalised(text).rstrip('.')}."


def chain_problems(record: Record) -> Iterator[str]:
    """Yield one problem at most, since a head covers everything before it."""
    if not record.heads:
        return
    due, agrees_until = heads(record), -1
    for number, found in sorted(record.heads.items()):
        if number >= len(due):
            yield f"There is a head for entry {number}, but the history has {len(due) - 1} entries."
            return
        if not is_head(found, due[number]):
            yield _changed(record, agrees_until, number)
            return
        agrees_until = number
    if agrees_until != len(due) - 1:
        yield "The end of the history has no head."


def _changed(record: Record, before: int, number: int) -> str:
    where = entry_name(record, number)
    if number == 0 or before == number - 1:
        return f"The history has been changed: {where} does not agree with its head."
    since = "from its start" if before < 0 else f"after {entry_name(record, before)}"
    return (
        f"The history has been changed: something {since} up to {where} does not agree with the "
        "head there."
    )


def entry_name(record: Record, number: int) -> str:
    """Return an entry as people look for it: its number, turn and content."""
    if number == 0:
        return "the start (club, match, game, options, players' numbers, time)"
    if number > len(record.entries):
        return f"entry {number}, the result"
    entry = record.entries[number - 1]
    by = f" by {entry.seat}" if entry.seat else ""
    what = entry.kind.replace("_", " ")
    if entry.text:
        what = entry.text if entry.kind is Kind.ACTION else f"{what} {entry.text}"
    return f"entry {number} ({what}{by} in turn {entry.turn})"
