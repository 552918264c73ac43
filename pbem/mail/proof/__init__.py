"""Proof: read what an email and its mail servers say about the sender."""
