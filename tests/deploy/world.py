"""The world around a mail server: its DNS, and a provider with mailboxes of players.

python world.py ADDRESS ZONE...: each zone a file, with the domain as its name. What the provider
takes it prints, an object a line; what it is to send comes in by lines of the same form.
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
"""Where the mail server of the club is."""
GONE = "gone@"
"""A mailbox that does not exist."""


class Names(socketserver.UDPServer):
    """Knows some zones, and that there is nothing else."""

    allow_reuse_address = True
    zones: Sequence[dns.zone.Zone]

    def answer(self, asked: dns.message.Message) -> dns.message.Message:
        """What stands in a zone."""
        told = dns.message.make_response(asked, recursion_available=True)
        found = self._found(asked.question[0])
        if found is None:
            told.set_rcode(dns.rcode.NXDOMAIN)
        else:
            told.answer.extend(found)
        return told

    def _found(self, wanted: dns.rrset.RRset) -> list[dns.rrset.RRset] | None:
        """Records of a name and a kind; None where there is no such name."""
        for zone in self.zones:
            assert zone.origin is not None
            if wanted.name.is_subdomain(zone.origin) and zone.get_node(wanted.name):
                found = zone.get_rrset(wanted.name, wanted.rdtype)
                return [dns.rrset.from_rdata_list(wanted.name, 60, list(found))] if found else []
        return None


class Question(socketserver.BaseRequestHandler):
    """One question."""

    def handle(self) -> None:
        """Answers it."""
        assert isinstance(self.server, Names)
        packet, line = self.request
        answer = self.server.answer(dns.message.from_wire(packet))
        line.sendto(answer.to_wire(), self.client_address)


class Provider:
    """Takes mail for everybody but one."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Whom it is for."""
        if address.startswith(GONE):
            return "550 5.1.1 There is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Tells of it."""
        [to], raw = envelope.rcpt_tos, envelope.original_content or b""
        print(json.dumps({"to": to, "raw": raw.decode("latin-1")}), flush=True)
        return "250 2.0.0 taken"


def send(address: str) -> None:
    """Sends what comes in by lines, until they end."""
    for line in sys.stdin:
        mail = json.loads(line)
        with smtplib.SMTP(CLUB, 25, source_address=(address, 0)) as server:
            server.sendmail(mail["sender"], [mail["to"]], mail["raw"].encode("latin-1"))


async def live(address: str) -> None:
    """Answers questions and takes mail until nothing comes in any more."""
    loop = asyncio.get_running_loop()
    await loop.create_server(
        lambda: SMTP(Provider(), hostname="mx.players.example"), address, 25, reuse_address=True
    )
    print("{}", flush=True)
    await asyncio.to_thread(send, address)


def main(address: str, *zones: str) -> None:
    """Runs both."""
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
