#!/bin/sh
# Has Postfix hand the mail of a club over to pbem, which needs no mailbox then; all other mail goes where it went.
# Use: sh postfix-lmtp.sh ADDRESS [WHERE]. WHERE is as Postfix says it: inet:127.0.0.1:2424, or, by default,
# unix:private/pbem-lmtp in its queue folder.
set -eu
maps=$(postconf -h config_directory)/transport
echo "$1 lmtp:${2:-unix:private/pbem-lmtp}" >>"$maps"
postconf -e "transport_maps = texthash:$maps" "recipient_delimiter = +"
