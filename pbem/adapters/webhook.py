"""Webhook: post public events to an address outside, signed as docs/contracts.md says."""

from __future__ import annotations

import binascii
import hmac
from base64 import b64decode, b64encode
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import urllib3

from pbem.adapters.connection import AuthorityError, full_stop, in_a_line, tls_context
from pbem.ports.process import WebhookError

TIMEOUT_S: Final = 10.0
PREFIX: Final = "whsec_"
"""Begins a secret whose rest is base64."""


class HttpWebhook:
    """An address that takes signed events. Satisfies the port Webhook."""

    def __init__(self, url: str, secret: str, ca_file: Path | None = None) -> None:
        self._url = url
        self._key = key_of(secret)
        self._ca_file = ca_file

    def post(self, event_id: str, body: bytes, at: datetime) -> None:
        stamp = str(int(at.timestamp()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "pbem",
            "webhook-id": event_id,
            "webhook-timestamp": stamp,
            "webhook-signature": signature(self._key, event_id, stamp, body),
        }
        host = urlsplit(self._url).hostname  # the rest of the address may be a secret
        try:
            context = tls_context(self._ca_file)
            with urllib3.PoolManager(ssl_context=context, timeout=TIMEOUT_S) as pool:
                answer = pool.request(
                    "POST",
                    self._url,
                    body=body,
                    headers=headers,
                    retries=False,
                    redirect=False,
                    preload_content=False,
                )
                answer.close()
        except (urllib3.exceptions.HTTPError, OSError, AuthorityError) as error:
            reason = full_stop(in_a_line(f"{type(error).__name__}"))
            raise WebhookError(f"{host} cannot be reached: {reason}") from error
        if not 200 <= answer.status < 300:
            raise WebhookError(f"{host} answered with HTTP status {answer.status}.")


def key_of(secret: str) -> bytes:
    """Decode the base64 after `whsec_`, or return the bytes of any other secret."""
    if secret.startswith(PREFIX):
        try:
            return b64decode(secret.removeprefix(PREFIX), validate=True)
        except binascii.Error:
            pass
    return secret.encode()


def signature(key: bytes, event_id: str, stamp: str, body: bytes) -> str:
    """Return the signature of an event."""
    signed = f"{event_id}.{stamp}.".encode() + body
    return f"v1,{b64encode(hmac.digest(key, signed, 'sha256')).decode()}"
