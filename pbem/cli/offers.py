"""`pbem offer`: challenges and open tables on behalf of members, by the same ways as by mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from pbem.cli.arguments import MatchArgument, OfferArgument, OtherArgument
from pbem.cli.completing import members
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.cli.group import group
from pbem.cli.listing import Item, JsonOption, moment, print_items, print_json
from pbem.cli.match_rows import summary
from pbem.cli.terminal import printable
from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.tables import answering
from pbem.service.tables.blocking import blocked_by, someone
from pbem.service.tables.change import Change, carry_out
from pbem.service.tables.lists import standing_for
from pbem.service.tables.making import challenge, open_table
from pbem.service.tables.reading import read_wanted
from pbem.service.tables.rematch import rematch
from pbem.service.tables.views import view
from pbem.service.work import Work, reading, writing

app = group("Challenges and open tables. They are numbered together.")

Asks = Annotated[
    list[str],
    typer.Argument(
        metavar="WORD", help="Whom, to which game, on which terms: Bert lanko-88 days=3."
    ),
]
Opens = Annotated[
    list[str], typer.Argument(metavar="WORD", help="Which game, on which terms: lanko-88 days=3.")
]
Member = Annotated[
    str, typer.Argument(metavar="MEMBER", help="Who does it.", autocompletion=members)
]
Seat = Annotated[str, typer.Option("--as", metavar="SEAT", help="The seat that is asked for.")]


@app.command("challenge")
def challenge_members(member: Member, words: Asks, config: ConfigOption = None) -> None:
    """Challenge others for a member; with computer opponents alone it begins at once."""
    _carry_out(config, member, lambda work, by: challenge(work, by, read_wanted(words)))


@app.command("open")
def open_a_table(member: Member, words: Opens, config: ConfigOption = None) -> None:
    """Open a table of a member, at which anybody may sit down."""
    _carry_out(config, member, lambda work, by: open_table(work, by, read_wanted(words)))


@app.command("rematch")
def ask_for_a_rematch(match: MatchArgument, member: Member, config: ConfigOption = None) -> None:
    """Challenge the others of a match that has ended to another one."""
    _carry_out(config, member, lambda work, by: rematch(work, by, work.matches.get(match)))


@app.command()
def accept(
    number: OfferArgument, member: Member, seat: Seat = "", config: ConfigOption = None
) -> None:
    """Say yes to a challenge."""
    _answer(config, number, member, lambda work, by, offer: answering.accept(work, by, offer, seat))


@app.command()
def decline(
    number: OfferArgument,
    member: Member,
    reason: Annotated[str, typer.Option(help="What the others are told.")] = "",
    config: ConfigOption = None,
) -> None:
    """Say no to a challenge."""
    _answer(
        config, number, member, lambda work, by, offer: answering.decline(work, by, offer, reason)
    )


@app.command()
def counter(
    number: OfferArgument,
    member: Member,
    terms: Annotated[
        list[str], typer.Argument(metavar="KEY=VALUE", help="The terms that are to be others.")
    ],
    config: ConfigOption = None,
) -> None:
    """Say yes to a challenge on other terms."""
    _answer(
        config, number, member, lambda work, by, offer: answering.counter(work, by, offer, terms)
    )


@app.command()
def take(
    number: OfferArgument, member: Member, seat: Seat = "", config: ConfigOption = None
) -> None:
    """Take a seat at a table."""
    _answer(config, number, member, lambda work, by, offer: answering.take(work, by, offer, seat))


@app.command()
def leave(number: OfferArgument, member: Member, config: ConfigOption = None) -> None:
    """Give a seat at a table back."""
    _answer(config, number, member, answering.leave)


@app.command()
def withdraw(number: OfferArgument, member: Member, config: ConfigOption = None) -> None:
    """Take a challenge or a table back."""
    _answer(config, number, member, answering.withdraw)


@app.command("list")
def list_offers(
    member: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="MEMBER",
            autocompletion=members,
            help="Those alone that a member sees.",
        ),
    ] = "",
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List the challenges and tables that stand."""
    with club_of(config) as club, reading(club) as work:
        offers = _seen_by(work, member) if member else work.offers.standing()
        items = (_item(work, offer) for offer in offers)
        print_items(items, "nothing is offered", as_json=as_json)


def _seen_by(work: Work, member: str) -> Iterator[Offer]:
    for views in standing_for(work, player_named(work, member)):
        yield from (each.offer for each in views)


@app.command()
def show(number: OfferArgument, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show a challenge or a table, also one that is over."""
    with club_of(config) as club, reading(club) as work:
        item = _item(work, work.offers.get(number))
        if as_json:
            print_json(item.data)
        else:
            typer.echo(printable(item.line))


@app.command()
def block(member: Member, other: OtherArgument, config: ConfigOption = None) -> None:
    """Keep two members apart, as one of them wishes."""
    with club_of(config) as club, writing(club) as work:
        by = player_named(work, member)
        work.blocks.add(by.id, someone(work, by, other).id)
        _say_blocked(work, by)


@app.command()
def unblock(member: Member, other: OtherArgument, config: ConfigOption = None) -> None:
    """Let two members meet again whom one of them kept apart."""
    with club_of(config) as club, writing(club) as work:
        by = player_named(work, member)
        work.blocks.remove(by.id, someone(work, by, other).id)
        _say_blocked(work, by)


@app.command()
def blocked(member: Member, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List whom a member keeps out of their way."""
    with club_of(config) as club, reading(club) as work:
        by = player_named(work, member)
        if as_json:
            print_json([{"name": name} for name in blocked_by(work, by)])
        else:
            _say_blocked(work, by)


def _say_blocked(work: Work, by: Player) -> None:
    names = blocked_by(work, by)
    typer.echo(printable(f"{by.name} blocks {', '.join(names) or 'nobody'}"))


def _carry_out(
    config: ConfigOption, member: str, work_out: Callable[[Work, Player], Change]
) -> None:
    with club_of(config) as club, writing(club) as work:
        offer = carry_out(work, work_out(work, player_named(work, member)))
        typer.echo(printable(_line(work, offer)))
        if offer.begun.startswith("match "):
            typer.echo(summary(work, work.matches.get(int(offer.begun.split()[1]))))


def _answer(
    config: ConfigOption, number: int, member: str, answer: Callable[[Work, Player, Offer], Change]
) -> None:
    _carry_out(config, member, lambda work, by: answer(work, by, answering.known(work, number)))


def _item(work: Work, offer: Offer) -> Item:
    return Item(_line(work, offer), _data(work, offer))


def _line(work: Work, offer: Offer) -> str:
    state = offer.begun and f"has begun: {offer.begun}"
    if not offer.stands:
        return f"offer {offer.number}: {state or offer.state}"
    said = work.club.renderer.part(["_offer_line.txt.j2"], {"offer": view(work, offer)})
    return " ".join(said.split())


def _data(work: Work, offer: Offer) -> dict[str, Any]:
    """An offer for programs."""
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
        "revision": offer.revision,
        "expires_at": moment(offer.expires_at),
        "begun": offer.begun or None,
    }
