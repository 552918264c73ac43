"""A club with a small mail server of its own, on this machine only: SMTP in, POP3 out.

For trying out. Whatever is sent to it stays on it.
"""
