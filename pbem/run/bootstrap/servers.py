"""The mail servers of a configuration, and how we log in to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.adapters.access_tokens import (
    OTHER_PROVIDER,
    PROVIDERS,
    CachedTokens,
    GrantSettings,
    KeptToken,
    RefreshGrant,
    TokenCommand,
)
from pbem.adapters.imap_mailbox import ImapSettings
from pbem.adapters.smtp_transport import SmtpSettings
from pbem.adapters.token_login import AccessTokens
from pbem.run.config import (
    SMTP,
    Config,
    ImapSection,
    OAuthSection,
    ServerSection,
    environment_without_settings,
)


@dataclass(frozen=True)
class Servers:
    """The servers that receive and send the club's email."""

    imaps: tuple[ImapSettings, ...]
    smtp: SmtpSettings

    @property
    def imap(self) -> ImapSettings:
        """Return the first mailbox."""
        return self.imaps[0]

    @property
    def grants(self) -> Mapping[AccessTokens, RefreshGrant]:
        """Return the accounts that log in with a refresh token, by their access tokens."""
        return {
            tokens: tokens.source
            for tokens in self._tokens
            if isinstance(tokens, CachedTokens) and isinstance(tokens.source, RefreshGrant)
        }

    def close_tokens(self) -> None:
        """Stop waiting for access tokens, and issue no more."""
        for tokens in self._tokens:
            if tokens is not None:
                tokens.close()

    @property
    def _tokens(self) -> tuple[AccessTokens | None, ...]:
        return (*(each.tokens for each in self.imaps), self.smtp.tokens)


def servers_of(config: Config) -> Servers:
    """Return the mail servers of the configuration."""
    smtp, imaps = config.smtp, tuple(_imap(config, each) for each in config.imaps)
    # Shared if possible: some providers accept each refresh token only once.
    same = _logs_in_alike(smtp, config.imap)
    smtp_tokens = (
        imaps[0].tokens if same and imaps else _tokens(config, smtp, "[smtp]", "[smtp.oauth]", SMTP)
    )
    return Servers(
        imaps,
        SmtpSettings(
            host=smtp.host,
            port=smtp.port or _smtp_port(smtp),
            user=smtp.user,
            password=smtp.password.get_secret_value(),
            security=smtp.security,
            timeout_s=smtp.timeout_s,
            ca_file=smtp.ca_file,
            tokens=smtp_tokens,
        ),
    )


def _imap(config: Config, imap: ImapSection) -> ImapSettings:
    return ImapSettings(
        host=imap.host,
        port=imap.port or (993 if imap.security == "tls" else 143),
        user=imap.user,
        password=imap.password.get_secret_value(),
        security=imap.security,
        folder=imap.folder,
        done_folder=imap.done_folder,
        timeout_s=imap.timeout_s,
        ca_file=imap.ca_file,
        name=imap.name,
        place=imap.place,
        tokens=_tokens(config, imap, imap.in_file, imap.oauth_in_file, imap.name),
    )


def _logs_in_alike(smtp: ServerSection, imap: ServerSection) -> bool:
    """Return whether SMTP uses the login of IMAP, because it has none of its own."""
    own = smtp.password.get_secret_value() or smtp.token_command or smtp.oauth
    if own:
        # Without a refresh token in the file, each user has their own.
        by_user = smtp.oauth is not None and not smtp.oauth.refresh_token.get_secret_value()
        same = (smtp.token_command, smtp.oauth) == (imap.token_command, imap.oauth)
        return same and not (by_user and smtp.user != imap.user)
    return bool(smtp.user)


def _tokens(
    config: Config, server: ServerSection, section: str, oauth_section: str, name: str
) -> AccessTokens | None:
    """Return the source of access tokens, if the server needs any. Errors name the sections."""
    if server.token_command:
        environment = environment_without_settings()
        command = TokenCommand(server.token_command, section, environment, server.timeout_s)
        return CachedTokens(command, close=command.close)
    if server.oauth is None:
        return None
    settings = _grant_settings(server, server.oauth, oauth_section, name)
    kept = KeptToken(config.club.data_dir / "oauth", settings)
    return CachedTokens(RefreshGrant(settings, kept))


def _grant_settings(
    server: ServerSection, oauth: OAuthSection, section: str, name: str
) -> GrantSettings:
    provider = PROVIDERS[oauth.provider] if oauth.provider else OTHER_PROVIDER
    return GrantSettings(
        token_url=oauth.token_url or provider.token_url,
        client_id=oauth.client_id,
        client_secret=oauth.client_secret.get_secret_value(),
        refresh_token=oauth.refresh_token.get_secret_value(),
        scope=oauth.scope or provider.scope,
        section=section,
        timeout_s=server.timeout_s,
        ca_file=server.ca_file,
        user=server.user,
        mailbox=name,
        authorize_url=oauth.authorize_url,
        provider=provider,
    )


def _smtp_port(smtp: ServerSection) -> int:
    return {"tls": 465, "starttls": 587, "none": 25}[smtp.security]
