"""People: directors, trusted addresses, token holders, and what others may know of a member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from pbem.archive.site.values import Person
from pbem.mail.stranger import Stranger
from pbem.mail.topic import Holder
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club
from pbem.service.work import Work
from pbem.settings import notes, page, role


def shows_page(player: Player) -> bool:
    """Return whether a player has a page. Bots do, since their strength is worth knowing."""
    return bool(player.bot) or (page.SETTING.of(player) == page.FULL and not player.former)


def shows_notes(player: Player) -> bool:
    """Return whether everybody may read a player's notes once the match has ended."""
    return notes.SETTING.of(player) == notes.PUBLIC


def is_hidden(player: Player) -> bool:
    """Return whether a player's identity is hidden."""
    return not player.bot and page.SETTING.of(player) == page.HIDDEN


def hidden_name(nth: int) -> str:
    """Return how to name the first or a later one of the hidden members who appear together."""
    return "a member" if nth == 1 else f"a member ({nth})"


def together(players: Iterable[Player], *, blind: bool = False) -> Mapping[PlayerId, Person]:
    """Return how to name these players when they appear together, so that no two share a name.

    With `blind`, none is named.
    """
    people, hidden = dict[PlayerId, Person](), 0
    for player in players:
        name, hides = player.name, blind or is_hidden(player)
        if hides:
            hidden += 1
            name = hidden_name(hidden)
        has_page = shows_page(player) and not blind
        people[player.id] = Person(player.id, name, has_page, bool(player.bot) and not blind, hides)
    return people


def people_in(
    match: MatchSummary, players: Iterable[PlayerId], known: Callable[[PlayerId], Player]
) -> Mapping[PlayerId, Person]:
    """Return how pages, and emails to outsiders, name players of a match.

    In a blind match, they have the names of their seats. `known` returns a player.
    """
    if not match.hides_names:
        return together(map(known, players))
    return {
        each: Person(each, match.name_of_seats(each), page=False, hidden=True) for each in players
    }


def names_in(
    uow: UnitOfWork,
    match: MatchSummary,
    reader: Player | None = None,
    also: Iterable[PlayerId] = (),
) -> dict[PlayerId, str]:
    """Return how emails to a reader call the players of a match, and others who played it.

    In a blind match, everybody but the reader has the name of their seats.
    """
    everybody = dict.fromkeys((*match.players, *also))
    own = reader.id if reader is not None else None
    return {
        each: match.name_of_seats(each)
        if match.hides_names and each != own
        else uow.players.get(each).name
        for each in everybody
    }


def is_director(club: Club, player: Player) -> bool:
    """Return whether a member has the role, or joined with the configured director's address."""
    own = (each for each in player.addresses if each not in player.added)
    has_address = any(has_directors_address(club, each) for each in own)
    return has_address or role.SETTING.of(player) == role.DIRECTOR


def has_directors_address(club: Club, address: str) -> bool:
    """Return whether an address is the director's in the configuration."""
    return bool(club.director) and address.casefold() == club.director.casefold()


def whom_directors_are(work: Work) -> list[Player | str]:
    """Return all directors, plus the configured address if no member has it."""
    members = directors(work)
    addresses = [address for member in members for address in member.addresses]
    if not work.club.director or any(has_directors_address(work.club, a) for a in addresses):
        return [*members]
    return [*members, work.club.director]


def directors(work: Work) -> list[Player]:
    """Return all members who are directors."""
    return [each for each in work.players.all() if not each.bot and is_director(work.club, each)]


def holders_of(who: Player | Stranger) -> tuple[Holder, ...]:
    """Return everything a token may have been made for: a member's number and all addresses.

    A token sent to an address before its owner joined counts too.
    """
    own: tuple[Holder, ...] = (who.id,) if isinstance(who, Player) else ()
    return (*own, *who.addresses)


NEW_FOR = timedelta(days=14)


def trusted(player: Player, now: datetime) -> tuple[str, ...]:
    """Return the addresses that may decide, in the order in which email goes to them."""
    first, *others = player.addresses or ("",)
    return (first, *(each for each in others if new_until(player, each, now) is None))


def new_until(player: Player, address: str, now: datetime) -> datetime | None:
    """Return when an address stops being new. None if it is not new, or not the player's."""
    added = player.added.get(address)
    if added is None or player.addresses[:1] == (address,) or added + NEW_FOR <= now:
        return None
    return added + NEW_FOR


def asked_at(player: Player, now: datetime) -> str | None:
    """Return the address that confirms a player's decisions, None if none accepts email."""
    return next((each for each in trusted(player, now) if each not in player.failed), None)


def heeding(work: Work, competition: Competition) -> Competition:
    """Return a competition that pairs nobody with a member they block, if its rules let it."""
    if not competition.heeds_blocks:
        return competition
    return competition.keeping_apart(work.blocks.among(competition.players))
