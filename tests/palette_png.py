"""PNG with a palette: a screenshot in a third of its bytes."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

Colour = tuple[int, int, int]
MOST = 128


def with_palette(png: bytes) -> bytes:
    """Return the same picture with the 128 most frequent colours."""
    width, rows = pixels(png)
    counts = Counter(colour for row in rows for colour in row)
    palette = [colour for colour, _ in counts.most_common(MOST)]
    index = {colour: number for number, colour in enumerate(palette)}
    for colour in counts:
        if colour not in index:
            index[colour] = nearest(colour, palette)
    lines = b"".join(b"\0" + bytes(index[colour] for colour in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, data)
        for kind, data in (
            (b"IHDR", header),
            (b"PLTE", bytes(each for colour in palette for each in colour)),
            (b"IDAT", zlib.compress(lines, 9)),
            (b"IEND", b""),
        )
    )


def nearest(colour: Colour, palette: list[Colour]) -> int:
    """Return the number of the palette colour nearest to another."""
    red, green, blue = colour
    return min(
        range(len(palette)),
        key=lambda i: (
            (palette[i][0] - red) ** 2
            + 2 * (palette[i][1] - green) ** 2
            + (palette[i][2] - blue) ** 2
        ),
    )


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a PNG chunk."""
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Return kinds and data of the chunks of a file."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def pixels(png: bytes) -> tuple[int, list[list[Colour]]]:
    """Return width and rows of a picture with 8 bits a channel and no transparency."""
    found = list(chunks(png))
    width, _height, bits, kind = struct.unpack_from(">IIBB", found[0][1])
    channels = {2: 3, 6: 4}[kind]
    assert bits == 8
    data = zlib.decompress(b"".join(data for name, data in found if name == b"IDAT"))
    length, before, rows = width * channels, bytearray(width * channels), []
    for at in range(0, len(data), length + 1):
        before = unfiltered(data[at], bytearray(data[at + 1 : at + 1 + length]), before, channels)
        rows.append(
            list(zip(before[::channels], before[1::channels], before[2::channels], strict=True))
        )
    return width, rows


def unfiltered(kind: int, line: bytearray, above: bytearray, step: int) -> bytearray:
    """Return a row as it was before its filter (PNG, section 9.2)."""
    for i, value in enumerate(line):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        line[i] = (value + guess(kind, left, above[i], corner)) & 255
    return line


def guess(kind: int, left: int, above: int, corner: int) -> int:
    """Return the prediction of a filter."""
    if kind < 4:
        return (0, left, above, (left + above) // 2)[kind]
    sum_ = left + above - corner
    by = (abs(sum_ - left), abs(sum_ - above), abs(sum_ - corner))
    return (left, above, corner)[by.index(min(by))]
