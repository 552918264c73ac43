"""Requests to a provider (RFC 6749 section 3.2): a form in, a JSON object out."""

from __future__ import annotations

import json
from math import isnan
from typing import Any, Final
from urllib.parse import urlsplit

import urllib3

from pbem.adapters.access_tokens.settings import GrantSettings, Issued, looks_like_a_token
from pbem.adapters.connection import (
    AuthorityError,
    ConnectionProblem,
    full_stop,
    hushed,
    in_a_line,
    tls_context,
    trouble_of,
)
from pbem.adapters.token_login import TokenError, spellings

LIFETIME_S: Final = 300.0
"""Lifetime of a token if its server gives none (RFC 6749 section 5.1 only recommends it)."""

SHORTEST_S: Final = 60.0
LONGEST_S: Final = 86_400.0
"""Bounds for the server's lifetime, to avoid a token per login or one that is never renewed."""

_TOO_OFTEN: Final = 429
_LONGEST_ANSWER: Final = 64 * 1024


class DeclinedRequest(Exception):
    """Raised if the provider answers with an error of RFC 6749 section 5.2 or RFC 8628."""

    def __init__(self, error: str, description: str = "") -> None:
        super().__init__(full_stop(in_a_line(f"{error}: {description}" if description else error)))
        self.error = error


class ProviderUnavailable(TokenError):
    """Raised if the provider cannot answer now. Asking again may help."""


class Endpoint:
    """One URL of a provider."""

    def __init__(self, settings: GrantSettings, url: str = "") -> None:
        self._settings = settings
        self._url = url or settings.token_url
        parts = urlsplit(self._url)
        self.host = parts.hostname or self._url
        self._port = parts.port or (443 if parts.scheme == "https" else 80)

    def asked(self, form: dict[str, str], *secrets: str) -> dict[str, Any]:
        """Send a form as our client and return the answer. Raises TokenError, DeclinedRequest.

        Neither error shows a secret.
        """
        settings = self._settings
        client = {"client_id": settings.client_id, "client_secret": settings.client_secret}
        filled = {name: value for name, value in (form | client).items() if value}
        status, body = self._posted(filled)
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if status == 200 and isinstance(answer, dict):
            return answer
        error = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(error, str):
            hidden = spellings(*secrets, settings.client_secret)
            description = str(answer.get("error_description") or "")
            raise DeclinedRequest(hushed(error, hidden), hushed(description, hidden))
        if status >= 500 or status == _TOO_OFTEN:
            raise ProviderUnavailable(
                ConnectionProblem(f"{self.host} returns no access token now (HTTP {status}).")
            )
        raise self.nonsense(f"answered with HTTP status {status} and no reason")

    def nonsense(self, what: str) -> TokenError:
        """Return the error for an answer that no such server would give."""
        return TokenError(
            ConnectionProblem(
                f"{self.host} {what}. Check token_url in {self._settings.section}.", "token_url"
            )
        )

    def issued(self, granted: dict[str, Any]) -> Issued:
        """Return the access token in an answer. Raises TokenError."""
        token = granted.get("access_token")
        kind = str(granted.get("token_type", "Bearer"))
        if not isinstance(token, str) or not looks_like_a_token(token):
            raise self.nonsense("returned no access token")
        if kind.casefold() != "bearer":
            raise self.nonsense("returned an access token that is not of the kind Bearer")
        seconds = seconds_in(granted, "expires_in", LIFETIME_S)
        return Issued(token, min(max(seconds, SHORTEST_S), LONGEST_S))

    def _posted(self, form: dict[str, str]) -> tuple[int, bytes]:
        settings = self._settings
        try:
            context = tls_context(settings.ca_file)
            with urllib3.PoolManager(ssl_context=context, timeout=settings.timeout_s) as pool:
                # No retry and no redirect, since the form has secrets and works once.
                answer = pool.request(
                    "POST",
                    self._url,
                    fields=form,
                    encode_multipart=False,
                    headers={"Accept": "application/json"},
                    retries=False,
                    redirect=False,
                    preload_content=False,
                )
                return answer.status, answer.read(_LONGEST_ANSWER)
        except (urllib3.exceptions.HTTPError, OSError, AuthorityError) as error:
            raise ProviderUnavailable(self._unreachable(error)) from error

    def _unreachable(self, error: Exception) -> ConnectionProblem:
        """Explain an error as for mail servers. urllib3 wraps the original."""
        reason: BaseException | None = error
        while reason is not None and not isinstance(reason, OSError | AuthorityError):
            reason = reason.__cause__ or reason.__context__
        cause = reason if isinstance(reason, Exception) else ConnectionResetError()
        trouble = trouble_of(cause, self.host, self._port)
        setting = trouble.setting if trouble.setting == "ca_file" else "token_url"
        return ConnectionProblem(f"No access token: {trouble.sentence}", setting)


def seconds_in(answer: dict[str, Any], key: str, otherwise: float) -> float:
    """Return a number of seconds, which some servers write as a string."""
    try:
        seconds = float(answer[key])
    except (KeyError, TypeError, ValueError, OverflowError):
        return otherwise
    return otherwise if isnan(seconds) else seconds


def refresh_token_in(answer: dict[str, Any]) -> str:
    """Return the refresh token in an answer. Empty if there is none to use."""
    token = answer.get("refresh_token")
    return token if isinstance(token, str) and token.isascii() and token.isprintable() else ""
