"""`games`, `members`, `matches`: the games, the members and a player's matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.games import offered
from pbem.mail.outgoing.offer_view import GameView
from pbem.mail.outgoing.time_view import DueTime, due
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.bots import BOTS, family_bots
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.service.people import is_hidden
from pbem.service.work import Work
from pbem.settings import page

ALL = "all"


def _games(asked: CommandContext) -> CommandResult:
    words = asked.work.club.club_renderer.words
    views = [GameView(game.info, words) for game in offered()]
    own = {
        f"bot-{kind}": [view.info.title for view in views if view.info.key in each.keys]
        for each in family_bots()
        for kind in each.bots
    }
    bots = [f"bot-{kind}" for kind in BOTS]
    return CommandResult.answered("games", games=views, bots=bots, own_bots=own)


def _members(asked: CommandContext) -> CommandResult:
    beginning = "".join(asked.arguments)
    members = listed_members(asked.work, asked.player, beginning)
    return CommandResult.answered(
        "members",
        members=in_columns(members.names),
        left_out=members.left_out,
        beginning=beginning,
        hidden=page.SETTING.of(asked.player) == page.HIDDEN,
    )


def _matches(asked: CommandContext) -> CommandResult:
    whole = bool(asked.arguments)
    mine = my_matches(asked.work, asked.player, ended=whole)
    return CommandResult.answered("matches", mine=mine, whole=whole)


COMMANDS = (
    Command(
        "games",
        "list the games and the computer opponents",
        _games,
        Scope.CLUB,
        group=HelpGroup.FIND,
    ),
    Command(
        "members",
        "list the members",
        _members,
        Scope.CLUB,
        arguments=(Argument("beginning", required=False, help="the first letters of the names"),),
        group=HelpGroup.FIND,
    ),
    Command(
        "matches",
        "list your matches, sorted by whose turn it is and the time left",
        _matches,
        Scope.CLUB,
        arguments=(
            Argument(
                "all",
                required=False,
                among=lambda: (ALL,),
                help='the word "all", to include finished matches',
            ),
        ),
        group=HelpGroup.LOOK,
    ),
)


MOST_LISTED = 50
"""Maximum number of matches of each kind in one list."""
_LATER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class MyMatch:
    """One match of the reader."""

    match: MatchSummary
    others: Sequence[str]
    """Names of the other players."""
    to_act: str
    """Name of the player to move. Empty after the end."""
    due: DueTime | None
    """When that player runs out of time, in the reader's time zone."""
    winners: Sequence[str]
    """Names of the winners after the end, none for a draw."""


@dataclass(frozen=True)
class ListedMatches:
    """The first of some matches."""

    matches: Sequence[MyMatch]
    left_out: int


@dataclass(frozen=True)
class MyMatches:
    """A player's matches, as many as fit into an email."""

    yours: ListedMatches
    """Matches in which it is the player's turn, by deadline."""
    others: ListedMatches
    """Matches in which it is somebody else's turn, by deadline."""
    ended: ListedMatches
    """Ended matches, newest first."""


def my_matches(work: Work, player: Player, *, ended: bool = False) -> MyMatches:
    """Return the matches of a player, including ended ones only on request."""
    listing = _Listing(work, player)
    found = work.matches.of_player(player.id, playing=not ended)
    running = sorted((each for each in found if each.result is None), key=_by_due)
    over = sorted((each for each in found if each.result is not None), key=_by_end, reverse=True)
    return MyMatches(
        listing.listed([each for each in running if each.player_to_act == player.id]),
        listing.listed([each for each in running if each.player_to_act != player.id]),
        listing.listed(over),
    )


def _by_due(match: MatchSummary) -> tuple[datetime, int]:
    return match.clock.flag_at or _LATER, match.id


def _by_end(match: MatchSummary) -> tuple[datetime, int]:
    return (match.result.ended_at if match.result else _LATER), match.id


class _Listing:
    """Builds one list, reading each player once."""

    def __init__(self, work: Work, reader: Player) -> None:
        self._work = work
        self._reader = reader
        self._names = {reader.id: reader.name}

    def listed(self, matches: Sequence[MatchSummary]) -> ListedMatches:
        """Return the first matches of a list, and the number left out."""
        shown = [self._shown(match) for match in matches[:MOST_LISTED]]
        return ListedMatches(shown, len(matches) - len(shown))

    def _shown(self, match: MatchSummary) -> MyMatch:
        moment, to_act = match.clock.flag_at, match.player_to_act
        over, won = match.result is not None, match.result.winners if match.result else ()
        return MyMatch(
            match,
            [self._name(match, each) for each in match.others(self._reader.id)],
            "" if to_act is None else self._name(match, to_act),
            None if moment is None or over else due(moment, self._reader.time_zone, self._work.now),
            list(dict.fromkeys(self._name(match, match.seats[seat]) for seat in won)),
        )

    def _name(self, match: MatchSummary, player: PlayerId) -> str:
        if match.hides_names and player != self._reader.id:
            return match.name_of_seats(player)
        if player not in self._names:
            self._names[player] = self._work.players.get(player).name
        return self._names[player]


MOST_MEMBERS = 300
"""Maximum number of members in one list."""


@dataclass(frozen=True)
class Members:
    """Members whose names have a given beginning, or all members."""

    names: Sequence[str]
    left_out: int
    """Number of members not listed."""


def listed_members(work: Work, reader: Player, beginning: str = "") -> Members:
    """Return the members who are not hidden, by name. A hidden reader also sees themself."""
    names = [
        each.name
        for each in work.players.all()
        if each.gets_mail
        and each.name.casefold().startswith(beginning.casefold())
        and (each.id == reader.id or not is_hidden(each))
    ]
    return Members(names[:MOST_MEMBERS], max(0, len(names) - MOST_MEMBERS))
