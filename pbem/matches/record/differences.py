"""Differences between two records of a match, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.matches.record.model import Record, write_moment


def differences(there: Record, here: Record) -> list[str]:
    """Return the differences between two records, one clause each. Empty if they are equal."""
    theirs, ours = _facts(there), _facts(here)
    return [
        *(
            f"{name} is {theirs.get(name, 'missing')} there, {ours.get(name, 'missing')} here"
            for name in dict.fromkeys((*theirs, *ours))
            if theirs.get(name) != ours.get(name)
        ),
        *_different_entries(there, here),
    ]


def _facts(record: Record) -> Mapping[str, str]:
    """Return everything but the history, by name."""
    part, result, ended = record.competition, record.result, record.ended_at
    facts = {
        "the match": str(record.match_id),
        "the club": record.club,
        "the game": record.game_key,
        "the version of the rules": str(record.rules_version),
        **({"the provider of the rules": record.provider} if record.provider else {}),
        **{f"the player on {seat}": name for seat, name in record.players.items()},
        **{f"the number of {seat}'s player": str(n) for seat, n in record.numbers.items()},
        **{f"player {number}": name for number, name in record.substitutes.items()},
        "days": str(record.days),
        **({"the time control": record.time} if record.time else {}),
        **({"unrated": "on"} if record.unrated else {}),
        **record.chosen,
        **{f"what player {n} used": f"{seconds} s" for n, seconds in record.used.items()},
        **{f"what player {n} has left": f"{seconds} s" for n, seconds in record.left.items()},
        "draw offers": "on" if record.draw_offers else "off",
        **{key.replace("_", " "): str(value) for key, value in record.options.items()},
        "the competition": f"match {part.index} of {part.kind} {part.id}" if part else "none",
        "the start": write_moment(record.started_at),
        "the end": "open" if ended is None else write_moment(ended),
    }
    if result is None:
        return {**facts, "the result": "open"}
    winners = " and ".join(result.winners)
    return {
        **facts,
        "the result": f"a win for {winners}" if winners else "a draw",
        "the reason": result.termination,
        **{f"the score of {seat}": f"{points:+d}" for seat, points in result.scores.items()},
    }


def _different_entries(there: Record, here: Record) -> Iterator[str]:
    if there.entries == here.entries:
        return
    if len(there.actions) != len(here.actions):
        yield f"{len(there.actions)} actions there, {len(here.actions)} here"
    elif there.actions != here.actions:
        pairs = enumerate(zip(there.actions, here.actions, strict=True), start=1)
        yield f"action {next(n for n, (one, other) in pairs if one != other)} differs"
    else:
        yield "other entries than actions differ"
