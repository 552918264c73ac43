"""A small mail server of our own, on this machine only: SMTP in, IMAP out, mailboxes in memory.

For trying out and for tests. Whatever is sent to it stays on it, and is gone when it stops.
"""

from pbem.adapters.embedded_mail.server import HOST, EmbeddedMail

__all__ = ["HOST", "EmbeddedMail"]
