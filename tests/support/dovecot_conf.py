"""Configurations of Dovecot, with only what the tests need."""

from __future__ import annotations

# One file per user: Dovecot checks whether a file has changed at most once a second.
_BEFORE_2_4 = """
ssl_cert = <{folder}/chain.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_username_format = %Lu
passdb {{
  driver = passwd-file
  args = {folder}/users/%Lu
}}
userdb {{
  driver = passwd-file
  args = {folder}/users/%Lu
}}
mail_location = maildir:~/Maildir
"""

_FROM_2_4 = """
dovecot_config_version = {version}
dovecot_storage_version = {version}
ssl_server_cert_file = {folder}/chain.pem
ssl_server_key_file = {folder}/key.pem
auth_allow_cleartext = yes
auth_username_format = %{{user|lower}}
passdb passwd-file {{
  passwd_file_path = {folder}/users/%{{user|lower}}
}}
userdb passwd-file {{
  passwd_file_path = {folder}/users/%{{user|lower}}
}}
mail_driver = maildir
mail_path = ~/Maildir
"""

# With access tokens, Dovecot accepts nothing else.
_TOKENS_BEFORE_2_4 = """
auth_mechanisms = xoauth2 oauthbearer
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
"""

_TOKENS_FROM_2_4 = """
auth_mechanisms = xoauth2 oauthbearer
oauth2 {{
{questions}
}}
"""

_QUESTIONS = """
introspection_mode = auth
introspection_url = {introspection}
active_attribute = active
active_value = true
username_attribute = email
"""

_COMMON = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1

ssl = yes
auth_mechanisms = plain login
# A wrong password is answered at once, and not the later the more often it comes.
auth_failure_delay = 0
mail_fsync = never
mail_max_userip_connections = 100
recipient_delimiter = +
namespace inbox {{
  inbox = yes
  separator = /
}}

# Only root may chroot(2): every service does without.
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service auth {{
  user = {user}
}}
service auth-worker {{
  user = {user}
}}
service lmtp {{
  user = {user}
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
protocol lmtp {{
  postmaster_address = postmaster@pbem.test
}}
"""


def configuration(
    version: tuple[int, int, int], introspection: str = "", **values: object
) -> dict[str, str]:
    """Return names and texts of the configuration files for a version.

    `introspection` is where Dovecot asks about access tokens. Without it there are passwords.
    """
    new = version >= (2, 4, 0)
    text = (_FROM_2_4 if new else _BEFORE_2_4) + _COMMON
    questions = _QUESTIONS.format(introspection=introspection)
    files = {}
    if introspection:
        # Dovecot uses the last value of a setting.
        text += _TOKENS_FROM_2_4 if new else _TOKENS_BEFORE_2_4
        files = {} if new else {"oauth2.conf": questions}
    told = {"version": ".".join(map(str, version)), "questions": questions, **values}
    return {**files, "dovecot.conf": text.format(**told)}
