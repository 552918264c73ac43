"""Tap answers: every link of an email does exactly what it says."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random

import pytest

from pbem.games.api import AnyGame
from pbem.inbox.judge import judge
from pbem.inbox.judgement import Accepted, Judgement, Parked
from pbem.mail.message.message import digest, read_message
from pbem.mail.proof.authentication import ProofRule
from pbem.matches.match import Match
from pbem.matches.player_actions import play
from pbem.ports.inbound import InboundMail
from pbem.service.delivery.deliver import deliver
from pbem.service.play.change import apply
from pbem.service.play.send_position import send_position
from pbem.service.work import writing
from pbem.testing.random_matches import listed
from tests.conversations.house import House, Person
from tests.conversations.tapping import Link, links_of, tapped, taps
from tests.conversations.test_other_games import nearer
from tests.conversations.test_signed import GOOD, by_rule
from tests.games.every_game import every_game
from tests.mail.quoting import QUOTES_OF_HTML, answered, mail_of

COMMANDS = {
    *("legal", "show", "preview", "history", "rules", "draw?", "draw", "no draw", "resign"),
    "confirm",
}
POSITIONS = 3
"""Positions of each game in which every link of the email is tried."""
MOST_ACTIONS = 40
"""Actions between two of these positions, at most."""


class Undone(Exception):
    """Raised to undo what was tried."""


def judged(house: House, person: Person, link: Link) -> Judgement:
    """Return how the club would judge a tapped email, without changing anything."""
    raw = tapped(person, link)
    message = read_message(raw)
    at = (house.clock.now(), house.clock.now())
    mail = InboundMail(2**31 - 1, *at, message.message_id, digest(raw), person.address, raw=raw)
    found: list[Judgement] = []
    with suppress(Undone), writing(house.club) as work:
        found.append(judge(work, mail, anew=True))
        raise Undone
    return found[0]


def said_by(link: Link) -> str:
    """Return the one line that a link sends."""
    [line] = link.body.split("\r\n")[:-1]
    return line


def does_what_it_says(house: House, person: Person, link: Link) -> None:
    judgement, said = judged(house, person, link), said_by(link)
    if said == "resign":  # the answer asks for a `confirm`
        assert isinstance(judgement, Parked)
        assert judgement.requests.told == (said,)
        return
    assert isinstance(judgement, Accepted), (link, judgement)
    assert not judgement.requests.note
    if said in COMMANDS:
        assert judgement.requests.told == (said,)
        return
    match, after = house.state(), judgement.done.match
    assert after is not None
    played = [each.text for each in judgement.done.played]
    action, goes_on = said.removesuffix(" ..."), said.endswith(" ...")
    if link.label not in (said, "End the turn"):
        [[start, *others]] = match.game.paths(action) or ()
        if others:  # the square where it starts is the title of its group
            assert link.label == said.replace(f"{start}-", "", 1)
        else:  # it is a square of the board, perhaps with a piece
            assert link.label.startswith(start) or not re.match(r"[A-Za-z]\d", link.label)
    ended = (after.turn, after.to_act) != (match.turn, match.to_act)
    if goes_on:
        assert (played, ended) == ([action], False)
    else:
        assert played in ([action], [action, "."])
        assert ended or after.result or after.game.closing(after.position) is None


def to_actions(links: list[Link]) -> list[Link]:
    return [each for each in links if said_by(each) not in COMMANDS]


def link_to(person: Person, said: str) -> Link:
    """Return the link of the newest email that sends a line."""
    person.receives()
    return next(each for each in links_of(person.latest) if said_by(each) == said)


def goes_on_by_itself(house: House, chance: Random) -> None:
    """Play some actions without email, then send the position to the player to move."""
    with writing(house.club) as work:
        before = match = work.lock_match(1)
        for _ in range(chance.randint(1, MOST_ACTIONS)):
            if match.player_to_act is not None:
                text = likely(match, chance)
                change = play(match, match.player_to_act, [text], work.now)
                apply(work, match, change, work.now)
                match = work.whole(work.matches.get(1))
        assert match.actions > before.actions
        if match.result is None:
            send_position(work, 1)
    deliver(house.club, house.transport)


def likely(match: Match, chance: Random) -> str:
    """Return a legal action. In Lanrick it mostly brings a man nearer to the rendezvous."""
    game, position = match.game, match.position
    texts = [game.format(position, action) for action in listed(game, position)]
    goal = game.squares(position).get("rendezvous")
    if goal and chance.random() < 0.8:
        return max(texts, key=lambda text: (nearer(text, goal), chance.random()))
    return chance.choice(texts)


@pytest.mark.thorough
@every_game
def test_every_tap_of_random_positions_plays_what_it_says(house: House, game: AnyGame) -> None:
    chance, tried = Random(game.info.key), 0
    people = [house.player(f"P{number}") for number in range(max(game.info.holders))]
    house.match(game.info.key, *people)
    by_id = {person.player.id: person for person in people if person.player}
    for _ in range(POSITIONS):
        acting = house.state().player_to_act
        if acting is None:
            break
        person = by_id[acting]
        person.receives()
        links = links_of(person.latest)
        assert {each.address for each in links} == {person.latest.reply_to}
        assert to_actions(links)
        for link in links:
            does_what_it_says(house, person, link)
        tried += len(links)
        goes_on_by_itself(house, chance)
    assert tried


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def test_steps_are_tapped_one_by_one_until_the_turn_is_complete(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert)
    taps(anna, link_to(anna, "@d5"))
    house.works()
    first = link_to(bert, "a4-b5 ...")
    taps(bert, first)
    anna.receives()
    house.works()
    assert house.moves() == ["@d5", "a4-b5"]
    assert anna.receives() == []
    [mail] = bert.receives()
    assert mail.kind == "your turn"
    assert "it is still your turn as Black" in mail.text
    assert "to end your turn" in mail.text
    end = link_to(bert, ".")
    taps(bert, first)
    house.works()
    [again] = bert.receives()
    assert "you have no man on a4" in again.text
    assert "Nothing has changed" in again.text
    taps(bert, end)
    house.works()
    assert house.moves() == ["@d5", "a4-b5", "."]
    [turn] = anna.receives()
    assert "2 black a4-b5 ." in " ".join(turn.text.split())
    assert bert.receives()[-1].kind == ""
    taps(bert, first)
    house.works()
    assert "not your turn" in " ".join(bert.receives()[0].text.split())


def test_note_in_an_unfinished_turn_reaches_the_opponent(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert)
    anna.receives()
    anna.says("@d5")
    house.works()
    bert.receives(), anna.receives()
    bert.says("a4-b5\n…\n\nWell met!", quoting=False)
    house.works()
    assert house.moves() == ["@d5", "a4-b5"]
    [news] = anna.receives()
    assert "| Well met!" in news.text


@pytest.mark.parametrize("rule", (ProofRule.TOKEN, ProofRule.TOKEN_AND_DKIM))
def test_tap_is_proven_by_its_token(
    house: House, anna: Person, bert: Person, rule: ProofRule
) -> None:
    house.match("lanko-68", anna, bert)
    by_rule(house, rule)
    link = link_to(anna, "[41-36]")
    taps(anna, link)
    house.works()
    assert house.moves() == (["[41-36]"] if rule is ProofRule.TOKEN else [])
    if rule is ProofRule.TOKEN_AND_DKIM:
        anna.sends(f"{GOOD}\r\n".encode() + tapped(anna, link), link.address)
        house.works()
    assert house.moves() == ["[41-36]"]


def test_tap_in_an_old_email_shows_what_has_changed(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    old = link_to(anna, "[41-36]")
    for person in (anna, bert):
        person.receives()
        taps(person, to_actions(links_of(person.latest))[0])
        house.works()
    anna.receives()
    taps(anna, old)
    house.works()
    [answer] = anna.receives()
    assert "you answered an older email" in " ".join(answer.text.split())
    assert "Since the email you answered" in answer.text


def test_impossible_commands_have_no_tap_link(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    clara = house.player("Clara")
    house.match("lanrick-1881", clara, bert, draws=False)

    def offered(person: Person) -> set[str]:
        person.receives()
        return {said_by(each) for each in links_of(person.latest)} & COMMANDS - {"rules"}

    assert offered(clara) == {"legal", "show", "preview", "resign"}
    bert.receives()
    assert offered(anna) == {"legal", "show", "preview", "draw?", "resign"}
    taps(anna, link_to(anna, "draw?"))
    house.works()
    assert offered(anna) == {"legal", "show", "preview", "resign"}
    assert offered(bert) == {"show", "preview", "draw", "no draw", "resign"}
    taps(bert, link_to(bert, "draw"))
    house.works()
    assert house.state().result is not None
    assert offered(anna) == offered(bert) == {"show", "history", "preview"}


def test_emails_without_a_board_link_back_to_the_game(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1881", anna, bert)
    taps(anna, link_to(anna, "legal"))
    house.works()
    anna.receives()
    said = {said_by(each) for each in links_of(anna.latest)}
    assert {"show", "draw?", "resign"} < said
    assert len(said - COMMANDS) > 1
    anna.says("help")
    house.works()
    anna.receives()
    assert {"legal", "show", "preview", "draw?", "resign"} < {
        said_by(each) for each in links_of(anna.latest)
    }


def test_question_is_answered_by_exactly_one_tap(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]", recipient=house.address, references=False)
    house.works()
    [question] = anna.receives()
    [link] = links_of(question)
    assert (link.label, said_by(link)) == ("Confirm", "confirm")
    taps(anna, link)
    house.works()
    assert house.moves() == ["[41-36]"]


@pytest.mark.parametrize("references", (True, False))
@pytest.mark.parametrize("client", QUOTES_OF_HTML)
def test_html_reply_taps_nothing_by_quoting(
    house: House, anna: Person, bert: Person, client: str, references: bool
) -> None:
    house.match("lanko-68", anna, bert)
    [mail] = anna.receives()
    page = QUOTES_OF_HTML[client](mail.html)
    raw = mail_of(answered(page, "[41-36]", "above", html_only=True), html_only=True)
    thread = f"In-Reply-To: {mail.message_id}\n" if references else ""
    anna.sends(f"To: {mail.reply_to}\n{thread}".encode() + raw, mail.reply_to)
    house.works()
    assert house.moves() == ["[41-36]"]
    assert all("went to the other players" not in each.text for each in anna.receives())
