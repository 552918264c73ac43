#!/bin/sh
# Let Postfix hand a club's email to pbem, which then needs no mailbox. Other email is delivered as before.
# Usage: sh postfix-lmtp.sh ADDRESS [WHERE]. WHERE is in Postfix's form: inet:127.0.0.1:2424, or, by default,
# unix:private/pbem-lmtp in its queue folder.
set -eu
maps=$(postconf -h config_directory)/transport
echo "$1 lmtp:${2:-unix:private/pbem-lmtp}" >>"$maps"
postconf -e "transport_maps = texthash:$maps" "recipient_delimiter = +"
