"""Outgoing emails: their text, HTML, header fields and threads."""
