"""Configuration files of measured clubs, for separate processes to read."""

from __future__ import annotations

from pathlib import Path

from pbem.run.config import Config, load_config

ADDRESS = "club@games.example"

_TOML = """\
[club]
address = "{address}"
data_dir = "."
secret = "not a secret, only long"

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"

[database]
url = "{url}"

[site]
enabled = {site}

"""
_LMTP = """\
[lmtp]
listen = "unix:{folder}/lmtp"
"""
_JOBS = """
[jobs]
engine = "procrastinate"
"""


def configured(
    folder: Path,
    smtp_port: int,
    url: str = "",
    *,
    site: bool = False,
    imap: str = "",
    jobs: bool = True,
) -> Config:
    """Configure a club in a folder.

    On PostgreSQL it has a job queue unless `jobs` is false. Email comes by LMTP unless `imap` has
    the section for a mailbox.
    """
    path = folder / "pbem.toml"
    path.touch(0o600)
    on_a_server = url.startswith("postgresql")
    text = _TOML.format(address=ADDRESS, port=smtp_port, url=url, site=str(site).lower())
    mail = imap or _LMTP.format(folder=folder)
    path.write_text(text + mail + (_JOBS if on_a_server and jobs else ""))
    return load_config(path)


def file_of(config: Config) -> Path:
    """Return the file of a configuration."""
    return config.club.data_dir / "pbem.toml"
