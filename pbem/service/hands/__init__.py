"""Changing hands: who goes on with a seat whose player does not, for good or until they write."""
