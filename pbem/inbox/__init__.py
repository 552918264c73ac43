"""Inbox: the way of a received mail, from its bytes to what it changes and who hears of it."""
