"""Names: which are valid, and when two of them look the same. Pure."""
