"""Entering: members enter and withdraw, ask for byes, and challenge on a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.announcement import OPEN, Announcement, Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions.ladder import Ladder
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.offers.people import require_few_matches, require_no_ban
from pbem.service.reliability import unmet_by
from pbem.service.work import Work


@dataclass(frozen=True)
class EntryChange:
    """A competition as it will be."""

    after: Competition
    admitted: tuple[PlayerId, ...] = ()
    """Members who get a place from the waiting list."""
    round: int = 0
    """Round of a bye."""
    left: PlayerId | None = None
    """A player who has withdrawn after the start. Their opponents learn it."""


def known(work: Work, number: int) -> Competition:
    """Lock and return an announced competition. Raises OfferError if there is none."""
    return work.competitions.lock(announced(work, number).id)


def announced(work: Work, number: int) -> Competition:
    """Return an announced competition, to read it only. Raises OfferError if there is none."""
    found = work.competitions.announced_as(number)
    if found is None:
        raise OfferError(phrase("entry.none", number=number))
    return found


def announcement_of(of: Competition) -> Announcement:
    """Return the announcement of an announced competition."""
    assert of.announcement is not None, "it was announced"
    return of.announcement


def is_entered(of: Competition, player: PlayerId) -> bool:
    """Return whether a member takes part or waits for a place."""
    return player in of.taking_part or player in announcement_of(of).waiting


def enter(
    work: Work,
    player: Player,
    of: Competition,
    *,
    always: bool | None = None,
    at: datetime | None = None,
) -> EntryChange:
    """Enter a member, or put them on the waiting list. Raises OfferError.

    `always` says whether they enter each time it is repeated, if they say so. `at` is when their
    email was received, None if a director enters them.
    """
    announcement = announcement_of(of)
    if announcement.phase not in OPEN:
        raise OfferError(phrase("entry.over", number=of.number))
    if always and announcement.repeat is None:
        raise OfferError(phrase("entry.no-repeat", number=of.number))
    if is_entered(of, player.id):
        if always is not None and always != (player.id in announcement.always):
            return EntryChange(_with_always(of, player.id, always))
        raise OfferError(phrase("entry.entered", number=of.number))
    matches = _matches(work, of)
    _require_open(of, player, matches, at)
    require_may_enter(work, player, of)
    require_few_matches(work, player)
    if always:
        of = _with_always(of, player.id, always)
    if _free(of) > 0:
        return EntryChange(_placed(of, player.id, matches))
    return EntryChange(_waiting(of, (*announcement.waiting, player.id)))


def enterable(work: Work, player: Player, number: int = 0) -> list[int]:
    """Return the numbers of competitions that a member can enter now: the given one, or all."""
    possible = list[int]()
    for of in work.competitions.announced(OPEN):
        if number in (0, of.number):
            with suppress(OfferError):
                enter(work, player, of, at=work.now)
                possible.append(of.number)
    return possible


def _require_open(
    of: Competition, player: Player, matches: Sequence[MatchSummary], at: datetime | None
) -> None:
    """Raise OfferError if nobody can enter any more, or this member has withdrawn."""
    announcement = announcement_of(of)
    if announcement.phase is Phase.ENTRY:
        if at is not None and at >= announcement.closes_at:
            raise OfferError(phrase("entry.closed", number=of.number))
        return
    if player.id in of.players:
        raise OfferError(phrase("entry.withdrawn", number=of.number))
    if not (announcement.late and of.may_enter(player.id, matches)):
        raise OfferError(phrase("entry.started", number=of.number))


def require_may_enter(work: Work, player: Player, of: Competition) -> None:
    """Raise OfferError if a member is banned or does not meet the conditions."""
    require_no_ban(work, player)
    needs = unmet_by(work, player, announcement_of(of).conditions, of.game_key)
    if needs is not None:
        called = phrase("entry.competition", number=of.number)
        raise OfferError(phrase("needs.unmet", offer=called, needs=needs))


def refusal(work: Work, player: Player, of: Competition) -> Phrase | str | None:
    """Return why a member cannot enter, None if they can."""
    try:
        require_may_enter(work, player, of)
    except OfferError as error:
        return error.reason
    return None


def withdraw(work: Work, player: PlayerId, of: Competition) -> EntryChange:
    """Withdraw a member, from the next round on if it has started. Raises OfferError."""
    announcement = announcement_of(of)
    if announcement.phase not in OPEN:
        raise OfferError(phrase("entry.over", number=of.number))
    _require_entered(of, player)
    of = replace(of, announcement=replace(announcement, always=announcement.always - {player}))
    if player in announcement.waiting:
        return EntryChange(_waiting(of, [each for each in announcement.waiting if each != player]))
    matches = _matches(work, of)
    if announcement.phase is Phase.ENTRY:
        of = of.listing([each for each in of.players if each != player])
    else:
        of = of.without(player, of.next_round(player, matches))
    left = None if announcement.phase is Phase.ENTRY else player
    return replace(_admitted(of, matches), left=left)


def _require_entered(of: Competition, player: PlayerId) -> None:
    if not is_entered(of, player):
        gone = player in of.players
        raise OfferError(
            phrase("entry.withdrawn", number=of.number)
            if gone
            else phrase("entry.not-entered", number=of.number)
        )


def _admitted(of: Competition, matches: Sequence[MatchSummary]) -> EntryChange:
    """Give free places to those who have waited longest."""
    admitted: list[PlayerId] = []
    while announcement_of(of).waiting and _free(of) > 0:
        first, *others = announcement_of(of).waiting
        late = announcement_of(of).late and of.may_enter(first, matches)
        if announcement_of(of).phase is not Phase.ENTRY and not late:
            break
        of = _placed(_waiting(of, others), first, matches)
        admitted.append(first)
    return EntryChange(of, tuple(admitted))


def bye(work: Work, player: Player, of: Competition, round_: int = 0) -> EntryChange:
    """Give a player a bye in a round that has not started, by default the next one.

    Before the start, only in the first one. Raises OfferError.
    """
    phase, number = announcement_of(of).phase, of.number
    if phase not in OPEN:
        raise OfferError(phrase("entry.not-running", number=of.number))
    if not of.takes_byes:
        raise OfferError(phrase("entry.no-byes", number=of.number))
    _require_entered(of, player.id)
    if player.id not in of.players:
        raise OfferError(phrase("entry.not-entered", number=of.number))
    first = of.next_round(player.id, _matches(work, of))
    round_, last = round_ or first, of.last_round
    if round_ < first:
        raise OfferError(phrase("entry.round-started", round=round_, number=number))
    if phase is Phase.ENTRY and round_ > 1:
        raise OfferError(phrase("entry.first-bye", number=number))
    if phase is Phase.RUNNING and last is not None and max(first, round_) > last:
        over = phrase("entry.last-round", number=number)
        none = phrase("entry.no-such-round", count=last, number=number)
        raise OfferError(over if first > last else none)
    if of.entries.asked_bye(of.players.index(player.id) + 1, round_):
        raise OfferError(phrase("entry.bye-twice", round=round_))
    try:
        return EntryChange(of.with_bye(player.id, round_), round=round_)
    except OptionError as error:
        raise OfferError(error.reason) from error


def challenge(work: Work, player: Player, of: Competition, name: str) -> EntryChange:
    """Challenge a player on a ladder by name. Raises OfferError."""
    if not isinstance(of, Ladder) or announcement_of(of).phase is not Phase.RUNNING:
        raise OfferError(phrase("entry.no-ladder", number=of.number))
    named = work.players.named(name)
    possible = can_challenge(work, player, of)
    if named is None or named.id not in possible:
        name = name if named is None else named.name
        called = phrase(
            "list.people", items=tuple(work.players.get(each).name for each in possible)
        )
        reason: Phrase = phrase("entry.cannot-challenge", name=name, names=called)
        if not possible:
            reason = phrase("entry.challenge-nobody", name=name)
        raise OfferError(reason)
    try:
        return EntryChange(of.with_challenge(player.id, named.id, _matches(work, of)))
    except OptionError as error:
        raise OfferError(error.reason) from error


def can_challenge(work: Work, player: Player, of: Ladder) -> tuple[PlayerId, ...]:
    """Return the players whom a member can challenge now."""
    return of.possible(player.id, _matches(work, of))


def _matches(work: Work, of: Competition) -> Sequence[MatchSummary]:
    return work.matches.of_competition(of.id) if announcement_of(of).started else ()


def _free(of: Competition) -> int:
    """Return the number of free places, a large one without a limit."""
    most = announcement_of(of).most or len(of.players) + 1
    return most - len(of.taking_part)


def _placed(of: Competition, player: PlayerId, matches: Sequence[MatchSummary]) -> Competition:
    if announcement_of(of).phase is Phase.ENTRY:
        return replace(of, players=(*of.players, player))
    return of.with_late_entry(player, of.next_round(player, matches))


def _waiting(of: Competition, waiting: Sequence[PlayerId]) -> Competition:
    return replace(of, announcement=replace(announcement_of(of), waiting=tuple(waiting)))


def _with_always(of: Competition, player: PlayerId, always: bool) -> Competition:
    announcement = announcement_of(of)
    others = announcement.always - {player}
    after = others | {player} if always else others
    return replace(of, announcement=replace(announcement, always=after))
