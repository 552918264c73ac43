"""Test the files that `prepare` creates for containers, and the images that use them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pbem.run.config import load_config
from tests.deploy.pages import ROOT

pytestmark = pytest.mark.servers

CONTAINER = ROOT / "deploy" / "container"
COMPOSE = (CONTAINER / "compose.yaml").read_text("utf-8")


def test_prepare_creates_a_club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files to other accounts")
    shutil.copy(CONTAINER / "prepare", tmp_path)
    words = ["sh", "prepare", "club@example.org", "director@example.org"]
    subprocess.run(words, cwd=tmp_path, check=True)
    made = tmp_path / "secrets"
    assert {path.stat().st_mode & 0o077 for path in (made, *made.iterdir())} == {0}
    config = made / "pbem.toml"
    assert config.stat().st_uid == int(_account_number("pbem"))
    assert (made / "postgresql").stat().st_uid == int(_account_number("postgres"))

    os.chown(config, 0, 0)
    club = load_config(config)
    assert club.database_url.partition("@")[0].endswith((made / "postgresql").read_text())
    address, _, password = (made / "mailboxes").read_text().strip().partition(":{PLAIN}")
    assert (club.imap.user, club.imap.password.get_secret_value()) == (address, password)
    assert subprocess.run(words, cwd=tmp_path, stderr=subprocess.PIPE).returncode != 0
    assert load_config(config) == club


def test_secrets_stay_out_of_images_and_commits() -> None:
    # Docker only reads a list of this name. Podman reads it, too.
    images, commits = ((ROOT / name).read_text("utf-8") for name in (".dockerignore", ".gitignore"))
    for place in ("deploy/container/secrets", "deploy/container/*.tar", "pbem.toml", "club"):
        assert place in images.splitlines()
        assert re.search(rf"^/{re.escape(place)}/?$", commits, re.MULTILINE), place


def _account_number(name: str) -> str:
    found = re.search(rf"useradd --uid (\d+) --gid {name} ", _containerfile())
    assert found, name
    return found[1]


def _containerfile() -> str:
    return (CONTAINER / "Containerfile").read_text("utf-8")


def test_every_image_is_used_and_every_port_belongs_to_one_process() -> None:
    stages = re.findall(r"^FROM \S+ AS (\w+)$", _containerfile(), re.MULTILINE)
    assert set(re.findall(r"^ +target: (\w+)$", COMPOSE, re.MULTILINE)) == {*stages} - {"package"}
    ports = re.findall(r'PBEM_METRICS__PORT: "(\d+)"', COMPOSE)
    assert len(set(ports)) == len(ports) == COMPOSE.count("<<: *pbem")
