"""Extras: parts that most clubs never run. Only the command line imports them."""
