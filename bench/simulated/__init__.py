"""A club that lives through months in minutes. Its clock is set, everything else is real.

`make simulate` runs it.
"""
