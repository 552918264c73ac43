"""Match: one contest being played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, OptionError, Position, Seat
from pbem.games.phrases import Phrase, Words
from pbem.games.replay import replay_from
from pbem.matches.choices import CHOICES, Choice
from pbem.matches.clock import Clock
from pbem.matches.hands import Hands
from pbem.matches.place import Place
from pbem.matches.quiet import Breaks
from pbem.matches.time_control import TimeControl
from pbem.matches.time_controls import read_control, write_control
from pbem.matches.time_controls.days import Days
from pbem.matches.words import phrase

PlayerId = int


@dataclass(frozen=True)
class Player:
    """Who plays: a person, or a bot."""

    id: PlayerId
    name: str
    addresses: tuple[str, ...]
    """E-mail addresses, in the order in which mail is sent to them."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What was chosen for them, by the key of the setting."""
    failed: frozenset[str] = frozenset()
    """Those of their addresses that accept no mail."""
    added: Mapping[str, datetime] = field(default_factory=dict)
    """When each address was confirmed that they added by email."""
    bot: str = ""
    """Which computer opponent it is, by the key of `matches.bots`; empty: a person."""
    former: bool = False
    """Whether they have left, and nothing is known of them but their number."""

    @property
    def gets_mail(self) -> bool:
        """Whether mails are written to them: a bot looks at the match itself."""
        return not self.bot and not self.former

    @property
    def time_zone(self) -> str:
        """IANA name; due times are told in it."""
        return self.settings.get("zone", "UTC")

    @property
    def proof(self) -> str:
        """What proves that a mail is theirs; empty: what the club asks for."""
        return self.settings.get("proof", "")

    @property
    def reachable(self) -> bool:
        """Whether any address of theirs accepts mail."""
        return not self.failed.issuperset(self.addresses)

    @property
    def address(self) -> str:
        """Where their mail goes: the first address that accepts mail, or the first if none does."""
        accepting = (each for each in self.addresses if each not in self.failed)
        return next(accepting, self.addresses[0])


@dataclass(frozen=True)
class MatchOptions:
    """What was agreed for a match."""

    days: int = 5
    """Days a turn; 0 is without a clock, or with another control."""
    draw_offers: bool = True
    game: Mapping[str, int] = field(default_factory=dict)
    """The game's own options, defaults filled in."""
    time: str = ""
    """Terms of another time control than days a turn, as they are written."""
    unrated: bool = False
    """Whether the match is not to count in any ranking."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What was chosen of `choices`, by key; the usual ones are left out."""

    def of(self, choice: Choice) -> str:
        """What was chosen."""
        return self.chosen.get(choice.key, choice.usual)

    @property
    def sayings(self) -> tuple[Phrase, ...]:
        """What was chosen, as a mail tells it."""
        return tuple(CHOICES[key].sayings[value] for key, value in self.chosen.items())

    @property
    def control(self) -> TimeControl:
        """The time control that was agreed; raises OptionError."""
        return read_control(self.time) if self.time else Days(self.days)

    def with_control(self, control: TimeControl) -> MatchOptions:
        """The same with a time control; days a turn have a place of their own, as ever."""
        if isinstance(control, Days):
            return replace(self, days=control.days, time="")
        return replace(self, days=0, time=write_control(control))


@dataclass(frozen=True)
class DrawOffer:
    """A draw offer that stands."""

    by: PlayerId
    accepted: frozenset[PlayerId] = frozenset()


@dataclass(frozen=True)
class PauseOffer:
    """A pause that a player has asked for."""

    by: PlayerId
    span: timedelta
    at: datetime
    """When they did."""
    left: frozenset[PlayerId]
    """Who is still to agree; nobody once it was declined or taken back."""
    named: bool = False
    """Whether a shorter one was asked for not long before: who agrees says which they mean."""


@dataclass(frozen=True)
class Result:
    """How a match ended, by the rules of its game or by its players."""

    winners: tuple[Seat, ...]
    """Who won; after a draw nobody, or those who share it if others had resigned before."""
    termination: str
    scores: Mapping[Seat, int]
    ended_at: datetime

    @property
    def drawn(self) -> bool:
        """Whether nobody has won, and all who had not resigned share a draw."""
        return is_drawn(self.winners, self.termination)


def is_drawn(winners: Sequence[Seat], termination: str) -> bool:
    """Return whether a match with these winners and this ending was drawn."""
    return not winners or termination in DRAWS


COMMON_TERMINATIONS = {
    "resignation": phrase("ending.resignation"),
    "draw": phrase("ending.draw"),
    "flag": phrase("ending.flag"),
    "adjudication": phrase("ending.adjudication"),
    "adjudicated-draw": phrase("ending.adjudicated-draw"),
    "forfeit": phrase("ending.forfeit"),
    "void": phrase("ending.void"),
    "cancelled": phrase("ending.cancelled"),
}
"""Ways any match can end beside those of its game, by key."""
DRAW, ADJUDICATED_DRAW = "draw", "adjudicated-draw"
DRAWS = frozenset({DRAW, ADJUDICATED_DRAW})
"""Those of them that name who shares a draw, if others had resigned before."""
CANCELLED, VOID = "cancelled", "void"
UNCOUNTED = frozenset({CANCELLED, VOID})
"""Those of them after which a match counts for nobody."""


class RecordedAction(NamedTuple):
    """One action as it is stored."""

    number: int
    """From 1 in the match."""
    turn: int
    seat: Seat
    text: str
    """Canonical."""
    passed: tuple[Seat, ...]
    """Seats for which the engine passed right after it; derived, kept for printing."""
    at: datetime
    """When the mail that held it was received, UTC."""
    head: str = ""
    """Hash of the history up to it."""
    undone: int = 0
    """Entry of the history by which it was taken back; 0: it stands."""


@dataclass(frozen=True)
class MatchSummary:
    """A match as it is stored and listed: all but its position."""

    id: int
    game_key: str
    rules_version: int
    seats: Mapping[Seat, PlayerId]
    """Who holds each seat, in turn order."""
    options: MatchOptions
    started_at: datetime
    actions: int = 0
    """How many are recorded, those that were taken back too."""
    turn: int = 1
    to_act: Seat | None = None
    turn_started_at: datetime | None = None
    """When the turn mail of the seat to act was queued."""
    clock: Clock = field(default_factory=Clock)
    offer: DrawOffer | None = None
    resigned: frozenset[PlayerId] = frozenset()
    """Players of a side whose resignation waits for their partner's."""
    result: Result | None = None
    place: Place | None = None
    """Where it stands in the competition that it belongs to."""
    club: str = ""
    """Name of the club when it began; empty for one begun before that was kept."""
    entries: int = 0
    """How many entries its history has: actions, what happened beside them, the result."""
    head: str = ""
    """Hash of the whole history."""
    public: str = ""
    """When everybody may read it, by the key of the choice; empty: as the club has it."""
    pause_offer: PauseOffer | None = None
    """May be too old to be answered; see `pausing`."""
    breaks: Breaks = ()
    """Pauses whose end is known; some may be over."""
    lead: int = 0
    """By how much tokens number the turn higher than it is, since turns were taken back."""
    hands: Hands = field(default_factory=Hands)
    """How its seats have changed hands."""

    @property
    def began(self) -> Mapping[Seat, PlayerId]:
        """Who held each seat when it began, in turn order."""
        return self.hands.began(self.seats)

    def held_by(self, seat: Seat, turn: int) -> PlayerId:
        """Who held a seat when a turn was over."""
        return self.hands.held_by(seat, turn) or self.seats[seat]

    @property
    def player_count(self) -> int:
        """With how many players it began: its rules are those for so many, whoever plays now."""
        return len(set(self.began.values()))

    @property
    def token_turn(self) -> int:
        """Number of the turn in tokens: it never goes back, so that no old mail counts again."""
        return self.turn + self.lead

    @property
    def counts(self) -> bool:
        """Whether it has ended with a result that counts."""
        return self.result is not None and self.result.termination not in UNCOUNTED

    @property
    def game(self) -> AnyGame:
        """Rules it is played by."""
        return game_of(self.game_key, self.rules_version)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who plays, once, in order of their first seats."""
        return tuple(dict.fromkeys(self.seats.values()))

    @property
    def player_to_act(self) -> PlayerId | None:
        """Person who has to move."""
        return None if self.to_act is None else self.seats[self.to_act]

    @property
    def sole_winner(self) -> PlayerId | None:
        """The one person who won; None where nobody did, or several share it."""
        winners = {self.seats[seat] for seat in self.result.winners} if self.result else set()
        return winners.pop() if len(winners) == 1 else None

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """Seats a player holds, in turn order."""
        return tuple(seat for seat, holder in self.seats.items() if holder == player)

    def seat_for(self, player: PlayerId) -> Seat:
        """Seat a mail to a player speaks of: the one to act if it is theirs, else their first."""
        seats = self.seats_of(player)
        return self.to_act if self.to_act in seats and self.to_act else seats[0]

    def side_of(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Players who win and lose with a player, that one included."""
        side = self.game.info.side_of(self.player_count, self.seats_of(player)[0])
        return tuple(dict.fromkeys(self.seats[seat] for seat in side))

    def others(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Everybody but one."""
        return tuple(other for other in self.players if other != player)


SummaryT = TypeVar("SummaryT", bound=MatchSummary)


@dataclass(frozen=True)
class Match(MatchSummary):
    """One contest with its position; what its players do to it stands in `acting`."""

    position: Position = field(kw_only=True, repr=False)
    """The replay of its actions."""

    @classmethod
    def of(cls, summary: MatchSummary, position: Position) -> Match:
        """A match as stored, and the position that its actions lead to."""
        kept = {each.name: getattr(summary, each.name) for each in fields(MatchSummary)}
        return cls(**kept, position=position)

    @property
    def agreed(self) -> bool:
        """Whether players have ended it by consent, as Lanko's `+++` does."""
        return self.result is not None and self.result.termination in self.game.info.agreements

    def has_resigned(self, player: PlayerId) -> bool:
        """Whether a player has given up for good while the others play on."""
        return has_resigned(self.game, self.position, self.seats_of(player)[0])

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """Seats that have not resigned while the others play on."""
        return tuple(s for s in self.seats if not has_resigned(self.game, self.position, s))

    @property
    def asked(self) -> tuple[PlayerId, ...]:
        """Whose consent makes the draw that is offered: all others who still play."""
        by = self.offer.by if self.offer is not None else None
        return tuple(each for each in self.players if each != by and not self.has_resigned(each))


def has_resigned(game: AnyGame, position: Position, seat: Seat) -> bool:
    """Return whether a seat has given up for good while the others play on."""
    if game.to_act(position) is None:
        return False
    text = game.resignation(position, seat)
    if text is None:
        return False
    try:
        game.parse(position, text, seat)
    except ActionError:
        return True
    return False


class CommandError(Exception):
    """A request that cannot be met now; the key names the template that tells the player."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key
        self.reason = reason


def new_match(
    game: AnyGame,
    players: Sequence[PlayerId],
    options: MatchOptions,
    at: datetime,
    place: Place | None = None,
) -> Match:
    """A match before its first action, id 0; players in the order in which they are entered.

    Raises OptionError if the game is not for so many, somebody is entered twice, there is
    no such time control, or an option is not the game's.
    """
    clock, count = Clock(options.control), len(players)
    if len(set(players)) != count:
        raise OptionError(phrase("terms.twice"))
    seats = game.info.seats_of(count)
    holders = {
        seat: player
        for player, held in zip(players, game.info.holders[count], strict=True)
        for seat in held
    }
    options = replace(options, game=game.info.with_defaults(options.game))
    position = game.initial(count, options.game)
    return Match(
        position=position,
        id=0,
        game_key=game.info.key,
        rules_version=game.info.rules_version,
        seats={seat: holders[seat] for seat in seats},
        options=options,
        started_at=at,
        turn=position.turn,
        to_act=game.to_act(position),
        turn_started_at=at,
        clock=clock,
        place=place,
    )


def position_of(
    match: MatchSummary, actions: Iterable[RecordedAction], after: Position | None = None
) -> Position:
    """Position after recorded actions, which follow a position or the start; raises ReplayError."""
    game = match.game
    position = game.initial(match.player_count, match.options.game) if after is None else after
    pairs = ((action.seat, action.text) for action in actions)
    for played in replay_from(game, position, pairs):
        position = played.position
    return position


def termination_words(match: MatchSummary, words: Words) -> str:
    """Why a match ended, in a player's words."""
    if match.result is None:
        raise ValueError("the match goes on")
    own = match.game.info.terminations
    ending = match.result.termination
    return words.text(own[ending] if ending in own else COMMON_TERMINATIONS[ending])
