"""`pbem match`: start and show matches."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.arguments import GameArgument, MatchArgument, members
from pbem.cli.directing import match_app
from pbem.cli.error_messages import RefusedCommand
from pbem.cli.listing import JsonOption, json_of
from pbem.cli.match_list import list_matches
from pbem.cli.match_rows import match_data, summary
from pbem.cli.shell import Said, player_named
from pbem.games import game_of
from pbem.games.api import AnyGame, OptionError, Seat
from pbem.games.diagram import Captions, Diagram
from pbem.games.phrases import ENGLISH
from pbem.games.text_diagram import paint_all, paint_lists
from pbem.mail.outgoing.match_view import history_line
from pbem.mail.outgoing.pending import pending
from pbem.mail.outgoing.typeset.tables import columns
from pbem.matches.bots import kinds_for
from pbem.matches.match import Match, MatchOptions
from pbem.matches.score import trails, turn_lines
from pbem.matches.terms import read_options, usual_options
from pbem.matches.time_controls import all_terms
from pbem.painters.svg import alt, png, svg
from pbem.painters.terminal import terminal
from pbem.run.config import shows_colours
from pbem.service.club import AS_THE_CLUB, Public
from pbem.service.play.bots import bots_for_match
from pbem.service.play.send_position import send_position
from pbem.service.play.start import start_match
from pbem.service.work import Work

PIXELS = 1200
"""Width of a PNG picture, in pixels."""
ENDINGS = (".svg", ".png")


def _known(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in ENDINGS:
        raise typer.BadParameter(
            f"{path.name!r} is not a picture. Its name must end in {' or '.join(ENDINGS)}"
        )
    return path


PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="FILE",
        callback=_known,
        help="Also write the board to a file: .svg or .png.",
    ),
]


def board(work: Work, match: Match, seat: Seat) -> Diagram:
    """Return the board of a match with the last turn of each player."""
    recorded = work.matches.recorded(match.id)
    diagram: Diagram = match.game.diagram(match.position, seat)
    return diagram.marked(trails(match.game, recorded, match.seats))


def shown(diagram: Diagram, names: Mapping[Seat, str]) -> str:
    """Return a board with its lists, coloured if the terminal allows it, otherwise as in emails."""
    captions = Captions(diagram, names, ENGLISH)
    if not shows_colours(sys.stdout):
        return paint_all(captions)
    return f"{terminal(diagram)}\n\n{paint_lists(captions)}"


def write_picture(path: Path, diagram: Diagram, match: Match, seat: Seat) -> None:
    """Write the board to a file in the format of its ending. Raises OSError."""
    picture = svg(diagram, alt(diagram, match.id, match.turn, seat))
    if path.suffix.lower() == ".svg":
        path.write_text(picture, "utf-8")
    else:
        path.write_bytes(png(picture, PIXELS))


Days = Annotated[int, typer.Option(min=0, help="Days per turn. 0 means no clock.")]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option of the match, as pbem games lists it. Repeatable.",
    ),
]
Names = Annotated[
    list[str],
    typer.Argument(
        metavar="MEMBER", help="Players, in the order of entry.", autocompletion=members
    ),
]

PeopleOrBots = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MEMBER", help="Players, in the order of seats.", autocompletion=members
    ),
]
BotKinds = Annotated[
    list[str] | None,
    typer.Option(
        "--bot", metavar="KIND", help="A computer opponent: random, greedy or steady. Repeatable."
    ),
]


def options_of(game: AnyGame, days: int, texts: list[str] | None) -> MatchOptions:
    """Read match options from the command line. Raises OptionError."""
    pairs = dict(_pair(text) for text in texts or [])
    return read_options(game, pairs, usual_options(game, days))


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals and key.strip() not in all_terms():
        raise OptionError(f"--option takes KEY=VALUE, not {text!r}")
    return key.strip(), value.strip()


@match_app.command("new")
@shell.writes
def new_match(
    work: Work,
    game: GameArgument,
    names: PeopleOrBots = None,
    days: Days = 5,
    option: OptionTexts = None,
    bot: BotKinds = None,
    public: Annotated[
        Public | None, typer.Option(help="When everyone may read it. Default: the club's setting.")
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Only its players may read it: --public never.")
    ] = False,
    unrated: Annotated[
        bool, typer.Option("--unrated", help="Do not count it in any ranking.")
    ] = False,
) -> Said:
    """Start a match and send the first turn email at once."""
    if private and public not in (None, Public.NEVER):
        raise typer.BadParameter(
            "--private means --public never. Leave one of them out", param_hint="--public"
        )
    rules = game_of(game)
    players = [player_named(work, name) for name in names or []]
    players += bots_for_match(work, bot or [])
    if strangers := sorted(set(bot or ()) - set(kinds_for(rules.info.key))):
        raise RefusedCommand(f"bot-{strangers[0]} does not play {rules.info.title}")
    options = replace(options_of(rules, days, option), unrated=unrated)
    readable = Public.NEVER if private else public or AS_THE_CLUB
    return summary(work, start_match(work, rules, players, options, readable))


match_app.command("list")(list_matches)


@match_app.command("show")
@shell.reads
def show_match(
    work: Work,
    number: MatchArgument,
    as_json: JsonOption = False,
    picture: PictureOption = None,
) -> Said:
    """Show a match: its turns, the board and the deadline."""
    match = work.match(number)
    names = {seat: work.players.get(player).name for seat, player in match.seats.items()}
    lines = turn_lines(match.game, tuple(match.seats), work.matches.recorded(match.id))
    seat = match.to_act or next(iter(match.seats))
    diagram = board(work, match, seat)
    if picture is not None:
        write_picture(picture, diagram, match, seat)
    if as_json:
        return json_of({**match_data(work, match), "turns": [str(line) for line in lines]})
    typer.echo(summary(work, match))
    typer.echo(columns(str(line) for line in lines))
    people = {player: names[match.seats_of(player)[0]] for player in match.players}
    if standing := pending(match, people, None, work.now):
        typer.echo(work.club.renderer.part(["_pending.txt.j2"], {"pending": standing}))
    typer.echo(shown(diagram, names))
    typer.echo(history_line(match))
    return None


@match_app.command("send")
@shell.writes
def send_match(
    work: Work,
    number: MatchArgument,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAYER", help="Default: the player to move.", autocompletion=members
        ),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Send it to all players of the match.")
    ] = False,
) -> Said:
    """Send the current position again. The clocks do not change."""
    player = player_named(work, name) if name is not None else None
    readers = send_position(work, number, player, everybody=all_)
    return [
        f"match {number} will be sent to {reader.name} <{reader.address}>" for reader in readers
    ]


class PublicChoice(StrEnum):
    """When everyone may read a match."""

    LIVE = Public.LIVE
    ENDED = Public.ENDED
    NEVER = Public.NEVER
    CLUB = "club"
    """The club's setting."""


@match_app.command("public")
@shell.writes
def make_public(
    work: Work,
    number: MatchArgument,
    choice: Annotated[
        PublicChoice,
        typer.Argument(
            metavar="WHEN",
            help="When everyone may read it: live, ended or never. club is the club's setting.",
        ),
    ],
) -> Said:
    """Set when everyone may read a match, and later matches of its competition."""
    match = work.matches.lock(number)
    public = AS_THE_CLUB if choice is PublicChoice.CLUB else str(choice)
    work.matches.save(replace(match, public=public))
    work.jobs.enqueue("pages")
    return f"match {number}: {choice}"
