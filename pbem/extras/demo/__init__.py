"""The demonstration: a club, three players with nothing but e-mail, a whole three-person set."""
