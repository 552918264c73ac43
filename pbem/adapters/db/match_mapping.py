"""Matches as rows and back: the door between the domain and the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from pbem.adapters.db.clock_mapping import clock_data, clock_of
from pbem.adapters.db.tables import MatchRow, SeatRow
from pbem.games.api import Seat
from pbem.matches.breaks import Break
from pbem.matches.hands import Audience, Hands, Spell
from pbem.matches.history import Happening, Kind
from pbem.matches.match import (
    DrawOffer,
    MatchOptions,
    MatchSummary,
    PauseOffer,
    PlayerId,
    RecordedAction,
    Result,
)
from pbem.matches.place import Place
from pbem.matches.spans import HOUR


def columns_of(match: MatchSummary) -> dict[str, Any]:
    """Columns of a match; the id and what the archive notes there are not among them."""
    return {
        "game_key": match.game_key,
        "rules_version": match.rules_version,
        "options": options_data(match.options),
        "started_at": match.started_at,
        "actions": match.actions,
        "turn": match.turn,
        "to_act": match.to_act,
        "turn_started_at": match.turn_started_at,
        "clock": clock_data(match.clock),
        "offer": _offer_data(match.offer),
        "resigned": sorted(match.resigned),
        "result": _result_data(match.result),
        "ended_at": None if match.result is None else match.result.ended_at,
        **_place_columns(match.place),
        "club": match.club,
        "entries": match.entries,
        "head": match.head,
        "public": match.public,
        "lead": match.lead,
        "pause_offer": _pause_offer_data(match.pause_offer),
        "breaks": [_break_data(each) for each in match.breaks],
        "began_with": match.player_count,
        "hands": hands_data(match.hands),
    }


def seat_columns(match_id: int, match: MatchSummary) -> list[dict[str, Any]]:
    """Columns of the seats of a match."""
    playing = match.result is None
    return [
        {"match_id": match_id, "place": i, "seat": seat, "player_id": player, "playing": playing}
        for i, (seat, player) in enumerate(match.seats.items())
    ]


def holders_of(seats: Iterable[SeatRow | Row[Any]]) -> dict[Seat, PlayerId]:
    """Who holds each seat of a match, from their rows in turn order."""
    return {seat.seat: seat.player_id for seat in seats}


def match_of(row: MatchRow | Row[Any], holders: Mapping[Seat, PlayerId]) -> MatchSummary:
    """A match from its row, as an object or plain columns, and who holds each of its seats."""
    assert row.id is not None
    options = options_of(row.options)
    return MatchSummary(
        id=row.id,
        game_key=row.game_key,
        rules_version=row.rules_version,
        seats=holders,
        options=options,
        started_at=row.started_at,
        actions=row.actions,
        turn=row.turn,
        to_act=row.to_act,
        turn_started_at=row.turn_started_at,
        clock=clock_of(row.clock, options.control),
        offer=_offer(row.offer),
        resigned=frozenset(row.resigned),
        result=_result(row),
        place=_place(row),
        club=row.club,
        entries=row.entries,
        head=row.head,
        public=row.public,
        lead=row.lead,
        pause_offer=_pause_offer(row.pause_offer),
        breaks=tuple(map(_break, row.breaks)),
        hands=hands_of(row.hands),
    )


def action_columns(match_id: int, action: RecordedAction) -> dict[str, Any]:
    """Columns of an action."""
    return {"match_id": match_id, **action._asdict(), "passed": list(action.passed)}


def action_of(row: Iterable[Any]) -> RecordedAction:
    """An action from its columns, in the order of its fields."""
    action = RecordedAction(*row)
    return action._replace(passed=tuple(action.passed))


def happening_columns(match_id: int, happening: Happening) -> dict[str, Any]:
    """Columns of a happening."""
    return {"match_id": match_id, **happening._asdict(), "kind": str(happening.kind)}


def happening_of(row: Iterable[Any]) -> Happening:
    """A happening from its columns, in the order of its fields."""
    happening = Happening(*row)
    return happening._replace(kind=Kind(happening.kind))


def options_data(options: MatchOptions) -> dict[str, Any]:
    """Match options as JSON."""
    return {
        "days": options.days,
        "draw_offers": options.draw_offers,
        "game": dict(options.game),
        **({"time": options.time} if options.time else {}),
        **({"unrated": True} if options.unrated else {}),
        **({"chosen": dict(options.chosen)} if options.chosen else {}),
    }


def options_of(data: Mapping[str, Any]) -> MatchOptions:
    """Match options from JSON."""
    return MatchOptions(
        data["days"],
        data["draw_offers"],
        data["game"],
        data.get("time", ""),
        data.get("unrated", False),
        data.get("chosen", {}),
    )


def _place_columns(place: Place | None) -> dict[str, int | None]:
    if place is None:
        return dict.fromkeys(("competition_id", "competition_round", "competition_index"))
    return {
        "competition_id": place.competition,
        "competition_round": place.round,
        "competition_index": place.index,
    }


def _place(row: MatchRow | Row[Any]) -> Place | None:
    if row.competition_id is None:
        return None
    return Place(row.competition_id, row.competition_round or 1, row.competition_index or 1)


def _offer_data(offer: DrawOffer | None) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {"by": offer.by, "accepted": sorted(offer.accepted)}


def _offer(data: Mapping[str, Any] | None) -> DrawOffer | None:
    if data is None:
        return None
    return DrawOffer(data["by"], frozenset(data["accepted"]))


def _pause_offer_data(offer: PauseOffer | None) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {
        "by": offer.by,
        "hours": offer.span // HOUR,
        "at": offer.at.isoformat(),
        "left": sorted(offer.left),
        "named": offer.named,
    }


def _pause_offer(data: Mapping[str, Any] | None) -> PauseOffer | None:
    if data is None:
        return None
    at = datetime.fromisoformat(data["at"])
    left, named = frozenset(data["left"]), data.get("named", False)
    return PauseOffer(data["by"], data["hours"] * HOUR, at, left, named)


def _break_data(each: Break) -> list[Any]:
    return [each.start.isoformat(), each.end.isoformat(), each.agreed]


def _break(data: Sequence[Any]) -> Break:
    start, end, agreed = data
    return Break(datetime.fromisoformat(start), datetime.fromisoformat(end), agreed)


def _result_data(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "winners": list(result.winners),
        "termination": result.termination,
        "scores": dict(result.scores),
    }


def _result(row: MatchRow | Row[Any]) -> Result | None:
    if row.result is None or row.ended_at is None:
        return None
    data = row.result
    return Result(tuple(data["winners"]), data["termination"], data["scores"], row.ended_at)


def hands_data(hands: Hands) -> dict[str, Any]:
    """What there is of it: nothing, for nearly all matches."""
    data = {
        "earlier": [list(spell) for spell in hands.earlier],
        "kept_for": dict(hands.kept_for),
        "offered": {seat: str(audience) for seat, audience in hands.offered.items()},
    }
    return {name: value for name, value in data.items() if value}


def hands_of(data: Mapping[str, Any]) -> Hands:
    """Hands from JSON."""
    offered = data.get("offered", {})
    return Hands(
        tuple(Spell(*spell) for spell in data.get("earlier", ())),
        data.get("kept_for", {}),
        {seat: Audience(audience) for seat, audience in offered.items()},
    )
