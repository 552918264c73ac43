"""PrometheusMeter: counts what a process does."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from pbem.mail.bounce.failure import Subject
from pbem.mail.outgoing.urgency import Urgency
from pbem.service.ports import Delivery, InboundState, SentMail

SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600, 24 * 3600)
"""Bounds of how long an answer takes: at once by IDLE or LMTP, a minute by polling, hours by limits
and trouble."""


class PrometheusMeter:
    """The port Meter."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._read = Counter(
            "pbem_mails_read",
            "Received mails by what has become of them, and why.",
            ("fate", "reason"),
            registry=registry,
        )
        self._asked = Counter(
            "pbem_commands",
            "Commands in mails that were carried out.",
            ("command",),
            registry=registry,
        )
        self._happened = Counter(
            "pbem_match_entries",
            "Actions, and what else went into the histories of matches.",
            ("game", "kind"),
            registry=registry,
        )
        self._sent = Counter(
            "pbem_mails_sent",
            "Mails that the mail server has taken.",
            ("kind", "urgency"),
            registry=registry,
        )
        self._not_sent = Counter(
            "pbem_mails_not_sent",
            "Tries to send a mail that failed for now or for good, and what the refusal was about.",
            ("outcome", "reason"),
            registry=registry,
        )
        self._answered = Histogram(
            "pbem_answer_seconds",
            "From the receipt of a mail until the mails written upon it were taken by the server.",
            ("urgency",),
            buckets=SECONDS,
            registry=registry,
        )
        self._reached = Gauge(
            "pbem_server_up",
            "Whether a mail server answered this process when it was tried last.",
            ("server",),
            registry=registry,
        )
        self._failures = Counter(
            "pbem_server_failures",
            "Times that a mail server could not be reached.",
            ("server",),
            registry=registry,
        )
        self._lost: set[str] = set()
        self._begin()

    def _begin(self) -> None:
        """What appears with its first value has not risen, as far as Prometheus can tell."""
        for urgency in Urgency:
            self._answered.labels(urgency.name.lower())
        for state in InboundState:
            self._read.labels(state, "")
        for outcome in (Delivery.DEFERRED, Delivery.REFUSED):
            for reason in (*Subject, "connection"):
                self._not_sent.labels(outcome, reason)

    @property
    def lost(self) -> list[str]:
        """Mail servers that could not be reached the last time."""
        return sorted(self._lost)

    def read(self, fate: str, reason: str) -> None:
        """A mail was read."""
        self._read.labels(fate, reason).inc()

    def asked(self, command: str) -> None:
        """A mail that was carried out has asked for something."""
        self._asked.labels(command).inc()

    def happened(self, game: str, kind: str, times: int) -> None:
        """Something happened in matches of a game."""
        self._happened.labels(game, kind).inc(times)

    def sent(self, mail: SentMail) -> None:
        """A mail has gone."""
        self._sent.labels(mail.kind, mail.urgency).inc()
        if mail.answered_after is not None:
            # The mail server that dated it may be ahead of us.
            seconds = max(0.0, mail.answered_after.total_seconds())
            self._answered.labels(mail.urgency).observe(seconds)

    def not_sent(self, outcome: str, reason: str) -> None:
        """A mail has not gone."""
        self._not_sent.labels(outcome, reason).inc()

    def reached(self, server: str, *, works: bool) -> None:
        """A mail server was tried."""
        self._reached.labels(server).set(works)
        self._failures.labels(server).inc(not works)
        (self._lost.discard if works else self._lost.add)(server)
