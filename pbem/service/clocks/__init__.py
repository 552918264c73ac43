"""Clocks: start them, work out off time for each player, and change many at once."""
