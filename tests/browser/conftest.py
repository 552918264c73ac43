"""Provide a browser, and the reading room of a club with matches of all games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from pbem.archive.site.rendering import CSP
from tests.browser import club

CHROMIUM = Path("/usr/bin/chromium")
SUB_PATH = "plays/by-mail"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start Chromium. Without it, skip the test, or fail it in CI."""
    if not CHROMIUM.exists():
        missing = f"{CHROMIUM} is missing: install the package chromium"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the reading room to a folder."""
    root = tmp_path_factory.mktemp("www")
    club.write(root / SUB_PATH)
    return root / SUB_PATH


class Handler(SimpleHTTPRequestHandler):
    """Serve files with the policy as a header too, like the samples in deploy/."""

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", CSP)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as the library names it
        """Log nothing."""


@pytest.fixture(scope="session")
def served(room: Path) -> Iterator[str]:
    """Serve the reading room locally below a path, and return its address."""
    root = room.parents[len(Path(SUB_PATH).parts) - 1]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{SUB_PATH}/"
        server.shutdown()
        thread.join()


Visit = Callable[..., Page]


@contextmanager
def visiting(browser: Browser, **options: Any) -> Iterator[Page]:
    """Open pages that may not report a policy violation, a missing file or a script error."""
    complaints: list[str] = []
    context = browser.new_context(**options)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("requestfailed", lambda request: complaints.extend(_failed(request)))
    yield page
    context.close()
    assert complaints == []


def _failed(request: Request) -> Iterator[str]:
    """Yield a failed request unless the page itself cancelled it."""
    if request.failure != "net::ERR_ABORTED":
        yield f"{request.failure}: {request.url}"


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Open an address in a new window."""
    with ExitStack() as stack:

        def go(address: str, **options: Any) -> Page:
            page = stack.enter_context(visiting(chromium, **options))
            page.goto(address)
            return page

        yield go
