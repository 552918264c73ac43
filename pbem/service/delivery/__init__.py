"""Delivery: send the emails in the outbox and record the results."""
