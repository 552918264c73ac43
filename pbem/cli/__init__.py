"""Command line of pbem."""
