#!/bin/sh
# Set up OpenDKIM for a club's Postfix, and print the DNS records of its domain.
# Usage: sh opendkim.sh DOMAIN [ADDRESS], in any folder. ADDRESS is the IP address of this machine.
set -eu
keys=/etc/opendkim
spool=$(postconf -h queue_directory)/opendkim
servers=$(sed -n 's/^nameserver[[:space:]]*//p' /etc/resolv.conf | paste -s -d ,)
install -d -o opendkim -g opendkim -m 0700 $keys
install -d -o opendkim -g postfix -m 2750 "$spool"
[ -e $keys/club.private ] || opendkim-genkey --domain="$1" --selector=club --bits=2048 --directory=$keys
chown opendkim:opendkim $keys/club.private
sed "s/DOMAIN/$1/; s/NAMESERVERS/${servers:-127.0.0.1}/" "$(dirname "$0")/opendkim.conf" >/etc/opendkim.conf
# Also check email that local programs send without SMTP, because its headers may say anything.
# While OpenDKIM is down, email waits, here or at its sender.
postconf -e "myhostname = mail.$1" "smtpd_milters = unix:opendkim/opendkim.sock" \
    "non_smtpd_milters = \$smtpd_milters" "milter_default_action = tempfail"
cat <<RECORDS
@      IN MX  10 mail.$1.
mail   IN A   ${2:-192.0.2.1}
@      IN TXT "v=spf1 mx -all"
_dmarc IN TXT "v=DMARC1; p=none; rua=mailto:postmaster@$1"
RECORDS
cat $keys/club.txt
