"""Screening: decide whether a person sent an email and it may be answered."""
