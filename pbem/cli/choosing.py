"""`pbem member settings|set|mails`: what members choose, at the shell for those who cannot."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import MatchArgument, MemberArgument
from pbem.cli.context import ConfigOption, club_of, player_named
from pbem.cli.listing import Item, JsonOption, print_items
from pbem.cli.terminal import printable
from pbem.ports.process import StorageError
from pbem.service.members.choosing import choose, choose_mails, mails_chosen, setting_of
from pbem.service.work import reading, writing
from pbem.settings import mails, players_settings
from pbem.settings.api import SettingError


def attach(app: typer.Typer) -> None:
    """Puts the commands into the group of the members."""
    app.command("settings")(list_settings)
    app.command("set")(set_for)
    app.command("mails")(set_mails)


def list_settings(
    name: MemberArgument, as_json: JsonOption = False, config: ConfigOption = None
) -> None:
    """List what a member can choose, and has chosen."""
    with club_of(config) as club, reading(club) as work:
        player = player_named(work, name)
        chosen = {each.key: each.of(player) for each in players_settings()}
        chosen |= {mails.key_for(match): each for match, each in mails_chosen(work, player.id)}
        items = (
            Item(printable(f"{key} {value}"), {"key": key, "value": value})
            for key, value in chosen.items()
        )
        print_items(items, "there is nothing to choose", as_json=as_json)


def set_for(
    name: MemberArgument,
    key: Annotated[str, typer.Argument(metavar="KEY", help="As pbem member settings shows it.")],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="What they choose.")],
    config: ConfigOption = None,
) -> None:
    """Choose something for a member; their name is changed by `pbem member rename`."""
    with club_of(config) as club, writing(club) as work:
        player, setting = player_named(work, name), setting_of(key)
        if setting is None:
            keys = ", ".join(each.key for each in players_settings())
            raise SettingError(f"there is nothing to set by the name {key}, but {keys}")
        read = setting.read(" ".join(value))
        choose(work, player.id, setting, read)
    typer.echo(printable(f"{player.name}: {setting.key} {read}"))


def set_mails(
    name: MemberArgument,
    match: MatchArgument,
    choice: Annotated[str, typer.Argument(metavar="CHOICE", help="turn, all or usual.")],
    config: ConfigOption = None,
) -> None:
    """Choose which mails of one match a member gets."""
    with club_of(config) as club, writing(club) as work:
        player = player_named(work, name)
        if player.id not in work.matches.get(match).players:
            raise StorageError(f"{player.name} does not play in match {match}")
        read = mails.SETTING.read(choice)
        choose_mails(work, player.id, match, read)
    typer.echo(printable(f"{player.name}: {mails.key_for(match)} {read}"))
