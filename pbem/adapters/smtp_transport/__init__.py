"""The SMTP server that accepts our email (RFC 5321)."""

from pbem.adapters.smtp_transport.session import SmtpSession
from pbem.adapters.smtp_transport.settings import SmtpError, SmtpSettings
from pbem.adapters.smtp_transport.transport import SmtpTransport

__all__ = ["SmtpError", "SmtpSession", "SmtpSettings", "SmtpTransport"]
