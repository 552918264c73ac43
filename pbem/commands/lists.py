"""`games`, `members`, `matches`: what can be played, with whom, and what is being played."""

from __future__ import annotations

from pbem.commands.api import Argument, Asked, Command, Done, Group, Scope
from pbem.games import GAMES
from pbem.mail.outgoing.game_view import GameView
from pbem.mail.outgoing.side_by_side import in_columns
from pbem.matches.bots import BOTS
from pbem.service.members.listed import listed_members
from pbem.service.play.my_matches import my_matches
from pbem.settings import page

ALL = "all"


def _games(asked: Asked) -> Done:
    words = asked.work.club.club_renderer.words
    games = [GameView(game.info, words) for game in GAMES]
    return Done.answered("games", games=games, bots=[f"bot-{kind}" for kind in BOTS])


def _members(asked: Asked) -> Done:
    beginning = "".join(asked.arguments)
    members = listed_members(asked.work, asked.player, beginning)
    return Done.answered(
        "members",
        members=in_columns(members.names),
        left_out=members.left_out,
        beginning=beginning,
        hidden=page.SETTING.of(asked.player) == page.HIDDEN,
    )


def _matches(asked: Asked) -> Done:
    whole = bool(asked.arguments)
    mine = my_matches(asked.work, asked.player, ended=whole)
    return Done.answered("matches", mine=mine, whole=whole)


COMMANDS = (
    Command(
        "games",
        "what can be played, and the computer opponents",
        _games,
        Scope.CLUB,
        group=Group.FIND,
    ),
    Command(
        "members",
        "who is in the club",
        _members,
        Scope.CLUB,
        arguments=(
            Argument("beginning", required=False, help="letters with which the names begin"),
        ),
        group=Group.FIND,
    ),
    Command(
        "matches",
        "your matches, by who is to act and what time is left",
        _matches,
        Scope.CLUB,
        arguments=(
            Argument(
                "all",
                required=False,
                among=lambda: (ALL,),
                help='the word "all", for those that are over, too',
            ),
        ),
        group=Group.LOOK,
    ),
)
