"""Takeovers: who continues with a seat, for good or until its player writes."""
