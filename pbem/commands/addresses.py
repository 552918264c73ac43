"""`addresses`, `address add|remove|undo|first`: list and change a member's email addresses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.match import PlayerId
from pbem.ports.process import StorageError
from pbem.service.members.own_addresses import (
    DAYS,
    MOST_ADDRESSES,
    MOST_ASKED,
    AddressError,
    add,
    ask_at,
    asked_for,
    needs_older,
    own_address,
    put_first,
    remove,
    require_free,
    require_new,
    require_undoable,
    undo,
    without,
)
from pbem.service.questions import NewAddress
from pbem.service.work import ConcurrentChange, Work


@dataclass(frozen=True)
class AddressRefused(Refusal):
    """An address that cannot be added, removed or put first."""

    address: str
    why: str
    """Name of the reason."""
    most: int = MOST_ADDRESSES
    most_asked: int = MOST_ASKED


def _refused(error: AddressError) -> RefusedError:
    return RefusedError(AddressRefused(error.address, error.why.name))


def _bare(asked: CommandContext) -> str:
    return asked.arguments[0].removeprefix("mailto:").strip("<>,;")


def _addresses(asked: CommandContext) -> CommandResult:
    work, player = asked.work, asked.player
    known = work.players.addresses(player.id)
    return CommandResult.answered("addresses", addresses=known, asked=asked_for(work, player))


def _add(asked: CommandContext) -> CommandResult:
    address, player = _bare(asked), asked.player
    try:
        require_new(asked.work, player, address)
    except AddressError as error:
        raise _refused(error) from error

    def effect(work: Work) -> None:
        member = work.players.get(player.id)
        with suppress(AddressError):  # an email may name it twice, or list many
            require_new(work, member, address)
            ask_at(work, member, address)

    told = Section("address_asked", {"address": address, "days": DAYS})
    return CommandResult(sections=(told,), effects=(_unless_overtaken(effect),))


def _remove(asked: CommandContext) -> CommandResult:
    try:
        own = own_address(asked.player, _bare(asked))
        without(asked.player, own)
    except AddressError as error:
        raise _refused(error) from error
    asks = needs_older(asked.player, asked.now, removed=own)
    return _changed(asked.player.id, "removed", own, remove, asks=asks)


def _undo(asked: CommandContext) -> CommandResult:
    try:
        own = require_undoable(asked.player, _bare(asked), asked.now)
    except AddressError as error:
        raise _refused(error) from error
    return _changed(asked.player.id, "removed", own, undo)


def _first(asked: CommandContext) -> CommandResult:
    try:
        own = own_address(asked.player, _bare(asked))
    except AddressError as error:
        raise _refused(error) from error
    asks = needs_older(asked.player, asked.now, first=own)
    return _changed(asked.player.id, "first", own, put_first, asks=asks)


def new_address_agreed(work: Work, asked: NewAddress) -> CommandResult:
    """Return the result of confirming a new address. Raises RefusedError if it is taken."""
    try:
        require_free(work, asked.address)
    except AddressError as error:
        raise _refused(error) from error

    def effect(work: Work) -> None:
        add(work, work.players.get(asked.player), asked.address, by_mail=True)

    # No answer of its own: an email to each of their addresses, old and new, reports it.
    return CommandResult(effects=(_unless_overtaken(effect),))


def _changed(
    player: PlayerId,
    what: str,
    address: str,
    change: Callable[..., object],
    *,
    asks: bool = False,
) -> CommandResult:
    def effect(work: Work) -> None:
        change(work, work.players.get(player), address, answered=True)

    told = Section("address_changed", {"what": what, "address": address})
    return CommandResult(sections=(told,), effects=(_unless_overtaken(effect),), asks=asks)


def _unless_overtaken(effect: Callable[[Work], None]) -> Callable[[Work], None]:
    """Return an effect that lets the email be judged again after a concurrent change.

    If an earlier line of the same email made the change, the email is refused.
    """

    def run(work: Work) -> None:
        try:
            effect(work)
        except AddressError as error:
            raise _refused(error) from error
        except StorageError as error:
            raise ConcurrentChange from error

    return run


_ADDRESS = (Argument("address", help="an email address"),)

COMMANDS = (
    Command("addresses", "list your addresses", _addresses, Scope.CLUB, group=HelpGroup.CHOOSE),
    Command(
        "address add",
        "add another of your addresses",
        _add,
        Scope.CLUB,
        Need.MOVING,
        arguments=_ADDRESS,
        group=HelpGroup.CHOOSE,
        shares=True,
    ),
    Command(
        "address remove",
        "remove one of your addresses",
        _remove,
        Scope.CLUB,
        Need.MOVING,
        apart=True,
        arguments=_ADDRESS,
        group=HelpGroup.CHOOSE,
    ),
    Command(
        "address undo",
        "undo the addition of a new address",
        _undo,
        Scope.CLUB,
        Need.UNDOING,
        arguments=_ADDRESS,
        group=HelpGroup.CHOOSE,
    ),
    Command(
        "address first",
        "get your email at this address first",
        _first,
        Scope.CLUB,
        Need.MOVING,
        apart=True,
        arguments=_ADDRESS,
        group=HelpGroup.CHOOSE,
        shares=True,
    ),
)
