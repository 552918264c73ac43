"""Extras: what most clubs never run. Only the command line imports it."""
