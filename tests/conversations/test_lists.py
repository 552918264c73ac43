"""Lists by email: games, members, matches, one match by number, and its record."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

import pytest

from pbem.adapters.archive_files import FileArchive
from pbem.archive.site.values import Site
from pbem.matches.record import from_json, verify
from pbem.service.club import Public, Room
from pbem.service.members.forget import forget
from pbem.service.work import writing
from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str) -> Received:
    """Send a new email to the club and return its one answer. Strangers get three an hour."""
    person.receives()
    house.clock.advance(minutes=20)
    person.says(text, recipient=house.address, references=False, quoting=False, subject="hello")
    house.works()
    [answer] = person.receives()
    assert all(len(line) <= 72 for line in answer.text.splitlines())
    return answer


def flat(mail: Received) -> str:
    return " ".join(mail.text.split())


def bodies(mail: Received) -> list[str]:
    return [link.body.strip() for link in links_of(mail)]


def test_games_lists_what_can_be_played(house: House, anna: Person) -> None:
    told = asks(house, anna, "games")
    assert "lancelot Lancelot, for 2, 3, 4 or 5 players" in flat(told)
    assert "excalibur=off" in told.text
    assert "bot-random, bot-greedy and bot-steady" in flat(told)
    assert "rules lanko-68" in bodies(told)
    assert "play bot-steady lancelot" in bodies(told)
    assert "<table" in told.html


def test_members_lists_visible_members_without_addresses(
    house: House, anna: Person, bert: Person
) -> None:
    house.player("Clara")
    asks(house, anna, "members")
    with_proof(house, bert, "set page hidden")
    told = asks(house, anna, "members")
    assert "Anna" in told.text
    assert "Clara" in told.text
    assert "Bert" not in told.text
    assert "@" not in told.text.replace(house.address, "")
    assert "Bert" in asks(house, bert, "members").text
    assert "Clara" not in asks(house, anna, "members a").text
    dora = house.player("Dora")
    assert dora.player is not None
    with writing(house.club) as work:
        forget(work, dora.player)
    assert "former" not in asks(house, anna, "members").text


def with_proof(house: House, person: Person, text: str) -> None:
    """Answer an email of the club."""
    asks(house, person, "help")
    person.says(text)
    house.works()
    person.receives()


def test_matches_are_listed_with_player_to_move_and_time_left(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=9)
    house.match("lanrick-1893", bert, anna)
    house.match("lanko-88", anna, bert, days=2)
    told = asks(house, anna, "matches")
    yours, others = told.text.split("Waiting for others:")
    assert yours.index("match 3") < yours.index("match 1")
    assert "1 day and 23" in " ".join(yours.split())
    assert "match 2" in others
    assert "Bert to move" in others
    assert bodies(told)[:3] == ["match 3", "match 1", "match 2"]
    assert "not playing any match" in asks(house, house.player("Clara"), "matches").text


def test_ended_matches_are_listed_on_request(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.resigns(anna)
    assert "match 1" not in asks(house, anna, "matches").text
    told = asks(house, anna, "matches all")
    assert "Bert won" in told.text
    assert bodies(told)[:2] == ["match 1", "record 1"]


def test_long_list_of_matches_is_cut_and_says_so(house: House, anna: Person, bert: Person) -> None:
    for _ in range(53):
        house.match("lanko-68", anna, bert)
    told = asks(house, anna, "matches")
    assert "And 3 more." in told.text


def opened(house: House, public: Public = Public.LIVE, delay: int = 0) -> None:
    """Give the club a reading room with a rule for public matches."""
    room = Room(Site("pbem", house.address), FileArchive(house.home / "site"), public, delay)
    house.club = replace(house.club, room=room)


def files(mail: Received) -> dict[str, str]:
    return {str(each.get_filename()): content(each) for each in mail.message.iter_attachments()}


def content(part: EmailMessage) -> str:
    raw = part.get_payload(decode=True)
    assert isinstance(raw, bytes)
    return raw.decode()


def plays(house: House, person: Person, move: str) -> None:
    person.receives()
    person.says(move)
    house.works()


def test_own_match_is_sent_and_can_be_answered(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanko-88", anna, bert)
    told = asks(house, anna, "match 1")
    assert "Match 1, Lanko-68, turn 1" in told.text
    assert "4 days and 23 hours" in " ".join(told.text.split())
    assert "History of match 1" in told.text
    anna.says("[41-36]")
    house.works()
    assert house.moves(1) == ["[41-36]"]


def test_answer_with_two_matches_gives_no_tokens(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanrick-1893", anna, bert)
    told = asks(house, anna, "match 1\nmatch 2")
    assert "Match 1, Lanko-68" in told.text
    assert "Match 2, Lanrick" in told.text
    assert {link.address for link in links_of(told)} == {told.reply_to}
    anna.says("[41-36]")
    house.works()
    assert house.moves(1) == []


@pytest.mark.parametrize("text", ("match 1", "record 1", "mails 1 all"))
def test_outsiders_learn_nothing_of_a_match_without_a_reading_room(
    house: House, anna: Person, bert: Person, text: str
) -> None:
    house.match("lanko-68", anna, bert)
    clara = house.player("Clara")
    told = asks(house, clara, text)
    of_none = asks(house, clara, text.replace("1", "9"))
    assert flat(told).replace("match 1", "match 9") == flat(of_none)
    assert "you have no match 1" in flat(told)
    assert "Anna" not in told.text


def test_public_match_can_be_requested_by_number(house: House, anna: Person, bert: Person) -> None:
    opened(house, delay=1)
    house.match("lanko-68", anna, bert)
    plays(house, anna, "[41-36]")
    plays(house, bert, "[10-19]")
    clara = house.player("Clara")
    told = asks(house, clara, "match #1")
    assert "Match 1, Lanko-68, turn 2" in told.text
    assert "This is the board as it was 1 turn ago" in told.text
    assert "S (White) Anna" in flat(told)
    assert told.message["List-Id"] is None
    assert "1-" not in told.reply_to.partition("@")[0].partition("+m")[0]
    record = files(asks(house, clara, "record 1"))
    assert "[41-36]" in record["match-000001-lanko-68.txt"]
    assert "[10-19]" not in record["match-000001-lanko-68.txt"]
    with_proof(house, bert, "set page hidden")
    told = asks(house, clara, "match 1")
    assert "a member" in told.text
    assert "Bert" not in told.text
    assert "I can't send you a record of match 1" in flat(asks(house, clara, "record 1"))


def test_match_public_after_its_end_is_private_until_then(
    house: House, anna: Person, bert: Person
) -> None:
    opened(house, Public.ENDED)
    house.match("lanko-68", anna, bert)
    clara = house.player("Clara")
    for text in ("match 1", "record 1"):
        assert "you have no match 1" in flat(asks(house, clara, text))
    house.resigns(anna)
    assert "Bert wins" in asks(house, clara, "match 1").text
    assert len(files(asks(house, clara, "record 1"))) == 2


def test_record_is_sent_as_files_identical_to_the_archive(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "[41-36]")
    told = asks(house, bert, "record 1")
    assert "up to the current turn" in flat(told)
    assert "[41-36]" in files(told)["match-000001-lanko-68.txt"]
    house.resigns(anna)
    told = asks(house, bert, "record 1")
    archived = {path.name: path.read_bytes().decode() for path in house.records()}
    assert files(told) == archived
    assert verify(from_json(files(told)["match-000001-lanko-68.json"])) == []


def test_files_come_with_a_receipt_too(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "[41-36]\nrecord 1")
    [receipt] = anna.receives()
    assert "Thank you, Anna" in receipt.text
    assert len(files(receipt)) == 2
    assert files(bert.receives()[-1]) == {}


def test_requested_files_are_limited_to_one_emails_size(
    house: House, anna: Person, bert: Person
) -> None:
    for _ in range(11):
        house.match("lanko-68", anna, bert)
    assert len(files(asks(house, anna, "record 1\nrecord 1"))) == 2
    wanted = "\n".join(f"record {number}" for number in range(1, 12))
    assert "more than 20 files" in flat(asks(house, anna, wanted))
