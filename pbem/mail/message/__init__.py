"""Messages: parse the bytes of an email into header fields and text."""
