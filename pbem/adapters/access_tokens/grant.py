"""Access tokens from a refresh token, by one HTTP request (RFC 6749 section 6)."""

from __future__ import annotations

from typing import Any, Final

from pbem.adapters.access_tokens.endpoint import DeclinedRequest, Endpoint, refresh_token_in
from pbem.adapters.access_tokens.refresh_token import KeptToken
from pbem.adapters.access_tokens.settings import GrantSettings, Issued
from pbem.adapters.connection import ConnectionProblem
from pbem.adapters.token_login import TokenError

REMEDIES: Final = {
    "invalid_grant": ("refresh_token", "It was withdrawn or has expired. Run {login}."),
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
        self.settings = settings
        self.kept = kept
        self._endpoint = Endpoint(settings)

    def __call__(self) -> Issued:
        """Return a new access token. Raises TokenError."""
        with self.kept.locked():
            refresh_token = self.kept.newest()
            form = {
                "grant_type": "refresh_token",
                "refresh_token": refresh_token,
                "scope": self.settings.scope,
            }
            try:
                granted = self._endpoint.asked(form, refresh_token)
            except DeclinedRequest as declined:
                raise TokenError(self._refusal(declined)) from None
            newer = refresh_token_in(granted)
            if newer not in ("", refresh_token):
                self.kept.keep(newer)
            self.kept.note_renewal(granted)
        return self.issued(granted)

    def issued(self, granted: dict[str, Any]) -> Issued:
        """Return the access token in an answer of the provider. Raises TokenError."""
        return self._endpoint.issued(granted)

    def _refusal(self, declined: DeclinedRequest) -> ConnectionProblem:
        setting, remedy = REMEDIES.get(declined.error, ("", ""))
        advice = remedy.format(section=self.settings.section, login=self.settings.login)
        renewal = self.kept.renewal()
        lately = f"It last worked on {renewal.at:%Y-%m-%d}. " if renewal else ""
        sentence = f"{self._endpoint.host} rejected the refresh token: {declined}"
        return ConnectionProblem(f"{sentence} {lately}{advice}".strip(), setting)
