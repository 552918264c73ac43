"""A small mail server of our own, on this machine only: SMTP in, IMAP out.

For trying out and for tests. Whatever is sent to it stays on it, in memory or in a folder too.
"""

from pbem.adapters.embedded_mail.kept_settings import KeptSettings
from pbem.adapters.embedded_mail.server import HOST, EmbeddedMail

__all__ = ["HOST", "EmbeddedMail", "KeptSettings"]
