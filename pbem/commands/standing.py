"""`standing`: the rating list of a game, or the ratings of a member."""

from __future__ import annotations

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.commands.directing_members import starts_with_name
from pbem.games import game_of, keys
from pbem.mail.outgoing.rating_view import RatedName, RatingRows
from pbem.matches.match import Player
from pbem.matches.ratings import ALL_GAMES, RatingList
from pbem.service.offers.options import words_of
from pbem.service.offers.people import near
from pbem.service.people import is_hidden
from pbem.service.reliability import reliability
from pbem.service.standing import listed, rating_list

ALL = "all"
"""The list of all games together."""
MOST_WORDS = 4
"""Maximum number of words in a name. A longer line is prose."""


def _standing(asked: CommandContext) -> CommandResult:
    text = " ".join(words_of(asked.arguments[0])) if asked.arguments else ""
    if not text:
        return _of_member(asked, asked.player)
    if text.casefold() == ALL:
        return _of_game(asked, ALL_GAMES)
    if text.casefold() in keys():
        return _of_game(asked, text.casefold())
    member = asked.work.players.named(text)
    if member is None or (is_hidden(member) and member.id != asked.player.id):
        meant = [f"standing {each}" for each in near(asked.work, asked.player, text)]
        return CommandResult.answered("standing_unknown", called=text, meant=meant)
    return _of_member(asked, member)


def _of_game(asked: CommandContext, game: str) -> CommandResult:
    lists = [
        RatingRows(computers, [RatedName(each.player.name, each.rating) for each in shown])
        for computers in (False, True)
        if (shown := listed(rating_list(asked.work, RatingList(game, computers)), asked.player))
    ]
    title = game_of(game).info.title if game else ""
    return CommandResult.answered("standing", title=title, lists=lists)


def _of_member(asked: CommandContext, member: Player) -> CommandResult:
    lists = [
        (which, game_of(which.game).info.title if which.game else "", rating)
        for which, rating in asked.work.ratings.lists_of(member.id).items()
    ]
    return CommandResult.answered(
        "standing_of",
        called=member.name,
        you=member.id == asked.player.id,
        people=[each for each in lists if not each[0].computers],
        computers=[each for each in lists if each[0].computers],
        has=None if member.bot else reliability(asked.work, member, asked.work.now),
    )


def _is_name(text: str) -> bool:
    """Return whether a text may be a game or a name."""
    return text.casefold() == ALL or (len(text.split()) <= MOST_WORDS and starts_with_name(text))


COMMANDS = (
    Command(
        "standing",
        "show the ratings of a game, or of a member; alone, yours",
        _standing,
        Scope.CLUB,
        arguments=(
            Argument(
                "what",
                required=False,
                rest=True,
                fits=_is_name,
                help='a game, the word "all", or the name of a member',
            ),
        ),
        group=HelpGroup.FIND,
    ),
)
