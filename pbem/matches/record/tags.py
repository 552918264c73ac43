"""Tag pairs at the head of a record's text: `[Match "12"]`, as in PGN."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pbem.games import game_of
from pbem.games.api import AnyGame, OptionError, Outcome, Seat
from pbem.matches.competitions import kinds
from pbem.matches.match import UNCOUNTED
from pbem.matches.match_options import read_chosen, write_chosen
from pbem.matches.record.chain import heads, short
from pbem.matches.record.model import (
    Record,
    RecordedCompetition,
    RecordError,
    read_moment,
    write_moment,
)

FORMAT = "pbem 2"
UNFINISHED, DRAW, NOBODY = "*", "draw", "nobody"

_TAG = re.compile(r'\[([A-Za-z]+) ("(?:[^"\\]|\\.)*")\]')
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_REQUIRED = (
    "Record",
    "Club",
    "Match",
    "Game",
    "Rules",
    "Numbers",
    "Days",
    "DrawOffers",
    "Options",
    "Started",
    "Head",
    "Result",
)
_UNUSUAL = ("Provider", "Time", "Unrated", "Chosen", "Substitutes", "Used", "Left")
_AT_THE_END = ("Ended", "Termination", "Scores")

Tags = Mapping[str, tuple[int, str]]
"""Line number and value by name."""
T = TypeVar("T")


def write_tags(record: Record, game: AnyGame) -> str:
    """Return the head of a record, one tag per line."""
    return "\n".join(f"[{name} {_quoted(value)}]" for name, value in _tags(record, game))


def _tags(record: Record, game: AnyGame) -> Iterator[tuple[str, str]]:
    yield "Record", FORMAT
    yield "Club", record.club
    yield "Match", str(record.match_id)
    if record.competition is not None:
        name = _tag_of(record.competition.kind)
        yield name, str(record.competition.id)
        yield f"{name}Match", str(record.competition.index)
    yield "Game", record.game_key
    yield "Rules", str(record.rules_version)
    if record.provider:
        yield "Provider", record.provider
    yield from record.players.items()
    yield "Numbers", _pairs({seat: str(number) for seat, number in record.numbers.items()})
    if record.substitutes:
        yield "Substitutes", "\n".join(f"{n} {name}" for n, name in record.substitutes.items())
    yield "Days", str(record.days)
    yield from _unusual(record)
    yield "DrawOffers", "on" if record.draw_offers else "off"
    yield "Options", _pairs(write_options(record.options, game))
    yield "Started", write_moment(record.started_at)
    if record.result is not None and record.ended_at is not None:
        yield "Ended", write_moment(record.ended_at)
        yield "Termination", record.result.termination
        yield "Scores", _pairs({s: f"{points:+d}" for s, points in record.result.scores.items()})
    yield from _clocks(record)
    yield "Head", short(heads(record)[-1])
    yield "Result", result_word(record.result)


def _clocks(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the seconds each player has used and has left, by number."""
    for name, clocks in (("Used", record.used), ("Left", record.left)):
        if clocks:
            yield name, _pairs({str(player): str(seconds) for player, seconds in clocks.items()})


def _unusual(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the terms that differ from the defaults."""
    if record.time:
        yield "Time", record.time
    if record.unrated:
        yield "Unrated", "on"
    if record.chosen:
        yield "Chosen", write_chosen(record.chosen)


def _quoted(value: str) -> str:
    """Return a JSON string with only quotes, backslashes and line ends escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _pairs(values: Mapping[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in values.items())


def write_options(options: Mapping[str, int], game: AnyGame) -> dict[str, str]:
    """Return option values as a player writes them, with `on` and `off` for switches."""
    switches = {option.key for option in game.info.options if option.switch}
    return {
        key: ("off", "on")[value] if key in switches and value in (0, 1) else str(value)
        for key, value in options.items()
    }


def result_word(result: Outcome | None) -> str:
    """Return the result: `W+E`, `draw`, `nobody` if it doesn't count, `*` if unfinished."""
    if result is None:
        return UNFINISHED
    if result.termination in UNCOUNTED:
        return NOBODY
    return "+".join(result.winners) or DRAW


def read_tag(line: str, number: int) -> tuple[str, str]:
    """Return the name and value of a tag line. Raises RecordError."""
    match = _TAG.fullmatch(line)
    if match:
        try:
            value = json.loads(match[2])
        except ValueError:
            pass
        else:
            return match[1], str(value)
    raise RecordError(f'line {number}: {line!r} is not a tag like [Match "12"]')


def read_game(tags: Tags) -> AnyGame:
    """Return the game that the tags name. Raises RecordError if tags are missing or don't agree."""
    if "Record" in tags and tags["Record"][1] != FORMAT:
        raise _wrong(tags, "Record", f"only records of the form {FORMAT!r} can be read")
    for name in _REQUIRED:
        if name not in tags:
            raise RecordError(f"the tag [{name} ...] is missing")
    provider = tags["Provider"][1] if "Provider" in tags else ""
    try:
        game = game_of(tags["Game"][1], _read(tags, "Rules", _number), provider)
    except OptionError as error:
        raise _wrong(tags, "Game", str(error)) from error
    _check_names(tags, game)
    return game


def _check_names(tags: Tags, game: AnyGame) -> None:
    together = (*((_tag_of(kind), f"{_tag_of(kind)}Match") for kind in kinds()), _AT_THE_END)
    known = {*_REQUIRED, *_UNUSUAL, *(name for group in together for name in group)}
    if sum(_tag_of(kind) in tags for kind in kinds()) > 1:
        *first, last = kinds()
        raise RecordError(f"a match belongs to at most one {', '.join(first)} or {last}")
    for name in tags:
        if name not in known and name not in game.info.seats:
            raise _wrong(tags, name, f"{game.info.title} has no tag and no seat {name!r}")
    for group in together:
        there = [name for name in group if name in tags]
        for name in group:
            if there and name not in tags:
                raise RecordError(f"the tag [{name} ...] is missing, and [{there[0]} ...] needs it")


def head_of(tags: Tags, game: AnyGame) -> dict[str, Any]:
    """Return a record's fields except its entries. Raises RecordError that names the line."""
    return {
        "match_id": _read(tags, "Match", _number),
        "game_key": game.info.key,
        "rules_version": _read(tags, "Rules", _number),
        "players": {seat: tags[seat][1] for seat in game.info.seats if seat in tags},
        "days": _read(tags, "Days", _number),
        "time": tags["Time"][1] if "Time" in tags else "",
        "unrated": "Unrated" in tags and bool(_read(tags, "Unrated", _switch)),
        "chosen": _read(tags, "Chosen", _chosen) if "Chosen" in tags else {},
        "draw_offers": bool(_read(tags, "DrawOffers", _switch)),
        "options": _read(tags, "Options", _options),
        "started_at": _read(tags, "Started", read_moment),
        "ended_at": _read(tags, "Ended", read_moment) if "Ended" in tags else None,
        "competition": _competition(tags),
        "result": _result(tags, game),
        "club": tags["Club"][1],
        "numbers": _read(tags, "Numbers", _numbers),
        "substitutes": _read(tags, "Substitutes", _substitutes) if "Substitutes" in tags else {},
        "used": _read(tags, "Used", _seconds) if "Used" in tags else {},
        "left": _read(tags, "Left", _seconds) if "Left" in tags else {},
        "provider": tags["Provider"][1] if "Provider" in tags else "",
    }


def _competition(tags: Tags) -> RecordedCompetition | None:
    for kind in kinds():
        name = _tag_of(kind)
        if name in tags:
            number, index = _read(tags, name, _number), _read(tags, f"{name}Match", _number)
            return RecordedCompetition(kind, number, index)
    return None


def _tag_of(kind: str) -> str:
    """Return the tag of a kind: `Set`, `KnockOut`."""
    return "".join(word.capitalize() for word in kind.split("-"))


def _result(tags: Tags, game: AnyGame) -> Outcome | None:
    word = tags["Result"][1]
    if (word == UNFINISHED) == ("Ended" in tags):
        raise _wrong(tags, "Result", "either the result or the time of the end is missing")
    if word == UNFINISHED:
        return None
    winners: tuple[Seat, ...] = () if word in (DRAW, NOBODY) else tuple(word.split("+"))
    for seat in winners:
        if seat not in game.info.seats:
            raise _wrong(tags, "Result", f"{game.info.title} has no seat {seat!r}")
    return Outcome(winners, tags["Termination"][1], _read(tags, "Scores", _scores))


def _read(tags: Tags, name: str, read: Callable[[str], T]) -> T:
    """Return the value of a tag. Raises RecordError that names its line."""
    try:
        return read(tags[name][1])
    except RecordError as error:
        raise _wrong(tags, name, str(error)) from error


def _wrong(tags: Tags, name: str, reason: str) -> RecordError:
    return RecordError(f"line {tags[name][0]}: {reason}")


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise RecordError(f"{text!r} is not a whole number")
    return int(text)


def _switch(text: str) -> int:
    if text not in ("on", "off"):
        raise RecordError(f"{text!r} is neither on nor off")
    return int(text == "on")


def _options(text: str) -> dict[str, int]:
    return {
        key: _switch(value) if value in ("on", "off") else _number(value)
        for key, value in _split(text).items()
    }


def _chosen(text: str) -> dict[str, str]:
    try:
        return read_chosen(text)
    except OptionError as error:
        raise RecordError(str(error)) from error


def _numbers(text: str) -> dict[Seat, int]:
    return {seat: _number(number) for seat, number in _split(text).items()}


def _substitutes(text: str) -> dict[int, str]:
    pairs = [line.partition(" ") for line in text.split("\n")]
    return {_number(number): name for number, _, name in pairs}


def _scores(text: str) -> dict[Seat, int]:
    return {
        seat: (-1 if points[:1] == "-" else 1) * _number(points.lstrip("+-"))
        for seat, points in _split(text).items()
    }


def _seconds(text: str) -> dict[int, int]:
    return {
        _number(player): (-1 if seconds[:1] == "-" else 1) * _number(seconds.removeprefix("-"))
        for player, seconds in _split(text).items()
    }


def _split(text: str) -> dict[str, str]:
    """Return the pairs of `name=value name=value`. Raises RecordError."""
    pairs = [pair.partition("=") for pair in text.split()]
    for key, sign, _ in pairs:
        if not sign:
            raise RecordError(f"{key!r} does not have the form name=value")
    if len({key for key, _, _ in pairs}) != len(pairs):
        raise RecordError(f"a name appears twice in {text!r}")
    return {key: value for key, _, value in pairs}
