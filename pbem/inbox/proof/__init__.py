"""Proof: whose a mail is, what it is about, and what shows that."""
