"""`pbem competition`: announce competitions that members can enter, and manage them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pbem.cli import shell
from pbem.cli.arguments import EntrantArgument
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, ListedItem, json_of, listed, moment
from pbem.cli.shell import Said
from pbem.mail.outgoing.entry_view import EntryView
from pbem.mail.outgoing.filters import tidy
from pbem.matches.announcement import Phase
from pbem.service.competitions.announcing import read_announced
from pbem.service.competitions.entering import announced
from pbem.service.direct import competing
from pbem.service.direct.decide import SHELL
from pbem.service.post.competition_news import view
from pbem.service.work import Work

app = group("Announce competitions that members can enter, and manage them.")

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the competition.")]
Reason = Annotated[list[str] | None, typer.Argument(metavar="REASON", help="Why.")]


@app.command("new")
@shell.writes
def new(
    work: Work,
    terms: Annotated[
        list[str],
        typer.Argument(
            metavar="TERMS", help="Kind, game, enter-until=2027-01-15, rounds=5 and other terms."
        ),
    ],
) -> Said:
    """Announce a competition that members can enter. They get an email at once."""
    of = competing.announce(work, read_announced(work, terms), SHELL)
    return _line(view(work, of))


@app.command("list")
@shell.reads
def list_all(work: Work, as_json: JsonOption = False) -> Said:
    """List the competitions that were announced."""
    found = (view(work, each) for each in work.competitions.announced([*Phase]))
    items = (ListedItem(_line(each), _data(each)) for each in found)
    return listed(items, "no competition has been announced yet", as_json=as_json)


@app.command("show")
@shell.reads
def show(work: Work, number: Number, as_json: JsonOption = False) -> Said:
    """Show the terms, the players and the table of a competition."""
    shown = view(work, announced(work, number))
    if as_json:
        return json_of(_data(shown))
    return tidy(work.club.renderer.part(["competition.txt.j2"], {"entry": shown, "shell": True}))


@app.command("start")
@shell.writes
def start(work: Work, number: Number) -> Said:
    """Start a competition before its entry ends."""
    return competing.start_now(work, number, SHELL)


@app.command("off")
@shell.writes
def off(work: Work, number: Number, reason: Reason = None) -> Said:
    """Call a competition off. Matches in play continue."""
    return competing.call_off(work, number, " ".join(reason or ()), SHELL)


@app.command("close")
@shell.writes
def close(work: Work, number: Number) -> Said:
    """Close a ladder or an open house."""
    return competing.close(work, number, SHELL)


@app.command("enter")
@shell.writes
def enter(work: Work, number: Number, player: EntrantArgument) -> Said:
    """Enter a member in a competition."""
    return competing.enter_member(work, number, player, SHELL)


@app.command("withdraw")
@shell.writes
def withdraw(work: Work, number: Number, player: EntrantArgument, reason: Reason = None) -> Said:
    """Withdraw a player from a competition. They forfeit their matches in it."""
    return competing.withdraw_member(work, number, player, " ".join(reason or ()), SHELL)


def _line(entry: EntryView) -> str:
    """Return a competition as a line of a list."""
    announcement = entry.entry
    players = f"{len(entry.players)} players, {len(entry.waiting)} waiting"
    until = f"enter until {announcement.last_day}"
    state = until if entry.is_open else str(announcement.phase)
    return f"{entry.number}: {entry.of.kind}, {entry.of.game_key}; {players}; {state}"


def _data(entry: EntryView) -> dict[str, Any]:
    """Return a competition for programs."""
    of, announcement = entry.of, entry.entry
    return {
        "number": entry.number,
        "kind": of.kind,
        "game": of.game_key,
        "days": of.options.days,
        "phase": announcement.phase,
        "enter_until": announcement.last_day.isoformat(),
        "begun_at": moment(of.created_at) if announcement.started else None,
        "min": announcement.least,
        "max": announcement.most or None,
        "late": announcement.late,
        "order": announcement.order,
        "repeat_days": announcement.repeat.days if announcement.repeat else None,
        "conditions": dict(announcement.conditions.written),
        "seed": of.seed,
        "terms": {term.key: getattr(of, term.field) for term in of.announces or ()},
        "round": entry.round,
        "rounds": of.last_round,
        "players": entry.players,
        "waiting": entry.waiting,
        "standing": _standing(entry),
        "winners": entry.winners,
    }


def _standing(entry: EntryView) -> list[dict[str, Any]]:
    if entry.standing is None:
        return []
    return [
        {
            "player": entry.standing.names[row.player],
            "points": float(row.points),
            "withdrawn": row.withdrawn,
            "tie_breaks": {each.key: float(each.value) for each in row.tie_breaks},
        }
        for row in entry.standing.standing.rows
    ]
