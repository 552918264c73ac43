"""Mails to players: their text, their HTML, their headers and threads."""
