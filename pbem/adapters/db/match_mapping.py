"""Matches and clocks as rows and JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import CompoundSelect, Row, and_, or_, select, text, union
from sqlmodel import col

from pbem.adapters.db.tables import SUCCESSION, HappeningRow, MatchRow, SeatRow
from pbem.games.api import Seat
from pbem.matches.clock import Charge, Clock, PauseReason
from pbem.matches.competition_place import Place
from pbem.matches.history import Happening, Kind
from pbem.matches.match import (
    BeforeEnd,
    MatchOffer,
    MatchOptions,
    MatchSummary,
    OfferCount,
    OfferKind,
    PauseOffer,
    PlayerId,
    RecordedAction,
    Result,
)
from pbem.matches.off_time import ALWAYS, HOUR, Break, Schedule, Span
from pbem.matches.reliability import TurnTime
from pbem.matches.reminders import USUAL, Reminders, Rest
from pbem.matches.seat_holders import Audience, Hands, Spell
from pbem.matches.time_control import DeadlineKind, Due, TimeAccount, TimeControl
from pbem.matches.time_controls import read_control, write_control
from pbem.matches.zones import Nights


def columns_of(match: MatchSummary) -> dict[str, Any]:
    """Return the columns of a match, without its id and the archive's notes."""
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
        "offer": _draw_offer_data(match.offer(OfferKind.DRAW)),
        "offers": _offers_data(match),
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
        "provider": match.provider,
    }


def seat_columns(match_id: int, match: MatchSummary) -> list[dict[str, Any]]:
    """Return the columns of the seats of a match."""
    playing = match.result is None
    return [
        {"match_id": match_id, "place": i, "seat": seat, "player_id": player, "playing": playing}
        for i, (seat, player) in enumerate(match.seats.items())
    ]


def holders_of(seats: Iterable[SeatRow | Row[Any]]) -> dict[Seat, PlayerId]:
    """Return the player in each seat of a match, from rows in turn order."""
    return {seat.seat: seat.player_id for seat in seats}


def match_of(row: MatchRow | Row[Any], holders: Mapping[Seat, PlayerId]) -> MatchSummary:
    """Return a match from its row (object or plain columns) and the players of its seats."""
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
        offers=tuple(_offers(row.offer, row.offers)),
        offered=tuple(_offered(row.offers)),
        resigned=frozenset(row.resigned),
        result=_result(row, options.control),
        place=_place(row),
        club=row.club,
        entries=row.entries,
        head=row.head,
        public=row.public,
        lead=row.lead,
        pause_offer=_pause_offer(row.pause_offer),
        breaks=tuple(map(_break, row.breaks)),
        hands=hands_of(row.hands),
        provider=row.provider,
    )


def action_columns(
    match_id: int,
    action: RecordedAction,
    account: TimeAccount | None = None,
    timed: TurnTime | None = None,
) -> dict[str, Any]:
    """Return the columns of an action, with its player's time account before it."""
    account_data = None if account is None else _account(account)
    columns = {**action._asdict(), "passed": list(action.passed), "account": account_data}
    if timed is None:
        return {"match_id": match_id, **columns, "player_id": None, "spent": None, "late": None}
    spent = timed.spent // timedelta(seconds=1)
    of = {"player_id": timed.player, "spent": spent, "late": timed.late}
    return {"match_id": match_id, **columns, **of}


def action_of(row: Iterable[Any]) -> RecordedAction:
    """Return an action from its columns, in the order of its fields."""
    action = RecordedAction(*row)
    return action._replace(passed=tuple(action.passed))


def happening_columns(match_id: int, happening: Happening) -> dict[str, Any]:
    """Return the columns of a happening."""
    return {"match_id": match_id, **happening._asdict(), "kind": str(happening.kind)}


def happening_of(row: Iterable[Any]) -> Happening:
    """Return a happening from its columns, in the order of its fields."""
    happening = Happening(*row)
    return happening._replace(kind=Kind(happening.kind))


def options_data(options: MatchOptions) -> dict[str, Any]:
    """Return match options as JSON."""
    return {
        "days": options.days,
        "draw_offers": options.draw_offers,
        "game": dict(options.game),
        **({"time": options.time} if options.time else {}),
        **({"unrated": True} if options.unrated else {}),
        **({"chosen": dict(options.chosen)} if options.chosen else {}),
    }


def options_of(data: Mapping[str, Any]) -> MatchOptions:
    """Return match options from JSON."""
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


def _draw_offer_data(offer: MatchOffer | None) -> dict[str, Any] | None:
    """Return a draw offer. It has a column of its own, which is older than `offers`."""
    if offer is None:
        return None
    return {"by": offer.by, "accepted": sorted(offer.accepted)}


def _offers_data(match: MatchSummary) -> dict[str, Any]:
    """Return the other offers and the counts of all, empty for nearly all matches."""
    others = [each for each in match.offers if each.kind is not OfferKind.DRAW]
    data = {"standing": [*map(_offer_data, others)], "made": [*map(_count_data, match.offered)]}
    return {name: value for name, value in data.items() if value}


def _offer_data(offer: MatchOffer) -> list[Any]:
    asked = None if offer.asked is None else sorted(offer.asked)
    return [str(offer.kind), offer.by, sorted(offer.accepted), offer.to, asked]


def _count_data(count: OfferCount) -> list[Any]:
    return [str(count.kind), count.by, count.last, count.refused, count.refused_in]


def _offers(draw: Mapping[str, Any] | None, data: Mapping[str, Any]) -> Iterator[MatchOffer]:
    if draw is not None:
        yield MatchOffer(OfferKind.DRAW, draw["by"], frozenset(draw["accepted"]))
    for kind, by, accepted, to, asked in data.get("standing", ()):
        of = None if asked is None else frozenset(asked)
        yield MatchOffer(OfferKind(kind), by, frozenset(accepted), to, of)


def _offered(data: Mapping[str, Any]) -> Iterator[OfferCount]:
    for kind, *numbers in data.get("made", ()):
        yield OfferCount(OfferKind(kind), *numbers)


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
        **({} if result.before is None else {"before": _before_data(result.before)}),
    }


def _before_data(before: BeforeEnd) -> dict[str, Any]:
    place = None if before.place is None else list(astuple(before.place))
    return {"clock": clock_data(before.clock), "place": place, "public": before.public}


def _before(data: Mapping[str, Any] | None, agreed: TimeControl) -> BeforeEnd | None:
    if data is None:
        return None
    place = None if data["place"] is None else Place(*data["place"])
    return BeforeEnd(clock_of(data["clock"], agreed), place, data["public"])


def _result(row: MatchRow | Row[Any], agreed: TimeControl) -> Result | None:
    if row.result is None or row.ended_at is None:
        return None
    data = row.result
    winners, before = tuple(data["winners"]), _before(data.get("before"), agreed)
    return Result(winners, data["termination"], data["scores"], row.ended_at, before)


def hands_data(hands: Hands) -> dict[str, Any]:
    """Return seat changes as JSON, empty for nearly all matches."""
    data = {
        "earlier": [list(spell) for spell in hands.earlier],
        "kept_for": dict(hands.kept_for),
        "offered": {seat: str(audience) for seat, audience in hands.offered.items()},
    }
    return {name: value for name, value in data.items() if value}


def hands_of(data: Mapping[str, Any]) -> Hands:
    """Return seat changes from JSON."""
    offered = data.get("offered", {})
    return Hands(
        tuple(Spell(*spell) for spell in data.get("earlier", ())),
        data.get("kept_for", {}),
        {seat: Audience(audience) for seat, audience in offered.items()},
    )


def ever_played(player: PlayerId) -> CompoundSelect[Any]:
    """Return a query for the ids of matches in which a player has or had a seat."""
    holds = select(col(SeatRow.match_id)).where(col(SeatRow.player_id) == player)
    told = col(HappeningRow.text)
    named = or_(told.startswith(f"{player} "), told.endswith(f" {player}"))
    held = select(col(HappeningRow.match_id)).where(and_(text(SUCCESSION), named))
    return union(holds, held)


MICROSECOND = timedelta(microseconds=1)


def clock_data(clock: Clock) -> dict[str, Any]:
    """Return a clock as JSON."""
    return {
        "control": write_control(clock.control),
        "accounts": {str(player): _account(each) for player, each in clock.accounts.items()},
        "runs_for": clock.runs_for,
        "since": None if clock.since is None else clock.since.isoformat(),
        "spent": clock.spent // MICROSECOND,
        "pauses": {str(reason): since.isoformat() for reason, since in clock.pauses.items()},
        "fallen": [[str(due.kind), due.due_at.isoformat()] for due in clock.fallen],
        "seen": sorted(clock.seen),
        "schedule": schedule_data(clock.schedule),
        "reminders": str(clock.reminders),
        "rest": _rest(clock.reminders.rest),
        **({"charges": [*map(_charge, clock.charges)]} if clock.charges else {}),
        **({"grace": clock.grace // MICROSECOND} if clock.grace else {}),
    }


def clock_of(data: Mapping[str, Any], agreed: TimeControl) -> Clock:
    """Return a clock from JSON. Matches that ended before clocks existed get an unused one."""
    if not data:
        return Clock(agreed)
    return Clock(
        control=read_control(data["control"]),
        accounts={int(player): account_of(each) for player, each in data["accounts"].items()},
        runs_for=data["runs_for"],
        since=None if data["since"] is None else datetime.fromisoformat(data["since"]),
        spent=data["spent"] * MICROSECOND,
        pauses={
            PauseReason(reason): datetime.fromisoformat(since)
            for reason, since in data["pauses"].items()
        },
        fallen=tuple(
            Due(DeadlineKind(kind), datetime.fromisoformat(due_at))
            for kind, due_at in data["fallen"]
        ),
        seen=frozenset(map(DeadlineKind, data["seen"])),
        schedule=schedule_of(data.get("schedule", {})),
        reminders=_reminders_of(data),
        charges=tuple(map(_charge_of, data.get("charges", ()))),
        grace=data.get("grace", 0) * MICROSECOND,
    )


def _rest(rest: Rest | None) -> list[str] | None:
    return None if rest is None else [rest.zone, str(rest.nights)]


def _reminders_of(data: Mapping[str, Any]) -> Reminders:
    """Return reminders from JSON. Turns started under older versions store less."""
    reminders = Reminders.read(data["reminders"]) if "reminders" in data else USUAL
    if not (rest := data.get("rest")):
        return reminders
    zone, nights = rest
    return replace(reminders, rest=Rest(zone, Nights.read(nights)))


def _charge(charge: Charge) -> list[Any]:
    moments = charge.since.isoformat(), charge.until.isoformat()
    return [*moments, charge.spent // MICROSECOND, schedule_data(charge.schedule)]


def _charge_of(data: Sequence[Any]) -> Charge:
    since, until = map(datetime.fromisoformat, data[:2])
    return Charge(since, until, data[2] * MICROSECOND, schedule_of(data[3]))


def _account(account: TimeAccount) -> dict[str, Any]:
    return {
        "bank": None if account.bank is None else account.bank // MICROSECOND,
        "used": account.used // MICROSECOND,
        "turns": account.turns,
        "added": account.added // MICROSECOND,
    }


def account_of(data: Mapping[str, Any]) -> TimeAccount:
    """Return a time account from JSON."""
    bank = data["bank"]
    return TimeAccount(
        None if bank is None else bank * MICROSECOND,
        data["used"] * MICROSECOND,
        data["turns"],
        data.get("added", 0) * MICROSECOND,
    )


DAY = timedelta(days=1)


def schedule_data(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule as JSON."""
    if schedule == ALWAYS:
        return {}
    data = {
        "zone": schedule.zone,
        "weekends": schedule.weekends,
        "nights": None if schedule.nights is None else str(schedule.nights),
        "holidays": [[str(first), str(last)] for first, last in _in_a_row(schedule.holidays)],
        "leaves": [[start.isoformat(), end.isoformat()] for start, end in schedule.leaves],
    }
    return {key: value for key, value in data.items() if value}


def schedule_of(data: Mapping[str, Any]) -> Schedule:
    """Return a schedule from JSON."""
    if not data:
        return ALWAYS
    nights = data.get("nights")
    return Schedule(
        zone=data["zone"],
        weekends=data.get("weekends", False),
        nights=Nights.read(nights) if nights else None,
        holidays=tuple(_days(data.get("holidays", ()))),
        leaves=tuple(
            Span(datetime.fromisoformat(start), datetime.fromisoformat(end))
            for start, end in data.get("leaves", ())
        ),
    )


def _in_a_row(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Yield the first and last day of each run of consecutive days."""
    row: tuple[date, date] | None = None
    for day in days:
        if row is not None and row[1] + DAY == day:
            row = (row[0], day)
            continue
        if row is not None:
            yield row
        row = (day, day)
    if row is not None:
        yield row


def _days(rows: Iterable[tuple[str, str]]) -> Iterator[date]:
    """Yield every day of some runs."""
    for first, last in rows:
        day, end = date.fromisoformat(first), date.fromisoformat(last)
        while day <= end:
            yield day
            day += DAY
