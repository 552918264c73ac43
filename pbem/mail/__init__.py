"""Mail as values: parse the bytes of received emails, and build the bytes of sent ones. Pure."""
