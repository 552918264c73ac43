"""Access tokens from a refresh token, by one HTTP request (RFC 6749 section 6)."""

from __future__ import annotations

import json
from math import isnan
from typing import Any, Final
from urllib.parse import urlsplit

import urllib3

from pbem.adapters.access_tokens.refresh_token import KeptToken
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

_CONSENT: Final = "It was withdrawn or has expired. Consent again, and set refresh_token in"
_REMEDIES: Final = {
    "invalid_grant": ("refresh_token", f"{_CONSENT} {{section}} to the new one."),
    "invalid_client": ("client_id", "Set client_id and client_secret in {section}."),
    "unauthorized_client": ("client_id", "Set client_id in {section} to one that may do this."),
    "invalid_scope": (
        "scope",
        "Set scope in {section} to the scope you consented to, or leave it empty.",
    ),
}
"""For each error of RFC 6749 section 5.2, the key to change and the advice."""


class RefreshGrant:
    """A source of access tokens that keeps any newer refresh token it is given."""

    def __init__(self, settings: GrantSettings, kept: KeptToken) -> None:
        self._settings = settings
        self._kept = kept
        url = urlsplit(settings.token_url)
        self._host = url.hostname or settings.token_url
        self._port = url.port or (443 if url.scheme == "https" else 80)

    def __call__(self) -> Issued:
        """Return a new access token. Raises TokenError."""
        with self._kept.locked():
            refresh_token = self._kept.newest()
            self._kept.tidy_up()
            granted = self._asked(refresh_token)
            newer = granted.get("refresh_token")
            if isinstance(newer, str) and newer.isascii() and newer not in ("", refresh_token):
                self._kept.keep(newer)
        return self._issued(granted)

    def _issued(self, granted: dict[str, Any]) -> Issued:
        token = granted.get("access_token")
        kind = str(granted.get("token_type", "Bearer"))
        if not isinstance(token, str) or not looks_like_a_token(token):
            raise self._nonsense("returned no access token")
        if kind.casefold() != "bearer":
            raise self._nonsense("returned an access token that is not of the kind Bearer")
        return Issued(token, _lifetime(granted.get("expires_in")))

    def _asked(self, refresh_token: str) -> dict[str, Any]:
        secrets = spellings(refresh_token, self._settings.client_secret)
        status, body = self._posted(self._form(refresh_token))
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if status == 200 and isinstance(answer, dict):
            return answer
        error = answer.get("error") if isinstance(answer, dict) else None
        if not isinstance(error, str) and (status >= 500 or status == _TOO_OFTEN):
            raise TokenError(
                ConnectionProblem(f"{self._host} returns no access token now (HTTP {status}).")
            )
        if not isinstance(error, str):
            raise self._nonsense(f"answered with HTTP status {status} and no reason")
        reason = answer.get("error_description")
        raise TokenError(self._refusal(hushed(error, secrets), hushed(str(reason or ""), secrets)))

    def _form(self, refresh_token: str) -> dict[str, str]:
        optional = {"client_secret": self._settings.client_secret, "scope": self._settings.scope}
        return {
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
            "client_id": self._settings.client_id,
            **{name: value for name, value in optional.items() if value},
        }

    def _posted(self, form: dict[str, str]) -> tuple[int, bytes]:
        settings = self._settings
        try:
            context = tls_context(settings.ca_file)
            with urllib3.PoolManager(ssl_context=context, timeout=settings.timeout_s) as pool:
                # No retry and no redirect, since the form has secrets and works once.
                answer = pool.request(
                    "POST",
                    settings.token_url,
                    fields=form,
                    encode_multipart=False,
                    headers={"Accept": "application/json"},
                    retries=False,
                    redirect=False,
                    preload_content=False,
                )
                return answer.status, answer.read(_LONGEST_ANSWER)
        except (urllib3.exceptions.HTTPError, OSError, AuthorityError) as error:
            raise TokenError(self._unreachable(error)) from error

    def _unreachable(self, error: Exception) -> ConnectionProblem:
        """Explain an error as for mail servers. urllib3 wraps the original."""
        reason: BaseException | None = error
        while reason is not None and not isinstance(reason, OSError | AuthorityError):
            reason = reason.__cause__ or reason.__context__
        cause = reason if isinstance(reason, Exception) else ConnectionResetError()
        trouble = trouble_of(cause, self._host, self._port)
        setting = trouble.setting if trouble.setting == "ca_file" else "token_url"
        return ConnectionProblem(f"No access token: {trouble.sentence}", setting)

    def _refusal(self, error: str, description: str) -> ConnectionProblem:
        setting, remedy = _REMEDIES.get(error, ("", ""))
        said = in_a_line(f"{error}: {description}" if description else error)
        sentence = f"{self._host} rejected the refresh token: {full_stop(said)}"
        return ConnectionProblem(
            f"{sentence} {remedy.format(section=self._settings.section)}".strip(), setting
        )

    def _nonsense(self, what: str) -> TokenError:
        return TokenError(
            ConnectionProblem(
                f"{self._host} {what}. Check token_url in {self._settings.section}.",
                "token_url",
            )
        )


def _lifetime(given: Any) -> float:
    """Return a token's lifetime in seconds from `expires_in`, which may be a string."""
    try:
        seconds = float(given)
    except (TypeError, ValueError, OverflowError):
        return LIFETIME_S
    return LIFETIME_S if isnan(seconds) else min(max(seconds, SHORTEST_S), LONGEST_S)
