#!/bin/sh
# Set up Postfix for a club: email for the domain goes to Dovecot, and users logged in on this machine may send.
# Email to postmaster@ and abuse@ goes to the operator.
# Usage: sh postfix.sh DOMAIN [OPERATOR]. The mailboxes are lines of /etc/postfix/mailboxes.
set -eu
operator=${2:-root@localhost}
postconf -e "virtual_mailbox_domains = $1" \
    "virtual_mailbox_maps = texthash:/etc/postfix/mailboxes" \
    "virtual_alias_maps = inline:{{postmaster@$1=$operator},{abuse@$1=$operator}}" \
    "virtual_transport = lmtp:unix:private/dovecot-lmtp" \
    "mydestination = localhost" \
    "recipient_delimiter = +" \
    "smtpd_sasl_type = dovecot" \
    "smtpd_sasl_path = private/auth"
postconf -M "127.0.0.1:587/inet=127.0.0.1:587 inet n - y - - smtpd"
postconf -P "127.0.0.1:587/inet/smtpd_sasl_auth_enable=yes" \
    "127.0.0.1:587/inet/smtpd_recipient_restrictions=permit_sasl_authenticated,reject"
