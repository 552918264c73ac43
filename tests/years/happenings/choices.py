"""Members choose another zone, other nights or other reminders."""

from __future__ import annotations

from tests.years.naive_table import Someone
from tests.years.years import Years

ZONES = (
    "UTC",
    "Europe/Warsaw",
    "America/Havana",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Apia",
)
NIGHTS = (
    None,
    (22 * 60, 8 * 60),
    (22 * 60 + 30, 7 * 60),
    (1 * 60, 9 * 60),
    (12 * 60, 23 * 60 + 59),
)
WISHES = (("50%", "1d"), ("2d", "6h"), (), ("90%",), ("25%", "75%", "12h"))


def somebody_chooses(years: Years) -> None:
    """Choose by email. The choice applies from then on."""
    match = years.some_match()
    if match is None:
        return
    player = years.chance.choice(years.state(match).players)
    someone, person = years.someone[player], years.person(player)
    if not someone.reachable:
        return
    line, after = _chosen(years, someone)
    years.notes(f"player {player}: {line}")
    person.says(line, years.newest(person, match), quoting=False)
    years.house.works()
    years.passes()
    if not someone.may_choose(after.rest, years.now):
        return
    reminded = someone.wishes != after.wishes
    someone.rest, someone.wishes = after.rest, after.wishes
    someone.leaves.zone = someone.rest.zone
    for table in years.tables.values():
        if table.to_act == player and reminded:
            table.reminds()


def _chosen(years: Years, someone: Someone) -> tuple[str, Someone]:
    """Return the written text and what it means."""
    rest, chance = someone.rest, years.chance
    match chance.choice(("zone", "nights", "reminders")):
        case "zone" if not someone.leaves.taken:
            rest = rest._replace(zone=chance.choice(ZONES))
            return f"set zone {rest.zone}", Someone(0, rest, someone.wishes)
        case "nights":
            rest = rest._replace(night=chance.choice(NIGHTS))
            return f"set nights {rest.nights}", Someone(0, rest, someone.wishes)
    wishes = chance.choice(WISHES)
    return f"set reminders {' '.join(wishes) or 'none'}", Someone(0, rest, wishes)


HAPPENINGS = ((somebody_chooses, 4),)
