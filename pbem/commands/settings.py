"""`settings`, `set KEY VALUE`: what a player can choose, and choosing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pbem.commands.api import Argument, Asked, Command, Done, Group, Need, Scope, Section
from pbem.mail.refusals import Refusal, Refused
from pbem.service.clocks.calendar import address_of, choose_calendar, with_calendar
from pbem.service.members.choosing import choose, mails_chosen, setting_of
from pbem.settings import all_settings, calendar, players_settings
from pbem.settings.api import SettingError


@dataclass(frozen=True)
class NoSetting(Refusal):
    """Something that its player cannot set."""

    key: str
    settings: Sequence[str]


@dataclass(frozen=True)
class WrongSetting(Refusal):
    """A value that a setting does not take."""

    key: str
    reason: str


def _settings(asked: Asked) -> Done:
    shown = [(each, each.of(asked.player)) for each in players_settings()]
    of_matches = mails_chosen(asked.work, asked.player.id)
    return Done.answered(
        "settings",
        called=asked.player.name,
        settings=shown,
        of_matches=of_matches,
        feed=address_of(asked.work.club, asked.player),
    )


def _set(asked: Asked) -> Done:
    key, text = asked.arguments
    setting = setting_of(key)
    if setting is None:
        raise Refused(NoSetting(key, [each.key for each in players_settings()]))
    try:
        value = setting.read(text)
    except SettingError as error:
        raise Refused(WrongSetting(setting.key, str(error))) from error
    if setting is calendar.SETTING:
        return _calendar(asked, value)
    told = Section("set", {"key": setting.key, "value": value})
    effect = partial(choose, player=asked.player.id, setting=setting, value=value)
    return Done(sections=(told,), effects=(effect,))


def _calendar(asked: Asked, value: str) -> Done:
    """The answer tells the address of the feed, which nobody else is told."""
    player = with_calendar(asked.work.club, asked.player, value)
    feed = address_of(asked.work.club, player)
    told = Section("calendar", {"value": calendar.SETTING.of(player), "feed": feed})
    return Done(sections=(told,), effects=(partial(choose_calendar, player=player),))


def _keys() -> Sequence[str]:
    return [each.key for each in all_settings()]


COMMANDS = (
    Command(
        "settings",
        "what you can choose, and how",
        _settings,
        Scope.EITHER,
        group=Group.CHOOSE,
    ),
    Command(
        "set",
        "choose something for yourself",
        _set,
        Scope.EITHER,
        Need.ANY,
        arguments=(
            Argument("key", among=_keys, help="what you choose, as settings lists it"),
            Argument("value", rest=True, help="what it is to be"),
        ),
        group=Group.CHOOSE,
    ),
)
