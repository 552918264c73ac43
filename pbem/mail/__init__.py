"""Mail as values: bytes in, what they mean; what is to be said, bytes out. Pure."""
