"""A match as one of its players sees it: the data of the templates."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import WIDTH, paint
from pbem.games.phrases import Words
from pbem.mail.history_line import history_line
from pbem.mail.outgoing.competition_view import CompetitionView, signed
from pbem.mail.outgoing.pending import open_to, pending
from pbem.mail.outgoing.render import in_words
from pbem.matches.match import Match, Player, PlayerId, termination_words
from pbem.matches.score import TurnLine

MOST_COUNTED = 500
"""Legal actions are counted up to here."""
MOST_LISTED = 12
"""Legal actions that a mail lists unasked."""
MOST_LINES = 3


@dataclass(frozen=True)
class MatchView:
    """What a template may say of a match to one player."""

    match: Match
    you: Player
    names: Mapping[PlayerId, str]
    now: datetime
    words: Words
    """The player's language."""
    since: Sequence[TurnLine] = ()
    """Turns since the player's last one."""
    due_at: datetime | None = None
    competition: CompetitionView | None = None
    """What the match belongs to."""

    @property
    def game(self) -> AnyGame:
        """Rules of the match."""
        return self.match.game

    @property
    def seat(self) -> Seat:
        """Seat the mail speaks of."""
        return self.match.seat_for(self.you.id)

    @property
    def seat_title(self) -> str:
        """That seat with its side."""
        return self.title_of(self.seat)

    def title_of(self, seat: Seat) -> str:
        """A seat with its side, e.g. `N (White)`."""
        return self.words.text(self.game.info.seat_titles.get(seat, seat))

    @property
    def seats(self) -> list[str]:
        """All the player's seats, for `you are …`."""
        return [self.title_of(seat) for seat in self.match.seats_of(self.you.id)]

    @property
    def your_turn(self) -> bool:
        """Whether the player is to act."""
        return self.match.player_to_act == self.you.id

    @property
    def to_act(self) -> str:
        """Who has to act, with the seat, e.g. `Anna (W, Black)`."""
        seat = self.match.to_act
        if seat is None:
            return ""
        side = self.title_of(seat).replace(" (", ", ").rstrip(")")
        return f"{self.names[self.match.seats[seat]]} ({side})"

    @property
    def seat_names(self) -> dict[Seat, str]:
        """Player's name by seat."""
        return {seat: self.names[player] for seat, player in self.match.seats.items()}

    @property
    def diagram(self) -> str:
        """The board, the lists by seat and the legend; their first seat sits below, always."""
        first = self.match.seats_of(self.you.id)[0]
        return paint(self.game.diagram(self.match.position, first), self.seat_names, self.words)

    @property
    def sitting(self) -> str:
        """Which seat sits below, for who plays several."""
        seats = list(self.match.seats_of(self.you.id))
        if len(seats) == 1:
            return ""
        return f"You play {in_words(seats)}; {seats[0]} sits below."

    @property
    def due(self) -> str:
        """When the flag falls, in the player's time zone, and how long that is from now."""
        if self.due_at is None:
            return ""
        when = in_time_zone(self.due_at, self.you.time_zone, self.now)
        return f"{when}: {span(self.due_at - self.now)}"

    @property
    def legal_count(self) -> str:
        """How many actions are legal now, in words that agree with `moves are legal`."""
        count = sum(1 for _ in islice(self.game.legal_actions(self.match.position), MOST_COUNTED))
        if count == 1:
            return "1 move is legal"
        return f"{'more than ' if count == MOST_COUNTED else ''}{count} moves are legal"

    @property
    def example(self) -> str:
        """An action that is legal now; another one each turn."""
        some = list(islice(self.game.legal_actions(self.match.position), MOST_COUNTED))
        return self.game.format(self.match.position, some[self.match.turn % len(some)])

    @property
    def since_text(self) -> str:
        """Turns since the player's last one, several to a line."""
        return columns([str(line) for line in self.since])

    @property
    def pending(self) -> str:
        """A draw offer or a resignation that stands, and who is to answer it."""
        return "\n".join(pending(self.match, self.names, self.you.id))

    @property
    def to_do(self) -> str:
        """What can be done by who is not to act."""
        answer = open_to(self.match, self.names, self.you.id)
        return answer or "there is nothing for you to do now"

    @property
    def begins(self) -> bool:
        """Whether nothing has been played yet."""
        return self.match.actions == 0 and self.match.result is None

    @property
    def terms(self) -> str:
        """What was agreed for the match, a line each."""
        options = self.match.options
        lines = [
            self.words.text(options.control.agreed),
            f"draw offers {'on' if options.draw_offers else 'off'}",
        ]
        for option in self.game.info.options:
            value = self.match.options.game.get(option.key, option.default)
            meaning = f" ({self.words.text(option.help)})" if value or not option.switch else ""
            lines.append(f"{option.key} {option.format(value)}{meaning}")
        hanging = partial(textwrap.fill, initial_indent=4 * " ", subsequent_indent=6 * " ")
        return "\n".join(hanging(line, WIDTH) for line in lines)

    @property
    def few(self) -> str:
        """The legal actions, if they are few and short; else nothing."""
        legal = self.game.legal_actions(self.match.position)
        texts = [
            self.game.format(self.match.position, each) for each in islice(legal, MOST_LISTED + 1)
        ]
        listed = columns(texts, gap=2)
        short = len(texts) <= MOST_LISTED and len(listed.splitlines()) <= MOST_LINES
        return listed if short else ""

    @property
    def result(self) -> str:
        """Who won, and why it ended."""
        result = self.match.result
        if result is None:
            return ""
        why = termination_words(self.match, self.words)
        if not result.winners:
            return f"It is drawn: {why}."
        winners = list(dict.fromkeys(self.names[self.match.seats[s]] for s in result.winners))
        verb = "wins" if len(winners) == 1 else "win"
        return f"{in_words(winners)} {verb}: {why}."

    @property
    def scores(self) -> str:
        """Scores by player."""
        result = self.match.result
        if result is None:
            return ""
        by_player = {
            self.names[player]: result.scores[self.match.seats_of(player)[0]]
            for player in self.match.players
        }
        return ", ".join(f"{name} {signed(score)}" for name, score in by_player.items())

    @property
    def history_line(self) -> str:
        """Tells the reader how the history stands, to be compared with the archive later."""
        return history_line(self.match)


def columns(items: Iterable[str], gap: int = 4) -> str:
    """Items side by side, indented by two, as many to a line as fit."""
    lines, line = [], ""
    for item in items:
        longer = f"{line}{' ' * gap}{item}" if line else f"  {item}"
        if line and len(longer) > WIDTH:
            lines.append(line)
            longer = f"  {item}"
        line = longer
    return "\n".join([*lines, line]) if line else ""


_YEAR_GOES_WITHOUT_SAYING = timedelta(days=180)


def in_time_zone(moment: datetime, time_zone: str, now: datetime) -> str:
    """`Thursday 26 November, 20:00 (Warsaw)`, with the year where it is far away.

    UTC where the zone is not known.
    """
    try:
        zone, name = ZoneInfo(time_zone), time_zone.rpartition("/")[2].replace("_", " ")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # the latter for a folder of zones
        zone, name = ZoneInfo("UTC"), "UTC"
    local = moment.astimezone(zone)
    year = f" {local.year}" if abs(moment - now) > _YEAR_GOES_WITHOUT_SAYING else ""
    return f"{local:%A} {local.day} {local:%B}{year}, {local:%H:%M} ({name})"


def span(length: timedelta) -> str:
    """`5 days`, `1 day`, `7 hours`."""
    days, hours = round(length / timedelta(days=1)), round(length / timedelta(hours=1))
    if hours < 0:
        return "past"
    if hours < 24:
        return "1 hour" if hours == 1 else f"{hours} hours"
    return "1 day" if days == 1 else f"{days} days"
