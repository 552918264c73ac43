"""Clocks: how those of the matches start, what does not count for whom, and what changes many."""
