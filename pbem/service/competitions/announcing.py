"""Announcing: read what a director announces, store it, and tell the members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from pbem.games import game_of, is_offered, keys
from pbem.games.api import AnyGame, OptionError
from pbem.mail.outgoing.kinds import CompetitionAnnounced
from pbem.matches.announcement import MOST_PLAYERS, ZONE, Announcement, Order
from pbem.matches.competition import Common, Competition
from pbem.matches.competition_terms import day, one_of, switch, whole
from pbem.matches.competitions import kind_named, kinds
from pbem.matches.competitions.league import League, next_season
from pbem.matches.match import PlayerId
from pbem.matches.match_options import FLAG, NAMES
from pbem.matches.off_time import read_span
from pbem.matches.offer_terms import OfferError
from pbem.matches.reliability import KEYS as CONDITIONS, read_conditions
from pbem.matches.terms import usual_options
from pbem.matches.time_control import MOST
from pbem.matches.time_controls import words_alone
from pbem.matches.words import phrase
from pbem.matches.zones import day_at
from pbem.service.clocks.calendars import competition_calendar, mark_calendars
from pbem.service.competitions.entering import is_entered, refusal
from pbem.service.offers.options import nearest_games, options_from, retyped
from pbem.service.play.start import require_offered
from pbem.service.post.competition_news import tell, view
from pbem.service.post.post import post
from pbem.service.work import Work
from pbem.settings import competitions as wants

OWN = ("enter-until", "min", "max", "seats", "order", "late", "repeat", *CONDITIONS)
"""Keys of the terms that every announcement has."""
DAYS = ("enter-until", "until")
"""Keys whose value is a day."""
SEEDS = 1_000_000
"""Number of possible seeds."""
SEATS = {"set-league": 3}
"""Players in a match of a kind, if not two."""


def announceable() -> tuple[str, ...]:
    """Return the kinds that members can enter."""
    return tuple(kind for kind, each in kinds().items() if each.announces is not None)


def read_announced(work: Work, words: Sequence[str]) -> Competition:
    """Read a kind, a game and terms. Raises OfferError."""
    bare = [each for each in words if "=" not in each]
    kind = next((kind_named(each) for each in bare if kind_named(each) in announceable()), None)
    if kind is None:
        listed = phrase("list.values", items=announceable())
        raise OfferError(phrase("entry.which-kind", kinds=listed))
    game = _game(words, [each for each in bare if kind_named(each) != kind])
    own = kinds()[kind].announces or ()
    pairs = dict(each.split("=", 1) for each in words if "=" in each)
    pairs = {_key(key): value.strip() for key, value in pairs.items()}
    alone = {"unrated", *words_alone(), *(term.key for term in own)}
    pairs |= {each.casefold(): "" for each in bare if each.casefold() in alone}
    wrong = [each for each in bare if kind_named(each) not in (kind, game.info.key, *alone)]
    if wrong:
        before = words[words.index(wrong[0]) - 1]
        if _key(before.partition("=")[0]) in DAYS:  # `until=6 December 2026`
            raise OfferError(phrase("entry.day"))
        raise OfferError(phrase("entry.not-a-term", text=repr(wrong[0])))
    try:
        return _read(work, kind, game, words, pairs)
    except OptionError as error:
        raise OfferError(error.reason) from error


def _key(text: str) -> str:
    """Return a key as written in terms. People write `enter_until` too."""
    return text.strip().casefold().replace("_", "-")


def _game(words: Sequence[str], bare: Iterable[str]) -> AnyGame:
    for word in bare:
        if word.casefold() in keys():
            return game_of(word)
        if near := nearest_games(word):
            raise OfferError(
                phrase("entry.no-game", name=repr(word)),
                [retyped(words, word, key) for key in near],
            )
    raise OfferError(phrase("entry.which-game"))


def _read(
    work: Work, kind: str, game: AnyGame, words: Sequence[str], pairs: Mapping[str, str]
) -> Competition:
    own = {term.key: term for term in kinds()[kind].announces or ()}
    missing = [term.key for term in own.values() if term.required and term.key not in pairs]
    if missing or "enter-until" not in pairs:
        raise OfferError(phrase("entry.lacks", key=[*missing, "enter-until"][0], kind=kind))
    require_offered(game)
    usual = usual_options(game)
    usual = replace(usual, unrated="unrated" in pairs, chosen={FLAG.key: "loss"})
    rest = {key: text for key, text in pairs.items() if key not in {*own, *OWN, "unrated"}}
    options = options_from(words, game, rest, usual)
    if options.of(NAMES) != NAMES.usual:
        raise OfferError(phrase("entry.blind"))
    of = _with_terms(kinds()[kind], Common(0, 0, game.info.key, (), options, work.now), pairs)
    seats = SEATS.get(kind, 2)
    whole("seats", seats, seats)(pairs.get("seats", str(seats)))
    of = replace(of, announcement=_announcement(of, pairs))
    _require_possible(work, of)
    return of


def _with_terms(kind: type[Competition], common: Common, pairs: Mapping[str, str]) -> Competition:
    own = [term for term in kind.announces or () if term.key in pairs]
    return kind.with_terms(common, {term.field: term.read(pairs[term.key]) for term in own})


def _announcement(of: Competition, pairs: Mapping[str, str]) -> Announcement:
    least = of.least_players
    least = whole("min", least, MOST_PLAYERS)(pairs.get("min", str(least)))
    repeat = read_span(pairs["repeat"]) if "repeat" in pairs else None
    if "repeat" in pairs and (repeat is None or repeat % timedelta(days=1)):
        raise OptionError(phrase("entry.repeat-form", text=repr(pairs["repeat"])))
    return Announcement(
        last_day=date.fromisoformat(day("enter-until")(pairs["enter-until"])),
        least=least,
        most=whole("max", least, MOST_PLAYERS)(pairs["max"]) if "max" in pairs else 0,
        order=Order(one_of("order", *Order)(pairs.get("order", Order.ENTRY))),
        late=switch("late")(pairs.get("late", "yes")),
        repeat=repeat,
        conditions=read_conditions(pairs),
        terms={term.key: pairs[term.key] for term in of.announces or () if term.key in pairs},
    )


def _require_possible(work: Work, of: Competition) -> None:
    """Raise OptionError or OfferError unless the fewest players could play it in time."""
    announcement = of.announcement
    assert announcement is not None, "it was read so"
    if announcement.last_day < day_at(work.now, ZONE):
        raise OfferError(phrase("entry.past", day=announcement.last_day.isoformat()))
    for each in (announcement.last_day, of.ends_on):
        if each is not None and each > day_at(work.now, ZONE) + MOST:
            raise OfferError(phrase("entry.far", day=each.isoformat()))
    if isinstance(of, League) and 2 * of.moves > of.sizes[0]:
        size = of.sizes[0]
        raise OfferError(phrase("entry.moves", size=size, most=size // 2))
    if of.ends_on is not None and of.ends_on <= announcement.last_day:
        raise OfferError(phrase("entry.until", day=of.ends_on.isoformat()))
    _require_few_at_once(work, of, announcement)
    of.begun(range(1, of.places(announcement.least) + 1)).require_playable()


def _require_few_at_once(work: Work, of: Competition, announcement: Announcement) -> None:
    limit, most = work.club.policy.running_matches, announcement.most
    together = of.played_at_once(most or MOST_PLAYERS)
    if together > limit:
        reason = phrase("entry.at-once", count=together, limit=limit)
        raise OfferError(reason if most else phrase("entry.needs-max"))


def announce(work: Work, of: Competition) -> Competition:
    """Store a competition that members can enter, draw its seed, and announce it. Return it."""
    stored = work.competitions.add(of)
    # Emails replayed after a restore must get the same seed.
    seed = work.club.signer.lots(f"competition {stored.id}")(SEEDS)
    stored = replace(stored, seed=seed)
    work.competitions.save(stored)
    mark_calendars(work, stored)
    for player in work.players.all():
        if player.bot or not player.gets_mail:
            continue
        entered = is_entered(stored, player.id)
        if entered or (wants.is_on(player) and refusal(work, player, stored) is None):
            files = competition_calendar(work, player, stored, concerned=True)
            mail = CompetitionAnnounced(view(work, stored, player))
            post(work, mail, player, attachments=files)
    return stored


def again(work: Work, of: Competition) -> Competition | None:
    """Announce a competition that repeats. Return the new one, None if it does not."""
    announcement = of.announcement
    if announcement is None or announcement.repeat is None or not is_offered(of.game_key):
        return None
    common = Common(0, 0, of.game_key, (), of.options, work.now)
    last_day = day_at(work.now, ZONE) + announcement.repeat
    terms = dict(announcement.terms)
    if of.ends_on is not None:
        terms["until"] = (last_day + (of.ends_on - announcement.last_day)).isoformat()
    following = replace(
        announcement,
        last_day=last_day,
        terms=terms,
        follows=of.id,
        waiting=(),
        always=frozenset(),
        phase=Announcement.phase,
    )
    new = replace(_with_terms(type(of), common, terms), announcement=following)
    always = [e for e in (*of.players, *announcement.waiting) if e in announcement.always]
    refused = {each: refusal(work, work.players.get(each), new) for each in always}
    may = [each for each, reason in refused.items() if reason is None]
    entrants = in_order(work, new, may)
    full = len(entrants) if not following.most else following.most
    following = replace(following, waiting=tuple(entrants[full:]), always=frozenset(entrants))
    new = announce(work, replace(new, players=tuple(entrants[:full]), announcement=following))
    for player, reason in refused.items():
        if reason is not None and work.players.get(player).gets_mail:
            tell(work, new, [player], "dropped", work.club.club_renderer.words.text(reason))
    return new


def in_order(work: Work, of: Competition, entrants: Sequence[PlayerId]) -> Sequence[PlayerId]:
    """Return entrants in the order of last season's tables, if it is a league that had one.

    Promotion and relegation count. Those who did not play in it are last, in the given order.
    """
    last: Competition = of
    while (announcement := last.announcement) is not None and announcement.follows:
        last = work.competitions.get(announcement.follows)
        if isinstance(last, League) and not last.unstarted:
            tables = last.standing(work.matches.of_competition(last.id)).divisions
            listed = [[row.player for row in table.rows] for table in tables]
            divisions = next_season(listed, last.moves, joining=entrants)
            return [each for division in divisions for each in division if each in entrants]
    return entrants
