"""Delivery: the letters in the outbox are sent, and what has become of them is recorded."""
