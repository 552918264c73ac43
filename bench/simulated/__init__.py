"""A club that lives through months in minutes: its clock is told, all else is as in earnest.

`make simulate` runs it.
"""
