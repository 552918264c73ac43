"""A second language needs only templates and phrases. No email then uses English words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from pbem.commands import all_commands
from pbem.games import game_of, games
from pbem.mail.outgoing.look import BOARDS
from pbem.matches.bots import BOTS
from pbem.matches.match import MatchOptions
from pbem.ports.inbound import InboundState
from pbem.ports.people import AbsenceNotice
from pbem.service.members.own_addresses import accept, address_fails
from pbem.service.play.start import start_match
from pbem.service.work import writing
from pbem.settings import players_settings
from pbem.settings.mails import TURN
from pbem.testing.toy_language import words_in
from tests.conversations.house import HOST, House, Person, Received
from tests.conversations.test_directors_mail import director, says
from tests.support.stored import claim, recorded_mail
from tests.toys.language import LANGUAGE, toy_language, vocabulary

NAMES = "Anna Bert Clara Dora pbem Lanko Lanrick Lancelot UTC Re bot all txt json match days off"
OPTIONS = [
    word for game in games() for word in (game.info.key, *(o.key for o in game.info.options))
]
SETTINGS = [word for each in players_settings() for word in (each.key, each.default, TURN)]
COMMANDS = " ".join(["confirm", *(each.word for each in all_commands()), *SETTINGS])
NOTATION = re.compile(
    r"^History of match .*$|^\|.*$|^ +pbem .*$|\bpbem [a-z ]+|\[[^\]]*\]|\S+@\S+", re.MULTILINE
)
"""Text that stays English: lines for programs, notes, shell commands, actions, addresses."""


def english(mail: Received) -> set[str]:
    """Return the words of an email that are not in the toy language."""
    header = f"{mail.message['Subject']} {mail.kind}"
    said = words_in(NOTATION.sub("", f"{header}\n{mail.text}"))
    known = vocabulary() | words_in(f"{NAMES} {COMMANDS} {OPTIONS} {[*BOTS, *BOARDS]}")
    return {word for word in said - known if len(word) > 2}


def speak_toy(house: House) -> None:
    """Make the club write in the toy language."""
    house.club = replace(house.club, templates=toy_language, language=LANGUAGE)


def speaking_toy(house: House) -> tuple[Person, Person]:
    """Two players in a match, in a club that writes in the toy language."""
    speak_toy(house)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    return anna, bert


def asked_and_refused(house: House, anna: Person, bert: Person) -> None:
    """Send everything that is not a move."""
    for text in ("help", "show", "legal", "history", "settings", "nothing", "[1-1]", "[8-99]"):
        anna.receives()
        anna.says(text)
        house.works()
    bert.receives()
    bert.says("[20-21]")
    house.works()
    anna.says("resign", recipient=f"club@{HOST}", references=False, quoting=False)
    house.works()


def played(house: House, anna: Person, bert: Person) -> None:
    """Play a move, decline a draw, and agree to one."""
    for person, text in (
        (anna, "[41-36]\ndraw?"),
        (bert, "no draw"),
        (bert, "draw?"),
        (anna, "draw"),
    ):
        anna.receives()
        bert.receives()
        person.says(text)
        house.works()


def test_match_emails_have_no_english_words(house: House) -> None:
    anna, bert = speaking_toy(house)
    asked_and_refused(house, anna, bert)
    house.passes(days=5.1)
    played(house, anna, bert)
    stranger = house.stranger("stranger@mail.example")
    stranger.says("hello", recipient=f"club@{HOST}")
    house.works()
    for person in (anna, bert, house.director, stranger):
        person.receives()
        for mail in person.read:
            assert english(mail) == set(), mail.text
    assert [len(person.read) for person in (anna, bert, house.director)] == [17, 6, 1]


def test_lists_and_command_texts_have_no_english_words(house: House) -> None:
    anna, _ = speaking_toy(house)
    for text in (
        *("histroy", "record", "mails 1 turn", "mails 1 turn", "games\nmembers b\nmatches all"),
        *("match 1", "record 1", "match 9", "settings\nset mails all"),
    ):
        anna.receives()
        anna.says(text)
        house.works()
        [told] = anna.receives()
        assert english(told) == set(), told.text


def test_answers_to_directors_have_no_english_words(house: House) -> None:
    _, bert = speaking_toy(house)
    dora = director(house, "Dora")
    with writing(house.club) as work:
        work.absences.add(AbsenceNotice(2, 1, work.now, "[Away]", "[I am away.]"))
        work.inbound.close(recorded_mail(work, 1), InboundState.SHUNTED)
        players = [work.players.get(2), work.players.get(1)]
        start_match(work, game_of("lancelot"), players, MatchOptions())
        [mail] = claim(work, work.now, work.now + timedelta(minutes=1), 1)
        work.outbox.failed(mail.id, "[550]", work.now)
        address_fails(work, work.players.get(2), bert.address, "[550]")
    house.works()
    mails = [says(house, dora, text) for text in ("leave bert back", "status", "member bert")]
    assert [english(mail) for mail in mails] == [set()] * 3, [mail.text for mail in mails]
    assert len(mails[2].text.splitlines()) > 20


def test_competitions_and_reports_have_no_english_words(house: House) -> None:
    speak_toy(house)
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.tournament("lanrick-1893", anna, bert, clara)
    house.set("lanko-68", anna, bert, clara)
    house.series("lanrick-1881", anna, bert, 2)
    with writing(house.club) as work:
        address_fails(work, work.players.get(1), anna.address, "[550]")
        accept(work, work.players.get(1), anna.address)
    mails = []
    for _ in range(31):
        mails += anna.receives()
        anna.says("[no]")
        house.works()
    people = (anna, bert, clara, house.director)
    mails += [mail for person in people for mail in person.receives()]
    assert {word for mail in mails for word in english(mail)} == set()
    assert len(mails) == 41
