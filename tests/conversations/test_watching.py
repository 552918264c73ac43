"""`watch`, `unwatch`: emails about public matches of others, as the reading room shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.site.values import Site
from pbem.jobs.sweep import sweep
from pbem.matches.match import MatchSummary
from pbem.service.club import Public, Room
from pbem.service.delivery.deliver import deliver
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import undoing
from pbem.service.reading_room.publish import publish_room
from pbem.service.watching import MOST_A_DAY, email_watchers
from pbem.service.work import writing
from tests.conversations.house import House, Person, Received
from tests.fakes.archive import FakeArchive

URL = "https://games.example/"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


@pytest.fixture(autouse=True)
def _room(house: House, anna: Person, bert: Person, clara: Person) -> None:
    opens(house)


def opens(house: House, public: Public = Public.LIVE, delay: int = 0) -> None:
    """Give the house a reading room."""
    room = Room(Site("pbem", house.address, URL), FakeArchive(), public, delay)
    house.club = replace(house.club, room=room)


def published(house: House) -> None:
    """Let all work be done, up to the emails to watchers."""
    house.works()
    assert house.club.room is not None
    assert publish_room(house.club.storage, house.club.room).problems == []
    email_watchers(house.club)
    deliver(house.club, house.transport)


def asks(house: House, person: Person, text: str) -> str:
    """Let somebody write to the club, and return the answer on one line."""
    person.receives()
    recipient = person.latest.reply_to if person.read else ""
    person.says(text, quoting=False, references=False, subject="Hello", recipient=recipient)
    published(house)
    return plain(person.receives()[-1])


def joins(house: House, person: Person) -> None:
    """Send somebody an email whose token proves their answers."""
    person.says("settings", subject="Hello")
    house.works()
    person.receives()


def plain(mail: Received) -> str:
    return " ".join(mail.text.split())


def begun(house: House, anna: Person, bert: Person, chosen: str = "") -> MatchSummary:
    match = house.match("lancelot", anna, bert, chosen=chosen)
    published(house)
    anna.receives(), bert.receives()
    return match


def moves(house: House, person: Person, text: str) -> None:
    person.receives()
    person.says(text)
    published(house)


def test_watcher_gets_each_turn_but_nothing_to_answer(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    answer = asks(house, clara, "watch 1")
    assert "You now watch match 1. You'll get an email after each turn." in answer
    assert "Match 1, Lancelot, turn 1" in answer
    moves(house, anna, "E5")
    [mail] = clara.receives()
    assert "Match 1, Lancelot, turn 2: Bert to move." in plain(mail)
    assert "1 red E5" in plain(mail)
    assert mail.message["Subject"] == "[pbem 1] Lancelot: Anna, Bert"
    assert mail.message["Auto-Submitted"] == "auto-generated"
    assert "+m3-" in mail.reply_to
    assert "legal" not in mail.text
    assert f"{URL}matches/match-000001-lancelot.html" in mail.text
    published(house)
    assert clara.receives() == []
    moves(house, bert, "F6")
    moves(house, anna, "E6")
    assert [plain(mail).count("New turns") for mail in clara.receives()] == [1, 1]
    assert "You don't watch 1 any more" in asks(house, clara, "unwatch 1")
    moves(house, bert, "G7")
    assert clara.receives() == []


def test_turns_since_the_last_email_come_together(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, clara, "watch lancelot")
    for person, text in ((anna, "E5"), (bert, "F6")):
        person.receives()
        person.says(text)
        house.works()
    published(house)
    [mail] = clara.receives()
    assert "1 red E5 2 blue F6" in plain(mail)


def test_watching_a_member_or_a_game_shows_their_matches_from_start_to_end(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    joins(house, clara)
    assert "after each turn of their public matches." in asks(house, clara, "watch anna")
    assert "after each turn of its public matches." in asks(house, clara, "Watch Lancelot!")
    assert "You watch lancelot and Anna." in asks(house, clara, "watch")
    begun(house, anna, bert)
    [mail] = clara.receives()
    assert "Match 1, Lancelot, turn 1: Anna to move." in plain(mail)
    assert "You watch lancelot and Anna. To stop" in plain(mail)
    asks(house, clara, "unwatch lancelot")
    house.resigns(anna)
    published(house)
    [mail] = clara.receives()
    assert "Match 1, Lancelot, is over. Bert wins" in plain(mail)
    house.match("lancelot", bert, house.player("Dora"))
    published(house)
    assert clara.receives() == []


def test_players_see_how_many_watch_and_get_no_such_email_themselves(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    dora = house.player("Dora")
    joins(house, clara)
    joins(house, dora)
    asks(house, clara, "watch 1"), asks(house, dora, "watch anna")
    asks(house, anna, "watch lancelot"), asks(house, bert, "watch anna")
    anna.receives(), bert.receives()
    anna.says("E5", to=anna.read[0])
    published(house)
    [receipt], [turn] = anna.receives(), bert.receives()
    assert "2 members watch this match." in plain(receipt)
    assert "2 members watch this match." in plain(turn)
    assert "2 members watch this match." in asks(house, bert, "match 1")
    clara.receives()
    assert "watch this match" not in asks(house, clara, "match 1")
    assert "You get the emails about your own matches anyway." in asks(house, anna, "watch 1")
    assert "You get the emails about your own matches anyway." in asks(house, anna, "watch anna")
    asks(house, clara, "unwatch 1"), asks(house, dora, "unwatch anna")
    bert.says("F6", to=turn)
    published(house)
    assert "watch" not in plain(bert.receives()[-1])


def test_delay_is_that_of_the_reading_room(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    opens(house, delay=2)
    begun(house, anna, bert)
    joins(house, clara)
    assert "after each turn, 2 turns later, as in the reading room." in asks(
        house, clara, "watch 1"
    )
    for person, text in ((anna, "E5"), (bert, "F6")):
        moves(house, person, text)
        assert clara.receives() == []
    moves(house, anna, "E6")
    [mail] = clara.receives()
    assert "This is the board as it was 2 turns ago." in plain(mail)
    assert "1 red E5" in plain(mail)
    assert "F6" not in plain(mail).partition("New turns")[2].partition("red Anna")[0]
    house.resigns(bert)
    published(house)
    [end] = clara.receives()
    assert "2 blue F6 3 red E6" in plain(end)


def test_match_that_is_shown_after_its_end_gives_one_email(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    opens(house, Public.ENDED)
    joins(house, clara)
    assert "You'll get an email when one of their public matches ends." in asks(
        house, clara, "watch anna"
    )
    begun(house, anna, bert)
    unknown = asks(house, clara, "watch 1")
    assert unknown.replace("1", "99") == asks(house, clara, "watch 99")
    moves(house, anna, "E5")
    assert clara.receives() == []
    assert "watches" not in plain(bert.receives()[-1])
    house.resigns(bert)
    published(house)
    [mail] = clara.receives()
    assert "Match 1, Lancelot, is over. Anna wins" in plain(mail)
    assert "1 red E5" in plain(mail)


def test_page_that_is_written_again_is_no_news(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    joins(house, clara)
    asks(house, clara, "watch anna")
    begun(house, anna, bert)
    house.resigns(bert)
    published(house)
    assert len(clara.receives()) == 2
    asks(house, anna, "set name Annabel")
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room, everything=True)
    published(house)
    assert clara.receives() == []


def test_private_matches_are_never_shown(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    opens(house, Public.NEVER)
    joins(house, clara)
    asks(house, clara, "watch anna"), asks(house, clara, "watch lancelot")
    begun(house, anna, bert)
    assert "no public match has that number" in asks(house, clara, "watch 1")
    moves(house, anna, "E5")
    assert "watch" not in plain(bert.receives()[-1])
    house.resigns(bert)
    published(house)
    assert clara.receives() == []


def test_blind_match_is_not_shown_to_watchers_of_its_players(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    joins(house, clara)
    joins(house, dora)
    asks(house, clara, "watch anna"), asks(house, dora, "watch lancelot")
    begun(house, anna, bert, chosen="names=hidden")
    moves(house, anna, "E5")
    assert clara.receives() == []
    [begins, turn] = dora.receives()
    assert "Anna" not in begins.text + turn.text + str(turn.message["Subject"])
    assert "1 member watches this match." in plain(bert.receives()[-1])
    house.resigns(bert)
    published(house)
    [end] = clara.receives()
    assert "Anna wins" in plain(end)


def test_hidden_and_blocking_members_cannot_be_told_from_unknown_names(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    joins(house, clara)
    unknown = asks(house, clara, "watch nicola")
    assert "I know no game, and no member whom you can watch, called nicola." in unknown
    asks(house, clara, "watch anna"), asks(house, clara, "watch bert")
    begun(house, anna, bert)
    assert len(clara.receives()) == 1
    asks(house, anna, "set page hidden"), asks(house, bert, "block clara")
    for name in ("anna", "bert"):
        assert asks(house, clara, f"watch {name}") == unknown.replace("nicola", name)
    assert "You don't watch anything." in asks(house, clara, "watch")
    moves(house, anna, "E5")
    assert clara.receives() == []
    assert "watch" not in plain(bert.receives()[-1])
    gone = asks(house, clara, "unwatch nicola")
    assert asks(house, clara, "unwatch anna") == gone.replace("nicola", "anna")


def test_hidden_player_is_a_member_to_watchers_of_the_game(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, anna, "set page hidden"), asks(house, clara, "watch lancelot")
    anna.says("E5", to=anna.read[0])
    published(house)
    mail = clara.receives()[-1]
    assert "a member" in plain(mail)
    assert "Anna" not in mail.text + mail.html + str(mail.message)


def test_plain_reply_of_a_watcher_goes_to_nobody(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, clara, "watch 1")
    moves(house, anna, "E5")
    bert.receives()
    for text in ("Bert, play F6!", "F6", "[+++]"):
        clara.receives()
        clara.says(text, to=next(mail for mail in clara.read if "New turns" in mail.text))
        published(house)
        [refusal] = clara.receives()
        assert "You only watch this match, so your words went to nobody." in plain(refusal)
    for text in ("draw?", "resign"):
        clara.says(text, to=next(mail for mail in clara.read if "New turns" in mail.text))
        published(house)
        assert "which match do you mean?" in plain(clara.receives()[-1])
    assert house.moves() == ["E5"]
    assert bert.receives() == anna.receives()[1:] == []


def test_move_in_answer_to_a_watched_match_is_not_played_in_the_watchers_own(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    house.match("lancelot", clara, house.player("Dora"))
    published(house)
    asks(house, clara, "watch 1")
    moves(house, anna, "E5")
    watched = clara.receives()[-1]
    clara.says("F6", to=watched)
    published(house)
    assert "You only watch this match" in plain(clara.receives()[-1])
    clara.says("F6", to=watched, recipient=house.address, references=False)
    published(house)
    clara.receives()
    assert house.moves(2) == []


def test_unsubscribing_ends_whatever_led_to_the_email(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, clara, "watch 1"), asks(house, clara, "watch anna")
    moves(house, anna, "E5")
    [mail] = clara.receives()
    address = str(mail.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    clara.says("", recipient=address, references=False, quoting=False, subject="unsubscribe")
    published(house)
    assert "You don't watch 1 any more." in plain(clara.receives()[-1])
    moves(house, bert, "F6")
    assert clara.receives() == []


def test_prose_is_no_watch_command(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    moves(house, anna, "E5\n\nWatch out!\nWatch the sword.")
    assert "| Watch out!" in bert.receives()[-1].text
    assert house.moves() == ["E5"]


def test_number_of_watched_things_is_limited(house: House, clara: Person) -> None:
    joins(house, clara)
    names = ["Ada", "Bea", "Cleo", "Doro", "Edda", "Fina", "Gesa", "Hella", "Ines", "Jana"]
    names += ["Kaja", "Lotte", "Mina", "Nele", "Olga", "Paula", "Resi", "Sina", "Tilda", "Ulla"]
    for name in names:
        house.player(name)
    some = "\n".join(f"watch {name}" for name in names)
    assert "You now watch Ulla." in asks(house, clara, some)
    assert "First stop watching one of them." in asks(house, clara, "watch lancelot")
    assert "You now watch Ada." in asks(house, clara, "watch ada")


def test_watcher_gets_a_limited_number_of_emails_a_day_and_the_rest_later(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    joins(house, clara)
    asks(house, clara, "watch anna")
    for _ in range(MOST_A_DAY + 2):
        house.match("lancelot", anna, bert)
    published(house)
    mails = clara.receives()
    assert len(mails) == MOST_A_DAY
    assert ["for today" in mail.text for mail in mails[-2:]] == [False, True]
    published(house)
    assert clara.receives() == []
    house.clock.advance(days=1)
    sweep(house.club)
    published(house)
    assert len(clara.receives()) == 2


def test_turns_taken_back_are_told(house: House, anna: Person, bert: Person, clara: Person) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, clara, "watch 1")
    moves(house, anna, "E5")
    moves(house, bert, "F6")
    clara.receives()
    with writing(house.club) as work:
        decide(work, undoing(1, 1, ""), SHELL)
    published(house)
    [mail] = clara.receives()
    assert "The director has taken turns back." in plain(mail)
    assert "turn 1: Anna to move" in plain(mail)


def test_former_member_is_no_longer_watched(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    joins(house, clara)
    asks(house, clara, "watch anna")
    begun(house, anna, bert)
    clara.receives()
    asks(house, anna, "forget me")
    anna.says("confirm")
    published(house)
    assert clara.receives() == []


def test_club_without_a_reading_room_says_so(house: House, clara: Person) -> None:
    joins(house, clara)
    house.club = replace(house.club, room=None)
    clara.says("watch lancelot")
    house.works()
    assert "This club has no reading room" in plain(clara.receives()[-1])


def test_digest_has_the_news_of_watched_matches(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    begun(house, anna, bert)
    joins(house, clara)
    asks(house, clara, "watch 1\nset mails digest 07:30")
    for person, move in ((anna, "E5"), (bert, "F6")):
        moves(house, person, move)
        assert clara.receives() == []
    house.skips(days=1)
    deliver(house.club, house.transport)
    [digest] = clara.receives()
    assert digest.message["Subject"] == "[pbem] News of a match"
    assert "Lancelot, match 1, Anna and Bert: turn 3, Anna to move. 1 red E5 2 blue F6" in plain(
        digest
    )
    house.skips(days=2)
    deliver(house.club, house.transport)
    assert clara.receives() == []
    assert "there is no news of your matches" in asks(house, clara, "digest")
