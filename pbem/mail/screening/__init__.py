"""Screening: whether a mail is a person's, and may be answered at all."""
