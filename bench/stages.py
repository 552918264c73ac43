"""Measure the processor time of each part of a move, with a stopwatch on each part of pbem.

A part that is called by another stops the other's watch, so that the figures add up.
"""

from __future__ import annotations

import functools
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect
from sqlmodel import Session

from pbem.adapters.db import engine, unit_of_work
from pbem.adapters.imap_mailbox import ImapMailbox
from pbem.adapters.smtp_transport.session import SmtpSession
from pbem.inbox import requests
from pbem.inbox.proof import sender
from pbem.inbox.requests import carry_out
from pbem.mail.message import message
from pbem.mail.outgoing import letter
from pbem.mail.outgoing.render import Renderer
from pbem.mail.reply import reply_text
from pbem.mail.screening import screening
from pbem.service.positions import Positions
from pbem.service.post.post import views_of

REST = "the rest"

_FUNCTIONS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("parse", (message.read_message, message.identity)),
    (
        "screening, fresh text",
        (screening.screen, reply_text.fresh_text, requests.read_requests),
    ),
    ("identify", (sender.identify,)),
    ("rules", (carry_out,)),
    ("view", (views_of,)),
    ("letter", (letter.to_bytes,)),
    ("database: begin", (engine._begin, unit_of_work._session)),
)
_METHODS: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("IMAP", ImapMailbox, ("open", "unhandled", "fetch", "mark_done")),
    ("replay", Positions, ("of",)),
    ("render", Renderer, ("written",)),
    ("SMTP", SmtpSession, ("send", "quit")),
    ("database: commit", DefaultDialect, ("do_commit",)),
    ("database: begin", Session, ("connection", "close")),
)
_REPOSITORIES = tuple(value for name, value in vars(unit_of_work).items() if name.startswith("Sql"))
"""The repositories, with all methods that use cases call."""


class Stages:
    """Seconds of processor time by part, and the number of SQL statements."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.statements = 0
        self._running = [REST]
        self._since = time.process_time()

    def _switch(self) -> None:
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def watched(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose processor time is added to a part."""

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._running.append(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self._running.pop()

        return watched

    def _count(self, *_: object) -> None:
        self.statements += 1

    @contextmanager
    def on(self) -> Iterator[None]:
        """Run the stopwatches for the length of the block."""
        with ExitStack() as patches:
            for part, owner, name in _places():
                watched = self.watched(part, getattr(owner, name))
                patches.enter_context(patch.object(owner, name, watched))
            event.listen(Engine, "before_cursor_execute", self._count)
            self._since = time.process_time()
            try:
                yield
            finally:
                self._switch()
                event.remove(Engine, "before_cursor_execute", self._count)


def _places() -> Iterator[tuple[str, Any, str]]:
    """Yield everything to measure: part, module or class, and name."""
    for part, owner, names in _METHODS:
        yield from ((part, owner, name) for name in names)
    for repository in _REPOSITORIES:
        names = (name for name in vars(repository) if not name.startswith("_"))
        yield from (("database: statements", repository, name) for name in names)
    ours = [module for name, module in sys.modules.items() if name.startswith("pbem.")]
    for part, functions in _FUNCTIONS:
        for module in ours:
            yield from (
                (part, module, name)
                for name in vars(module)
                if any(vars(module)[name] is f for f in functions)
            )
