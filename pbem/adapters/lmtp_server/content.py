"""The content of a mail on a connection, read whole.

aiosmtpd keeps every line by itself: ten megabytes of blank lines, which anybody can send, would
take eight hundred of memory.
"""

from __future__ import annotations

import asyncio
from typing import Final

END: Final = b"\r\n.\r\n"
"""Nothing else ends a mail (RFC 5321 section 4.1.1.4): no line end without its half."""
_LINE_END: Final = b"\r\n"
_DOT: Final = b"\r\n."


async def read_content(reader: asyncio.StreamReader, most: int) -> bytes | None:
    """What comes behind DATA up to its end, without the dots put before dots.

    None if it has more than so many bytes; then it is read all the same, and not kept.
    """
    read, too_much = await _beginning(reader), False
    while not read.endswith(END):
        read += await _more(reader)
        if too_much := too_much or len(read) > most + len(END):
            del read[: -len(END)]
    if too_much:
        return None
    return bytes(read[: -len(END)] + _LINE_END).replace(_DOT, _LINE_END)[len(_LINE_END) :]


async def _beginning(reader: asyncio.StreamReader) -> bytearray:
    """The end of the line before it, and on from there for as long as that may be its own end."""
    read = bytearray(_LINE_END)
    while not read.endswith(END) and any(read.endswith(END[:n]) for n in range(1, len(END))):
        read += await reader.readexactly(1)
    return read


async def _more(reader: asyncio.StreamReader) -> bytes:
    """All up to the end, or as much as the reader holds at once."""
    try:
        return await reader.readuntil(END)
    except asyncio.LimitOverrunError as full:
        return await reader.readexactly(full.consumed)
