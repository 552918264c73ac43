"""`stats`: totals of the ended matches of a member, of two members or of a game."""

from __future__ import annotations

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.commands.directing_members import starts_with_name
from pbem.matches.match import Player
from pbem.service.offers.options import words_of
from pbem.service.offers.people import near
from pbem.service.people import is_hidden
from pbem.service.statistics import (
    choices_for,
    game_facts,
    member_facts,
    of_game,
    of_member,
    subjects,
)

MOST_WORDS = 8
"""Maximum number of words in names and a game. A longer line is prose."""


def _stats(asked: CommandContext) -> CommandResult:
    words = words_of(asked.arguments[0]) if asked.arguments else []
    people, game = subjects(words, lambda text: _named(asked, text))
    if people is None:
        text = " ".join(words)
        meant = [f"stats {each}" for each in near(asked.work, asked.player, text)]
        return CommandResult.answered("stats_unknown", called=text, meant=meant)
    if not people and game is not None:
        of = of_game(asked.work, choices_for(asked.work.club, own=False), game)
        return CommandResult.answered("stats_of_game", **game_facts(asked.work, game, of))
    people = people or [asked.player]
    own = asked.player.id in [each.id for each in people]
    which, against = choices_for(asked.work.club, own=own), people[1].id if people[1:] else None
    theirs = of_member(asked.work, which, people[0].id, game, against)
    return CommandResult.answered("stats", **member_facts(asked.work, people, game, theirs))


def _named(asked: CommandContext, text: str) -> Player | None:
    member = asked.work.players.named(text)
    if member is None or (is_hidden(member) and member.id != asked.player.id):
        return None
    return member


def _are_names(text: str) -> bool:
    """Return whether a text may be names and a game."""
    return len(text.split()) <= MOST_WORDS and starts_with_name(text)


COMMANDS = (
    Command(
        "stats",
        "show results, endings and lengths of matches: of a member, a pair or a game; alone,"
        " of yours",
        _stats,
        Scope.CLUB,
        arguments=(
            Argument(
                "what",
                required=False,
                rest=True,
                fits=_are_names,
                help="a member, two members or a game, such as: anna lanko-88, or: anna bert",
            ),
        ),
        group=HelpGroup.LOOK,
    ),
)
