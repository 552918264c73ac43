"""`pbem offer`: challenges and open tables on behalf of members, as if by email."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pbem.cli import shell
from pbem.cli.arguments import MatchArgument, OfferArgument, OtherArgument, members
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, ListedItem, json_of, listed, moment
from pbem.cli.match_rows import summary
from pbem.cli.shell import Said, player_named
from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.offers import answering
from pbem.service.offers.answering import rematch
from pbem.service.offers.change import OfferChange, carry_out, view
from pbem.service.offers.lists import standing_for
from pbem.service.offers.making import challenge, open_table
from pbem.service.offers.matchmaking import is_search, search
from pbem.service.offers.people import blocked_by, someone
from pbem.service.offers.reading import read_wanted
from pbem.service.work import Work

app = group("Manage challenges and open tables, which share one numbering.")

Asks = Annotated[
    list[str],
    typer.Argument(metavar="WORD", help="Players, game and terms: Bert lanko-88 days=3."),
]
Opens = Annotated[
    list[str], typer.Argument(metavar="WORD", help="Game and terms: lanko-88 days=3.")
]
Member = Annotated[
    str, typer.Argument(metavar="MEMBER", help="The member you do it for.", autocompletion=members)
]
Seat = Annotated[str, typer.Option("--as", metavar="SEAT", help="The seat they would like.")]


@app.command("challenge")
@shell.writes
def challenge_members(work: Work, member: Member, words: Asks) -> Iterator[str]:
    """Challenge others for a member, or anybody who fits. Against bots, it starts at once."""
    by, wanted = player_named(work, member), read_wanted(words)
    return _done(work, (search if is_search(wanted) else challenge)(work, by, wanted))


@app.command("open")
@shell.writes
def open_a_table(work: Work, member: Member, words: Opens) -> Iterator[str]:
    """Open a table for a member, where anyone can take a seat."""
    by = player_named(work, member)
    return _done(work, open_table(work, by, read_wanted(words)))


@app.command("rematch")
@shell.writes
def ask_for_a_rematch(work: Work, match: MatchArgument, member: Member) -> Iterator[str]:
    """Challenge the other players of a finished match again."""
    by = player_named(work, member)
    return _done(work, rematch(work, by, work.matches.get(match)))


@app.command()
@shell.writes
def accept(work: Work, number: OfferArgument, member: Member, seat: Seat = "") -> Iterator[str]:
    """Accept a challenge."""
    return _done(work, answering.accept(work, *_asked(work, member, number), seat))


@app.command()
@shell.writes
def decline(
    work: Work,
    number: OfferArgument,
    member: Member,
    reason: Annotated[str, typer.Option(help="Why. The others will see it.")] = "",
) -> Iterator[str]:
    """Decline a challenge."""
    return _done(work, answering.decline(work, *_asked(work, member, number), reason))


@app.command()
@shell.writes
def counter(
    work: Work,
    number: OfferArgument,
    member: Member,
    terms: Annotated[list[str], typer.Argument(metavar="KEY=VALUE", help="The terms to change.")],
) -> Iterator[str]:
    """Propose other terms for a challenge."""
    return _done(work, answering.counter(work, *_asked(work, member, number), terms))


@app.command()
@shell.writes
def take(work: Work, number: OfferArgument, member: Member, seat: Seat = "") -> Iterator[str]:
    """Take a seat at a table."""
    return _done(work, answering.take(work, *_asked(work, member, number), seat))


@app.command()
@shell.writes
def leave(work: Work, number: OfferArgument, member: Member) -> Iterator[str]:
    """Give up a seat at a table."""
    return _done(work, answering.leave(work, *_asked(work, member, number)))


@app.command()
@shell.writes
def withdraw(work: Work, number: OfferArgument, member: Member) -> Iterator[str]:
    """Withdraw a challenge or a table."""
    return _done(work, answering.withdraw(work, *_asked(work, member, number)))


@app.command("list")
@shell.reads
def list_offers(
    work: Work,
    member: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="MEMBER",
            autocompletion=members,
            help="Only what this member sees.",
        ),
    ] = "",
    as_json: JsonOption = False,
) -> Said:
    """List the open challenges and tables."""
    offers = _seen_by(work, member) if member else work.offers.standing()
    items = (_item(work, offer) for offer in offers)
    return listed(items, "there are no offers", as_json=as_json)


def _seen_by(work: Work, member: str) -> Iterator[Offer]:
    for views in standing_for(work, player_named(work, member)):
        yield from (each.offer for each in views)


@app.command()
@shell.reads
def show(work: Work, number: OfferArgument, as_json: JsonOption = False) -> Said:
    """Show a challenge or a table, even if it is over."""
    item = _item(work, work.offers.get(number))
    return json_of(item.data) if as_json else item.line


@app.command()
@shell.writes
def block(work: Work, member: Member, other: OtherArgument) -> str:
    """Block another member, for a member who asked for it."""
    by = player_named(work, member)
    work.blocks.add(by.id, someone(work, by, other).id)
    return _blocked(work, by)


@app.command()
@shell.writes
def unblock(work: Work, member: Member, other: OtherArgument) -> str:
    """Unblock another member."""
    by = player_named(work, member)
    work.blocks.remove(by.id, someone(work, by, other).id)
    return _blocked(work, by)


@app.command()
@shell.reads
def blocked(work: Work, member: Member, as_json: JsonOption = False) -> Said:
    """List the members that a member blocks."""
    by = player_named(work, member)
    if as_json:
        return json_of([{"name": name} for name in blocked_by(work, by)])
    return _blocked(work, by)


def _blocked(work: Work, by: Player) -> str:
    return f"{by.name} blocks {', '.join(blocked_by(work, by)) or 'nobody'}"


def _asked(work: Work, member: str, number: int) -> tuple[Player, Offer]:
    """Return who answers which offer. Raises StorageError or OfferError."""
    return player_named(work, member), answering.known(work, number)


def _done(work: Work, change: OfferChange) -> Iterator[str]:
    """Carry out a change of an offer, and yield its new state."""
    offer = carry_out(work, change)
    yield _line(work, offer)
    is_new = offer.begun != (change.before.begun if change.before else "")
    if is_new and offer.begun.startswith("match "):
        yield summary(work, work.matches.get(int(offer.begun.split()[1])))


def _item(work: Work, offer: Offer) -> ListedItem:
    return ListedItem(_line(work, offer), _data(work, offer))


def _line(work: Work, offer: Offer) -> str:
    state = offer.begun and f"has started: {offer.begun}"
    if not offer.stands:
        return f"offer {offer.number}: {state or offer.state}"
    said = work.club.renderer.part(["_offer_line.txt.j2"], {"offer": view(work, offer)})
    return " ".join(said.split())


def _data(work: Work, offer: Offer) -> dict[str, Any]:
    """Return an offer for programs."""
    terms = offer.terms
    return {
        "number": offer.number,
        "open": offer.open,
        "state": str(offer.state),
        "game": terms.game_key,
        "begins": str(terms.begins),
        "games": terms.games,
        "players": terms.players,
        "days": terms.options.days,
        "options": dict(terms.options.game),
        "private": terms.private,
        "unrated": terms.options.unrated,
        "members": [
            {"name": work.players.get(each.player).name, "accepted": each.accepted}
            for each in offer.entries
        ],
        "conditions": dict(offer.needs.written),
        "revision": offer.revision,
        "expires_at": moment(offer.expires_at),
        "begun": offer.begun or None,
        "always": offer.again.most if offer.again else None,
        "rests": offer.rests,
        "search": offer.search is not None,
    }
