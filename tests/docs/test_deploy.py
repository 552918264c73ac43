"""The sample configurations in deploy/ are configurations."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.bootstrap import servers_of
from pbem.config import load_config

DEPLOY = Path(__file__).parents[2] / "deploy"
SAMPLES = tuple(DEPLOY.glob("*.toml"))


def test_there_are_samples() -> None:
    assert SAMPLES


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_can_be_loaded_and_logs_in_by_token(sample: Path, tmp_path: Path) -> None:
    copy = tmp_path / sample.name
    shutil.copy(sample, copy)
    copy.chmod(0o600)
    servers = servers_of(load_config(copy))
    assert servers.imap.tokens is not None
    assert servers.smtp.tokens is servers.imap.tokens
