"""Inbox: process received emails, from their bytes to the changes and answers they cause."""
