"""Addresses: plus-addresses of the club with tokens and bounce keys."""
