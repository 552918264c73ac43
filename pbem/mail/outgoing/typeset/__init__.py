"""Typeset: what a mail says as a letter in HTML, for clients that know little of it.

Plain elements with inline styles, one column, nothing loaded. Colours are left to the client, so
that its dark mode keeps them readable; where there is one, its background stands beside it.
"""
