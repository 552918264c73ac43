"""`pbem standing` and `pbem ratings`: rating lists, and computing all ratings again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from pbem.cli import shell
from pbem.cli.arguments import games, members
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.group import group
from pbem.cli.interruption import interruptible
from pbem.cli.listing import JsonOption, json_of
from pbem.cli.progress import CommandProgress
from pbem.cli.shell import Said, player_named
from pbem.games import game_of, keys
from pbem.games.api import AnyGame
from pbem.matches.match import Player
from pbem.matches.ratings import (
    ALL_GAMES,
    ALONE,
    RatedMatch,
    Rating,
    RatingList,
    SeatShare,
    seat_shares,
)
from pbem.service.records.ratings import rebuild_ratings
from pbem.service.standing import Rated, rating_list
from pbem.service.work import Work

app = group("Manage ratings.")
ALL = "all"


def _what(incomplete: str, ctx: typer.Context) -> list[str]:
    """Return games and members."""
    return [*games(incomplete), *members(ctx, incomplete)]


@shell.reads
def standing(
    work: Work,
    what: Annotated[
        str,
        typer.Argument(
            metavar="[GAME|MEMBER]",
            help="A game, or a member. By default, all games together.",
            autocompletion=_what,
        ),
    ] = ALL,
    as_json: JsonOption = False,
) -> Said:
    """Show a rating list and the advantage of each seat, or the ratings of a member."""
    if what not in (ALL, *keys()):
        return _of_member(work, player_named(work, what), as_json=as_json)
    game = ALL_GAMES if what == ALL else what
    lists = {each: rating_list(work, RatingList(game, each)) for each in (False, True)}
    shares = _shares(work, game)
    if as_json:
        seats = [_share_data(key, each) for key, some in shares.items() for each in some]
        rows = {key: [_row_data(each, game) for each in rated] for key, rated in lists.items()}
        return json_of({"people": rows[False], "computers": rows[True], "seats": seats})
    return [*_list_lines(lists[False], lists[True]), *_share_lines(shares)]


def _list_lines(people: Sequence[Rated], computers: Sequence[Rated]) -> Iterator[str]:
    if not people:
        yield "nobody has a rating yet"
    yield from map(_line, people)
    if computers:
        yield "with computer opponents:"
        yield from map(_line, computers)


def _line(rated: Rated) -> str:
    return f"{rated.player.name}  {_words(rated.rating)}"


def _words(rating: Rating) -> str:
    provisional = ", provisional" if rating.provisional else ""
    return f"{rating.value} ± {rating.uncertainty}, {_counted(rating.matches)}{provisional}"


def _counted(matches: int) -> str:
    return "1 match" if matches == 1 else f"{matches} matches"


def _row_data(rated: Rated, game: str) -> dict[str, Any]:
    """Return a row for programs. `game` is null in lists of all games together."""
    player, rating = rated
    return {
        "number": player.id,
        "name": player.name,
        "game": game or None,
        "rating": rating.value,
        "uncertainty": rating.uncertainty,
        "provisional": rating.provisional,
        "matches": rating.matches,
    }


def _of_member(work: Work, member: Player, *, as_json: bool) -> Said:
    lists = work.ratings.lists_of(member.id)
    if as_json:
        rows = {
            computers: [
                _row_data(Rated(member, rating), which.game)
                for which, rating in lists.items()
                if which.computers == computers
            ]
            for computers in (False, True)
        }
        return json_of({"people": rows[False], "computers": rows[True], "seats": []})
    lines = [f"{_title(which)}  {_words(rating)}" for which, rating in lists.items()]
    return lines or [f"{member.name} has no rating yet"]


def _title(which: RatingList) -> str:
    game = game_of(which.game).info.title if which.game else "all games"
    return f"{game}, with computer opponents" if which.computers else game


def _shares(work: Work, game: str) -> dict[str, list[SeatShare]]:
    """Return the seats' shares by game, of matches between people."""
    by_game = defaultdict[str, list[RatedMatch]](list)
    for match in work.ratings.everything():
        if not match.computers and game in (ALL_GAMES, match.game):
            by_game[match.game].append(match)
    return {key: seat_shares(by_game[key]) for key in sorted(by_game)}


def _share_lines(shares: dict[str, list[SeatShare]]) -> Iterator[str]:
    for key, some in shares.items():
        game = game_of(key)
        for sides in sorted({each.sides for each in some}):
            of_these = [each for each in some if each.sides == sides]
            parts = ", ".join(
                f"{_side(game, each)} {100 * each.share:.1f} % ± {100 * each.margin:.1f}"
                for each in sorted(of_these, key=lambda each: each.side == ALONE)
            )
            count = max(each.matches for each in of_these)
            yield (
                f"{game.info.title}, {sides} sides, {_counted(count)}: {parts} "
                f"(even would be {100 / sides:.1f} %)"
            )


def _side(game: AnyGame, share: SeatShare) -> str:
    if share.side == ALONE:
        return "one against a pair"
    sides = next(each for each in game.info.sides.values() if len(each) == share.sides)
    return "+".join(sides[share.side])


def _share_data(key: str, share: SeatShare) -> dict[str, Any]:
    return {
        "game": key,
        "sides": share.sides,
        "side": _side(game_of(key), share),
        "matches": share.matches,
        "share": share.share,
        "margin": share.margin,
    }


@app.command()
def rebuild(config: ConfigOption = None) -> None:
    """Compute all ratings from the archive alone, correct the kept ones, and say what was wrong."""
    shown = CommandProgress()
    with (
        interruptible("Ratings are complete up to some match. Run the command again"),
        club_of(config) as club,
        shown.step("reading the records") as report,
    ):
        done = rebuild_ratings(club, report)
    wrong = f"{done.missing} missing, {done.different} different, {done.superfluous} superfluous"
    typer.echo(f"rated matches: {done.matches}; kept ratings: {wrong}")


@app.callback()
def _of_many() -> None:
    """Manage ratings."""
