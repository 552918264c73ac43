"""Configuration: the TOML file and the environment. Nothing else reads them.

The file is `--config`, otherwise `PBEM_CONFIG`, `./pbem.toml` or the user's config folder. The
environment overrides any key: `PBEM_IMAP__PASSWORD` for `password` in `[imap]`.
"""

from pbem.run.config.config import DATABASE, Config
from pbem.run.config.file import (
    FILE_NAME,
    environment_without_settings,
    find_config,
    is_journal,
    load_config,
    notify_socket,
    shows_colours,
    sockets_given,
    watchdog_seconds,
)
from pbem.run.config.sections import (
    DEFAULT_FORMAT,
    DEFAULT_LEVEL,
    MOST_BOT_MATCHES,
    ClubSection,
    DatabaseSection,
)
from pbem.run.config.servers import (
    FIRST_MAILBOX,
    LOOPBACK,
    SMTP,
    ImapSection,
    OAuthSection,
    ServerSection,
)
from pbem.run.config.values import (
    ConfigError,
    a_language,
    an_address,
    club_address,
    club_name,
)

__all__ = [
    "DATABASE",
    "DEFAULT_FORMAT",
    "DEFAULT_LEVEL",
    "FILE_NAME",
    "FIRST_MAILBOX",
    "LOOPBACK",
    "MOST_BOT_MATCHES",
    "SMTP",
    "ClubSection",
    "Config",
    "ConfigError",
    "DatabaseSection",
    "ImapSection",
    "OAuthSection",
    "ServerSection",
    "a_language",
    "an_address",
    "club_address",
    "club_name",
    "environment_without_settings",
    "find_config",
    "is_journal",
    "load_config",
    "notify_socket",
    "shows_colours",
    "sockets_given",
    "watchdog_seconds",
]
