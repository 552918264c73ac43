"""One contest between people: matches, clocks, sets, records. Pure."""
