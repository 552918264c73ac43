"""`preview`: an analysis board by email, which plays nothing."""

from __future__ import annotations

import json
import random
import sqlite3
import textwrap
from contextlib import closing
from io import StringIO
from itertools import islice
from pathlib import Path

import pytest

from pbem.cli.engine import serve
from pbem.games import game_of, games
from pbem.games.api import AnyGame
from pbem.inbox.proof.rate_limits import MOST_IN_VAIN
from pbem.matches.line import MOST_TURNS
from pbem.ports.inbound import InboundState
from pbem.testing.random_matches import walk
from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import Link, links_of, taps

OF_THE_EMAIL = ("inbound", "outbox", "read_until", "service", "sqlite_sequence")
"""Tables that store every email and every answer, and how far and when the mailbox was read."""


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str, to: Received | None = None) -> Received:
    """Send an email and return its one answer."""
    person.receives()
    person.says(text, to)
    house.works()
    [answer] = person.receives()
    return answer


def follows(house: House, person: Person, link: Link) -> Received:
    """Tap a link and return the answer."""
    taps(person, link)
    house.works()
    return person.receives()[-1]


def labelled(mail: Received, label: str) -> Link:
    return next(link for link in links_of(mail) if link.label == label)


def test_preview_shows_the_board_after_everybodys_turns(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    text = asks(house, anna, "preview [41-36] [10-19]").text
    assert text.startswith("Match 1 after 2 turns that nobody has played")
    assert "1 S  [41-36]    2 W  [10-19]" in text
    assert "Anna (N, White) would move in turn 3." in text
    assert "Score: Anna 0, Bert 0" in text
    assert "36P" in text
    assert "19p<" in text
    assert "Nothing has been played." in text
    assert "preview [41-36]\n" in text
    assert house.moves() == []
    assert bert.receives()[1:] == []


def test_line_grows_and_shrinks_by_taps_until_its_first_turn_is_played(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lancelot", anna, bert)
    anna.receives()
    board = follows(house, anna, labelled(anna.latest, "Try a line"))
    for square in ("F5", "G6", "D7"):
        knight = next(link for link in links_of(board) if link.body.endswith(f"{square}\r\n"))
        board = follows(house, anna, knight)
    assert "1 red  F5    2 blue  G6    3 red  D7" in board.text
    assert board.html.index(">Play F5<") < board.html.index("Tap a move to add it to the line.")
    board = follows(house, anna, labelled(board, "Take back D7"))
    assert "1 red  F5    2 blue  G6\n" in board.text
    assert house.moves() == []
    follows(house, anna, labelled(board, "Play F5"))
    assert house.moves() == ["F5"]


def test_line_that_breaks_is_shown_up_to_there_with_the_legal_turns(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    mail = asks(house, anna, "preview [41-36] [10-19] [42-35]")
    text = " ".join(mail.text.split())
    assert 'The line stops at "42-35", which is not legal there: the piece on 42' in text
    assert "[5-12] [5-10] [6-12]" in text
    assert "1 S [41-36] 2 W [10-19] The line" in text
    assert [link for link in links_of(mail) if link.body == "preview [41-36] [10-19] [5-12]\r\n"]


def test_suggestion_where_a_line_breaks_extends_the_line(
    house: House, anna: Person, bert: Person
) -> None:
    """It is no move alone on its line, which would be played."""
    house.match("lancelot", anna, bert)
    text = asks(house, anna, "preview F5 F5").text
    assert "These are legal there:\n\n    preview F5 E4\n" in text
    assert not any(line.strip() == "E4" for line in text.splitlines())


def test_preview_works_out_of_turn_but_plays_only_in_turn(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    mail = asks(house, bert, "preview [41-36] [10-19]")
    assert "[41-36]" in mail.text
    assert "To play the first turn" not in mail.text
    assert not any(link.label.startswith("Play") for link in links_of(mail))


def test_preview_needs_no_proof_of_the_newest_email(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    old = anna.latest
    asks(house, anna, "[41-36]")
    assert "2 W  [10-19]" in asks(house, anna, "preview [10-19]", old).text


def test_nothing_below_a_preview_is_played(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    for text in (
        "preview [41-36] [10-19]\n[5-12] [15-22]",
        "preview\n[41-36]\n\n[10-19] [5-12]\n\n[15-22]",
        "preview [41-36]\nWhat if\n[10-19] [5-12] [15-22]",
    ):
        assert "after 4 turns" in asks(house, anna, text, anna.read[0]).text
    assert house.moves() == []


def test_line_is_read_wherever_an_email_program_breaks_it(
    house: House, anna: Person, bert: Person
) -> None:
    """Also inside brackets, and although our last answer shows most of the same turns."""
    house.match("lanko-68", anna, bert)
    anna.receives()
    texts = [step.text for step in islice(walk(game_of("lanko-68"), 2, 3, {}), MOST_TURNS)]
    for width in (20, 72, 76):
        for turns in range(8, MOST_TURNS, 3):
            line = textwrap.fill(f"preview {' '.join(texts[:turns])}", width)
            answer = asks(house, anna, f"{line}\n", anna.latest if turns > 8 else anna.read[0])
            assert f"after {turns} turns" in answer.text, line
    assert house.moves() == []


def test_move_above_a_preview_is_played_first(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    mail = asks(house, anna, "[41-36]\npreview [10-19]")
    assert house.moves() == ["[41-36]"]
    assert "2 W  [10-19]" in mail.text
    assert "19p<" in mail.text


def test_sentence_that_starts_with_preview_is_a_note(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "[41-36]\nPreview of my summer: I'll be away in July.")
    assert "| Preview of my summer" in bert.receives()[-1].text


def test_preview_says_what_leaves_the_board_and_that_the_match_would_be_over(
    house: House, anna: Person, bert: Person
) -> None:
    game = game_of("lancelot")
    steps = list(walk(game, 2, 3, {"target": 2}))
    house.match("lancelot", anna, bert, target=2)
    mail = asks(house, anna, "preview " + " ".join(step.text for step in steps))
    text = " ".join(mail.text.split())
    outcome = game.outcome(steps[-1].after)
    assert outcome is not None
    assert "The match would be over." in text
    assert f"turn {steps[-1].before.turn} takes off the board:".capitalize() in text
    names = house.names()
    scores = ", ".join(f"{names[seat]} {outcome.scores[seat]}" for seat in names)
    assert f"Score: {scores} (knights defeated)" in text
    assert not any(link.body.endswith("A1\r\n") for link in links_of(mail))


def test_step_keeps_a_turn_open_only_with_dots(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert)
    mail = asks(house, anna, "preview @d5 d1-d2 ...")
    assert "Bert (Black) would continue in turn 2." in mail.text
    ended = follows(house, anna, labelled(mail, "End the turn"))
    assert "2 black  d1-d2 ." in ended.text
    assert asks(house, anna, "preview @d5 d1-d2").text == ended.text


def test_preview_starts_after_any_turn_of_an_ended_match(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "[41-36]")
    asks(house, bert, "[10-19]")
    house.resigns(anna)
    text = asks(house, bert, "preview from 1 [18-11]").text
    assert "Match 1 after one turn that nobody has played, from turn 1" in text
    assert "2 W  [18-11]" in text
    assert "preview from 1\n" in text
    assert "To play" not in text
    assert "3 N  [5-12]" in asks(house, bert, "preview [5-12]").text
    assert "Match 1 as it was after turn 0" in asks(house, bert, "preview from 0").text
    refused = asks(house, bert, "preview from 3 [5-12]").text
    assert "nobody has played turn 3 yet. The last turn was 2" in refused


def test_preview_shows_nothing_to_people_outside_the_match(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    carol = house.player("Carol")
    house.match("lanko-68", carol, bert)
    carol.receives()
    carol.says("preview [41-36]", recipient=anna.receives()[-1].reply_to, references=False,
               quoting=False, subject="[pbem 1]")  # fmt: skip
    house.works()
    [mail] = carol.receives()
    assert "after" not in mail.text.partition("\n")[0]
    assert "[41-36]" not in mail.text.partition("Nothing has changed")[0]


def test_previews_use_none_of_a_days_answers(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    first = anna.read[0]
    for number in range(MOST_IN_VAIN + 5):
        anna.says(f"preview [41-36]\n\n{number}", to=first, quoting=False)
        house.works()
    mails = anna.receives()
    assert len(mails) == MOST_IN_VAIN + 5
    assert not any("left until" in mail.text for mail in mails)
    assert "left until" not in asks(house, anna, "show", first).text
    assert len(house.inbound(InboundState.DONE)) == MOST_IN_VAIN + 6


def test_email_has_at_most_five_previews(house: House, anna: Person, bert: Person) -> None:
    """Each shows a board, and other text than moves ends its line."""
    house.match("lanko-68", anna, bert)
    five = asks(house, anna, "\n".join(["preview [41-36]"] * 5))
    assert five.text.count("Match 1 after one turn") == 5
    six = asks(house, anna, "\n".join(["preview [41-36]"] * 6))
    assert "it asks for more than 5 previews" in " ".join(six.text.split())


def test_whole_match_is_analysed_and_played_by_taps_only(
    house: House, anna: Person, bert: Person
) -> None:
    """Each player looks two turns ahead, takes one back, and plays the first."""
    house.match("lancelot", anna, bert, target=2)
    people, chance = {"red": anna, "blue": bert}, random.Random(7)
    turns = 0
    while (seat := house.state().to_act) is not None:
        person = people[seat]
        person.receives()
        board = follows(house, person, labelled(person.latest, "Try a line"))
        added = []
        for _ in range(2):
            moves = [link for link in links_of(board) if link.body.startswith("preview ")]
            moves = [link for link in moves if not link.label.startswith("Take back")]
            if not moves:
                break
            added.append(chance.choice(moves).body.split()[-1])
            chosen = next(link for link in moves if link.body.endswith(f"{added[-1]}\r\n"))
            board = follows(house, person, chosen)
        if len(added) == 2:
            board = follows(house, person, labelled(board, f"Take back {added[1]}"))
        follows(house, person, labelled(board, f"Play {added[0]}"))
        turns += 1
        assert house.moves()[-1] == added[0]
    assert len(house.moves()) == turns > 4


def test_line_beyond_the_most_turns_is_cut(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    steps = list(islice(walk(game_of("lanko-68"), 2, 3, {}), MOST_TURNS + 1))
    mail = asks(house, anna, "preview " + " ".join(step.text for step in steps))
    assert "A line has at most 40 turns, so I left out the rest." in " ".join(mail.text.split())
    assert f"Match 1 after {MOST_TURNS} turns" in mail.text
    labels = [link.label for link in links_of(mail)]
    first, last = steps[0].text, steps[-2].text
    play = [f"Play {first}", f"Play {first} and plan the rest"]
    assert labels == [*play, f"Take back {last}", "Show the board"]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.info.key)
def test_links_of_the_longest_line_fit_every_program(
    house: House, anna: Person, bert: Person, game: AnyGame
) -> None:
    house.match(game.info.key, anna, bert)
    text, turns = [], set()
    for step in walk(game, 2, 5, {}):
        turns.add((step.before.turn, step.seat))
        if len(turns) == MOST_TURNS:
            break
        text.append(step.text)
    mail = asks(house, anna, "preview " + " ".join(text))
    assert "The line stops" not in mail.text
    assert all(len(link.href) < 2000 for link in links_of(mail))
    assert len(mail.html) < 102_000


def engine_shows(game: AnyGame, players: int, texts: list[str], seat: str) -> str:
    """Return the board that `pbem engine` shows after some actions."""
    lines = [f"new {game.info.key} players={players}", *(f"do {text}" for text in texts)]
    answers = StringIO()
    serve(StringIO("\n".join([*lines, f"show {seat}"])), answers)
    shown: str = json.loads(answers.getvalue().splitlines()[-1])["text"]
    return shown.partition("\n\n")[0]


def stored(path: Path) -> list[str]:
    """Return everything in a database except the emails and their answers."""
    with closing(sqlite3.connect(path)) as database:
        return [
            line
            for line in database.iterdump()
            if not line.startswith(tuple(f'INSERT INTO "{each}"' for each in OF_THE_EMAIL))
        ]


@pytest.mark.parametrize("house", ("sqlite",), indirect=True)
def test_preview_agrees_with_the_engine_and_changes_nothing(house: House, tmp_path: Path) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    chance = random.Random(1893)
    for number, game in enumerate(games(), start=1):
        players = 3 if 3 in game.info.holders else 2
        house.match(game.info.key, *people[:players])
        before = stored(tmp_path / "pbem.sqlite")
        for seed in range(3):
            steps = islice(walk(game, players, seed, {}), chance.randrange(1, 30))
            texts = [step.text for step in steps]
            asker = chance.choice(people[:players])
            asker.receives()
            line = "; ".join(texts)
            asker.says(f"preview {line} ...", quoting=False)
            house.works()
            [mail] = asker.receives()
            seat = house.state(number).seats_of(asker.player.id)[0] if asker.player else ""
            assert engine_shows(game, players, texts, seat) in mail.text, line
            assert stored(tmp_path / "pbem.sqlite") == before
