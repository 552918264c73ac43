"""Play: matches and competitions begin, go on and end, and who hears of it."""
