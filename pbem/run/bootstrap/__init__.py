"""Bootstrap: the only place where ports get their adapters."""

from pbem.run.bootstrap.club import UNIQUE_BYTES, build_club, served_alone
from pbem.run.bootstrap.processes import intake_of, mailboxes_of, running, shift_of
from pbem.run.bootstrap.servers import Servers, servers_of
from pbem.run.bootstrap.waiting import schema_awaited, schema_of_club
from pbem.run.monitoring import watched

__all__ = [
    "UNIQUE_BYTES",
    "Servers",
    "build_club",
    "intake_of",
    "mailboxes_of",
    "running",
    "schema_awaited",
    "schema_of_club",
    "served_alone",
    "servers_of",
    "shift_of",
    "watched",
]
