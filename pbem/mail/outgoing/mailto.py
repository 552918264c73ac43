"""Mailto: an address that opens a mail with its recipient, subject and text filled in (RFC 6068).

Everything but unreserved characters is encoded, the plus of the address too: some programs take it
for a space (GNOME hands links on so), and those that would keep it decode `%2B` (section 5).
"""

from __future__ import annotations

from urllib.parse import quote

from pbem.mail.outgoing.taps import ReplyTo

_LINE_BREAK = "%0D%0A"  # section 5; behind the text, too: what programs sign with begins a new line


def mailto(reply_to: ReplyTo, text: str) -> str:
    """Address that opens an answer of one line."""
    local, _, host = reply_to.address.rpartition("@")
    subject = quote(f"Re: {reply_to.subject}", safe="")
    body = quote(text, safe="") + _LINE_BREAK
    return f"mailto:{quote(local, safe='')}@{quote(host, safe='')}?subject={subject}&body={body}"
