"""`help`, `rules`: what can be written, and how; the rules of the game, or of another one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    HelpGroup,
    Scope,
)
from pbem.games import game_of, keys
from pbem.games.api import OptionError
from pbem.mail.outgoing.kinds.refusals import RefusedError, Usage, WhichRules
from pbem.mail.outgoing.taps import commands_now
from pbem.service.post.post import view_of


class Heading(NamedTuple):
    """Some commands that belong together."""

    key: str
    """`now` for those that count as the match stands, `there` for those that need one, else that of
    their group."""
    commands: Sequence[Usage]


def _help(asked: CommandContext) -> CommandResult:
    from pbem.commands import commands_for  # which finds this module

    given = commands_for(member=asked.by_member, director=asked.by_director)
    wanted = [each.told for each in given if each.word in map(str.casefold, asked.arguments)]
    if wanted:
        return CommandResult.answered("usage", usages=wanted)
    if asked.about is None:
        return CommandResult.answered("help", headings=list(_without_a_match(given)), match=None)
    return CommandResult.answered(
        "help", headings=list(by_heading(given, _now(asked))), match=asked.about
    )


def _without_a_match(given: Sequence[Command]) -> Iterator[Heading]:
    """Those that count in any mail first, then those that do in a mail about a match alone."""
    yield from by_heading([each for each in given if each.scope is not Scope.MATCH])
    yield Heading("there", [each.told for each in given if each.scope is Scope.MATCH])


def _now(asked: CommandContext) -> Sequence[str]:
    """Words of the commands that count as the match stands that the mail is about."""
    if asked.about is None:
        return ()
    from pbem.commands import find  # which finds this module

    lines = commands_now(view_of(asked.work, asked.about, asked.player))
    return tuple(found.command.word for line in lines if (found := find(line)) is not None)


def by_heading(commands: Sequence[Command], now: Collection[str] = ()) -> Iterator[Heading]:
    """Commands by heading, those first that count now; each stands under one.

    Of two with the same word the first one counts now, that of the players.
    """
    if now:
        by_word = {each.word: each for each in reversed(commands)}
        first = [by_word[word] for word in now if word in by_word]
        yield Heading("now", [each.told for each in first])
        commands = [each for each in commands if each not in first]
    for group in HelpGroup:
        if told := [each.told for each in commands if group_of(each) is group]:
            yield Heading(group.value, told)


def group_of(command: Command) -> HelpGroup:
    """Where it stands in help."""
    return HelpGroup.DIRECT if command.giver is Giver.DIRECTOR else command.group


def _rules(asked: CommandContext) -> CommandResult:
    if asked.arguments:
        key = asked.arguments[0].casefold()
    elif asked.about is not None:
        key = asked.about.game_key
    else:
        raise RefusedError(WhichRules(keys()))
    try:
        game = game_of(key)
    except OptionError as error:
        raise RefusedError(WhichRules(keys())) from error
    return CommandResult.answered("rules", title=game.info.title, rules=game.rules(asked.language))


def _words() -> Collection[str]:
    from pbem.commands import all_commands  # likewise

    return [each.word for each in all_commands()]


COMMANDS = (
    Command(
        "help",
        "list all commands, or explain one",
        _help,
        Scope.EITHER,
        arguments=(
            Argument(
                "command",
                required=False,
                rest=True,
                among=_words,
                help="a command, such as record",
            ),
        ),
        group=HelpGroup.HELP,
    ),
    Command(
        "rules",
        "read the full rules of the game",
        _rules,
        Scope.EITHER,
        arguments=(Argument("game", required=False, help="a game, such as lancelot"),),
        group=HelpGroup.HELP,
    ),
)
