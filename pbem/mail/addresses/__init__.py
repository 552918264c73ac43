"""Addresses: those of the club that say more, and lists of them in headers."""
