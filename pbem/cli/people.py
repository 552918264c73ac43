"""`pbem member`: members, applications, and members' settings."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import membership, shell
from pbem.cli.arguments import AddressArgument, MatchArgument, MemberArgument
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, ListedItem, json_of, listed, moment, printable
from pbem.cli.member_list import list_members, member_data, reliability_data
from pbem.cli.shell import Said, player_named
from pbem.commands import command_words
from pbem.mail.address import is_address
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.outgoing.render import lines_of
from pbem.mail.proof.authentication import ProofRule
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.direct.decide import SHELL, log
from pbem.service.direct.for_member import lift_ban, write_to
from pbem.service.members import joining, own_addresses
from pbem.service.members.choosing import choose, choose_mails, mails_chosen, setting_of
from pbem.service.members.member_facts import member_facts
from pbem.service.members.names import free_name
from pbem.service.members.own_addresses import accept
from pbem.service.questions import Application, PendingQuestion
from pbem.service.work import Work
from pbem.settings import SettingError, mails, players_settings
from pbem.settings.proof import SETTING as PROOF
from pbem.settings.role import SETTING as ROLE
from pbem.settings.zone import SETTING as ZONE

app = group("Manage the members of the club.")
address_app = group("Manage the addresses of a member.")
app.add_typer(address_app, name="address")

WhoArgument = Annotated[
    str,
    typer.Argument(
        metavar="WHO", help="Number or name of an applicant, as pbem member waiting shows it."
    ),
]


@app.command("waiting")
@shell.reads
def list_waiting(work: Work, as_json: JsonOption = False) -> Said:
    """List the people who would like to join and wait for your approval."""
    items = map(_application, joining.applications(work))
    return listed(items, "nobody is waiting", as_json=as_json)


@app.command()
@shell.writes
def approve(
    work: Work,
    who: WhoArgument,
    name: Annotated[str, typer.Option(help="A different name from the one they asked for.")] = "",
) -> Said:
    """Approve an application. The new member gets a welcome email."""
    pending = joining.application_of_whom(work, who)
    wanted = name or pending.asked.name
    own = free_name(work, wanted, command_words(), own=pending.question.holder)
    player = joining.approve(work, pending, own)
    log(work, SHELL, f"approve {{{player.id}}}", "")
    return f"member {player.id}: {player.name} <{player.address}>"


@app.command()
@shell.writes
def refuse(
    work: Work,
    who: WhoArgument,
    reason: Annotated[
        list[str] | None, typer.Argument(metavar="REASON", help="Why. They will see it.")
    ] = None,
) -> Said:
    """Refuse an application, and tell the applicant by email."""
    pending, why = joining.application_of_whom(work, who), " ".join(reason or ())
    joining.refuse(work, pending, why)
    log(work, SHELL, "refuse", why)
    return f"{pending.asked.name} is refused and will get an email"


def _application(pending: PendingQuestion[Application]) -> ListedItem:
    question, asked = pending.question, pending.asked
    line = printable(f"{question.id:4}  {asked.name}  {question.holder}  {asked.zone}")
    data = {
        "number": question.id,
        "name": asked.name,
        "address": question.holder,
        "time_zone": asked.zone,
        "expires_at": moment(question.expires_at),
    }
    return ListedItem(line, data)


membership.attach(app)


@app.command("settings")
@shell.reads
def list_settings(work: Work, name: MemberArgument, as_json: JsonOption = False) -> Said:
    """List a member's settings and their values."""
    player = player_named(work, name)
    chosen = {each.key: each.of(player) for each in players_settings()}
    chosen |= {mails.key_for(match): each for match, each in mails_chosen(work, player.id)}
    items = (
        ListedItem(f"{key} {value}", {"key": key, "value": value}) for key, value in chosen.items()
    )
    return listed(items, "there are no settings", as_json=as_json)


@app.command("set")
@shell.writes
def set_for(
    work: Work,
    name: MemberArgument,
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="A setting, as pbem member settings shows it.")
    ],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="The new value.")],
) -> Said:
    """Change a setting of a member. To change their name, use `pbem member rename`."""
    player, setting = player_named(work, name), setting_of(key)
    if setting is None:
        keys = ", ".join(each.key for each in players_settings())
        raise SettingError(f"there is no setting {key}. The settings are: {keys}")
    read = setting.read(" ".join(value))
    choose(work, player.id, setting, read)
    return f"{player.name}: {setting.key} {read}"


@app.command("mails")
@shell.writes
def set_mails(
    work: Work,
    name: MemberArgument,
    match: MatchArgument,
    choice: Annotated[str, typer.Argument(metavar="CHOICE", help="turn, all or usual.")],
) -> Said:
    """Choose which emails about one match a member gets."""
    player = player_named(work, name)
    if player.id not in work.matches.get(match).players:
        raise StorageError(f"{player.name} does not play in match {match}")
    read = mails.SETTING.read(choice)
    choose_mails(work, player.id, match, read)
    return f"{player.name}: {mails.key_for(match)} {read}"


@app.command()
@shell.writes
def add(
    work: Work,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name other players will see.")],
    addresses: Annotated[
        list[str], typer.Argument(metavar="ADDRESS", help="Their email address. Repeatable.")
    ],
    time_zone: Annotated[
        str, typer.Option(help="Their time zone by its IANA name, for deadlines.")
    ] = "UTC",
) -> Said:
    """Add a member. Emails go to the first address that works, and are accepted from all."""
    for address in addresses:
        _require_address(work.club, address)
    own_name = free_name(work, name, command_words())
    player = work.players.add(own_name, addresses, ZONE.read(time_zone), work.now)
    return f"member {player.id}: {player.name} <{player.address}>"


app.command("list")(list_members)


@app.command()
@shell.reads
def show(work: Work, name: MemberArgument, as_json: JsonOption = False) -> Said:
    """Show a member: addresses, reliability, leave, matches, failed emails, absence notices."""
    player = player_named(work, name)
    if as_json:
        told = None if player.bot else reliability_data(work, player)
        return json_of({**member_data(work, player), "reliability": told})
    return lines_of("_member.txt.j2", member_facts(work, player))


@app.command()
@shell.writes
def proof(
    work: Work,
    name: MemberArgument,
    rule: Annotated[
        str,
        typer.Argument(metavar="RULE", help="token, token+dkim or dkim. club is the club's rule."),
    ],
) -> Said:
    """Set what proves that an email is from a member."""
    player, policy = player_named(work, name), work.club.policy
    chosen = PROOF.read(rule)
    wanted = ProofRule(chosen) if chosen else None
    if wanted is not None and wanted.wants_signature and not policy.trusted_hosts:
        raise StorageError("no host is trusted to check signatures. Set trusted_hosts in [policy]")
    work.players.choose(player.id, PROOF.key, chosen)
    return f"{player.name}: emails are proven by {wanted or f'{policy.proof}, as in the club'}"


@app.command()
@shell.writes
def role(
    work: Work,
    name: MemberArgument,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="director or none.")],
) -> Said:
    """Make a member a director, who gets reports and can decide by email, or end that role."""
    player = player_named(work, name)
    chosen = ROLE.read(role)
    if player.bot:
        raise StorageError(f"{player.name} is a computer opponent")
    work.players.choose(player.id, ROLE.key, chosen)
    log(work, SHELL, f"role {{{player.id}}} {role}", "")
    return f"{player.name}: {role}"


@app.command()
@shell.writes
def unban(work: Work, name: MemberArgument) -> Said:
    """Let a member who lost on time start and join matches again. They get an email."""
    player = player_named(work, name)
    lift_ban(work, player, SHELL)
    return f"{player.name} can start and join matches again"


@address_app.command("add")
@shell.writes
def add_address(work: Work, name: MemberArgument, address: AddressArgument) -> Said:
    """Add an address on your authority. It gets emails if no earlier address works."""
    _require_address(work.club, address)
    player = player_named(work, name)
    own_addresses.add(work, player, address)
    return _addresses(work, player)


@address_app.command("remove")
@shell.writes
def remove_address(work: Work, name: MemberArgument, address: AddressArgument) -> Said:
    """Remove an address. Emails from it then count as a stranger's."""
    player = player_named(work, name)
    own_addresses.remove(work, player, _own(player, address))
    return _addresses(work, player)


@address_app.command("first")
@shell.writes
def first_address(work: Work, name: MemberArgument, address: AddressArgument) -> Said:
    """Send emails to this address first, before the member's others."""
    player = player_named(work, name)
    own_addresses.put_first(work, player, _own(player, address))
    return _addresses(work, player)


@address_app.command("works")
@shell.writes
def address_works_again(work: Work, name: MemberArgument, address: AddressArgument) -> Said:
    """Mark an address as working again."""
    player = player_named(work, name)
    accept(work, player, _own(player, address))
    log(work, SHELL, f"address works {{{player.id}}}", "")
    return _addresses(work, player)


@app.command()
@shell.writes
def tell(
    work: Work,
    name: MemberArgument,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="Your text.")],
) -> Said:
    """Write to a member, as the director."""
    player = player_named(work, name)
    if player.bot:
        raise StorageError(f"{player.name} is a computer opponent")
    write_to(work, player, " ".join(text), SHELL)
    return f"sent to {player.name}"


def _addresses(work: Work, player: Player) -> Said:
    return lines_of("_addresses.txt.j2", {"addresses": work.players.addresses(player.id)})


def _require_address(club: Club, address: str) -> None:
    if not is_address(address) or is_club_address(address, club.addresses):
        raise StorageError(f"{printable(address)} is not the email address of a person")


def _own(player: Player, address: str) -> str:
    """Return an address of a player as stored. Raises StorageError if it is not theirs."""
    same = (each for each in player.addresses if each.casefold() == address.casefold())
    found = next(same, None)
    if found is None:
        raise StorageError(
            f"{player.name} does not have that address. Theirs are: {', '.join(player.addresses)}"
        )
    return found
