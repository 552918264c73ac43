"""Sources of access tokens (RFC 6749): a refresh token, or a command that prints one."""

from pbem.adapters.access_tokens.command import CachedTokens, TokenCommand
from pbem.adapters.access_tokens.grant import RefreshGrant
from pbem.adapters.access_tokens.refresh_token import KeptToken
from pbem.adapters.access_tokens.settings import (
    OTHER_PROVIDER,
    PROVIDERS,
    GrantSettings,
    Provider,
    ProviderName,
)

__all__ = [
    "OTHER_PROVIDER",
    "PROVIDERS",
    "CachedTokens",
    "GrantSettings",
    "KeptToken",
    "Provider",
    "ProviderName",
    "RefreshGrant",
    "TokenCommand",
]
