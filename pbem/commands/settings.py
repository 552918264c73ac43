"""`settings`, `set KEY VALUE`: show and change a player's settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.match import PlayerId
from pbem.service.clocks.schedule import SECRET_FILES, address_of, choose_file, with_file
from pbem.service.members.choosing import choose_oneself, mails_chosen, setting_of
from pbem.service.work import Work
from pbem.settings import (
    SecretFile,
    Setting,
    SettingError,
    all_settings,
    calendar,
    feed,
    players_settings,
)


@dataclass(frozen=True)
class NoSetting(Refusal):
    """A setting that does not exist, or that players cannot change."""

    key: str
    settings: Sequence[str]


@dataclass(frozen=True)
class WrongSetting(Refusal):
    """A value that a setting does not accept."""

    key: str
    reason: str


def _settings(asked: CommandContext) -> CommandResult:
    shown = [(each, each.of(asked.player)) for each in players_settings()]
    of_matches = mails_chosen(asked.work, asked.player.id)
    return CommandResult.answered(
        "settings",
        called=asked.player.name,
        settings=shown,
        of_matches=of_matches,
        feed=address_of(asked.work.club, asked.player, calendar.FILE),
        turns=address_of(asked.work.club, asked.player, feed.FILE),
    )


def _set(asked: CommandContext) -> CommandResult:
    key, text = asked.arguments
    setting = setting_of(key)
    if setting is None:
        raise RefusedError(NoSetting(key, [each.key for each in players_settings()]))
    try:
        value = setting.read(text)
    except SettingError as error:
        raise RefusedError(WrongSetting(setting.key, str(error))) from error
    if file := SECRET_FILES.get(setting.key):
        return _secret_file(asked, file, value)
    told = Section("set", {"key": setting.key, "value": value})
    effect = partial(_choose, player=asked.player.id, setting=setting, value=value)
    return CommandResult(sections=(told,), effects=(effect,))


def _choose(work: Work, player: PlayerId, setting: Setting, value: str) -> None:
    try:
        choose_oneself(work, player, setting, value)
    except SettingError as error:
        raise RefusedError(WrongSetting(setting.key, str(error))) from error


def _secret_file(asked: CommandContext, file: SecretFile, value: str) -> CommandResult:
    """Change a secret file. Only this answer and `settings` contain its address."""
    player = with_file(asked.work.club, asked.player, file, value)
    address = address_of(asked.work.club, player, file)
    told = Section(file.setting.key, {"value": file.setting.of(player), "feed": address})
    effect = partial(choose_file, player=player, file=file)
    return CommandResult(sections=(told,), effects=(effect,))


def _keys() -> Sequence[str]:
    return [each.key for each in all_settings()]


COMMANDS = (
    Command(
        "settings",
        "show your settings",
        _settings,
        Scope.EITHER,
        group=HelpGroup.CHOOSE,
    ),
    Command(
        "set",
        "change a setting",
        _set,
        Scope.EITHER,
        Need.ANY,
        arguments=(
            Argument("key", among=_keys, help="the name of a setting; send settings for a list"),
            Argument("value", rest=True, help="its new value"),
        ),
        group=HelpGroup.CHOOSE,
    ),
)
