"""The demonstration: a club, three players with nothing but email, and a whole set of matches."""
