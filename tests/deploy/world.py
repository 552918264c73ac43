"""Simulate the world around a mail server: its DNS, and a provider with players' mailboxes.

Usage: python world.py ADDRESS ZONE... Each zone is a file, named after its domain. The provider
prints each email it accepts as one JSON object per line, and sends those it reads in the same form.
"""

from __future__ import annotations

import asyncio
import json
import smtplib
import socketserver
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rrset
import dns.zone
from aiosmtpd.smtp import SMTP, Envelope, Session

CLUB = "192.0.2.1"
"""The address of the club's mail server."""
GONE = "gone@"
"""The start of an address that does not exist."""


class Names(socketserver.UDPServer):
    """A name server that knows some zones and nothing else."""

    allow_reuse_address = True
    zones: Sequence[dns.zone.Zone]

    def answer(self, asked: dns.message.Message) -> dns.message.Message:
        """Answer a query from the zones."""
        told = dns.message.make_response(asked, recursion_available=True)
        found = self._found(asked.question[0])
        if found is None:
            told.set_rcode(dns.rcode.NXDOMAIN)
        else:
            told.answer.extend(found)
        return told

    def _found(self, wanted: dns.rrset.RRset) -> list[dns.rrset.RRset] | None:
        """Return the records of a name and type, or None if there is no such name."""
        for zone in self.zones:
            assert zone.origin is not None
            if wanted.name.is_subdomain(zone.origin) and zone.get_node(wanted.name):
                found = zone.get_rrset(wanted.name, wanted.rdtype)
                return [dns.rrset.from_rdata_list(wanted.name, 60, list(found))] if found else []
        return None


class Question(socketserver.BaseRequestHandler):
    """A query."""

    def handle(self) -> None:
        """Answer the query."""
        assert isinstance(self.server, Names)
        packet, line = self.request
        answer = self.server.answer(dns.message.from_wire(packet))
        line.sendto(answer.to_wire(), self.client_address)


class Provider:
    """A mail server that accepts email for every recipient except one."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or reject a recipient."""
        if address.startswith(GONE):
            return "550 5.1.1 There is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Print an accepted email."""
        [to], raw = envelope.rcpt_tos, envelope.original_content or b""
        print(json.dumps({"to": to, "raw": raw.decode("latin-1")}), flush=True)
        return "250 2.0.0 taken"


def send(address: str) -> None:
    """Send the emails that standard input describes, until it ends."""
    for line in sys.stdin:
        mail = json.loads(line)
        with smtplib.SMTP(CLUB, 25, source_address=(address, 0)) as server:
            server.sendmail(mail["sender"], [mail["to"]], mail["raw"].encode("latin-1"))


async def live(address: str) -> None:
    """Answer queries and accept email until standard input ends."""
    loop = asyncio.get_running_loop()
    await loop.create_server(
        lambda: SMTP(Provider(), hostname="mx.players.example"), address, 25, reuse_address=True
    )
    print("{}", flush=True)
    await asyncio.to_thread(send, address)


def main(address: str, *zones: str) -> None:
    """Run the name server and the provider."""
    with Names(("127.0.0.1", 53), Question) as names:
        names.zones = [
            dns.zone.from_text(
                Path(each).read_text(), Path(each).name, relativize=False, check_origin=False
            )
            for each in zones
        ]
        threading.Thread(target=names.serve_forever, daemon=True).start()
        asyncio.run(live(address))
        names.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
