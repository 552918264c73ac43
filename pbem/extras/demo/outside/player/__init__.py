"""A player of the demonstration. Imports nothing of pbem, and nothing but the standard library."""
