"""Test that the sample configurations in deploy/ are valid once they have a secret."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import ConfigError, load_config

DEPLOY = Path(__file__).parents[2] / "deploy"
SAMPLES = tuple(DEPLOY.glob("*.toml"))


@pytest.fixture(params=SAMPLES, ids=lambda sample: sample.name)
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Copy a sample as its user would."""
    sample: Path = request.param
    copy = tmp_path / sample.name
    shutil.copy(sample, copy)
    copy.chmod(0o600)
    return copy


def test_samples_exist() -> None:
    assert SAMPLES


def test_sample_without_its_own_secret_is_refused(copy: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(copy)
    assert "[club] secret: it is empty; make a good one with pbem init" in str(refused.value)


def test_sample_with_a_secret_logs_in_by_token(copy: Path) -> None:
    secret = "5d41402abc4b2a76b9719d911017c592"
    copy.write_text(copy.read_text().replace('\nsecret = ""\n', f'\nsecret = "{secret}"\n'))
    config = load_config(copy)
    assert config.club.secrets == {1: secret.encode()}
    servers = servers_of(config)
    assert servers.imap.tokens is not None
    assert servers.smtp.tokens is servers.imap.tokens
