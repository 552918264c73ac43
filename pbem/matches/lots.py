"""Lots: chance that anybody can check, from a seed that was published beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from pbem.matches.match import PlayerId

T = TypeVar("T")


def lot(seed: int, *labels: object) -> int:
    """Return a number of 48 bits: the first twelve hexadecimal digits of a SHA-256.

    The text that is hashed is the seed and the labels, joined by colons: `103:lots:4`.
    """
    text = ":".join(map(str, (seed, *labels)))
    return int(sha256(text.encode()).hexdigest()[:12], 16)


def shuffled(seed: int, label: str, items: Iterable[T]) -> list[T]:
    """Return items in the order of the lots of their positions, which count from 1."""
    keyed = [(lot(seed, label, at), at, item) for at, item in enumerate(items, 1)]
    return [item for *_, item in sorted(keyed, key=lambda each: each[:2])]


def drawn(seed: int, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
    """Return the place of each player when all are drawn by lot, from 1, which is best."""
    return {player: n for n, player in enumerate(shuffled(seed, "lots", players), 1)}
