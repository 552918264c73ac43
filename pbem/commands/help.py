"""`help`, `rules`: list the commands, explain one, or show rules of games and competitions."""

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
from pbem.mail.outgoing.competition_rules import ALL, rules_of
from pbem.mail.outgoing.kinds.refusals import RefusedError, Usage, WhichRules
from pbem.mail.outgoing.taps import commands_now
from pbem.matches.competitions import kinds
from pbem.matches.words import phrase
from pbem.service.post.post import view_of


class Heading(NamedTuple):
    """A group of commands with a common heading."""

    key: str
    """Key of a help group, `now` if usable now, or `there` if only with a match."""
    commands: Sequence[Usage]


def _help(asked: CommandContext) -> CommandResult:
    from pbem.commands import commands_for  # imported here, since it imports this module

    given = commands_for(member=asked.by_member, director=asked.by_director)
    words = [each.casefold() for each in asked.arguments]
    named = [each for each in given if each.word in words]
    longer = tuple(f"{word} " for word in words)
    wanted = [each.told for each in (*named, *(e for e in given if e.word.startswith(longer)))]
    if wanted:
        return CommandResult.answered("usage", usages=wanted)
    if asked.about is None:
        return CommandResult.answered("help", headings=list(_without_a_match(given)), match=None)
    return CommandResult.answered(
        "help", headings=list(by_heading(given, _now(asked))), match=asked.about
    )


def _without_a_match(given: Sequence[Command]) -> Iterator[Heading]:
    """Yield the commands for any email first, then those only for emails about a match."""
    yield from by_heading([each for each in given if each.scope is not Scope.MATCH])
    yield Heading("there", [each.told for each in given if each.scope is Scope.MATCH])


def _now(asked: CommandContext) -> Sequence[str]:
    """Return the words of the commands that are of use in the current state of the match."""
    if asked.about is None:
        return ()
    from pbem.commands import find  # imported here, since it imports this module

    lines = commands_now(view_of(asked.work, asked.about, asked.player))
    return tuple(found.command.word for line in lines if (found := find(line)) is not None)


def by_heading(commands: Sequence[Command], now: Collection[str] = ()) -> Iterator[Heading]:
    """Yield commands by heading, each once, those of use now first.

    If players and directors share a word, only the players' command is of use now.
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
    """Return the group of a command in help."""
    return HelpGroup.DIRECT if command.giver is Giver.DIRECTOR else command.group


def _rules(asked: CommandContext) -> CommandResult:
    if asked.arguments:
        key = asked.arguments[0].casefold()
    elif asked.about is not None:
        key = asked.about.game_key
    else:
        raise RefusedError(WhichRules(keys(), _kinds()))
    competing = rules_of(key)
    if competing is not None:
        return CommandResult.answered("rules", title=_called(asked, key), rules=competing)
    try:
        game = game_of(key)
    except OptionError as error:
        raise RefusedError(WhichRules(keys(), _kinds())) from error
    return CommandResult.answered("rules", title=game.info.title, rules=game.rules(asked.language))


def _kinds() -> Sequence[str]:
    return [ALL, *(kind for kind, each in kinds().items() if each.announces is not None)]


def _called(asked: CommandContext, kind: str) -> str:
    called = phrase("entry.competitions") if kind == ALL else kinds()[kind].called or kind
    return asked.work.club.club_renderer.words.text(called)


def _words() -> Collection[str]:
    from pbem.commands import all_commands  # imported here, since it imports this module

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
        "read the full rules of a game, or of a kind of competition",
        _rules,
        Scope.EITHER,
        arguments=(
            Argument(
                "game",
                required=False,
                help="a game, such as lancelot, or a kind of competition, such as swiss",
            ),
        ),
        group=HelpGroup.HELP,
    ),
)
