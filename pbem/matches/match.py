"""Match: a contest between players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, TypeVar

from pbem.games import game_of, provider_of
from pbem.games.api import ActionError, AnyGame, GamePosition, OptionError, Seat
from pbem.games.missing import MissingGame, MissingPosition, missing
from pbem.games.phrases import Phrase, Words, capitalised
from pbem.games.replay import replay_from
from pbem.matches.clock import Clock
from pbem.matches.competition_place import Place
from pbem.matches.match_options import CHOICES, NAMES, Choice
from pbem.matches.off_time import Breaks
from pbem.matches.seat_holders import Hands
from pbem.matches.time_control import TimeControl
from pbem.matches.time_controls import read_control, write_control
from pbem.matches.time_controls.days import Days
from pbem.matches.words import phrase

PlayerId = int


@dataclass(frozen=True)
class Player:
    """A player: a person or a bot."""

    id: PlayerId
    name: str
    addresses: tuple[str, ...]
    """Email addresses, in the order of preference."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Chosen values by setting."""
    failed: frozenset[str] = frozenset()
    """Addresses that do not accept email."""
    added: Mapping[str, datetime] = field(default_factory=dict)
    """When the player confirmed each address that they added by email."""
    bot: str = ""
    """Key of the bot in `matches.bots`. Empty for a person."""
    former: bool = False
    """Whether they have left, so that only their number is known."""
    joined_at: datetime | None = None
    """When they became a member. None if that is unknown, and for bots and former members."""
    unbanned_at: datetime | None = None
    """When a director last lifted a ban. Earlier losses on time ban them from nothing."""

    @property
    def gets_mail(self) -> bool:
        """Whether they are sent emails. A bot reads the match itself."""
        return not self.bot and not self.former

    @property
    def time_zone(self) -> str:
        """IANA name of the zone for times in their emails."""
        return self.settings.get("zone", "UTC")

    @property
    def proof(self) -> str:
        """Proof that their emails need. Empty for the club's default."""
        return self.settings.get("proof", "")

    @property
    def reachable(self) -> bool:
        """Whether any of their addresses accepts email."""
        return not self.failed.issuperset(self.addresses)

    @property
    def address(self) -> str:
        """First address that accepts email, or the first of all if none does."""
        accepting = (each for each in self.addresses if each not in self.failed)
        return next(accepting, self.addresses[0])


@dataclass(frozen=True)
class MatchOptions:
    """Terms agreed for a match."""

    days: int = 5
    """Days per turn. 0 without a clock, or with another time control."""
    draw_offers: bool = True
    game: Mapping[str, int] = field(default_factory=dict)
    """The game's own options, with defaults filled in."""
    time: str = ""
    """Terms of a time control other than days per turn, as text."""
    unrated: bool = False
    """Whether the match is left out of every ranking."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Values of `CHOICES` by key, without defaults."""

    def of(self, choice: Choice) -> str:
        """Return the value of a choice."""
        return self.chosen.get(choice.key, choice.usual)

    @property
    def sayings(self) -> tuple[Phrase, ...]:
        """Choices as phrases for an email."""
        return tuple(CHOICES[key].sayings[value] for key, value in self.chosen.items())

    @property
    def control(self) -> TimeControl:
        """The agreed time control. Raises OptionError if it can't be read."""
        return read_control(self.time) if self.time else Days(self.days)

    def with_control(self, control: TimeControl) -> MatchOptions:
        """Return the options with a time control. Days per turn have their own field."""
        if isinstance(control, Days):
            return replace(self, days=control.days, time="")
        return replace(self, days=0, time=write_control(control))


class OfferKind(StrEnum):
    """What a player offers to the others in a match. The words are stored."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    """To take back the player's last turn and everything after it."""
    ABANDON = "abandon"
    """To end the match without a result."""


@dataclass(frozen=True)
class MatchOffer:
    """An offer that the others can accept or decline. There is one of each kind at most."""

    kind: OfferKind
    by: PlayerId
    accepted: frozenset[PlayerId] = frozenset()
    to: int = 0
    """The turn that would be played again. 0 if no turn is taken back."""
    asked: frozenset[PlayerId] | None = None
    """Players whose consent it needs. None for all others who still play."""


@dataclass(frozen=True)
class OfferCount:
    """A player's offers of one kind in a match so far. Turns are counted as in tokens."""

    kind: OfferKind
    by: PlayerId
    last: int
    """Turn of the last offer."""
    refused: int = 0
    """Number of offers that others declined, or did not answer before they moved."""
    refused_in: int = 0
    """Turn of the last refusal."""


@dataclass(frozen=True)
class PauseOffer:
    """A pause that a player has asked for."""

    by: PlayerId
    span: timedelta
    at: datetime
    """When it was asked for."""
    left: frozenset[PlayerId]
    """Players who must still agree. Empty once it is declined or withdrawn."""
    named: bool = False
    """Whether an answer must name the length, because a shorter pause was asked for recently."""


@dataclass(frozen=True)
class BeforeEnd:
    """Data with which a decided match can continue where it stopped."""

    clock: Clock
    """The clock in the last turn, halted."""
    place: Place | None = None
    public: str = ""


@dataclass(frozen=True)
class Result:
    """Result of a match, by the rules of its game or by its players."""

    winners: tuple[Seat, ...]
    """Winning seats. After a draw, empty, or the seats that share it because others resigned."""
    termination: str
    scores: Mapping[Seat, int]
    ended_at: datetime
    before: BeforeEnd | None = field(default=None, compare=False, repr=False)
    """Kept after an ending in `REOPENABLE`. None in a match that an older pbem ended."""

    @property
    def drawn(self) -> bool:
        """Whether nobody won and all who had not resigned share a draw."""
        return is_drawn(self.winners, self.termination)


def is_drawn(winners: Sequence[Seat], termination: str) -> bool:
    """Return whether a match with these winners and this ending was drawn."""
    return not winners or termination in DRAWS


RESIGNATION = "resignation"
COMMON_TERMINATIONS = {
    RESIGNATION: phrase("ending.resignation"),
    "draw": phrase("ending.draw"),
    "flag": phrase("ending.flag"),
    "flag-draw": phrase("ending.flag-draw"),
    "adjudication": phrase("ending.adjudication"),
    "adjudicated-draw": phrase("ending.adjudicated-draw"),
    "forfeit": phrase("ending.forfeit"),
    "void": phrase("ending.void"),
    "cancelled": phrase("ending.cancelled"),
    "abandoned": phrase("ending.abandoned"),
}
"""Ways in which any match can end, by key. A game has others."""
OWN_RESIGNATION = phrase("ending.own-resignation")
"""The termination for the side that resigned."""
DRAW, ADJUDICATED_DRAW, FLAG_DRAW = "draw", "adjudicated-draw", "flag-draw"
DRAWS = frozenset({DRAW, ADJUDICATED_DRAW, FLAG_DRAW})
"""Terminations that name the seats sharing a draw, if others resigned before."""
CANCELLED, VOID, ABANDONED = "cancelled", "void", "abandoned"
UNCOUNTED = frozenset({CANCELLED, VOID, ABANDONED})
"""Terminations after which a match does not count."""
REOPENABLE = UNCOUNTED | {"flag", FLAG_DRAW, "adjudication", ADJUDICATED_DRAW, "forfeit"}
"""Terminations that a director can take back: by a decision or a claim, or without a result."""


class RecordedAction(NamedTuple):
    """An action as it is stored."""

    number: int
    """Number in the match, from 1."""
    turn: int
    seat: Seat
    text: str
    """Canonical text."""
    passed: tuple[Seat, ...]
    """Seats for which the engine passed right after it. Derived, kept for printing."""
    at: datetime
    """When the email with it was received, in UTC."""
    head: str = ""
    """Hash of the history up to this entry."""
    undone: int = 0
    """Number of the history entry that took it back, 0 if it stands."""


@dataclass(frozen=True)
class MatchSummary:
    """A match as it is stored and listed, without its position."""

    id: int
    game_key: str
    rules_version: int
    seats: Mapping[Seat, PlayerId]
    """Current holders by seat, in turn order."""
    options: MatchOptions
    started_at: datetime
    actions: int = 0
    """Number of recorded actions, including those taken back."""
    turn: int = 1
    to_act: Seat | None = None
    turn_started_at: datetime | None = None
    """When the turn email of the seat to act was queued."""
    clock: Clock = field(default_factory=Clock)
    offers: tuple[MatchOffer, ...] = ()
    """Standing offers, of each kind at most one."""
    offered: tuple[OfferCount, ...] = ()
    """Counts of the offers that players have made."""
    resigned: frozenset[PlayerId] = frozenset()
    """Players whose resignation waits for their partner's."""
    result: Result | None = None
    place: Place | None = None
    """Place in its competition."""
    club: str = ""
    """Name of the club when it started. Empty if it started before names were stored."""
    entries: int = 0
    """Number of history entries: actions, other events and the result."""
    head: str = ""
    """Hash of the whole history."""
    public: str = ""
    """When everyone may read it, as the key of a choice. Empty for the club's default."""
    pause_offer: PauseOffer | None = None
    """May be too old to be answered. See `standing_offer` in `acting`."""
    breaks: Breaks = ()
    """Pauses with a known end, including past ones."""
    lead: int = 0
    """Offset of the turn number in tokens, because turns were taken back."""
    hands: Hands = field(default_factory=Hands)
    """Past and possible changes of its seats' holders."""
    provider: str = ""
    """Distribution that provided the rules, and its version. Empty for pbem, and if unknown."""

    @property
    def began(self) -> Mapping[Seat, PlayerId]:
        """First holders by seat, in turn order."""
        return self.hands.began(self.seats)

    @property
    def ever_played(self) -> frozenset[PlayerId]:
        """Everybody who holds or held a seat."""
        earlier = (spell.player for spell in self.hands.earlier)
        return frozenset((*self.seats.values(), *earlier))

    @property
    def entered(self) -> tuple[PlayerId, ...]:
        """Current players in the order of entry, as `new_match` takes them.

        A seat that a bot keeps, or that a partner plays too, still counts as its player's.
        """
        holders = dict(self.seats) | dict(self.hands.kept_for)
        firsts = [held[0] for held in self.game.info.holders[self.player_count]]
        now = [holders[seat] for seat in firsts]
        return tuple(
            self.began[seat] if now.count(player) > 1 else player
            for seat, player in zip(firsts, now, strict=True)
        )

    def held_by(self, seat: Seat, turn: int) -> PlayerId:
        """Return the holder of a seat at the end of a turn."""
        return self.hands.held_by(seat, turn) or self.seats[seat]

    @property
    def player_count(self) -> int:
        """Number of players at the start. Its rules are for this many, whoever plays now."""
        return len(set(self.began.values()))

    @property
    def token_turn(self) -> int:
        """Turn number in tokens. It never goes back, so no old email counts again."""
        return self.turn + self.lead

    @property
    def counts(self) -> bool:
        """Whether it has ended with a result that counts."""
        return self.result is not None and self.result.termination not in UNCOUNTED

    @property
    def former_place(self) -> Place | None:
        """The place that it had in a competition before it was cancelled."""
        before = None if self.result is None else self.result.before
        return None if before is None or self.place is not None else before.place

    @property
    def game(self) -> AnyGame:
        """The rules it is played by, or a stand-in if they are not installed."""
        try:
            return game_of(self.game_key, self.rules_version, self.provider)
        except OptionError:
            return missing(self.game_key, self.rules_version, self._held)

    @property
    def _held(self) -> tuple[tuple[Seat, ...], ...]:
        """First seats of each player, in the order of the seats."""
        began = self.began
        players = dict.fromkeys(began.values())
        return tuple(tuple(s for s, held_by in began.items() if held_by == p) for p in players)

    @property
    def lacks_rules(self) -> bool:
        """Whether its rules are not installed, so that it can only be listed."""
        return isinstance(self.game, MissingGame)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All current players once, in the order of their first seats."""
        return tuple(dict.fromkeys(self.seats.values()))

    @property
    def player_to_act(self) -> PlayerId | None:
        """Player to act."""
        return None if self.to_act is None else self.seats[self.to_act]

    @property
    def sole_winner(self) -> PlayerId | None:
        """The only player who won. None if nobody did or several share the win."""
        winners = {self.seats[seat] for seat in self.result.winners} if self.result else set()
        return winners.pop() if len(winners) == 1 else None

    @property
    def hides_names(self) -> bool:
        """Whether nobody may learn who plays it, because it is a blind match that has not ended."""
        return self.result is None and self.options.of(NAMES) == "hidden"

    def name_of_seats(self, player: PlayerId) -> str:
        """Return what a blind match calls a player: their seats, or those that they held."""
        held = (spell.seat for spell in self.hands.earlier if spell.player == player)
        seats = self.seats_of(player) or tuple(dict.fromkeys(held))
        return capitalised("+".join(seats))

    def seats_of(self, player: PlayerId) -> tuple[Seat, ...]:
        """Return a player's seats, in turn order."""
        return tuple(seat for seat, holder in self.seats.items() if holder == player)

    def seat_for(self, player: PlayerId) -> Seat:
        """Return the seat that an email to a player is about: the one to act, or their first."""
        seats = self.seats_of(player)
        return self.to_act if self.to_act in seats and self.to_act else seats[0]

    def side_of(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Return the players who win and lose with a player, including that player."""
        side = self.game.info.side_of(self.player_count, self.seats_of(player)[0])
        return tuple(dict.fromkeys(self.seats[seat] for seat in side))

    def offer(self, kind: OfferKind) -> MatchOffer | None:
        """Return the standing offer of a kind."""
        return next((each for each in self.offers if each.kind is kind), None)

    def others(self, player: PlayerId) -> tuple[PlayerId, ...]:
        """Return all players but one."""
        return tuple(other for other in self.players if other != player)


SummaryT = TypeVar("SummaryT", bound=MatchSummary)


@dataclass(frozen=True)
class Match(MatchSummary):
    """A match with its position. `acting` holds what players can do to it."""

    position: GamePosition = field(kw_only=True, repr=False)
    """Position after all actions."""

    @classmethod
    def of(cls, summary: MatchSummary, position: GamePosition) -> Match:
        """Return a stored match with the position that its actions lead to."""
        kept = {each.name: getattr(summary, each.name) for each in fields(MatchSummary)}
        return cls(**kept, position=position)

    @property
    def agreed(self) -> bool:
        """Whether players ended it by consent, as with Lanko's `+++`."""
        return self.result is not None and self.result.termination in self.game.info.agreements

    def has_resigned(self, player: PlayerId) -> bool:
        """Return whether a player has resigned while the others continue."""
        return has_resigned(self.game, self.position, self.seats_of(player)[0])

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """Seats that have not resigned while the others continue."""
        return tuple(s for s in self.seats if not has_resigned(self.game, self.position, s))

    def asked(self, offer: MatchOffer) -> tuple[PlayerId, ...]:
        """Return the players whose consent an offer needs."""
        others = self.others(offer.by) if offer.asked is None else offer.asked
        return tuple(p for p in self.players if p in others and not self.has_resigned(p))

    def unanswered(self, offer: MatchOffer) -> tuple[PlayerId, ...]:
        """Return the players who have not accepted an offer yet."""
        return tuple(each for each in self.asked(offer) if each not in offer.accepted)


def has_resigned(game: AnyGame, position: GamePosition, seat: Seat) -> bool:
    """Return whether a seat has resigned while the others continue."""
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
    """A request that cannot be met now. `key` names the template that tells the player."""

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
    """Return a match before its first action, with id 0. Players are in the order of entry.

    Raises OptionError if the game cannot have this many players, a player is entered twice, or the
    options are unknown or wrong.
    """
    if isinstance(game, MissingGame):
        raise OptionError(phrase("terms.game-missing", game=game.info.title))
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
        provider=provider_of(game),
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
    match: MatchSummary, actions: Iterable[RecordedAction], after: GamePosition | None = None
) -> GamePosition:
    """Return the position after actions that follow a position or the start. Raises ReplayError.

    Without its rules, that is what is stored of the position besides the actions.
    """
    game = match.game
    if isinstance(game, MissingGame):
        return MissingPosition(match.turn, match.to_act)
    position = game.initial(match.player_count, match.options.game) if after is None else after
    pairs = ((action.seat, action.text) for action in actions)
    for played in replay_from(game, position, pairs):
        position = played.position
    return position


def termination_words(match: MatchSummary, words: Words) -> str:
    """Return why a match ended, in words for a player."""
    if match.result is None:
        raise ValueError("the match has not ended")
    own = match.game.info.terminations
    ending = match.result.termination
    if ending not in own and ending not in COMMON_TERMINATIONS:  # its game is not installed
        return ending.replace("-", " ")
    return words.text(own[ending] if ending in own else COMMON_TERMINATIONS[ending])
