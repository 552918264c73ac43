"""Decisions by email: what proves a director, who may not decide, and what reports offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.archive.site.values import Site
from pbem.ports.inbound import InboundState
from pbem.service.club import Policy, Room
from pbem.service.direct import orders
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import with_names
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.test_what_becomes_of_a_mail import with_a_broken_help
from tests.fakes.archive import FakeArchive


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def dora(house: House) -> Person:
    """A member with the role."""
    return director(house, "Dora")


def director(house: House, name: str) -> Person:
    person = house.player(name)
    assert person.player is not None
    with writing(house.club) as work:
        work.players.choose(person.player.id, "role", "director")
    return person


def says(house: House, person: Person, text: str, **how: object) -> Received:
    """Send a text and return its one answer."""
    person.receives()
    person.says(text, **how)  # type: ignore[arg-type]
    house.works()
    [answer] = person.receives()
    return answer


def flag_falls(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=6)


def plain(mail: Received) -> str:
    return " ".join(mail.text.split())


def log(house: House) -> list[tuple[str, str, str]]:
    """Return who did what and why, newest first."""
    with reading(house.club) as work:
        return [
            (
                "shell" if each.by is None else work.players.get(each.by).name,
                with_names(work, each.line),
                each.reason,
            )
            for each in work.decisions.newest(10)
        ]


def test_answer_to_the_report_handles_a_flag_fall(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    [report] = dora.receives()
    for line in ("extend 1 3d", "forfeit 1 Anna", "pbem match extend 1 3d"):
        assert f"    {line}\n" in report.text
    assert "body=extend%201%203d" in report.html
    assert "answer this mail" not in house.director.receives()[-1].text  # a non-member
    done = says(house, dora, "extend 1 3d Anna has moved house")
    assert "Done: extend 1 3d" in done.text
    flag = house.flag_at()
    assert flag is not None
    assert round((flag - house.clock.now()) / timedelta(days=1), 3) == 3
    assert "Reason: Anna has moved house" in plain(bert.receives()[-1])
    assert log(house) == [("Dora", "extend 1 3d", "Anna has moved house")]


def test_all_directors_get_the_report(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    emil = director(house, "Emil")
    flag_falls(house, anna, bert)
    for person in (dora, emil, house.director):
        assert len(person.receives()) == 1


def test_configured_address_decides_once_it_is_a_members(
    house: House, anna: Person, bert: Person
) -> None:
    with writing(house.club) as work:
        work.players.add("Director", [house.director.address])
    flag_falls(house, anna, bert)
    house.director.receives()
    assert "Done" in says(house, house.director, "extend 1 3d").text


def test_older_email_decides_nothing_but_its_answer_does(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    [old] = dora.receives()
    says(house, dora, "extend 1 1d")
    refused = says(house, dora, "forfeit 1 Anna", to=old)
    assert "older email to the director" in plain(refused)
    assert house.state().result is None
    says(house, dora, "forfeit 1 Anna")  # in answer to the refusal
    says(house, dora, "confirm")
    assert house.state().result is not None


def test_forfeit_says_what_is_lost_and_waits_for_confirm(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    dora.receives()
    asked = says(house, dora, "forfeit 1 anna She is gone\nextend 1 1d")
    assert "is this what you want?" in asked.text
    assert "Forfeit match 1 for Anna? Bert wins." in plain(asked)
    assert "This would be done: extend 1 1d." in plain(asked)
    assert house.state().result is None
    asked = says(house, dora, "forfeit 1 anna She is gone", to=says(house, dora, "help"))
    assert "Done: forfeit 1 Anna." in says(house, dora, "confirm").text
    assert "you won match 1 against Anna" in bert.receives()[-1].text
    assert log(house)[0] == ("Dora", "forfeit 1 Anna", "She is gone")


def test_forfeit_says_who_loses_too_or_plays_on(house: House, dora: Person) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.set("lanko-68", anna, bert, clara)
    house.match("lancelot", anna, bert, clara)
    dora.says("pause 1", recipient=house.address)
    house.works()
    says(house, dora, "confirm")
    asked = plain(says(house, dora, "forfeit 1 Bert"))
    assert "Forfeit match 1 for Bert? Anna wins, and Clara loses too." in asked
    asked = plain(says(house, dora, "forfeit 2 Bert", to=says(house, dora, "help")))
    assert "Forfeit match 2 for Bert? The others continue." in asked


def test_unproven_decision_is_asked_about(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    dora.says("pause 1", recipient=house.address)
    house.works()
    [asked] = dora.receives()
    assert "did you send this?" in asked.text
    assert not house.state().clock.pauses
    says(house, dora, "confirm")
    assert house.state().clock.pauses


def test_match_email_proves_nothing_to_the_director(
    house: House, anna: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, dora)
    asked = says(house, dora, "forfeit 1 Anna")
    assert "did you send this?" in asked.text
    assert house.state().result is None


def test_one_of_two_directors_decides(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    emil = director(house, "Emil")
    flag_falls(house, anna, bert)
    [report] = emil.receives()
    says(house, dora, "extend 1 3d Anna has moved house")
    refused = says(house, emil, "forfeit 1 Anna", to=report)
    assert "something may have been decided since" in plain(refused)
    assert house.state().result is None
    told = next(each for each in emil.read if "Dora has decided" in each.text)
    assert "    extend 1 3d\n" in told.text
    assert "| Anna has moved house" in told.text


def test_decision_on_the_command_line_is_reported_to_directors(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    [report] = dora.receives()
    with writing(house.club) as work:
        decide(work, orders.pausing(1, "Anna is ill"), SHELL)
    house.works()
    [told] = dora.receives()
    assert "Somebody on the command line has decided" in told.text
    assert "older email" in says(house, dora, "forfeit 1 Anna", to=report).text


def test_asking_director_is_notified_once_all_players_agree(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    for person in (anna, bert, anna):
        person.receives()
        person.says(person.latest.text.split("for example:")[1].split()[0])
        house.works()
    dora.says("cancel 1 A mistake", recipient=house.address)
    house.works()
    assert "Not done yet" in says(house, dora, "confirm").text
    for person in (anna, bert):
        person.receives()
        person.says("cancel yes")
        house.works()
    [agreed] = dora.receives()
    assert "All players have agreed: match 1 is cancelled." in agreed.text


def test_wrapped_reason_ends_at_a_blank_line_or_command(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", anna, bert)
    text = """\
pause 1 Anna's mail server is down until Monday. We also
wait for Bert's doctor.
extend 2 2d Bert's doctor needs more time than anybody could
expect.

Thank you, Dora"""
    dora.says(text, recipient=house.address)
    house.works()
    assert "wait for Bert's doctor." in plain(dora.receives()[-1])
    dora.says("confirm")
    house.works()
    assert [each[1:] for each in log(house)] == [
        ("extend 2 2d", "Bert's doctor needs more time than anybody could expect."),
        ("pause 1", "Anna's mail server is down until Monday. We also wait for Bert's doctor."),
    ]
    told = plain(anna.receives()[-1]) + plain(anna.read[-2])
    assert "We also wait for Bert's doctor." in told
    assert "Thank you" not in told


def test_line_below_a_short_reason_is_a_note(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    dora.says("pause 1 A mistake\nDora", recipient=house.address)
    house.works()
    says(house, dora, "confirm")
    assert log(house)[0][1:] == ("pause 1", "A mistake")


def test_director_withdraws_the_question_to_cancel_a_match(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    for person in (anna, bert, anna):
        person.receives()
        person.says(person.latest.text.split("for example:")[1].split()[0])
        house.works()
    dora.says("cancel 1 A mistake", recipient=house.address)
    house.works()
    says(house, dora, "confirm")
    anna.receives()
    anna.says("cancel yes")
    house.works()
    for person in (anna, bert):
        person.receives()
    assert "Done: reopen 1." in says(house, dora, "reopen 1 I meant match 2").text
    for person in (anna, bert):
        [told] = person.receives()
        said = plain(told)
        assert "match 1 won't be cancelled: the director no longer asks for it." in said
        assert "Reason: I meant match 2" in said
    bert.says("cancel yes")
    house.works()
    assert house.state().result is None
    assert log(house)[0][:2] == ("Dora", "reopen 1 (the players are no longer asked)")
    assert "still being played" in says(house, dora, "reopen 1").text
    assert "Not done yet" in says(house, dora, "cancel 1 A mistake after all").text


def test_cancelling_a_match_of_a_competition_names_its_replay(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.series("lanrick-1881", anna, bert, 2)
    dora.says("cancel 1 A mistake", recipient=house.address)
    house.works()
    done = plain(says(house, dora, "confirm"))
    assert "Done: cancel 1. I have told the players. Match 2 replays it." in done
    over = plain(anna.receives()[1])
    assert "The match will be replayed. You'll get an email when it starts." in over
    assert "To play again" not in over


def test_cancelling_a_match_of_a_round_says_when_it_is_replayed(house: House, dora: Person) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara", "Emil")]
    house.tournament("lanrick-1893", *people)
    dora.says("cancel 1 A mistake", recipient=house.address)
    house.works()
    done = plain(says(house, dora, "confirm"))
    assert "It will be replayed after the matches in play." in done


def test_early_appeal_offers_to_cancel_the_match(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("appeal I wanted Clara.")
    house.works()
    [report] = dora.receives()
    assert "| I wanted Clara.\n" in report.text  # the full stop is hers
    assert "    cancel 1 REASON\n" in report.text
    assert "undo 1" not in report.text  # nothing was played yet


Attack = Callable[[House, Person, Person, Person, Received], None]


def _as_opponent(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    bert.says("forfeit 1 Anna")


def _as_stranger(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    house.stranger("eve@mail.example").says("forfeit 1 Anna")


def _forged(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    bert.says("forfeit 1 Anna", sender=dora.address, recipient=house.address)


def _with_own_token(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    bert.says("forfeit 1 Anna", sender=dora.address)


def _forwarded(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    bert.says("forfeit 1 Anna", to=old, sender=dora.address)


def _forwarded_own(house: House, anna: Person, bert: Person, dora: Person, old: Received) -> None:
    bert.says("forfeit 1 Anna", to=old)


@pytest.mark.parametrize(
    "attack",
    (_as_opponent, _as_stranger, _forged, _with_own_token, _forwarded, _forwarded_own),
)
def test_sender_without_the_right_decides_nothing(
    house: House, anna: Person, bert: Person, dora: Person, attack: Attack
) -> None:
    flag_falls(house, anna, bert)
    [old] = dora.receives()
    says(house, dora, "pause 1")  # so the report is not the newest email
    bert.receives()
    attack(house, anna, bert, dora, old)
    house.works()
    assert house.state().result is None
    assert len(log(house)) == 1


def test_one_email_may_decide_several_things(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    dora.receives()
    done = says(house, dora, "pause 1\nextend 1 2d")
    assert done.text.count("Done:") == 2
    says(house, dora, "forfeit 1 Anna\nextend 1 2d")
    assert "match 1 is over" in says(house, dora, "confirm").text
    assert house.state().result is None


def test_impossible_decision_is_refused_with_the_reason(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    dora.receives()
    for text, reason in (
        ("forfeit 1 Clara", "Clara does not play in match 1. Its players are Anna, Bert"),
        ("extend 1 soon", "is not a length of time. Write it like 3d, 36h or 2w"),
        ("extend 9 3d", "there is no match 9"),
        ("adjudicate 1 green he cheats", "green is not a side of match 1"),
        ("resume 1", "match 1 itself is not paused"),
        ("replace 1 Anna Nobody", "there is no member Nobody"),
        ("undo 1 to 3", "no turn 3 to take back"),
        ("act 1 W [10-19]", "it is S's turn"),
    ):
        assert reason in plain(says(house, dora, text))
    assert log(house) == []


def test_directors_illegal_act_is_refused(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    for text, reason in (
        ("act 1 S [41-1]", "Dora, I read 41-1 but that is not legal: square 1 is occupied."),
        ("act 1 S [41-999]", "Dora, I couldn't read this as a move: 41-999"),
    ):
        assert reason in plain(says(house, dora, text))
    assert house.moves() == []


def test_director_acts_undoes_and_replaces_by_email(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    dora.receives()
    house.player("Clara Brown")
    says(house, dora, "act 1 S [41-36]")
    assert house.moves() == ["[41-36]"]
    says(house, dora, "undo 1 to 1 A slip")
    assert house.moves() == []
    says(house, dora, "replace 1 anna clara brown Anna is away")
    assert "Clara Brown" in house.names().values()
    assert log(house)[0] == ("Dora", "replace 1 Anna Clara Brown", "Anna is away")


def test_appeal_reaches_the_directors(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("appeal Bert says his pawn was moved\nby his cat. What now?\n[41-36] is not my move.")
    house.works()
    [report] = dora.receives()
    assert "| by his cat. What now?" in report.text
    assert "41P" in report.text  # the board
    assert "    pause 1\n" in report.text
    assert "    tell Anna TEXT\n" in report.text
    assert "reopen" not in report.text
    assert house.moves() == []
    assert "I'm sending the director the current position and your text" in anna.receives()[-1].text
    for _ in range(2):
        says(house, anna, "appeal And?")
    assert "within a day" in plain(says(house, anna, "appeal And now?"))
    assert len(dora.receives()) == 2
    assert not [mail for mail in bert.receives()[1:] if "cat" in mail.text]


def test_appeal_after_a_claim_offers_to_reopen_the_match(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert, chosen="flag=claim")
    house.passes(days=6)
    bert.receives()
    bert.says("claim")
    house.works()
    anna.receives()
    dora.receives()
    anna.says("appeal I had told Bert that I am away.")
    house.works()
    [report] = dora.receives()
    assert "    reopen 1\n    tell Anna TEXT\n    announce match 1 TEXT\n" in report.text
    assert "    pbem match reopen 1\n    pbem member tell Anna TEXT\n" in report.text
    assert "Done: reopen 1" in says(house, dora, "reopen 1 Bert knew", to=report).text


def test_director_sees_the_clocks_of_a_match_by_its_number(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    room = Room(Site("pbem", house.address), FakeArchive())
    house.club = replace(house.club, room=room)
    house.match("lanko-68", anna, bert)
    house.passes(days=1)
    clara = house.player("Clara")
    assert "Time left" not in says(house, clara, "match 1", recipient=house.address).text
    shown = plain(says(house, dora, "match 1"))
    assert "Anna to move by" in shown
    assert "4 days left. Time left: Anna 4 d, Bert 5 d." in shown
    says(house, dora, "pause 1")
    assert "The clocks are paused: the director" in plain(says(house, dora, "match 1"))


def test_director_reads_a_private_match_without_a_reading_room(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    clara = house.player("Clara")
    for command in ("match 1", "record 1"):
        refused = says(house, clara, command, recipient=house.address)
        assert "you have no match 1" in refused.text
    shown = plain(says(house, dora, "match 1"))
    assert "Anna to move by" in shown
    assert "Bert 5 d." in shown
    assert "match-000001" in says(house, dora, "record 1").text


def test_director_is_a_player_in_their_own_competition_until_a_match_is_over(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.tournament("lanko-68", anna, bert, dora, concurrent=True)
    assert dora.player is not None
    dora.receives()
    numbers = [each.id for each in house.matches() if dora.player.id not in each.players]
    number = numbers[0]
    shown = says(house, dora, f"match {number}", recipient=house.address)
    assert f"you have no match {number}" in shown.text
    house.resigns(anna, match=number)
    assert "Bert" in says(house, dora, f"match {number}", recipient=house.address).text


def test_announcement_is_shown_and_sent_on_confirm(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    flag_falls(house, anna, bert)
    dora.receives()
    bert.receives()
    shown = says(house, dora, "announce match 1 The club is away\nuntil Monday.")
    assert "| until Monday." in shown.text
    assert "\n    announce match 1 The club is away\n    until Monday.\n" in shown.text
    assert bert.receives() == []
    dora.says("confirm")
    house.works()
    [told] = bert.receives()
    assert "| The club is away" in told.text
    assert "Sent to match 1 (2 members)" in dora.receives()[-1].text
    assert log(house)[0][:2] == ("Dora", "announce match 1")
    shown = says(house, dora, "announce club Hello, all.")
    assert "To the club (3 members)" in shown.text


def test_email_set_aside_is_handled_by_email(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    whole = house.club
    with_a_broken_help(house)
    for _ in range(3):
        anna.says("help")
    house.works()
    house.club = whole
    anna.receives()
    reports = dora.receives()
    assert len(reports) == 3
    assert "    answer 1 TEXT\n" in reports[0].text
    assert "Done: retry 1" in says(house, dora, "retry 1").text
    assert len(anna.receives()) == 1
    says(house, dora, "drop 2")
    says(house, dora, "answer 3 Please write\nonce more.")
    assert "| once more." in anna.receives()[-1].text
    assert house.inbound(InboundState.SHUNTED) == []
    assert "not set aside" in plain(says(house, dora, "drop 2"))


def test_email_over_a_limit_is_read_when_the_director_says_so(
    house: House, anna: Person, bert: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    for text in ("show", "[41-36]"):
        anna.says(text, to=anna.read[0], quoting=False)
    house.club = replace(house.club, policy=Policy(mails_an_hour=1))
    house.works()
    assert house.moves() == []
    [kept] = house.inbound(InboundState.KEPT)
    says(house, dora, f"retry {kept.id}")
    assert f"Done: retry {kept.id}" in says(house, dora, "confirm").text
    assert house.moves() == ["[41-36]"]
