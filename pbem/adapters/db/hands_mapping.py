"""How the seats of a match have changed hands, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.matches.hands import Audience, Hands, Spell


def hands_data(hands: Hands) -> dict[str, Any]:
    """What there is of it: nothing, for nearly all matches."""
    data = {
        "earlier": [list(spell) for spell in hands.earlier],
        "kept_for": dict(hands.kept_for),
        "offered": {seat: str(audience) for seat, audience in hands.offered.items()},
    }
    return {name: value for name, value in data.items() if value}


def hands_of(data: Mapping[str, Any]) -> Hands:
    """Hands from JSON."""
    offered = data.get("offered", {})
    return Hands(
        tuple(Spell(*spell) for spell in data.get("earlier", ())),
        data.get("kept_for", {}),
        {seat: Audience(audience) for seat, audience in offered.items()},
    )
