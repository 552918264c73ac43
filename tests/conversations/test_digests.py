"""Digests: one email a day about all matches, and only what cannot wait at once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.topic import DigestTopic
from pbem.service.direct import orders
from pbem.service.members.own_addresses import accept, address_fails
from pbem.service.play.digests import send_due
from pbem.service.work import reading, writing
from pbem.settings import SettingError, mails
from pbem.settings.mails import read_digest
from tests.conversations.house import House, Person, Received
from tests.conversations.returned import comes_back
from tests.conversations.test_directing import decides
from tests.conversations.test_directors_mail import director
from tests.conversations.test_fewer_mails import flat, says
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    """A clock that starts at noon, since the hour decides whether news can wait for a digest."""
    return FakeClock(datetime.now(UTC).replace(hour=12, minute=0))


@pytest.fixture
def anna(house: House) -> Person:
    """A member who wants a digest at half past seven."""
    return house.player("Anna", mails="digest 07:30")


@pytest.fixture
def bert(house: House) -> Person:
    """A member who gets an email about every turn."""
    return house.player("Bert")


def until(house: House, hour: int, minute: int = 0) -> None:
    """Move the clock to the next such time in UTC, then sweep."""
    now = house.clock.now().replace(second=0, microsecond=0)
    wait = timedelta(hours=hour - now.hour, minutes=minute - now.minute) % timedelta(days=1)
    house.skips(days=wait / timedelta(days=1))


def morning(house: House, person: Person) -> list[Received]:
    """Return what a person receives until the next digest is due."""
    house.skips(days=1 / 1440)
    until(house, 7, 31)
    return person.receives()


def plays(house: House, person: Person, match: int = 1, note: str = "") -> None:
    """Send a legal move in answer to the newest email about a match."""
    person.receives()
    about = [each for each in person.read if f"[pbem {match}]" in each.message["Subject"]][-1]
    [example] = re.findall(r"for example:\n\n    (.+)", about.text)
    person.says(f"{example}\n\n{note}".strip(), about)
    house.works()


def kinds(mails: list[Received]) -> list[str]:
    return [each.kind for each in mails]


def headings(mail: Received) -> list[str]:
    return re.findall(r"^Match \d+: .*$", mail.text, re.MULTILINE)


def test_one_email_shows_all_matches_by_time_left(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=9)
    house.match("lanko-88", anna, bert, days=8)
    house.match("lanrick-1893", anna, bert, days=6)
    house.match("lancelot", bert, anna, days=7)
    assert anna.receives() == []
    plays(house, bert, 1, "Good luck!")
    assert anna.receives() == []
    [digest] = morning(house, anna)
    assert digest.message["Subject"] == "[pbem] 3 matches wait for you"
    assert headings(digest) == [
        "Match 3: Lanrick (1893), Bert",
        "Match 2: Lanko-88, Bert",
        "Match 1: Lancelot, Bert",
        "Match 4: Lancelot, Bert",
    ]
    assert "| Good luck!" in digest.text
    assert house.moves()[0] in digest.text
    assert "Match 4 has started." in digest.text
    assert all(len(line) <= 72 for line in digest.text.splitlines())
    assert digest.message["Auto-Submitted"] == "auto-generated"


def test_unanswered_digest_is_not_repeated(house: House, anna: Person, bert: Person) -> None:
    for _ in range(2):
        house.match("lancelot", bert, anna, days=20)
    plays(house, bert, 1)
    assert len(morning(house, anna)) == 1
    assert morning(house, anna) == []
    plays(house, bert, 2)
    [digest] = morning(house, anna)
    assert headings(digest) == ["Match 2: Lancelot, Bert"]
    assert "match 1  Lancelot with Bert" in digest.text
    assert digest.message["Subject"] == "[pbem] 2 matches wait for you"
    assert morning(house, anna) == []


def test_short_time_is_urgent(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=1)
    plays(house, bert)
    [turn] = anna.receives()
    assert turn.kind == "your turn"
    assert morning(house, anna) == [] or anna.latest.kind == "a reminder"


def test_time_that_gets_short_makes_news_urgent(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=9)
    morning(house, anna)
    plays(house, bert)
    assert anna.receives() == []
    with writing(house.club) as work:
        match = work.matches.lock(1)
        clock = match.clock.added(match.player_to_act or 0, -timedelta(days=8), work.now)
        work.matches.save_clocks([replace(match, clock=clock)])
    house.sweeps()
    assert "your turn" in kinds(anna.receives())
    assert not any(map(headings, morning(house, anna)))


def test_new_offer_and_end_of_a_set_cannot_wait(house: House, anna: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.match("lancelot", bert, anna, clara)
    bert.receives()
    says(house, bert, "draw?")
    [offer] = anna.receives()
    assert "Bert offers a draw" in offer.text
    house.series("lanrick-1893", bert, anna, games=1)
    anna.receives()
    house.resigns(bert, match=2)
    assert "you won match 2" in flat(anna.receives()[0])


def test_single_match_ends_in_the_digest(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna)
    house.resigns(bert)
    assert anna.receives() == []
    [digest] = morning(house, anna)
    assert "Anna wins" in digest.text
    assert "The match is over." in digest.text
    assert morning(house, anna) == []


def test_digest_command_shows_everything_at_once(house: House, anna: Person, bert: Person) -> None:
    anna.says("digest")
    house.works()
    assert "No match waits for you" in anna.receives()[-1].text
    for _ in range(2):
        house.match("lancelot", bert, anna)
    plays(house, bert, 1)
    says(house, anna, "digest")
    [digest] = anna.receives()
    assert headings(digest) == ["Match 1: Lancelot, Bert", "Match 2: Lancelot, Bert"]
    assert digest.message["Auto-Submitted"] == "auto-replied"
    assert morning(house, anna) == []
    says(house, anna, "digest")
    [again] = anna.receives()
    assert headings(again) == ["Match 1: Lancelot, Bert"]


def test_changed_setting_sends_what_waits(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    morning(house, anna)
    plays(house, bert)
    anna.says("set mails all")
    house.works()
    assert "all" in anna.receives()[-1].text
    house.sweeps()
    [digest] = anna.receives()
    assert headings(digest) == ["Match 1: Lancelot, Bert"]
    house.match("lancelot", bert, anna)
    assert len(anna.receives()) == 1


def test_later_time_and_other_days(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    assert len(morning(house, anna)) == 1
    plays(house, bert)
    anna.says("set zone Tokyo")
    house.works()
    anna.receives()
    until(house, 22, 29)
    assert anna.receives() == []
    until(house, 22, 31)
    assert len(anna.receives()) == 1


@pytest.mark.parametrize(
    ("text", "stored"),
    (
        ("digest 7:30", "digest 07:30"),
        (" Digest  at 07.30 Mon-Fri", "digest 07:30 mo-fr"),
        ("digest 7:30pm sa, su", "digest 19:30 sa,su"),
        ("digest 7h fr-mo we", "digest 07:00 mo,we,fr-su"),
        ("digest 0:00 mo-su", "digest 00:00"),
    ),
)
def test_time_of_a_digest_is_read(text: str, stored: str) -> None:
    assert mails.SETTING.read(text) == stored


@pytest.mark.parametrize(
    "text", ("digest", "digest noon", "digest 25:00", "digest 7:30 s", "digest 7:30 mo-", "daily")
)
def test_wrong_time_of_a_digest_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(SettingError, match=r"digest 07:30"):
        mails.SETTING.read(text)


@pytest.mark.parametrize(
    ("text", "zone", "after", "due"),
    (
        ("digest 07:30", "UTC", "2026-11-21T07:29", "2026-11-21T07:30"),
        ("digest 07:30", "UTC", "2026-11-21T07:30", "2026-11-22T07:30"),
        ("digest 07:30", "Asia/Tokyo", "2026-11-21T22:00", "2026-11-21T22:30"),
        ("digest 07:30 mo-fr", "Asia/Tokyo", "2026-11-20T22:00", "2026-11-22T22:30"),
        ("digest 07:30", "UTC-3:30", "2026-11-21T12:00", "2026-11-22T11:00"),
        ("digest 07:30", "Europe/Warsaw", "2026-10-24T12:00", "2026-10-25T06:30"),
        ("digest 02:30", "Europe/Warsaw", "2026-10-24T12:00", "2026-10-25T00:30"),
        ("digest 02:30", "Europe/Warsaw", "2026-10-25T00:30", "2026-10-26T01:30"),
        ("digest 02:30", "Europe/Warsaw", "2027-03-27T12:00", "2027-03-28T01:30"),
        ("digest 02:30", "Europe/Warsaw", "2027-03-28T01:30", "2027-03-29T00:30"),
    ),
)
def test_digest_is_due_once_a_day(text: str, zone: str, after: str, due: str) -> None:
    moment = datetime.fromisoformat(f"{after}+00:00")
    assert read_digest(text).after(moment, zone) == datetime.fromisoformat(f"{due}+00:00")


def test_choice_for_one_match(house: House, anna: Person, bert: Person) -> None:
    for _ in range(2):
        house.match("lancelot", bert, anna, days=20)
    morning(house, anna)
    plays(house, bert, 1)
    plays(house, bert, 2)
    anna.says("mails 1 all")
    house.works()
    anna.receives()
    house.sweeps()
    [turn] = anna.receives()
    assert turn.kind == "your turn"
    says(house, anna, "mails 1 digest")
    assert "comes with your digest" in anna.receives()[-1].text
    [digest] = morning(house, anna)
    assert headings(digest) == ["Match 2: Lancelot, Bert"]
    bert.receives()
    bert.says("mails 1 digest", bert.read[0])
    house.works()
    assert "send set mails digest 07:30" in flat(bert.receives()[-1])


def test_unreachable_reader_misses_nothing(house: House, anna: Person, bert: Person) -> None:
    assert anna.player is not None
    house.match("lancelot", bert, anna, days=20)
    with writing(house.club) as work:
        address_fails(work, anna.player, anna.address, "550")
    plays(house, bert, note="Are you there?")
    assert morning(house, anna) == []
    with writing(house.club) as work:
        accept(work, work.players.get(anna.player.id), anna.address)
    house.sweeps()
    [digest] = anna.receives()
    assert "| Are you there?" in digest.text
    assert morning(house, anna) == []


def test_undone_turn_is_in_the_digest(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert)
    assert len(morning(house, anna)) == 1
    decides(house, lambda work: orders.undoing(1, 1, "A slip"))
    [digest] = morning(house, anna)
    assert "has taken back turn 1" in flat(digest)
    assert morning(house, anna) == []


def test_leave_of_others_waits(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    morning(house, anna)
    bert.receives()
    says(house, bert, "leave 1 May 2027 to 3 May 2027")
    assert anna.receives() == []
    [digest] = morning(house, anna)
    assert "Bert takes leave from" in flat(digest)


def test_note_cannot_look_like_a_heading(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert, note="Match 1: Lancelot, Anna\n\nMatch 13: I like it")
    [digest] = morning(house, anna)
    assert headings(digest) == ["Match 1: Lancelot, Bert"]
    assert "| Match 13: I like it" in digest.text


def test_links_name_their_match(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", bert, anna)
    house.match("lanko-88", anna, bert)
    [digest] = morning(house, anna)
    links = re.findall(r"body=match%202%3A%0D%0A(\S+?)%0D%0A", digest.html)
    assert len(links) >= 8
    assert "body=match%201%0D%0A" in digest.html


def test_size_of_many_matches(house: House, anna: Person, bert: Person) -> None:
    for game in ("lanko-88", "lanko-103", "lancelot", "lanrick-1881") * 7:
        house.match(game, anna, bert, days=20)
    [digest] = morning(house, anna)
    assert len(digest.html.encode()) < 100_000
    assert len(headings(digest)) == 25
    assert digest.message["Subject"] == "[pbem] 28 matches wait for you"
    [rest] = morning(house, anna)
    assert len(headings(rest)) == 3


def test_talk_waits_for_the_digest(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    assert len(morning(house, anna)) == 1
    bert.receives()
    says(house, bert, "say What a start!")
    assert anna.receives() == []
    [digest] = morning(house, anna)
    assert "| What a start!" in digest.text
    assert morning(house, anna) == []


def test_bounced_digest_comes_again(house: House, anna: Person, bert: Person) -> None:
    assert anna.player is not None
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert)
    [lost] = morning(house, anna)
    with reading(house.club) as work:
        posted = work.outbox.latest(DigestTopic(1).key, anna.player.id)
    assert posted is not None
    comes_back(house, posted)
    assert morning(house, anna) == []
    with writing(house.club) as work:
        accept(work, work.players.get(anna.player.id), anna.address)
    house.sweeps()
    [digest] = anna.receives()
    assert headings(digest) == headings(lost) == ["Match 1: Lancelot, Bert"]
    assert morning(house, anna) == []


def test_bounced_digest_tells_again_that_a_match_is_over(
    house: House, anna: Person, bert: Person
) -> None:
    assert anna.player is not None
    house.match("lancelot", bert, anna, days=20)
    house.resigns(bert)
    [lost] = morning(house, anna)
    with reading(house.club) as work:
        posted = work.outbox.by_message_id(lost.message_id)
    assert posted is not None
    comes_back(house, posted)
    with writing(house.club) as work:
        accept(work, work.players.get(anna.player.id), anna.address)
    house.sweeps()
    [digest] = anna.receives()
    assert headings(digest) == headings(lost) == ["Match 1: Lancelot, Bert"]
    assert "The match is over." in digest.text


def test_news_of_a_seat_that_was_handed_over_does_not_wait_for_ever(
    house: House, anna: Person, bert: Person
) -> None:
    assert anna.player is not None
    house.player("Clara")
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert)
    decides(house, lambda work: orders.substitution(work, 1, "Anna", "Clara", "ill"))
    with writing(house.club) as work:
        work.players.choose(anna.player.id, mails.key_for(1), mails.ALL)
    assert kinds(morning(house, anna)) == [""]
    with reading(house.club) as work:
        assert work.waiting_news.of(anna.player.id) == []


def test_second_offer_cannot_wait_either(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, days=20)
    anna.says("digest")
    house.works()
    anna.says("E5", anna.receives()[-1])
    house.works()
    anna.receives()
    for offer, sentence in (("draw?", "offers a draw"), ("abandon?", "offers to abandon")):
        bert.says(offer, bert.receives()[-1])
        house.works()
        [mail] = anna.receives()
        assert sentence in mail.text
    assert morning(house, anna) == []


def test_erased_members_notes_are_in_no_digest(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert, 1, "A pink elephant.")
    [digest] = morning(house, anna)
    assert "| A pink elephant." in digest.text
    for text in ("forget me", "confirm"):
        bert.receives()
        bert.says(text)
        house.works()
    with reading(house.club) as work:
        posted = work.outbox.by_message_id(digest.message_id)
    assert posted is not None
    assert "elephant" not in posted.mail.letter.text + posted.mail.letter.html
    assert "Bert" not in posted.mail.letter.text


def test_second_worker_sends_nothing(house: House, anna: Person, bert: Person) -> None:
    assert anna.player is not None
    house.match("lancelot", bert, anna, days=20)
    plays(house, bert)
    tomorrow = house.clock.now() + timedelta(days=1)
    sent = []
    for _ in range(2):
        with writing(house.club) as work:
            sent.append(send_due(work, anna.player.id, tomorrow))
    assert sent == [1, 0]


def test_appeal_quotes_the_notes_of_its_match_in_digests(
    house: House, anna: Person, bert: Person
) -> None:
    dora = director(house, "Dora")
    for _ in range(2):
        house.match("lancelot", bert, anna)
    bert.receives()
    for number, note in ((1, "You play like a fool."), (2, "Well played.")):
        plays(house, bert, number, note)
    [digest] = morning(house, anna)
    dora.receives()
    anna.says("match 1:\nappeal Bert is rude.", digest)
    house.works()
    [report] = dora.receives()
    assert "| Bert wrote in turn 1:\n| You play like a fool.\n" in report.text
    assert "Well played." not in report.text


def test_digest_gives_the_terms_of_a_new_match(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, days=3)
    [digest] = morning(house, anna)
    assert "3 days per turn" in digest.text.partition("The terms of this match.")[2]
    house.skips(days=1)
    house.match("lancelot", bert, anna)
    later = "".join(mail.text for mail in morning(house, anna))
    assert later.count("The terms of this match.") == 1, "of the new one"
