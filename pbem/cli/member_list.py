"""`pbem member list`, in its own module: it is used often, and imports little."""

from __future__ import annotations

from typing import Any

from pbem.cli import shell
from pbem.cli.listing import JsonOption, ListedItem, listed, moment
from pbem.cli.shell import Said
from pbem.matches.match import Player
from pbem.service.reliability import banned_until, reliability
from pbem.service.work import Work
from pbem.settings.role import SETTING as ROLE


@shell.reads
def list_members(work: Work, as_json: JsonOption = False) -> Said:
    """List all members."""
    items = (_item(work, player) for player in work.players.all())
    return listed(items, "there is no member yet", as_json=as_json)


def _item(work: Work, player: Player) -> ListedItem:
    line = f"{player.id:4}  {player.name}  {', '.join(player.addresses)}"
    return ListedItem(line, member_data(work, player))


def member_data(work: Work, player: Player) -> dict[str, Any]:
    """Return a member for programs."""
    return {
        "number": player.id,
        "name": player.name,
        "time_zone": player.time_zone,
        "joined_at": moment(player.joined_at),
        "proof": player.proof or None,
        "role": ROLE.of(player) or None,
        "addresses": [
            {"address": each.address, "failed_at": moment(each.failed_at)}
            for each in work.players.addresses(player.id)
        ],
        "matches": [match.id for match in work.matches.of_player(player.id)],
    }


def reliability_data(work: Work, player: Player) -> dict[str, Any]:
    """Return a member's reliability for programs. Figures of new members are null."""
    has = reliability(work, player, work.now)
    return {
        "turns": has.turns,
        "in_time_percent": None if has.is_new else has.percent,
        "median_seconds": None if has.is_new else int(has.median.total_seconds()),
        "left": has.left,
        "leave_days": has.leave,
        "banned_until": moment(banned_until(work, player)),
    }
