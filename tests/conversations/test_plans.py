"""Conversations: turns that players write ahead."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.archive.site.values import Site
from pbem.games import game_of
from pbem.matches.record import to_text
from pbem.service.club import Room
from pbem.service.direct import orders
from pbem.service.records.publish import stored_record
from pbem.service.work import reading
from tests.conversations.house import House, Person, Received
from tests.conversations.test_directing import decides
from tests.conversations.test_reading_room import published
from tests.fakes.archive import FakeArchive


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", mails="all")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert", mails="all")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara", mails="all")


def sent(house: House, person: Person, text: str) -> list[Received]:
    """Let somebody answer their newest email, and return what they get."""
    person.receives()
    person.says(text)
    house.works()
    return person.receives()


def plain(mail: Received) -> str:
    """Return the text of an email on one line."""
    return " ".join(mail.text.split())


def begun(house: House, anna: Person, bert: Person) -> None:
    """Start a match of Lancelot. Anna has placed the first knight, and it is Bert's turn."""
    house.match("lancelot", anna, bert)
    sent(house, anna, "E5")
    bert.receives()


# Lines and what they play


@pytest.mark.parametrize(
    "written",
    (
        "if F6 then E6",
        "IF f6 THEN e6.",
        "* if F6\n  then E6",
        "If F6 then\nE6",
        "if anything then E6",
        "if any then E6",
        "if [any] then [E6]",
        "if [ anything else ] then\n[E6]",
        "ahead E6",
        "if G7 then H8\nif F6 then E6\nif anything else then K4",
        "if F6 then E6; if anything then H8",
        "I like this game!\n\nif F6 then E6\n\nBest wishes, Anna",
    ),
)
def test_planned_answer_is_played_when_the_turn_comes(
    house: House, anna: Person, bert: Person, written: str
) -> None:
    begun(house, anna, bert)
    [answer] = sent(house, anna, written)
    assert "Plan 1 for match 1 is ready." in answer.text
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6", "E6"]


def test_line_leads_through_several_turns_of_its_author(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(
        house,
        anna,
        "if F6 then E6; if G7 then H8\nif F6 E6 H7 then H6\nif F6 then E6; if any then K9",
    )
    sent(house, bert, "F6")
    sent(house, bert, "H7")
    assert house.moves() == ["E5", "F6", "E6", "H7", "H6"]


def test_line_names_turns_of_several_players(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    sent(house, anna, "E5\n\nif F6 F7 then E6\nif F6, any then G6\nif any H8 then G8")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]
    sent(house, clara, "H8")
    assert house.moves() == ["E5", "F6", "H8", "G6"]


def test_answers_of_plans_to_plans_are_turns_of_their_own(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6; if G7 then H8")
    got = sent(house, bert, "F6\n\nif E6 then G7; if H8 then G8")
    assert house.moves() == ["E5", "F6", "E6", "G7", "H8", "G8"]
    assert [mail.kind for mail in got] == ["", "", ""]
    assert "I did what you had planned for turn 4 (plan 1)." in got[1].text
    [first, second, turn] = anna.receives()
    assert "2 blue  F6" in first.text
    assert "4 blue  G7" in second.text
    assert turn.kind == "your turn"
    assert "Bert had planned turn 6 ahead." in turn.text


def test_planned_turn_is_marked_in_the_history(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    sent(house, bert, "F6")
    with reading(house.club) as work:
        marks = [(each.kind, each.turn, each.seat) for each in work.matches.happenings(1)]
    assert marks == [("planned", 3, "red")]


def test_planned_turn_uses_no_time(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    house.clock.advance(hours=5)
    sent(house, bert, "F6")
    used = house.state().clock.accounts
    assert anna.player
    assert bert.player
    assert not used[anna.player.id].used
    assert used[bert.player.id].used


def test_bot_answers_a_planned_turn(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    house.match("lancelot", anna, bot)
    anna.receives()
    anna.says("E5\n\nif anything then F5")
    house.works()
    assert house.moves()[::2] == ["E5", "F5"]
    assert len(house.moves()) == 4


def test_plan_can_resign_and_the_match_is_over(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then resign")
    sent(house, bert, "F6")
    result = house.state().result
    assert result
    assert result.termination == "resignation"
    assert result.winners == ("blue",)


def test_plan_can_offer_a_draw_and_accept_one(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then draw")
    got = sent(house, bert, "F6")
    assert "Anna offers a draw." in got[-1].text
    assert house.state().to_act == "red"
    [turn] = anna.receives()
    assert turn.kind == "your turn"
    assert "Your draw offer stands." in turn.text
    sent(house, anna, "E6\n\nif anything then draw")
    sent(house, bert, "G7\ndraw?")
    result = house.state().result
    assert result
    assert result.termination == "draw"


@pytest.mark.parametrize("key", ("lanrick-1881", "lanrick-1893"))
def test_plan_holds_all_turns_of_an_opening(
    house: House, anna: Person, bert: Person, key: str
) -> None:
    house.match(key, anna, bert)
    game, turns = game_of(key), opening(key, 8)
    first, *others = turns
    theirs, own = others[::2], others[1::2]
    pairs = zip(map(" ".join, theirs), map(" ".join, own), strict=True)
    line = "; ".join(f"if {turn} then {answer}" for turn, answer in pairs)
    [answer] = sent(house, anna, f"{' '.join(first)}\n\n{line}")
    assert "is ready" in answer.text, answer.text
    for turn in theirs:
        sent(house, bert, " ".join(turn))
    assert house.moves() == [text for turn in turns for text in turn]
    assert game.to_act(house.position()) is not None


def opening(key: str, rounds: int) -> list[tuple[str, ...]]:
    """Return the first turns of both players, an odd number of them."""
    game = game_of(key)
    position: Any = game.initial(2, {})
    turns = list[tuple[str, ...]]()
    while len(turns) < 2 * rounds - 1:
        number, seat, texts = position.turn, position.seat, list[str]()
        while position.turn == number and position.seat == seat:
            legal = [action.text for action in position.legal]
            texts.append(legal[0] if seat == game.info.seats[0] else legal[-1])
            position = game.play(position, game.parse(position, texts[-1], seat))
        turns.append(tuple(texts))
    return turns


# Refusals and answers


REFUSED = {
    "if F6 then E5": "not legal",
    "if E5 then F6": "not legal",
    "if F6 then E6\nif F6 then G6": "contradict",
    "if F6 E6 then H8": "still the turn of blue",
    "if F6 then E6 G6": "more than your own turn",
    "if F6": "It needs the form",
    "if F6 then resign!": 'can\'t read "resign!"',
    "if F6 then what": 'can\'t read "what"',
    "if F6 then resign; if G7 then H8": "Nothing can follow",
    "if anything then E5": "no way",
    "cancel plan 7": "no plan 7",
    "cancel plans": "no plans",
}


@pytest.mark.parametrize("written", REFUSED)
def test_line_that_cannot_be_played_is_refused(
    house: House, anna: Person, bert: Person, written: str
) -> None:
    begun(house, anna, bert)
    [refusal] = sent(house, anna, written)
    assert refusal.kind == "please look again"
    assert REFUSED[written] in " ".join(refusal.text.split())
    with reading(house.club) as work:
        assert not work.plans.in_match(1)


@pytest.mark.parametrize(
    "written",
    (
        "If you like, we can then talk.",
        "if only then I had seen it",
        "ahead of time!",
        "If anything is unclear, write to me.",
        "If any of my knights falls, then I am lost.",
        "If F6, I'm lost.",
        "if you play F6 then I resign",
    ),
)
def test_line_without_a_turn_is_a_note(
    house: House, anna: Person, bert: Person, written: str
) -> None:
    house.match("lancelot", anna, bert)
    sent(house, anna, f"E5\n\n{written}")
    [_, turn] = bert.receives()
    assert f"| {written}" in turn.text


def test_lines_of_a_plan_are_in_no_note(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert)
    sent(house, anna, "E5\n\nHello!\n\nif F6 then\nE6\n\nBye")
    [_, turn] = bert.receives()
    assert [line for line in turn.text.splitlines() if line.startswith("|")] == [
        "| Hello!",
        "|",
        "| Bye",
    ]


def test_plan_in_the_text_of_an_appeal_is_not_a_plan(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "appeal Bert told me:\nif F6 then E6")
    with reading(house.club) as work:
        assert not work.plans.in_match(1)


def test_tap_makes_the_rest_of_a_preview_a_plan(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    [board] = sent(house, anna, "preview F6 E6 G7 H8 K4")
    assert "if F6 then E6; if G7 then H8" in board.text
    assert "body=if%20F6%20then%20E6%3B%20if%20G7%20then%20H8%0D%0A" in board.html
    [board] = sent(house, bert, "preview F6 E6 G7")
    assert "body=F6%0D%0Aif%20E6%20then%20G7%0D%0A" in board.html
    sent(house, bert, "F6\r\nif E6 then G7")
    sent(house, anna, "E6")
    assert house.moves() == ["E5", "F6", "E6", "G7"]


def test_bare_turn_out_of_turn_is_not_stored_but_offered_ahead(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    [refusal] = sent(house, anna, "E6")
    assert "    ahead E6" in refusal.text
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]


def test_turn_sent_ahead_is_not_played_once_it_means_something_else(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "ahead F6")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]
    [turn] = anna.receives()
    assert "Your plan 1 has lapsed: its answer is not legal now" in turn.text


def test_answer_to_a_plan_shows_a_board_for_each_line_that_is_certain(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    [answer] = sent(house, anna, "if F6 then E6\nif G7 then H8\nif anything then K9")
    assert answer.text.count(" 6   ") == 2
    assert answer.html.count("<table") == 2
    assert "cancel%20plan%201" in answer.html


def test_plan_without_proof_waits_for_its_author(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "help")
    anna.says("if F6 then E6\nif G7 then H8", recipient=house.address, references=False)
    house.works()
    [question] = anna.receives()
    assert "if F6 then E6" in question.text
    assert bert.receives() == []
    with reading(house.club) as work:
        assert not work.plans.in_match(1)
    sent(house, anna, "confirm")
    sent(house, bert, "G7")
    assert house.moves() == ["E5", "G7", "H8"]


def test_plan_without_proof_is_refused_once_the_match_has_moved_on(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    house.clock.advance(minutes=1)
    anna.says("if any then resign", recipient=house.address, references=False)
    house.works()
    [question] = anna.receives()
    assert "did you send this?" in question.text
    house.clock.advance(minutes=1)
    sent(house, bert, "F6")
    sent(house, anna, "E6")
    anna.says("confirm", to=question)
    house.works()
    assert "so I didn't keep your plan" in plain(anna.receives()[-1])
    sent(house, bert, "G7")
    assert house.moves() == ["E5", "F6", "E6", "G7"]
    assert house.state().result is None


def test_plan_that_leaves_too_much_open_is_refused(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    squares = [f"{file}{rank}" for file in "DEFGHIJK" for rank in range(4, 12)]
    open_ended = "then {}; if any then {}; if any then {}"
    own = ("D11", "K4", "H8")
    lines = [f"if {each} {open_ended.format(*own)}" for each in squares if each not in (*own, "E5")]
    [refusal] = sent(house, anna, "\n".join(lines))
    assert "leaves too much open" in plain(refusal)


def test_plans_are_listed_and_cancelled(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    sent(house, anna, "if G7 then H8")
    [listed] = sent(house, anna, "plans")
    assert "plan 1, sent in turn 2" in listed.text
    assert "if G7 then H8" in listed.text
    [cancelled] = sent(house, anna, "cancel plan 2")
    assert "Plan 2 for match 1 is cancelled." in cancelled.text
    assert "Still active: plan 1." in cancelled.text
    sent(house, anna, "cancel plans")
    [listed] = sent(house, anna, "plans")
    assert "You have no plans" in listed.text
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]
    [turn] = anna.receives()
    assert "lapsed" not in turn.text


def test_list_of_plans_leaves_out_what_can_no_longer_happen(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6; if G7 then H8\nif H4 then D4\nif any then resign")
    [listed] = sent(house, anna, "plans")
    assert "if any then resign" in listed.text
    sent(house, bert, "F6")
    [listed] = sent(house, anna, "plans")
    assert "if G7 then H8" in listed.text
    assert not any(gone in listed.text for gone in ("F6 then", "H4", "resign"))


def test_contradiction_of_an_earlier_plan_is_refused_with_its_number(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    [refusal] = sent(house, anna, "if G7 then H8\nif F6 then G6")
    assert "your plan 1" in " ".join(refusal.text.split())
    assert "cancel%20plan%201" in refusal.html


def test_email_that_cancels_a_plan_can_replace_it(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    [answer] = sent(house, anna, "cancel plan 1\nif F6 then H8")
    assert "Plan 1 for match 1 is cancelled." in answer.text
    assert "Plan 2 for match 1 is ready." in answer.text
    [answer] = sent(house, anna, "cancel plan 1\nif F6 then K4")
    assert "plan 1 is no longer active" in plain(answer)
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6", "H8"]


def test_plans_on_both_sides_of_a_text_to_others_are_one_tree(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    [answer] = sent(house, anna, "if F6 then E6\nsay hello\nend\nahead H8")
    assert "if F6 then E6" in answer.text
    assert "if anything then H8" in answer.text
    sent(house, bert, "G7")
    assert house.moves() == ["E5", "G7", "H8"]
    [answer] = sent(house, bert, "K4\n\nif D4 then D5\nsay hello\nend\nif D4 then D6")
    assert "contradict" in answer.text


def test_too_many_lines_are_refused(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    squares = [f"{file}{rank}" for file in "DEFGHIJK" for rank in range(4, 12)]
    squares.remove("E5")
    lines = [f"if {square} then {'E6' if square != 'E6' else 'E7'}" for square in squares]
    sent(house, anna, "\n".join(lines[:60]))
    more = [f"{line}; if any then K11" for line in lines[:41] if "K11" not in line]
    [refusal] = sent(house, anna, "\n".join(more))
    assert "101 lines. The limit is 100." in refusal.text


# Endings


def test_plan_lapses_when_play_leaves_its_tree(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    sent(house, bert, "G7")
    assert house.moves() == ["E5", "G7"]
    [turn] = anna.receives()
    assert turn.kind == "your turn"
    assert "Your plan 1 has lapsed: a turn was played that it does not expect." in turn.text
    sent(house, anna, "E6")
    sent(house, bert, "H8")
    [turn] = [mail for mail in anna.receives() if mail.kind == "your turn"]
    assert "lapsed" not in turn.text


def test_planned_draw_offer_ends_an_older_plan(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if anything then E6")
    sent(house, anna, "if F6 then draw")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]
    assert house.state().offers


def test_plan_lapses_when_a_draw_is_offered(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if anything then E6")
    sent(house, bert, "draw?")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6"]
    assert "has lapsed: somebody offered a draw." in anna.receives()[-1].text


def test_draw_offered_before_a_plan_does_not_end_it(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, bert, "draw?")
    sent(house, anna, "if anything then E6")
    sent(house, bert, "F6")
    assert house.moves() == ["E5", "F6", "E6"]


def test_turn_played_before_a_plan_does_not_trigger_it(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    anna.says("if F6 then E6")
    bert.says("F6")
    anna.receives()
    house.works()
    assert house.moves() in (["E5", "F6"], ["E5", "F6", "E6"])
    begun_late = house.moves()
    anna.receives()
    anna.says("if F6 then G7", anna.read[0])
    house.works()
    assert house.moves() == begun_late


def test_own_turn_by_hand_ends_earlier_plans(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    sent(house, anna, "E5")
    sent(house, anna, "if anything then draw")
    sent(house, bert, "F6")
    sent(house, clara, "F7")
    assert house.state().to_act == "red"
    sent(house, anna, "G7\n\nif H8 H9 then G8")
    [listed] = sent(house, anna, "plans")
    assert "plan 2" in listed.text
    assert "plan 1" not in listed.text


def test_plan_lapses_when_a_seat_changes_hands(house: House, anna: Person, bert: Person) -> None:
    clara = house.player("Clara")
    begun(house, anna, bert)
    sent(house, anna, "if anything then E6")
    decides(house, lambda work: orders.substitution(work, 1, "Bert", "Clara", "ill"))
    clara.receives()
    sent(house, clara, "F6")
    assert house.moves() == ["E5", "F6"]
    assert "has lapsed: a seat changed hands." in anna.receives()[-1].text


def test_plans_cannot_be_published_during_the_match(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    [refusal] = sent(house, anna, "publish plans")
    assert "you can publish your plans when the match is over" in plain(refusal)


def test_author_can_read_and_publish_plans_after_the_end(
    house: House, anna: Person, bert: Person
) -> None:
    begun(house, anna, bert)
    sent(house, anna, "if F6 then E6")
    house.resigns(bert)
    [end] = [mail for mail in anna.receives() if mail.kind == "the match is over"]
    assert 'For the plans that you had, send "plans".' in end.text
    [over] = sent(house, anna, "plans")
    assert "if F6 then E6" in over.text
    assert "publish plans" in over.text
    with reading(house.club) as work:
        assert not work.notes.of(1)
    sent(house, anna, "publish plans")
    with reading(house.club) as work:
        assert [note.text for note in work.notes.of(1)] == ["if F6 then E6"]
    [none] = sent(house, bert, "plans")
    assert "E6" not in none.text.partition("History")[0].replace("if F6", "")


def test_plan_lapses_when_a_turn_is_taken_back(house: House, anna: Person, bert: Person) -> None:
    begun(house, anna, bert)
    sent(house, bert, "F6")
    sent(house, anna, "E6\n\nif anything then H8")
    decides(house, lambda _: orders.undoing(1, 2, "mistake"))
    sent(house, bert, "G7")
    assert house.moves() == ["E5", "G7"]
    assert "has lapsed: turns were taken back" in " ".join(anna.receives()[-1].text.split())


@pytest.mark.parametrize(("line", "played"), (("if any then G9", 5), ("if F4 then G9", 6)))
def test_unforeseen_capture_ends_only_plans_for_anything(
    house: House, anna: Person, bert: Person, line: str, played: int
) -> None:
    house.match("lancelot", anna, bert)
    for person, text in ((anna, "F8"), (bert, "G8"), (anna, "F6"), (bert, f"F7\n\n{line}")):
        sent(house, person, text)
    sent(house, anna, "F4")  # captures F7
    assert len(house.moves()) == played
    lapsed = "one of your men was captured that it did not foresee"
    assert (lapsed in plain(bert.receives()[-1])) == (played == 5)


def test_plan_is_refused_if_a_man_is_captured_whatever_is_played(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    game, players = game_of("lanko-68"), {"S": anna, "N": anna, "W": bert, "E": bert}
    while not house.position().legal[0].taken:
        position = house.position()
        text = game.format(position, position.legal[len(house.moves()) % len(position.legal)])
        sent(house, players[position.seat], text)
    position = house.position()
    author = next(
        person for seat, person in players.items() if person is not players[position.seat]
    )
    after = game.play(position, position.legal[0])
    [refusal] = sent(house, author, f"if anything then {game.format(after, after.legal[0])}")
    assert refusal.kind == "please look again"


@pytest.mark.parametrize("wish", ("on", "off"))
def test_only_legal_action_is_played_for_members_who_wish_it(
    house: House, anna: Person, bert: Person, wish: str
) -> None:
    house.match("lanko-103", anna, bert)
    sent(house, bert, f"set forced {wish}")
    sent(house, anna, "[33-29]")
    forced = house.moves()[1:]
    assert len(forced) == (1 if wish == "on" else 0)
    assert bool(bert.receives()) == (wish == "off")
    if wish == "off":
        return
    with reading(house.club) as work:
        assert [each.kind for each in work.matches.happenings(1)] == ["forced"]
    position = house.position()
    sent(house, anna, game_of("lanko-103").format(position, position.legal[0]))
    [turn] = bert.receives()
    assert turn.kind == "your turn"
    for text in house.moves():
        assert text in turn.text


def test_offer_waits_for_its_answer_before_a_forced_turn(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-103", anna, bert, draws=True)
    sent(house, bert, "set forced on")
    sent(house, anna, "[33-29]\ndraw?")
    assert len(house.moves()) == 1


# Privacy


def test_plan_changes_nothing_for_anybody_else(house: House, anna: Person, bert: Person) -> None:
    room = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", "live"), room))
    begun(house, anna, bert)
    published(house)
    before = dict(room.files)
    sent(house, anna, "if F6 then E6")
    published(house)
    assert room.files == before
    assert bert.receives() == []
    assert house.director.receives() == []
    with reading(house.club) as work:
        assert "E6" not in to_text(stored_record(work, work.matches.get(1)))


def test_turn_email_is_the_same_whether_or_not_its_author_has_a_plan(
    house: House, anna: Person, bert: Person
) -> None:
    mails = []
    for match, plan in ((1, ""), (2, "\n\nif F6 then E6")):
        house.match("lancelot", anna, bert)
        sent(house, anna, f"E5{plan}")
        turn = bert.receives()[-1]
        mails.append([re.sub(rf"\b{match}\b", "N", each) for each in (turn.text, turn.html)])
    for one, other in zip(*mails, strict=True):
        assert len(one.splitlines()) == len(other.splitlines())
        assert abs(len(one) - len(other)) < 5


@pytest.mark.parametrize(
    "written", ("Hello\nif F6 then E5", "Hello\npreview from 99 F6\nF6", "Hello\nfi F6 then\nF6")
)
def test_report_of_vain_emails_quotes_no_plan(
    house: House, anna: Person, bert: Person, written: str
) -> None:
    begun(house, anna, bert)
    for _ in range(30):
        anna.says(written)
        house.works()
    reports = house.director.receives()
    assert any("Hello" in mail.text for mail in reports)
    assert not any("F6" in mail.text for mail in reports)
