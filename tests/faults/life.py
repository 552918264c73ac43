"""One life of the process that serves the club."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.ports.process import StorageUnavailable
from pbem.run.fetch import ClubMailbox
from pbem.run.serve import Running, Service
from tests.faults.death import Death, Killed, mortal

if TYPE_CHECKING:
    from tests.faults.trial import Trial

PASSWORD = "open sesame"


class Life:
    """A process that serves the club, from its start to its death."""

    def __init__(self, trial: Trial, death: Death) -> None:
        self.death = death
        self.engine = open_engine(trial.url)
        if self.engine.dialect.name == "sqlite":
            mortal(self.engine, death)
        imap = ImapSettings(
            "localhost" if trial.tls else "127.0.0.1",
            trial.relay.port,
            trial.address,
            PASSWORD,
            "tls" if trial.tls else "none",
            done_folder=trial.done_folder,
            timeout_s=trial.timeout_s,
            ca_file=trial.tls,
        )
        smtp = SmtpSettings("127.0.0.1", trial.smtp.port, "", "", "none", trial.timeout_s)
        # The next attempt is due however often a server has failed, so that no test
        # waits.
        hours = itertools.count(step=3600)
        self.mailbox = ImapMailbox(imap, lambda: float(next(hours)))
        self.transport = SmtpTransport(smtp)
        self.club = trial.club_on(SqlStorage(self.engine))
        mailboxes = (ClubMailbox(self.mailbox, ImapWatch(imap)),)
        running = Running(
            self.club, mailboxes, self.transport, self.transport.close, poll_seconds=60
        )
        self._jobs = Service(running).jobs

    def works(self) -> list[str]:
        """Run every job once, as the service does. Return the problems they met.

        Raises Killed if the process dies, and any error that is not one of the ports'.
        """
        troubles = []
        for job in self._jobs:
            try:
                job.run()
            except (MailboxError, TransportError, StorageUnavailable) as error:
                troubles.append(f"{type(error).__name__}: {error}")
            if self.death.has_come:
                raise Killed
        return troubles

    def ends(self) -> None:
        """Close its connections, politely or not."""
        with suppress(Killed):
            self.mailbox.close()
        self.engine.dispose()
        self.death.bury()
