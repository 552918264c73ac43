"""The crew: the processes that work for a club, restarted whenever one has died."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Mapping
from multiprocessing.connection import wait
from pathlib import Path
from typing import Self

from tests.faults.many.child import Child

PATIENCE_S = 20.0
"""Far more seconds than a process takes to end politely."""


class Crew:
    """Processes by name. Like systemd (`Restart=always`), it restarts one that has died."""

    def __init__(self, posts: Mapping[str, tuple[str, Path]]) -> None:
        self._posts = posts
        """Role and configuration of each process."""
        self._guard = threading.Lock()
        self._children: dict[str, Child] = {}
        self._absent: set[str] = set()
        """Processes that stay dead for now."""
        self.deaths: Counter[str] = Counter()
        self._ending = False
        self._heard, self._tell = socket.socketpair()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    def __enter__(self) -> Self:
        for name in self._posts:
            self._begin(name)
        self._keeper.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ending:
            self.ends()

    def ends(self) -> None:
        """End all processes, politely if possible."""
        self._ending = True
        self._tell.send(b".")
        self._keeper.join()
        for child in self._children.values():
            if child.process.is_alive():
                os.kill(child.process.pid or 0, signal.SIGTERM)
        for child in self._children.values():
            child.process.join(PATIENCE_S)
            child.process.kill()
            child.close()
        self._heard.close()
        self._tell.close()

    def dies_after(self, name: str, steps: int) -> None:
        """Kill a process after this many statements from now."""
        with self._guard:
            if name in self._children:
                self._children[name].dies_after(steps)

    def kill(self, name: str, *, for_good: bool = False) -> None:
        """Kill a process now. If for good, it stays dead until it is called back."""
        with self._guard:
            if for_good:
                self._absent.add(name)
            if name in self._children:
                self._children[name].process.kill()

    def call_back(self, name: str) -> None:
        """Restart a process that was killed for good."""
        with self._guard:
            self._absent.discard(name)
        self._tell.send(b".")

    def tell_what_they_do(self) -> None:
        """Make each process log where its threads are."""
        with self._guard:
            for child in self._children.values():
                child.tells_what_it_does()

    def _begin(self, name: str) -> None:
        self._children[name] = Child(*self._posts[name])

    def _keep(self) -> None:
        while not self._ending:
            with self._guard:
                dead = [
                    name for name, child in self._children.items() if not child.process.is_alive()
                ]
                for name in dead:
                    self._children.pop(name).close()
                    self.deaths[name] += 1
                for name in self._posts:
                    if name not in self._children and name not in self._absent:
                        self._begin(name)
                sentinels = [child.process.sentinel for child in self._children.values()]
            if self._heard in wait([self._heard, *sentinels]):
                self._heard.recv(1024)
