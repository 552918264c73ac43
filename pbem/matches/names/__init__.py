"""Names: what may be one, and when two of them look the same. Pure."""
