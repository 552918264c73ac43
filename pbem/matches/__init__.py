"""A contest between people: matches, clocks, competitions and records. Pure."""
