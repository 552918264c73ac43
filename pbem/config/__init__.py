"""Configuration: the TOML file and the environment, read here and nowhere else.

The file is `--config`, else `PBEM_CONFIG`, else `./pbem.toml`, else the user's config folder. Any
key can be overridden by the environment: `PBEM_IMAP__PASSWORD` for `password` in `[imap]`.
"""

from pbem.config.config import Config
from pbem.config.environment import (
    environment_without_settings,
    is_journal,
    notify_socket,
    shows_colours,
    sockets_given,
    watchdog_seconds,
)
from pbem.config.errors import ConfigError
from pbem.config.file import FILE_NAME, find_config, load_config
from pbem.config.news import new_settings
from pbem.config.sections import DEFAULT_LEVEL, ClubSection, DatabaseSection
from pbem.config.servers import (
    FIRST_MAILBOX,
    LOOPBACK,
    ImapSection,
    OAuthSection,
    ServerSection,
)
from pbem.config.values import an_address, club_address, club_name

__all__ = [
    "DEFAULT_LEVEL",
    "FILE_NAME",
    "FIRST_MAILBOX",
    "LOOPBACK",
    "ClubSection",
    "Config",
    "ConfigError",
    "DatabaseSection",
    "ImapSection",
    "OAuthSection",
    "ServerSection",
    "an_address",
    "club_address",
    "club_name",
    "environment_without_settings",
    "find_config",
    "is_journal",
    "load_config",
    "new_settings",
    "notify_socket",
    "shows_colours",
    "sockets_given",
    "watchdog_seconds",
]
