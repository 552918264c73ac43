"""Fingerprints: what remains of a mail that is kept no longer, to know it by if it comes again."""

from __future__ import annotations

import hashlib

BYTES = 8


def fingerprint_of(message_id: str, digest: str) -> int:
    """That of a mail; a signed number, as databases have them."""
    hashed = hashlib.sha256(f"{message_id}\0{digest}".encode(errors="replace")).digest()
    return int.from_bytes(hashed[:BYTES], signed=True)
