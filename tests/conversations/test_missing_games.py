"""Matches whose game is not installed wait, are answered clearly, and continue once it is back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import games
from pbem.adapters.archive_files import FileArchive
from pbem.archive.files import ArchiveFile, read_record
from pbem.archive.site.values import Site
from pbem.commands import all_commands
from pbem.commands.api import Giver
from pbem.games.installed import Choice
from pbem.matches.clock import PauseReason
from pbem.matches.match import PlayerId
from pbem.ports.inbound import InboundState
from pbem.service.club import Public, Room
from pbem.service.members.forget import forget
from pbem.service.play.missing_games import look_for_games
from pbem.service.positions import Positions
from pbem.service.rating import rate_again, rate_waiting
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.verify import verify_all
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.test_directors_mail import director
from tests.support.distributions import Shelf, shelf

ON_FAKES_AND_SQL = pytest.mark.parametrize("house", ("fakes", "sqlite"), indirect=True)
NEWER = "FAMILY = Family(api=1, games=(nim(rules_version=2),))"
BOTH = "FAMILY = Family(api=1, games=(nim(rules_version=2),), older=(nim(),))"


@pytest.fixture
def installs(tmp_path: Path) -> Iterator[Shelf]:
    """A place to install distributions in. Nim is installed."""
    with shelf(tmp_path / "site-packages") as here:
        here.install("toy-nim")
        yield here


@pytest.fixture
def anna(house: House, installs: Shelf) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House, anna: Person) -> Person:
    """Anna's opponent in match 1, a match of Nim in which it is Bert's turn."""
    bert = house.player("Bert")
    house.match("nim", anna, bert)
    anna.receives()
    anna.says("take 3")
    house.works()
    bert.receives()
    anna.receives()
    return bert


def restarts(house: House) -> None:
    """Let a new process run the club, which knows no positions."""
    house.club = replace(house.club, positions=Positions())
    look_for_games(house.club)
    house.works()


def answers(house: House, person: Person, text: str, to: Received | None = None) -> str:
    """Send a text as an answer to an email, by default the newest. Return the only answer."""
    person.says(text, to)
    house.works()
    assert not house.inbound(InboundState.SHUNTED)
    [answer] = person.receives()
    return " ".join(answer.text.split())


@ON_FAKES_AND_SQL
def test_match_waits_without_its_game_and_continues_with_it(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    dora = director(house, "Dora")
    clara = house.player("Clara")
    house.match("lancelot", clara, anna)
    clara.receives()
    anna.receives()
    dora.receives()
    house.passes(days=1)
    left = house.state().clock.left(house.state().player_to_act or 0, house.clock.now())

    installs.uninstall("toy-nim")
    restarts(house)
    for person in (anna, bert):
        [told] = person.receives()
        assert "clocks paused" in told.message["Subject"]
        assert "match 1, Nim with" in told.text
    [report] = dora.receives()
    assert "Match 1 waits for the game nim, rules version 1, from toy-nim 1.0." in report.text
    assert "there is no game 'nim'" in " ".join(report.text.split())
    assert not clara.receives()
    restarts(house)  # nobody gets a second email
    assert not bert.receives()
    assert house.state().clock.pauses.keys() == {PauseReason.GAME}

    turn = next(mail for mail in bert.read if mail.kind == "your turn")
    answer = answers(house, bert, "I play two.", turn)
    assert "its game, Nim, is not installed at the moment. The match waits" in answer
    house.skips(days=20)
    assert not bert.receives()
    assert not anna.receives()

    installs.install("toy-nim", version="1.1")
    restarts(house)
    [told] = bert.receives()
    assert "match 1, Nim with Anna, turn 2: it is your turn until" in " ".join(told.text.split())
    *_, report = dora.receives()
    assert "The game of match 1 is back" in report.text
    now = house.state().clock.left(house.state().player_to_act or 0, house.clock.now())
    assert now is not None
    assert left is not None
    assert abs(now - left) < timedelta(hours=1)
    bert.says("take 2", turn)
    house.works()
    assert house.moves() == ["take 3", "take 2"]
    assert not list(verify_all(house.club.storage, house.club.archive))


@ON_FAKES_AND_SQL
def test_match_that_ended_is_rated_once_its_game_is_back(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    house.resigns(bert)
    assert rated(house) == [1]
    dora, emil = house.player("Dora"), house.player("Emil")
    house.match("nim", dora, emil)
    house.match("lancelot", anna, bert)
    house.resigns(dora, match=2)
    with writing(house.club) as work:  # as after the upgrade to a version with ratings
        work.ratings.drop([2])
        work.ratings.wait([1, 2])
    installs.uninstall("toy-nim")
    rate_again(house.club)
    rate_waiting(house.club)
    house.resigns(anna, match=3)
    assert rated(house) == [1, 3], "kept ratings stay, and other matches are rated meanwhile"
    with writing(house.club) as work:
        forget(work, work.players.get(bert_number(work)))
    house.works()
    assert rated(house) == [], "the record of match 1 had to be removed"
    installs.install("toy-nim")
    rate_again(house.club)
    house.works()
    assert rated(house) == [2]


def test_match_of_somebody_who_left_is_not_rated_although_its_game_is_missing(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    house.resigns(bert)
    assert rated(house) == [1]
    installs.uninstall("toy-nim")
    with writing(house.club) as work:
        forget(work, work.players.get(bert_number(work)))
        work.matches.mark_archived(1, work.now)  # as if its record never named Bert
        work.ratings.wait([1])
    rate_waiting(house.club)
    assert rated(house) == []


def bert_number(work: Work) -> PlayerId:
    bert = work.players.named("Bert")
    assert bert is not None
    return bert.id


def rated(house: House) -> list[int]:
    """Return the numbers of the rated matches."""
    with reading(house.club) as work:
        return [each.place.match_id for each in work.ratings.everything()]


def test_upgrade_without_the_old_rules_makes_their_matches_wait(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    installs.install("toy-nim", NEWER, version="2.0")
    restarts(house)
    house.match("nim", bert, anna)
    assert house.state(2).rules_version == 2
    assert [house.state(n).lacks_rules for n in (1, 2)] == [True, False]
    anna.receives()
    installs.install("toy-nim", BOTH, version="2.1")
    restarts(house)
    assert not house.state().lacks_rules
    assert [mail.kind for mail in anna.receives()] == [""]


def test_match_is_not_continued_by_another_distribution(
    house: House, installs: Shelf, bert: Person
) -> None:
    turn = bert.latest
    installs.uninstall("toy-nim")
    installs.install("other-nim")
    restarts(house)
    bert.receives()
    assert "not installed" in answers(house, bert, "I play one.", turn)


SAMPLES = {
    "number": "1",
    "match": "1",
    "turn": "1",
    "turns": "1-2",
    "span": "3d",
    "length": "3d",
    "text": "text",
    "player text": "Anna text",
    "line": "take 1",
}


def every_request() -> Iterator[str]:
    """Yield each command that may be about a match, with the match or without."""
    for command in all_commands():
        if command.giver is not Giver.DIRECTOR and command.word not in ("forget me", "join"):
            samples = [SAMPLES.get(each.name, "take 1") for each in command.arguments]
            yield command.word
            yield " ".join([command.word, *samples])


def test_every_email_about_a_waiting_match_gets_one_answer(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    turn = bert.latest
    installs.uninstall("toy-nim")
    restarts(house)
    bert.receives()
    before = house.state().entries
    requests = [*every_request(), "Hello Anna!", "take 2", "[take 2]", "1. take 2"]
    for number, request in enumerate(requests):
        if number % 5 == 0:  # a member gets only so many answers in a day
            house.skips(days=1)
        bert.says(request, turn)
        house.works()
        assert not house.inbound(InboundState.SHUNTED), request
        answered = bert.receives()
        assert len(answered) == 1, (request, [mail.text for mail in answered])
    assert house.state().entries == before


def test_director_can_look_at_a_waiting_match_pause_and_cancel_it(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    dora = director(house, "Dora")
    installs.uninstall("toy-nim")
    restarts(house)
    dora.receives()
    for line, told in (
        ("match 1", "Nim"),
        ("adjudicate 1 Anna She is better", "waits for its game, which is not installed"),
        ("forfeit 1 Bert", "waits for its game"),
        ("undo 1 to 1", "waits for its game"),
        ("act 1 second take 1", "waits for its game"),
        ("extend 1 2d", "Done: extend 1 2d"),
        ("pause 1", "Done: pause 1"),
        ("cancel 1 It will not come back", "Done: cancel 1"),
        ("reopen 1", "waits for its game"),
    ):
        answer = answers(house, dora, line)
        if "did you send this?" in answer:
            answer = answers(house, dora, "confirm")
        assert told in answer, (line, answer)
    assert house.state().result is not None
    assert any("cancelled" in mail.text for mail in anna.receives())
    assert not list(verify_all(house.club.storage, house.club.archive))


def test_record_is_written_once_the_game_is_back(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    """A member who leaves meanwhile is named nowhere, and the match ends once it can."""
    clara = house.player("Clara")
    for person, text in ((bert, "take 2"), (anna, "take 2")):
        person.says(
            text, [mail for mail in person.read if "[pbem 1]" in mail.message["Subject"]][-1]
        )
        house.works()
        person.receives()
        anna.receives()
    assert house.records()
    house.match("nim", bert, clara)
    installs.uninstall("toy-nim")
    restarts(house)
    archive = house.club.archive
    assert bert.player is not None
    assert len(house.records()) == 2  # those of ended matches stay as they are
    with writing(house.club) as work:
        forget(work, work.players.get(bert.player.id))
    house.works()
    assert not house.records()
    assert "Bert" not in (archive.read("index.txt") or b"").decode()
    assert not house.inbound(InboundState.SHUNTED)
    assert not list(verify_all(house.club.storage, archive))
    installs.install("toy-nim")
    restarts(house)
    assert house.state(2).result is not None
    records = [read_record(ArchiveFile(path.name, path.read_bytes())) for path in house.records()]
    assert {record.provider for record in records} == {"toy-nim 1.0"}
    assert not list(verify_all(house.club.storage, archive))


def test_lists_digests_and_bots_leave_a_waiting_match_alone(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    [bot] = house.bots("greedy")
    house.match("nim", bot, anna)
    clara = house.player("Clara", mails="digest 07:30")
    house.match("nim", clara, bert)
    house.match("lancelot", clara, bert)
    installs.uninstall("toy-nim")
    house.match("lancelot", bert, clara)
    restarts(house)
    clara.receives()
    house.skips(days=1)
    digests = [mail for mail in clara.receives() if "[pbem]" in mail.message["Subject"]]
    assert digests
    assert not any("Nim" in mail.text for mail in digests)
    listed = answers(house, bert, "matches", bert.receives()[-1])
    assert "match 1 Nim with Anna turn 2, waiting for its game" in listed
    with reading(house.club) as work:
        failed = work.service.failed_templates(house.clock.now() - timedelta(days=9))
    assert not failed
    installs.install("toy-nim")
    restarts(house)
    assert len(house.moves(2)) == 1


def test_deadline_passed_before_is_judged_once_the_game_is_back(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    house.match("nim", anna, bert, chosen="flag=loss")
    flag_at = house.flag_at(2)
    assert flag_at is not None
    house.clock.advance(seconds=(flag_at - house.clock.now()).total_seconds() + 60)
    with writing(house.club) as work:
        work.service.beat(house.clock.now())
    installs.uninstall("toy-nim")
    restarts(house)
    house.skips(days=1)
    assert house.state(2).result is None
    installs.install("toy-nim")
    restarts(house)
    house.sweeps()
    assert house.state(2).result is not None


def room_of(house: House) -> Room:
    """Give the club a reading room."""
    site = Site("pbem", house.address, "https://games.example/", "")
    store = FileArchive(house.home / "site", public=True)
    house.club = replace(house.club, room=Room(site, store, Public.LIVE))
    assert house.club.room is not None
    return house.club.room


def test_pages_are_written_without_the_game(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    room = room_of(house)

    def written() -> str:
        done = publish_room(house.club.storage, room, everything=True)
        assert not done.problems
        return (room.store.read("matches/match-000001-nim.html") or b"").decode()

    assert "take 3" in written()
    installs.uninstall("toy-nim")
    restarts(house)
    page = written()
    assert "take 3" in page
    assert "Anna" in page
    assert room.store.read("matches/match-000001-nim.json") is None
    assert "Nim" in (room.store.read("running.html") or b"").decode()
    clara = house.player("Clara")
    clara.says("match 1")
    house.works()
    assert "Nim" in clara.receives()[-1].text
    assert not house.inbound(InboundState.SHUNTED)
    installs.install("toy-nim")
    restarts(house)
    assert room.store.read("matches/match-000001-nim.json") is None
    assert "take 3" in written()
    assert room.store.read("matches/match-000001-nim.json") is not None


def test_offers_of_a_missing_game_can_be_seen_but_not_taken(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    for person, line in ((anna, "offer nim"), (anna, "offer nim always"), (bert, "play nim clara")):
        person.says(line, recipient=house.address, subject="hello")
        house.works()
        assert not house.inbound(InboundState.SHUNTED)
    [challenge] = clara.receives()
    installs.uninstall("toy-nim")
    restarts(house)
    anna.receives()
    for person, line, told in (
        (clara, "accept", "starts no new matches of Nim"),
        (clara, "counter days=9", "starts no new matches of Nim"),
        (clara, "take 1", "starts no new matches of Nim"),
        (anna, "offers", "Nim"),
        (clara, "offers", "Nim"),
        (anna, "withdraw 1", "withdrawn"),
    ):
        answer = answers(house, person, line, challenge if person is clara else None)
        assert told in answer, (line, answer)
    house.skips(days=40)
    assert not house.inbound(InboundState.SHUNTED)
    assert len(house.matches()) == 1


def test_disabled_game_takes_no_new_matches_and_those_in_play_continue(
    house: House, installs: Shelf, anna: Person, bert: Person
) -> None:
    games.choose(Choice(disabled=("nim",)))
    restarts(house)
    answer = answers(house, bert, "play nim anna", bert.latest)
    assert "this club starts no new matches of Nim at the moment" in answer
    assert "nim" not in answers(house, bert, "games").lower()
    turn = next(mail for mail in bert.read if mail.kind == "your turn")
    bert.says("take 2", turn)
    house.works()
    assert house.moves() == ["take 3", "take 2"]


HOSTILE = """
evil = "<script>alert(1)</script> & 'co'"
FAMILY = Family(api=1, games=(nim(title="<b>Nim</b> & co", summary=evil, score=evil,
    seat_titles={"first": evil, "second": evil}, seat_names={"first": "first", "second": evil}),))

def hostile(self, position, seat):
    from pbem.games.diagram import Cell, Diagram, Group
    cell = Cell("<i>", "<script>", name="<i>")
    return Diagram(1, 1, {(0, 0): cell}, (evil,), (evil,), groups=(Group(evil, (((), evil),)),),
        column_names=("<i>",), row_names=("<i>",))

HostileNim = type("HostileNim", (Nim,), {"diagram": hostile,
    "rules": lambda *_: "# Nim\\n\\n<script>alert(2)</script> **bold**"})
game = HostileNim()
game.info = FAMILY.games[0].info
FAMILY = Family(api=1, games=(game,))
"""


def test_words_of_other_distributions_are_escaped_like_any_text(
    house: House, installs: Shelf
) -> None:
    installs.install("toy-nim", HOSTILE)
    room = room_of(house)
    anna, bert = house.player("Anna", board="picture"), house.player("Bert")
    house.match("nim", anna, bert)
    anna.says("take 3", anna.receives()[-1])
    house.works()
    for line in ("show", "rules", "games", "legal", "history", "matches", "nonsense"):
        bert.says(line, bert.receives()[-1])
        house.works()
    done = publish_room(house.club.storage, room, everything=True)
    assert not done.problems
    shown = [mail.html for person in (anna, bert) for mail in [*person.read, *person.receives()]]
    pages = [name for name in room.store.names() if name.endswith((".html", ".svg", ".atom"))]
    shown += [(room.store.read(name) or b"").decode() for name in pages]
    assert any("&lt;script&gt;alert(1)" in text for text in shown)
    assert any("&lt;script&gt;alert(2)" in text for text in shown)
    for text in shown:
        for raw in ("<script>alert", "<b>Nim", "<i>"):
            assert raw not in text
