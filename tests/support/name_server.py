"""A name server on loopback that answers from a zone."""

from __future__ import annotations

import socketserver
from threading import Thread
from types import TracebackType
from typing import Self

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdata
import dns.resolver
import dns.rrset

from pbem.adapters.dns_records import DnsRecords


class NameServer:
    """Serves records written as lines of a zone file. `names` uses it."""

    def __init__(self, *lines: str) -> None:
        self._records = [_record(line) for line in lines]
        self._server = socketserver.ThreadingUDPServer(("127.0.0.1", 0), _answerer(self._answer))
        self.port: int = self._server.server_address[1]
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], self.port
        self.names = DnsRecords(resolver)

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, query: dns.message.Message) -> dns.message.Message:
        response, (question,) = dns.message.make_response(query), query.question
        at_name = [each for each in self._records if each.name == question.name]
        response.answer = [each for each in at_name if each.rdtype == question.rdtype]
        response.set_rcode(dns.rcode.NOERROR if at_name else dns.rcode.NXDOMAIN)
        response.flags |= dns.flags.RA
        return response


def _record(line: str) -> dns.rrset.RRset:
    name, kind, value = line.split(maxsplit=2)
    root = dns.name.root
    data = dns.rdata.from_text("IN", kind, value, origin=root, relativize=False)
    return dns.rrset.from_rdata(dns.name.from_text(name), 60, data)


def _answerer(answer: object) -> type[socketserver.BaseRequestHandler]:
    class Answerer(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked, line = self.request
            reply = answer(dns.message.from_wire(asked))  # type: ignore[operator]
            line.sendto(reply.to_wire(), self.client_address)

    return Answerer
