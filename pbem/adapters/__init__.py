"""The outside: one file an outside system, each implementing ports of the service."""
