"""Proof: what a mail itself and the servers on its way say of who sent it."""
