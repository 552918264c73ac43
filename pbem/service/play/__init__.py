"""Play: start, change and end matches and competitions, and notify players."""
