"""Members: their addresses, and what machines say of them."""
