"""An email whose template fails undoes nothing: it goes in English or in a few plain words."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader
from structlog.testing import capture_logs

from pbem.games.phrases import Forms, PhraseError, stored
from pbem.mail.outgoing.render import Renderer
from pbem.ports.inbound import InboundState
from pbem.resources import folder
from pbem.service.problems import ClubPart, problems_of
from pbem.service.status import status_of
from pbem.service.work import writing
from tests.conversations.house import House, Person

ENGLISH = folder("templates") / "mail"
TURN = (ENGLISH / "en" / "turn.txt.j2").read_text("utf-8")
MOVE = "[41-36]"


def speaks(house: House, language: str, files: dict[str, str]) -> None:
    """Put other files for a language before the club's own."""
    named = {f"{language}/{name}": text for name, text in files.items()}
    loader = ChoiceLoader([DictLoader(named), FileSystemLoader(ENGLISH)])
    house.club = replace(house.club, templates=lambda: Renderer(loader), language=language)
    house.has_faulty_templates = True


def plays(house: House) -> tuple[Person, Person]:
    """Anna moves by email. Bert is next."""
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    bert.receives()
    anna.says(MOVE)
    house.works()
    return anna, bert


def failed(house: House) -> set[str]:
    return set(status_of(house.club).failed_templates)


FAULTS = {
    "an undefined variable": ({"turn.txt.j2": TURN + "{{ nobody.knows }}"}, "turn.txt.j2"),
    "a syntax error": ({"turn.txt.j2": TURN + "{% if %}"}, "turn.txt.j2"),
    "a missing phrase": ({"turn.txt.j2": "{{ phrases.groups['none'] }}"}, "turn.txt.j2"),
    "a filter that raises": ({"turn.txt.j2": "{{ 3|items }}"}, "turn.txt.j2"),
    "a filter that is not there": ({"turn.txt.j2": "{{ 3|nothing }}"}, "turn.txt.j2"),
    "a part of it": ({"_board.txt.j2": "{{ view.bord }}"}, "_board.txt.j2"),
    "its phrases": ({"phrases.toml": "days = ["}, "phrases.toml"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_move_is_announced_in_english_if_another_language_is_faulty(
    house: House, fault: str
) -> None:
    files, at_fault = FAULTS[fault]
    speaks(house, "de", files)
    _, bert = plays(house)
    assert house.moves() == [MOVE]
    assert not house.inbound(InboundState.SHUNTED)
    mail = bert.receives()[-1]
    assert "Bert, it is your turn as W" in mail.text
    assert "Bert, it is your turn as W" in mail.html
    assert f"de/{at_fault}" in failed(house)


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"its phrases"}))
def test_move_is_announced_in_plain_words_if_english_is_faulty(house: House, fault: str) -> None:
    files, at_fault = FAULTS[fault]
    speaks(house, "en", files)
    anna, bert = plays(house)
    assert house.moves() == [MOVE]
    assert not house.inbound(InboundState.SHUNTED)
    mail = bert.receives()[-1]
    assert " ".join(mail.text.split()) == (
        'This email should have been about "turn" in match 1, but a fault in the club\'s texts kept'
        ' me from writing it. Send "match 1" to see the position.'
    )
    assert str(mail.message["Subject"]) == "[pbem 1] Lanko-68: Anna, Bert"
    assert f"en/{at_fault}" in failed(house)
    assert house.moves() == [MOVE]
    bert.says("match 1")
    house.works()
    assert bert.receives()[-1].text
    assert anna.receives()


@pytest.mark.parametrize("name", ("turn.txt.j2", "phrases.toml", "unwritten.txt"))
def test_move_is_played_if_a_language_file_is_not_utf8(house: House, name: str) -> None:
    path = house.home / "mail" / "de" / name
    path.parent.mkdir(parents=True)
    path.write_bytes("Grüße".encode("latin-1"))
    loader = ChoiceLoader([FileSystemLoader(house.home / "mail"), FileSystemLoader(ENGLISH)])
    house.club = replace(house.club, templates=lambda: Renderer(loader), language="de")
    house.has_faulty_templates = True
    _, bert = plays(house)
    assert house.moves() == [MOVE]
    assert "Bert, it is your turn as W" in bert.receives()[-1].text


@pytest.mark.parametrize("command", ("games", "match 1", "offers", "settings"))
def test_answer_is_in_english_if_words_of_a_language_are_unreadable(
    house: House, command: str
) -> None:
    def source(home: str, language: str) -> Forms:
        if language == "de":
            raise PhraseError("a file of words is not right")
        return stored(home, language)

    renderer = Renderer(FileSystemLoader(ENGLISH), source=source)
    house.club = replace(house.club, templates=lambda: renderer, language="de")
    house.has_faulty_templates = True
    anna, _ = plays(house)
    anna.says(command)
    house.works()
    assert "a fault in the club" not in anna.receives()[-1].text


def test_wrong_phrases_in_english_also_lead_to_plain_words(house: House) -> None:
    speaks(house, "en", {"phrases.toml": "days = ["})
    _, bert = plays(house)
    assert house.moves() == [MOVE]
    assert "in match 1" in bert.receives()[-1].text
    assert "en/phrases.toml" in failed(house)


def test_move_is_played_without_calendar_if_its_template_is_faulty(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    for person in (anna, bert):
        assert person.player is not None
        with writing(house.club) as work:
            work.players.choose(person.player.id, "calendar", "on")
    speaks(house, "en", {"_calendar.txt.j2": "{{ nobody.knows }}"})
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says(MOVE)
    house.works()
    assert house.moves() == [MOVE]
    assert "it is your turn" in bert.receives()[-1].text
    assert failed(house) == {"en/_calendar.txt.j2"}


def test_failed_template_is_a_problem_for_a_day(house: House) -> None:
    speaks(house, "en", {"turn.txt.j2": "{{ nobody }}"})
    plays(house)
    with writing(house.club) as work:
        work.service.beat(house.clock.now())
        work.service.polled(house.clock.now())
    (trouble,) = problems_of(status_of(house.club), 60)
    assert trouble.part is ClubPart.TEMPLATES
    assert "en/turn.txt.j2" in str(trouble)
    house.clock.advance(days=1, seconds=1)
    assert not failed(house)


def test_log_names_template_and_line_and_nothing_of_the_email(house: House) -> None:
    speaks(house, "en", {"turn.txt.j2": "\n\n{{ {}[view.you.name].x }}"})
    with capture_logs() as logs:
        plays(house)
    failures = [each for each in logs if each["event"] == "email not written as it should be"]
    assert {(each["template"], each["kind"]) for each in failures} == {("en/turn.txt.j2", "turn")}
    told = failures[-1]["traceback"]
    assert 'File "en/turn.txt.j2", line 3' in told
    assert "UndefinedError" in told
    assert "Bert" not in told


def test_english_email_has_no_word_of_the_faulty_language(house: House) -> None:
    assert tomllib.loads((ENGLISH / "en" / "phrases.toml").read_text("utf-8"))["days"]
    speaks(house, "de", {"turn.txt.j2": "{{ nobody }}", "phrases.toml": 'days = ["Mo"]'})
    _, bert = plays(house)
    assert "Mo " not in bert.receives()[-1].text
