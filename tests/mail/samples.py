"""Sample values of everything an email can contain, by the type of its field.

A field gets each value that a template may treat differently: None and a value, both states of a
switch, each member of an enumeration, an empty and a long list. A kind of email with a field of a
new type fails until the type has samples here.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from itertools import chain, cycle, product
from typing import Any, Union, get_args, get_origin, get_type_hints

from pbem.games import games
from pbem.games.api import AnyGame, GameInfo, Option
from pbem.games.phrases import ENGLISH, Phrase
from pbem.games.replay import Played
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.entry_view import EntryView
from pbem.mail.outgoing.kinds import DigestPart, LapsedPlan, Section, WaitingNote
from pbem.mail.outgoing.kinds.refusals import NotYourTurn, Refusal
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.offer_view import OfferView
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.mail.outgoing.time_view import due
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.announcement import Announcement, Order, Phase
from pbem.matches.competition import Common
from pbem.matches.competitions import kinds
from pbem.matches.decision import Decision
from pbem.matches.event import Event, MatchBegun
from pbem.matches.leave import Leave
from pbem.matches.match import Match, MatchSummary, Player, Result, new_match
from pbem.matches.match_options import FLAG as CHOICE
from pbem.matches.offer import Offer, OfferEntry, State
from pbem.matches.offer_terms import Begins, OfferTerms
from pbem.matches.plans import Ending
from pbem.matches.ratings import Rating
from pbem.matches.record import opened
from pbem.matches.reliability import Conditions
from pbem.matches.seat_changes import HandedOn
from pbem.matches.terms import usual_options
from pbem.matches.time_control import FLAG
from pbem.matches.words import phrase
from tests.mail.test_letters_quoted import NAMES, NOW, TOURNAMENT, view

ANNA = Player(1, NAMES[1], ("anna@mail.example",))
DAY = timedelta(days=1)
MOST_AT_ONCE = 64
"""All combinations of field values are made up to this number.

Beyond, one field changes at a time.
"""


def matches() -> Iterator[tuple[AnyGame, int]]:
    """Return each game with its fewest and most players."""
    for game in games():
        for players in sorted({min(game.info.holders), max(game.info.holders)}):
            yield game, players


def match_of(game: AnyGame, players: int, **options: Any) -> Match:
    """Return a match without moves."""
    agreed = replace(usual_options(game), **options)
    return opened(new_match(game, list(range(1, players + 1)), agreed, NOW))


def over(match: Match, winners: Sequence[str], why: str) -> Match:
    """Return the same match after its end."""
    scores = dict.fromkeys(match.seats, 0)
    return replace(match, result=Result(tuple(winners), why, scores, NOW), to_act=None)


@cache
def match_views() -> tuple[MatchView, ...]:
    """Return matches of two to five as each sort of reader sees them: before, in and after play."""
    return tuple(_match_views())


def _match_views() -> Iterator[MatchView]:
    for game, players in matches():
        fresh = replace(view(game), match=match_of(game, players), since=(), trails=())
        acting = replace(fresh, you=_player(fresh.match.player_to_act or 1))
        yield acting
        yield replace(acting, due_at=NOW + DAY, mails="turn")
        yield replace(fresh, you=_player(players), bots=(1,), mails="all")
        ends = tuple(fresh.game.info.terminations)
        yield replace(fresh, match=over(fresh.match, (), ends[0]))
        yield replace(fresh, match=over(fresh.match, tuple(fresh.match.seats)[:1], ends[-1]))
    usual = match_views_base()
    yield replace(usual, competition=TOURNAMENT)
    for value in CHOICE.values:
        chosen = {} if value == CHOICE.usual else {"flag": value}
        match = match_of(usual.game, 2, chosen=chosen)
        clock = replace(match.clock, seen=frozenset({FLAG}), grace=DAY)
        yield replace(usual, match=replace(match, clock=clock))


def match_views_base() -> MatchView:
    """Return views of a match of the first game, with its reader to move."""
    return view(games()[0])


def _player(number: int) -> Player:
    return Player(number, NAMES[number], ("someone@mail.example",))


def _shown(view: MatchView) -> ShownMatch:
    """Return a match as an outsider sees it."""
    drawn = view.game.diagram(view.match.position, next(iter(view.match.seats)))
    return ShownMatch(view.match, view.names, drawn, view.words, delayed=view.match.turn % 2)


def offer_views() -> Iterator[OfferView]:
    """Return challenges and tables of each game, in each state."""
    for game, players in matches():
        terms = OfferTerms(game.info.key, players, usual_options(game))
        asked = _challenge(terms)
        yield OfferView(replace(asked, number=7), NAMES, ENGLISH, NOW, you=2)
        yield OfferView(
            asked, NAMES, ENGLISH, NOW, you=2, ratings={1: Rating(), 2: Rating(30, 2, 12)}
        )
        yield OfferView(replace(asked, open=True, entries=(OfferEntry(1),)), NAMES, ENGLISH, NOW)
    series = OfferTerms(
        games()[0].info.key, 2, usual_options(games()[0]), Begins.SERIES, 2, private=True
    )
    for state in State:
        ended = replace(_challenge(series), state=state, begun="match 12")
        yield OfferView(ended, NAMES, ENGLISH, NOW, you=1)


def _challenge(terms: OfferTerms) -> Offer:
    """Return Anna's challenge to Bert, who gets the first seat."""
    return Offer(terms, (OfferEntry(1), OfferEntry(2, accepted=False, place=0)), NOW, NOW + DAY)


def entry_views() -> Iterator[EntryView]:
    """Return competitions of each kind as members and others see them, before and in play."""
    announcement = Announcement(date(2027, 1, 15), 2, waiting=(4,), always=frozenset({1}))
    terms: Mapping[str, Mapping[str, Any]] = {
        "swiss": {"rounds": 2},
        "team-match": {"teams": ("Reds", "Blues")},
        "league": {"sizes": (3,)},
        "open-house": {"until": "2027-02-15"},
    }
    game = games()[-1]
    common = Common(7, 7, game.info.key, (1, 2, 3), usual_options(game), NOW, announcement)
    announced = [(kind, of) for kind, of in kinds().items() if of.announces is not None]
    entries = [
        EntryView(of.with_terms(common, terms.get(kind, {})), NAMES, ENGLISH, NOW)
        for kind, of in announced
    ]
    yield from entries
    for entry in entries:
        yield from (replace(entry, you=reader) for reader in (1, 4))
    for changes in (
        {"order": Order.LOTS, "most": 3, "late": False},
        {"order": Order.RATING, "most": 9, "repeat": timedelta(days=14)},
        {"conditions": Conditions(ontime=90, new=False), "phase": Phase.RUNNING},
        {"phase": Phase.CALLED_OFF},
        {"phase": Phase.STOPPED},
        {"phase": Phase.ENDED},
    ):
        other = replace(entries[0].of, announcement=replace(announcement, **changes))
        yield replace(entries[0], of=other, standing=TOURNAMENT if "phase" in changes else None)


def events() -> Iterator[Event]:
    """Return events of each kind, in each of its shapes."""
    kinds = chain(
        (each for each in get_args(Event) if each not in (Decision, HandedOn)),
        _leaves(Decision),
        _leaves(HandedOn),
    )
    for kind in kinds:
        yield from shapes(kind)


def _leaves(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield from _leaves(kind) if kind.__subclasses__() else (kind,)


def digest_parts() -> Iterator[DigestPart]:
    """Return every match in a digest of few or many, and one with all sorts of news."""
    for boards, each in zip(cycle((1, 30)), match_views(), strict=False):
        yield DigestPart(each, boards)
    yield DigestPart(
        match_views()[0],
        said=("Bert declines the draw.", "The director pauses match 13: no reason."),
        notes=[WaitingNote("Bert", 3, ("hello", "Match 13: [41-36]"))],
        notes_left=2,
        lapsed=[LapsedPlan(1, each) for each in Ending],
    )


TEXTS: Mapping[str, Sequence[str]] = {
    "joining": ("open", "approval", "closed"),
    "what": ("added", "removed", "first"),
    "why": ("flag", "absence", "director", "ended"),
    "did": ("admitted", "started", "off", "entered", "withdrawn", "taken-over", "replaced"),
    "seat": ("S",),
    "first_seat": ("S",),
}
"""Texts of a field that stand for something, by its name."""

NEVER_EMPTY = frozenset({"turns", "seats"})
"""Lists that are never empty: due turns, and offered seats."""

SAMPLES: Mapping[Any, Callable[[], Sequence[Any]]] = {
    str: lambda: ("Ann's <b> {{ x }}", ""),
    int: lambda: (1, 3),
    bool: lambda: (False, True),
    datetime: lambda: (NOW,),
    date: lambda: (date(2026, 12, 24),),
    timedelta: lambda: (timedelta(days=2), timedelta(hours=36)),
    Player: lambda: (ANNA,),
    Phrase: lambda: (phrase("offer.same", number=7),),
    Figure: lambda: (in_columns(("12 E  [30:G:11]",)),),
    MatchView: lambda: match_views()[:1],
    DigestPart: lambda: tuple(digest_parts()),
    MatchSummary: lambda: (match_views()[0].match, match_views()[3].match),
    EntryView: lambda: tuple(entry_views()),
    CompetitionView: lambda: (TOURNAMENT,),
    OfferView: lambda: tuple(offer_views()),
    ShownMatch: lambda: tuple(map(_shown, match_views()[:4])),
    Section: lambda: (Section("set", {"key": "board", "value": "letters"}),),
    GameInfo: lambda: tuple(game.info for game in games()),
    Option: lambda: games()[0].info.options[:1],
    Played: lambda: (Played(1, "S", "[41-36]", (), None),),
    Leave: lambda: (Leave(date(2026, 12, 24), date(2027, 1, 3), NOW, NOW + DAY),),
    Refusal: lambda: (NotYourTurn(),),
    type(due(NOW, "UTC", NOW)): lambda: (due(NOW + DAY, "UTC", NOW),),
}


def samples(kind: Any, name: str = "") -> Sequence[Any]:
    """Return values of a type for a field of some name.

    Raises KeyError for a type without samples.
    """
    if kind is str and name in TEXTS:
        return TEXTS[name]
    if kind in SAMPLES:
        return SAMPLES[kind]()
    if kind == Event:
        return (MatchBegun(),)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return [each for part in arguments for each in samples(part, name)]
    if kind is type(None):
        return (None,)
    if origin is tuple:
        return _tuples(arguments, name)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        some = samples(arguments[0], name)
        return (*(() if name in NEVER_EMPTY else ((),)), tuple(some[:1]), tuple(some))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(kind)
    if is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, tuple)):
        return list(shapes(kind))
    raise KeyError(f"{kind} of {name} has no samples in {__name__}")


def _tuples(arguments: tuple[Any, ...], name: str) -> Sequence[Any]:
    if arguments[-1] is Ellipsis:
        return ((), tuple(samples(arguments[0], name)))
    return list(zip(*(samples(each, name) for each in arguments), strict=False))


def shapes(kind: Any) -> Iterator[Any]:
    """Return values of a type with fields: all combinations if few, or one field at a time."""
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else kind._fields
    values = {name: list(samples(hints[name], name)) for name in names}
    combined = 1
    for each in values.values():
        combined *= len(each)
    if combined <= MOST_AT_ONCE:
        for chosen in product(*values.values()):
            yield kind(**dict(zip(values, chosen, strict=True)))
        return
    usual = {name: each[0] for name, each in values.items()}
    yield kind(**usual)
    for name, each in values.items():
        yield from (kind(**{**usual, name: value}) for value in each[1:])
