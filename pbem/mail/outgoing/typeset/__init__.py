"""Typeset: lay out an email as HTML that simple clients can show.

It uses plain elements with inline styles, one column, and loads nothing. The client chooses
colours, so that its dark mode stays readable. Any colour set here has its own background.
"""
