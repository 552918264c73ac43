"""Everybody can tell the colours apart, as eyes of each kind see them (Machado et al., 2009)."""

from __future__ import annotations

from itertools import combinations

import pytest

from pbem.painters.palette import FRAME, GROUNDS, LINKED_GROUNDS, PAINTS, PAPER, QUIET, TILES
from pbem.painters.squares import MARK

Three = tuple[float, ...]
EYES: dict[str, tuple[Three, ...]] = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
SEATS = ("white", "black", "yellow", "red", "blue", "green", "violet")
APART = 20
"""CIE 1976 distance; about 2 is the least that is noticed side by side."""
LIGHT = {tone for tones in GROUNDS.values() for tone in tones} | set(LINKED_GROUNDS.values())


def linear(colour: str) -> Three:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)


def lab(colour: str, eye: str) -> Three:
    """Return a colour as an eye sees it, in CIELAB under daylight."""
    rgb = linear(colour)
    r, g, b = (
        min(1.0, max(0.0, sum(w * p for w, p in zip(row, rgb, strict=True)))) for row in EYES[eye]
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str, eye: str) -> float:
    pairs = zip(lab(one, eye), lab(other, eye), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(one: str, other: str) -> float:
    """Return the contrast by WCAG 2.2."""
    weights = (0.2126, 0.7152, 0.0722)
    light = [
        sum(w * p for w, p in zip(weights, linear(c), strict=True)) + 0.05 for c in (one, other)
    ]
    return max(light) / min(light)


@pytest.mark.parametrize("eye", EYES)
def test_seats_can_be_told_apart(eye: str) -> None:
    for one, other in combinations(SEATS, 2):
        assert distance(PAINTS[one].fill, PAINTS[other].fill, eye) >= APART, (one, other)
    for one, other in combinations(("yellow", "red", "blue", "green", "violet"), 2):
        assert distance(TILES[one][0], TILES[other][0], eye) >= APART, (one, other)


@pytest.mark.parametrize("eye", EYES)
def test_pieces_are_visible_on_every_ground(eye: str) -> None:
    for paint in PAINTS.values():
        for ground in (*LIGHT, FRAME):
            parts = (paint.fill, paint.edge)
            assert max(distance(part, ground, eye) for part in parts) >= APART


def test_text_has_enough_contrast() -> None:
    for ground in LIGHT:
        assert contrast(QUIET, ground) >= 4.5
        assert contrast(MARK, ground) >= 4.5
    assert contrast(PAPER, FRAME) >= 4.5
    for ground, letters in TILES.values():
        assert contrast(ground, letters) >= 4.5


def brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_dark_mode_inverts_grounds_and_letters_together() -> None:
    # Chromium darkens grounds above about 205 and leaves others. Letters below 150 turn light.
    for ground, letters in TILES.values():
        turned = brightness(ground) > 207
        assert turned == (brightness(letters) < 150)
    for light, dark in [*GROUNDS.values(), *((tone, tone) for tone in LINKED_GROUNDS.values())]:
        assert min(brightness(light), brightness(dark)) > 207
