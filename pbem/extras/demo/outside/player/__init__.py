"""A player of the demonstration. Imports only the standard library, and nothing of pbem."""
