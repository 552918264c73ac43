"""Proof: find out who sent an email, what it is about, and how well that is proven."""
