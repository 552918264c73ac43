"""A club with its own small mail server, on this machine only: SMTP in, POP3 out.

For trying out pbem. Whatever is sent to it stays on it.
"""
