"""pbem: a manager of correspondence games played by email."""
