"""`pbem member`: the people of the club."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pbem.cli import choosing, joining, membership
from pbem.cli.arguments import AddressArgument, MemberArgument
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.cli.group import group
from pbem.cli.listing import Item, JsonOption, moment, print_items, print_json
from pbem.cli.terminal import printable
from pbem.cli.troubles import LOOKED_BACK, MOST_SHOWN, lines_of
from pbem.commands import command_words
from pbem.mail.address import is_address
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.proof.authentication import ProofRule
from pbem.matches.match import Player
from pbem.ports.people import AbsenceNotice, Address
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.direct.decide import SHELL, log
from pbem.service.members import own_addresses
from pbem.service.members.addresses import accept
from pbem.service.members.names import free_name
from pbem.service.members.roles import is_director
from pbem.service.work import Work, reading, writing
from pbem.settings.proof import SETTING as PROOF
from pbem.settings.role import SETTING as ROLE
from pbem.settings.zone import SETTING as ZONE

app = group("The people of the club.")
address_app = group("Addresses of a member.")
app.add_typer(address_app, name="address")
joining.attach(app)
membership.attach(app)
choosing.attach(app)

NOTICES_SHOWN = 10


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="How they are called here.")],
    addresses: Annotated[
        list[str], typer.Argument(metavar="ADDRESS", help="Where they read and write mail.")
    ],
    time_zone: Annotated[str, typer.Option(help="IANA name, for due times.")] = "UTC",
    config: ConfigOption = None,
) -> None:
    """Add a member; mail goes to the first address that accepts it, and is taken from all."""
    with club_of(config) as club, writing(club) as work:
        for address in addresses:
            _require_address(club, address)
        own_name = free_name(work, name, command_words())
        player = work.players.add(own_name, addresses, ZONE.read(time_zone))
    typer.echo(f"member {player.id}: {player.name} <{player.address}>")


@app.command("list")
def list_players(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List all members."""
    with club_of(config) as club, reading(club) as work:
        items = (_item(work, player) for player in work.players.all())
        print_items(items, "there is no member yet", as_json=as_json)


@app.command()
def show(name: MemberArgument, as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show a member: addresses, open matches, mails that did not arrive, absence notices."""
    with club_of(config) as club, reading(club) as work:
        player = player_named(work, name)
        if as_json:
            print_json(_data(work, player))
            return
        since = club.clock.now() - LOOKED_BACK
        lost = lines_of(work.outbox.troubled(since, MOST_SHOWN, player.id))
        for line in (*_of_player(work, player), *_of_mails(lost), *_of_absences(work, player)):
            typer.echo(printable(line))


@app.command()
def proof(
    name: MemberArgument,
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="token, token+dkim, dkim; club: as for everybody.")
    ],
    config: ConfigOption = None,
) -> None:
    """Set what proves that mail is a member's."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        chosen = PROOF.read(rule)
        wanted = ProofRule(chosen) if chosen else None
        if wanted is not None and wanted.wants_signature and not club.policy.trusted_hosts:
            raise StorageError("no host is trusted to say which mail is signed; see trusted_hosts")
        work.players.choose(player.id, PROOF.key, chosen)
        rule_used = wanted or f"{club.policy.proof}, as for everybody"
    typer.echo(f"{player.name}: mail is proven by {rule_used}")


@app.command()
def role(
    name: MemberArgument,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="director or none.")],
    config: ConfigOption = None,
) -> None:
    """Make a member a director, who hears what needs a person and decides by mail; or none."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        chosen = ROLE.read(role)
        if player.bot:
            raise StorageError(f"{player.name} is a computer opponent")
        work.players.choose(player.id, ROLE.key, chosen)
        log(work, SHELL, f"role {{{player.id}}} {role}", "")
    typer.echo(f"{player.name}: {role}")


@address_app.command("add")
def add_address(
    name: MemberArgument, address: AddressArgument, config: ConfigOption = None
) -> None:
    """Add an address, at your word; mail goes there where none before it accepts mail."""
    with club_of(config) as club, writing(club) as work:
        _require_address(club, address)
        player = player_named(work, name)
        own_addresses.add(work, player, address)
        _tell(work, player)


@address_app.command("remove")
def remove_address(
    name: MemberArgument, address: AddressArgument, config: ConfigOption = None
) -> None:
    """Remove an address; mail from there is a stranger's then."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        own_addresses.remove(work, player, _own(player, address))
        _tell(work, player)


@address_app.command("first")
def first_address(
    name: MemberArgument, address: AddressArgument, config: ConfigOption = None
) -> None:
    """Send mail to this address before all others of the member."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        own_addresses.put_first(work, player, _own(player, address))
        _tell(work, player)


@address_app.command("works")
def address_works_again(
    name: MemberArgument, address: AddressArgument, config: ConfigOption = None
) -> None:
    """Say that an address accepts mail again."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        accept(work, player, _own(player, address))
        _tell(work, player)


def _require_address(club: Club, address: str) -> None:
    if not is_address(address) or is_club_address(address, club.addresses):
        raise StorageError(f"{printable(address)} is not the e-mail address of a person")


def _own(player: Player, address: str) -> str:
    """An address of a player as it is stored; raises StorageError if it is not theirs."""
    same = (each for each in player.addresses if each.casefold() == address.casefold())
    found = next(same, None)
    if found is None:
        raise StorageError(f"{player.name} has not that address, but {', '.join(player.addresses)}")
    return found


def _tell(work: Work, player: Player) -> None:
    for line in _addresses(work, player):
        typer.echo(printable(line))


def _of_player(work: Work, player: Player) -> Iterator[str]:
    yield f"member {player.id}: {player.name}, {player.time_zone}"
    if player.proof:
        yield f"mail is proven by {player.proof}"
    if is_director(work.club, player):
        yield "is a director"
    yield from _addresses(work, player)
    matches = work.matches.of_player(player.id)
    yield "plays:" if matches else "plays in no match"
    for match in matches:
        turn = ", to act" if match.player_to_act == player.id else ""
        yield f"  match {match.id}  {match.game.info.title}, turn {match.turn}{turn}"


def _addresses(work: Work, player: Player) -> Iterator[str]:
    yield "addresses:"
    for address in work.players.addresses(player.id):
        yield f"  {address.address}  {_state(address)}"


def _state(address: Address) -> str:
    if address.failed_at is None:
        return "accepts mail"
    return f"accepts no mail since {address.failed_at:%Y-%m-%d %H:%M} UTC: {address.failure}"


def _of_mails(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == 0:
            yield f"mails of the last {LOOKED_BACK.days} days that did not arrive, newest first:"
        yield f"  {line}"


def _of_absences(work: Work, player: Player) -> Iterator[str]:
    notices = work.absences.of(player.id, NOTICES_SHOWN)
    yield "absence notices, newest first:" if notices else "no absence notices"
    for notice in notices:
        yield from _notice(notice)


def _notice(notice: AbsenceNotice) -> Iterator[str]:
    match = f", match {notice.match_id}" if notice.match_id is not None else ""
    yield f"  {notice.at:%Y-%m-%d %H:%M} UTC{match}: {notice.subject}"
    for line in notice.text.splitlines():
        yield f"    | {line}"


def _item(work: Work, player: Player) -> Item:
    line = f"{player.id:4}  {player.name}  {', '.join(player.addresses)}"
    return Item(line, _data(work, player))


def _data(work: Work, player: Player) -> dict[str, Any]:
    """A player for programs."""
    return {
        "number": player.id,
        "name": player.name,
        "time_zone": player.time_zone,
        "proof": player.proof or None,
        "role": ROLE.of(player) or None,
        "addresses": [
            {"address": each.address, "failed_at": moment(each.failed_at)}
            for each in work.players.addresses(player.id)
        ],
        "matches": [match.id for match in work.matches.of_player(player.id)],
    }
