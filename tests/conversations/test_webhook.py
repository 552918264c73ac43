"""`[webhook]`: public events, posted to a real HTTP server."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pbem.adapters.webhook import HttpWebhook
from pbem.archive.site.values import Site
from pbem.service.club import Public, Room
from pbem.service.problems import ClubPart, problems_of
from pbem.service.reading_room.announce import announce
from pbem.service.reading_room.publish import publish_room
from pbem.service.status import status_of
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.fakes.archive import FakeArchive

pytestmark = pytest.mark.servers
URL = "https://games.example/"
KEY = b"a key of twenty-four oct"
SECRET = f"whsec_{b64encode(KEY).decode()}"


@dataclass
class Receiver:
    """A program that is called, and what it got. It checks each signature."""

    status: int = 204
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Ids and events that it took."""
    refused: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Those that it did not take."""
    url: str = ""

    def took(self, headers: Any, body: bytes) -> int:
        event_id, stamp = headers["webhook-id"], headers["webhook-timestamp"]
        signed = b".".join([event_id.encode(), stamp.encode(), body])
        version, _, given = headers["webhook-signature"].partition(",")
        right = hmac.new(KEY, signed, hashlib.sha256).digest()
        if version != "v1" or not hmac.compare_digest(b64decode(given), right):
            return 401
        if b"\n" in body:
            return 400
        taken = self.calls if self.status < 300 else self.refused
        taken.append((event_id, json.loads(body)))
        return self.status

    @contextmanager
    def running(self) -> Iterator[Receiver]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(receiver.took(self.headers, body))
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            self.url = f"http://127.0.0.1:{server.server_address[1]}/ring?key=hidden"
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().running() as receiver:
        yield receiver


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture(autouse=True)
def _webhook(house: House, receiver: Receiver) -> None:
    opens(house)
    house.club = replace(house.club, webhook=HttpWebhook(receiver.url, SECRET))


def opens(house: House, public: Public = Public.LIVE, delay: int = 0) -> None:
    """Give the house a reading room whose changes are announced."""
    site = Site("pbem", house.address, URL)
    room = Room(site, FakeArchive(), public, delay, announces=True)
    house.club = replace(house.club, room=room)


def published(house: House) -> None:
    house.works()
    with writing(house.club) as work:
        work.service.beat(work.now)
    assert house.club.room is not None
    assert publish_room(house.club.storage, house.club.room).problems == []
    announce(house.club)


def moves(house: House, person: Person, text: str) -> None:
    person.receives()
    person.says(text)
    published(house)


def kinds(receiver: Receiver) -> list[str]:
    return [event["type"] for _, event in receiver.calls]


def test_start_turns_and_end_of_a_match_ring(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    published(house)
    moves(house, anna, "E5")
    moves(house, bert, "F6")
    house.resigns(anna)
    published(house)
    published(house)
    assert kinds(receiver) == ["match.started", "turn.played", "turn.played", "match.ended"]
    start, turn, _, end = (event for _, event in receiver.calls)
    assert start["data"]["players"] == ["Anna", "Bert"]
    assert turn["content"] == "Match 1, Lancelot, turn 1: Anna plays E5."
    page = f"{URL}matches/match-000001-lancelot.html"
    assert turn["data"] == {
        "match": 1,
        "game": "lancelot",
        "turn": 1,
        "seat": "red",
        "player": "Anna",
        "actions": ["E5"],
        "url": f"{page}#turn-1",
    }
    assert end["data"]["winners"] == ["Bert"]
    assert end["data"]["termination"] == "resignation"
    assert end["content"].startswith("Match 1, Lancelot, is over. Bert wins: ")
    assert len({event_id for event_id, _ in receiver.calls}) == 4


def test_failed_event_comes_again_first_under_the_same_id(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    published(house)
    receiver.status = 302
    moves(house, anna, "E5")
    moves(house, bert, "F6")
    published(house)
    assert kinds(receiver) == ["match.started"]
    assert len(receiver.refused) == 3
    receiver.status = 200
    published(house)
    assert kinds(receiver) == ["match.started", "turn.played", "turn.played"]
    assert receiver.refused == [receiver.calls[1]] * 3


def test_unreachable_address_stops_nothing_and_shows_in_the_status(
    house: House, anna: Person, bert: Person, receiver: Receiver
) -> None:
    house.club = replace(house.club, webhook=HttpWebhook("http://127.0.0.1:9/", SECRET))
    house.match("lancelot", anna, bert)
    published(house)
    moves(house, anna, "E5")
    assert house.moves() == ["E5"]
    assert parts(house) == set()
    house.clock.advance(minutes=61)
    published(house)
    assert ClubPart.WEBHOOK in parts(house)
    house.club = replace(house.club, webhook=HttpWebhook(receiver.url, SECRET))
    published(house)
    assert kinds(receiver) == ["match.started", "turn.played"]
    assert ClubPart.WEBHOOK not in parts(house)


def parts(house: House) -> set[ClubPart]:
    with writing(house.club) as work:
        work.service.beat(work.now)
        work.service.polled(work.now)
    return {problem.part for problem in problems_of(status_of(house.club), 60)}


def test_events_that_waited_for_a_day_are_dropped(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    receiver.status = 500
    house.match("lancelot", anna, bert)
    published(house)
    house.clock.advance(days=1, minutes=1)
    receiver.status = 200
    published(house)
    assert receiver.calls == []
    moves(house, anna, "E5")
    assert kinds(receiver) == ["turn.played"]


def test_private_matches_send_nothing(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    opens(house, Public.NEVER)
    house.match("lancelot", anna, bert)
    published(house)
    moves(house, anna, "E5")
    house.resigns(bert)
    published(house)
    assert not receiver.calls + receiver.refused


def test_match_that_becomes_private_before_it_is_sent_sends_nothing(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    with writing(house.club) as work:
        work.matches.save(replace(work.match(1), public=Public.NEVER))
    announce(house.club)
    assert not receiver.calls + receiver.refused


def test_delay_is_that_of_the_reading_room(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    opens(house, delay=1)
    house.match("lancelot", anna, bert)
    published(house)
    moves(house, anna, "E5")
    assert kinds(receiver) == ["match.started"]
    moves(house, bert, "F6")
    assert [event["data"].get("actions") for _, event in receiver.calls] == [None, ["E5"]]
    opens(house, Public.ENDED)
    moves(house, anna, "E6")
    assert len(receiver.calls) == 2
    house.resigns(bert)
    published(house)
    assert kinds(receiver)[2:] == ["turn.played", "turn.played", "match.ended"]


def test_blind_matches_and_hidden_members_are_not_named(
    house: House, receiver: Receiver, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert, chosen="names=hidden")
    house.match("lancelot", anna, bert)
    with writing(house.club) as work:
        for person in (anna, bert):
            assert person.player is not None
            work.players.choose(person.player.id, "page", "hidden")
    published(house)
    anna.receives()
    anna.says("E5", to=anna.read[0])
    published(house)
    told = json.dumps([event for _, event in receiver.calls])
    assert "Anna" not in told
    assert "Bert" not in told
    assert "a member (2)" in told
    assert len(receiver.calls) == 3


def test_nothing_private_is_signed_with_the_wrong_key(house: House, receiver: Receiver) -> None:
    plain = HttpWebhook(receiver.url, "another secret of the club")
    house.club = replace(house.club, webhook=plain)
    house.match("lancelot", house.player("Dora"), house.player("Emil"))
    published(house)
    assert not receiver.calls + receiver.refused
    with reading(house.club) as work:
        assert work.service.webhook_fails_since() is not None
