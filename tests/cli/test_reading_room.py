"""Test the reading room: `pbem archive publish|serve` and `pbem match public`."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner, Result

from pbem.adapters.site_server import HEADERS, LOOPBACK, site_server
from pbem.archive.site.rendering import CSP
from pbem.cli import command_line

PAGE = "matches/match-000001-lanrick-1893.html"


def run(*words: str | Path) -> Result:
    said = [str(word) for word in words]
    return CliRunner().invoke(command_line(said), said)


@pytest.fixture
def site(club_folder: Path) -> Path:
    """Return the site folder of a club with a running match."""
    run("init", "--defaults")
    for name in ("Anna", "Bert"):
        run("member", "add", name, f"{name.lower()}@mail.example")
    run("match", "new", "lanrick-1893", "Anna", "Bert")
    return club_folder / "club" / "site"


def test_match_is_published_while_it_is_public(site: Path) -> None:
    refused = run("archive", "serve")
    assert refused.exit_code == 1
    assert "has no pages yet" in refused.output
    assert "reading room: " in run("archive", "publish").output
    assert (site / PAGE).is_file()
    assert "reading room: 0 written, 0 up to date" in run("archive", "publish").output
    assert run("match", "public", "1", "never").output == "match 1: never\n"
    assert " removed" in run("archive", "publish").output
    assert not (site / PAGE).exists()
    run("match", "public", "1", "club")
    run("match", "new", "lancelot", "Anna", "Bert", "--public", "ended")
    run("match", "new", "lancelot", "Anna", "Bert", "--private", "--unrated")
    assert (
        "--private means --public never"
        in run("match", "new", "lancelot", "--private", "--public=live").output
    )
    assert [each["unrated"] for each in json.loads(run("match", "list", "--json").output)] == [
        *(False, False, True)
    ]
    (site / "matches" / "left-behind.html").write_text("x")
    assert ", 1 removed" in run("archive", "publish", "--all").output
    assert [
        path.name for path in (site / "matches").glob("*-lan*.html") if "boards" not in path.name
    ] == [Path(PAGE).name]


@pytest.mark.servers
def test_port_in_use_and_file_in_place_of_the_site_are_reported(site: Path, port: int) -> None:
    run("archive", "publish")
    taken = run("archive", "serve", "--port", str(port))
    assert (
        taken.output
        == f"pbem: port {port} is in use. Choose another with --port, or 0 for a free one\n"
    )
    assert f"reading room: its pages are in {site}" in run("doctor").output
    shutil.rmtree(site)
    site.touch()
    told = " ".join(run("doctor").output.split())
    assert f"BAD reading room: cannot write to {site}" in told


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Serve a folder, and return the port."""
    for name in ("index.html", "embed/1.html", ".lock", "feed.atom", "empty/none.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("here")
    with site_server(tmp_path, 0, CSP) as server:
        Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.servers
def test_served_files_have_security_headers_and_others_are_hidden(port: int) -> None:
    def asked(path: str, method: str = "GET") -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(LOOPBACK, port)
        connection.request(method, path)
        return connection.getresponse()

    page = asked("/")
    assert (page.status, page.read()) == (200, b"here")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert {name: page.headers[name] for name in HEADERS} == HEADERS
    assert asked("/embed/1.html").headers["Content-Security-Policy"].endswith("ancestors *")
    assert asked("/feed.atom?x").headers["Content-Type"] == "application/atom+xml"
    for path in ("/.lock", "/%2elock", "/empty/", "/../pbem.toml", "/%2e%2e/pbem.toml", "/nothing"):
        assert asked(path).status == 404, path
    assert asked("/", "POST").status == 501


@pytest.mark.servers
def test_requests_that_browsers_would_not_send_here_get_no_page(
    port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    def status(request: str) -> str:
        with socket.create_connection((LOOPBACK, port), 5) as connection:
            connection.sendall(request.encode() + b"\r\n\r\n")
            return connection.makefile("rb").readline().decode().strip()

    assert status(f"GET / HTTP/1.0\r\nHost: localhost:{port}").endswith("200 OK")
    # Another site's name that points here: a browser would let that site read the answer.
    assert "404" in status(f"GET / HTTP/1.0\r\nHost: elsewhere.example:{port}")
    for path in ("/%00", "http://[/index.html"):
        assert "404" in status(f"GET {path} HTTP/1.0"), path
    assert "400" in status("GET / and more words HTTP/1.0")
    assert capfd.readouterr().err == ""
