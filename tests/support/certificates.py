"""A certificate authority for servers on loopback."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme


@dataclass(frozen=True)
class Certificates:
    """Files in PEM form. The server's certificate is for localhost and 127.0.0.1."""

    ca_file: Path
    server_chain: Path
    server_key: Path

    def server_context(self) -> ssl.SSLContext:
        """Return the TLS context of a server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.server_chain, self.server_key)
        return context


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Certificates for servers and for the clients that trust them."""
    return made_in(tmp_path_factory.mktemp("certificates"))


def made_in(folder: Path) -> Certificates:
    """Make new certificates, with their files in a folder."""
    authority = trustme.CA()
    server = authority.issue_cert("localhost", "127.0.0.1")
    made = Certificates(folder / "ca.pem", folder / "chain.pem", folder / "key.pem")
    authority.cert_pem.write_to_path(made.ca_file)
    for blob in server.cert_chain_pems:
        blob.write_to_path(made.server_chain, append=True)
    server.private_key_pem.write_to_path(made.server_key)
    return made
