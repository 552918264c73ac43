"""Directors who have only email look after the club and its members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.mail.outgoing.kinds import DirectorDecided
from pbem.matches.zones import minute
from pbem.ports.people import AbsenceNotice
from pbem.service.club import Joining, Policy
from pbem.service.direct.announcing import Recipients, announce
from pbem.service.direct.decide import SHELL, Director, log as write_log
from pbem.service.direct.for_member import write_to
from pbem.service.members.forget import forget
from pbem.service.members.joining import Newcomer, apply, join
from pbem.service.members.own_addresses import accept
from pbem.service.post.post import tell_director
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.test_directors_mail import director, log, plain, says


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def grace(house: House) -> Person:
    return house.player("Grace Hopper")


@pytest.fixture
def dora(house: House, anna: Person) -> Person:
    """A director who has just answered an email to directors."""
    person = director(house, "Dora")
    person.says("pause club", recipient=house.address)
    house.works()
    says(house, person, "confirm")
    says(house, person, "resume club")
    for each in house.people:
        each.receives()
    return person


def fails(house: House, person: Person) -> None:
    assert person.player is not None
    with writing(house.club) as work:
        work.players.address_failed(person.address, work.now, "550 no such user")


def test_status_shows_queues_and_problems(house: House, anna: Person, dora: Person) -> None:
    told = says(house, dora, "status").text
    assert "BAD  nobody serves the club" in told  # the tests run no heartbeat
    assert "no email is waiting" in told
    assert "members: 2" in told


def test_log_lists_decisions_newest_first(
    house: House, anna: Person, grace: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, grace)
    says(house, dora, "pause 1 Anna is ill")
    told = says(house, dora, "log")
    assert plain(told).index("Dora pause 1 Anna is ill") < plain(told).index("Dora pause club")
    assert "pause club" not in says(house, dora, "log 1").text
    assert "there is no match 7" in plain(says(house, dora, "log 7"))


def test_log_lists_at_most_fifty_decisions(house: House, anna: Person, dora: Person) -> None:
    with writing(house.club) as work:
        for _ in range(60):
            write_log(work, SHELL, "pause club", "")
    told = says(house, dora, "log").text
    assert told.count("shell  pause club") == 50
    assert "pbem log --limit" in told


def test_member_is_shown_with_addresses_leave_matches_and_absences(
    house: House, anna: Person, grace: Person, dora: Person
) -> None:
    house.match("lanko-68", grace, anna)
    fails(house, grace)
    assert grace.player is not None
    with writing(house.club) as work:
        work.absences.add(AbsenceNotice(grace.player.id, 1, work.now, "Away", "I am away."))
    told = says(house, dora, "member grace hopper").text
    for shown in (
        "Grace Hopper, UTC",
        "grace.hopper@mail.example  has not accepted email since",
        "550 no such user",
        "match 1  Lanko-68, turn 1, to act",
        "Grace Hopper: not on leave",
        "| I am away.",
    ):
        assert shown in told
    assert "I couldn't find a member's name" in plain(says(house, dora, "member Zoe"))


def test_member_shows_when_they_joined_if_that_is_known(
    house: House, anna: Person, dora: Person
) -> None:
    with writing(house.club) as work:
        join(work, Newcomer("zoe@mail.example", "Zoe", "UTC"))
    assert f"joined {minute(house.clock.now())}" in says(house, dora, "member zoe").text
    assert "joined" not in says(house, dora, "member anna").text


def test_director_takes_and_ends_leave_for_a_member(
    house: House, grace: Person, dora: Person
) -> None:
    done = says(house, dora, "leave grace hopper 3 days")
    assert "Grace Hopper: on leave from" in plain(done)
    assert "The director took it for you." in plain(grace.receives()[-1])
    assert "not on leave" in says(house, dora, "leave Grace Hopper back").text
    assert "The director ended it for you." in plain(grace.receives()[-1])
    refused = plain(says(house, dora, "leave Grace Hopper 2020-01-01"))
    assert "I can't do this: leave Grace Hopper 2020-01-01" in refused
    assert log(house)[:2] == [
        ("Dora", "leave Grace Hopper back", ""),
        ("Dora", "leave Grace Hopper 3 days", ""),
    ]


def test_directors_own_leave_is_still_theirs(house: House, dora: Person) -> None:
    assert "You have leave" in says(house, dora, "leave 3 days").text


def test_director_writes_to_a_member(house: House, anna: Person, dora: Person) -> None:
    emil = director(house, "Emil")
    done = says(house, dora, "tell anna: Will you move?\n\nYour match waits.")
    assert "Sent to Anna:" in done.text
    [told] = anna.receives()
    assert "| Will you move?\n|\n| Your match waits.\n" in told.text
    assert "To answer the director, just reply to this email." in plain(told)
    assert dora.address not in told.text
    assert "Dora has decided:\n\n    tell Anna" in emil.receives()[-1].text
    assert log(house)[0] == ("Dora", "tell Anna", "Will you move?\n\nYour match waits.")


def test_plain_reply_to_a_director_reaches_the_one_who_wrote(
    house: House, anna: Person, grace: Person, dora: Person
) -> None:
    emil = director(house, "Emil")
    house.match("lanko-68", anna, grace)
    report = dora.read[-1]
    says(house, dora, "tell anna Will you move?", to=report)
    told = anna.receives()[-1]
    for person in (dora, emil, house.director):
        person.receives()
    done = says(house, anna, "Sorry, I was ill.\nI move tonight.", to=told)
    assert "passed this on to the director:\n\n| Sorry, I was ill.\n| I move tonight." in done.text
    [passed_on] = dora.receives()
    assert passed_on.message["Subject"] == "[pbem] Anna answers the director"
    assert "| Sorry, I was ill.\n| I move tonight." in passed_on.text
    assert "To answer Anna, just reply to this email." in passed_on.text
    assert emil.receives() == house.director.receives() == grace.receives()[1:] == []
    assert "Sent to Anna:" in says(house, dora, "Get well soon.\nTake care.", to=passed_on).text
    assert "| Get well soon.\n| Take care." in anna.receives()[-1].text
    assert "Dora has decided:\n\n    tell Anna" in emil.receives()[-1].text
    assert log(house)[0] == ("Dora", "tell Anna", "Get well soon.\nTake care.")


def test_plain_reply_reaches_its_director_although_another_wrote_at_the_same_moment(
    house: House, anna: Person, dora: Person
) -> None:
    emil = director(house, "Emil")
    says(house, dora, "pause club")
    with writing(house.club) as work:
        assert anna.player is not None
        for person in (dora, emil):
            assert person.player is not None
            write_to(work, anna.player, f"{person.name} asks.", Director(person.player.id))
    house.works()
    first, second = anna.receives()
    for told, reader, other in ((first, dora, emil), (second, emil, dora)):
        dora.receives()
        emil.receives()
        says(house, anna, "Yes.", to=told)
        assert ["| Yes." in each.text for each in reader.receives()] == [True]
        assert other.receives() == []


def test_sentence_of_a_reply_with_a_command_reaches_the_director(
    house: House, anna: Person, dora: Person
) -> None:
    says(house, dora, "tell anna Will you move?")
    [told] = anna.receives()
    done = says(house, anna, "Sorry, I was ill.\n\nsettings", to=told)
    assert "Your settings" in done.text
    assert "passed this on to the director:\n\n| Sorry, I was ill.\n" in done.text
    assert "did not pass" not in done.text
    assert "| Sorry, I was ill.\n" in dora.receives()[0].text


def test_sentence_of_a_reply_that_waits_for_confirm_is_passed_on_after_it(
    house: House, anna: Person, dora: Person
) -> None:
    emil = director(house, "Emil")
    with writing(house.club) as work:
        assert dora.player is not None
        assert emil.player is not None
        write_to(work, dora.player, "Will you announce it?", Director(emil.player.id))
    house.works()
    says(house, dora, "Gladly.\nannounce club The summer cup starts today.", to=dora.receives()[0])
    assert emil.receives() == []
    dora.says("confirm")
    house.works()
    assert sum("| Gladly.\n" in each.text for each in emil.receives()) == 1


def test_nothing_is_passed_on_of_a_member_who_leaves(
    house: House, anna: Person, dora: Person
) -> None:
    says(house, dora, "tell anna Will you move?")
    says(house, anna, "I have had enough.\nforget me", to=anna.receives()[0])
    says(house, anna, "confirm")
    assert all("had enough" not in each.text for each in dora.receives())


@pytest.fixture
def replied(house: House, anna: Person, dora: Person) -> Received:
    """A member's reply to a director, who has got another email since."""
    says(house, dora, "tell anna Will you move?")
    anna.receives()
    dora.receives()
    anna.says("Tomorrow.")
    house.works()
    [reply] = dora.receives()
    with writing(house.club) as work:
        tell_director(work, DirectorDecided("Emil", "pause set 3", ""))
    house.works()
    dora.receives()
    return reply


def test_director_answers_an_older_reply_of_a_member(
    house: House, anna: Person, dora: Person, replied: Received
) -> None:
    assert "Sent to Anna:" in says(house, dora, "Thanks!", to=replied).text
    assert "| Thanks!" in anna.receives()[-1].text


def nothing(_house: House, _anna: Person, _dora: Person) -> None:
    """Leave everything as it is."""


def leaves(house: House, anna: Person, _dora: Person) -> None:
    assert anna.player is not None
    with writing(house.club) as work:
        forget(work, work.players.get(anna.player.id), "")


def no_director(house: House, _anna: Person, dora: Person) -> None:
    assert dora.player is not None
    with writing(house.club) as work:
        work.players.choose(dora.player.id, "role", "player")


@pytest.mark.parametrize(
    ("before", "text", "refusal"),
    (
        (nothing, "forfit 1 anna", "forfeit 1 anna"),
        (leaves, "Thanks!", "they have left the club"),
        (no_director, "Thanks!", "which match do you mean?"),
    ),
)
def test_plain_reply_of_a_director_is_refused_and_reaches_nobody(
    house: House,
    anna: Person,
    dora: Person,
    replied: Received,
    before: Callable[[House, Person, Person], None],
    text: str,
    refusal: str,
) -> None:
    before(house, anna, dora)
    house.works()
    anna.receives()
    assert refusal in plain(says(house, dora, text, to=replied))
    assert anna.receives() == []


def test_reply_to_the_command_line_or_to_a_former_director_reaches_all_directors(
    house: House, anna: Person, dora: Person
) -> None:
    with writing(house.club) as work:
        assert anna.player is not None
        write_to(work, anna.player, "Hello.", SHELL)
    house.works()
    [told] = anna.receives()
    dora.receives()
    house.director.receives()
    says(house, anna, "Hello!", to=told)
    assert "| Hello!" in dora.receives()[-1].text
    assert "| Hello!" in house.director.receives()[-1].text


@pytest.mark.parametrize("whom", ("club", "match 1"))
def test_plain_reply_to_an_announcement_reaches_the_director(
    house: House, anna: Person, grace: Person, dora: Person, whom: str
) -> None:
    house.match("lanko-68", anna, grace)
    anna.receives()
    says(house, dora, f"announce {whom} The club moves on Monday.", to=dora.read[-1])
    dora.says("confirm")
    house.works()
    dora.receives()
    [told] = anna.receives()
    assert "To answer the director, just reply to this email." in told.text
    done = says(house, anna, "Will the clocks stop?", to=told)
    assert "passed this on to the director:\n\n| Will the clocks stop?" in done.text
    [passed_on] = dora.receives()
    assert "| Will the clocks stop?" in passed_on.text
    assert "Will the clocks" not in "".join(mail.text for mail in grace.receives())
    assert house.moves() == []


def test_plain_email_reaches_no_director_without_proof_or_as_a_command(
    house: House, anna: Person, dora: Person
) -> None:
    says(house, dora, "tell anna Hello.")
    [told] = anna.receives()
    refused = says(house, anna, "Hello!", recipient=house.address, references=False, quoting=False)
    assert "passed" not in refused.text.replace("haven't passed", "")
    assert "Your settings" in says(house, anna, "settings", to=told).text
    assert dora.receives() == []


@pytest.mark.parametrize("line", ("Tell me when you are back.", "Leave it until Sunday."))
def test_sentence_of_a_player_is_a_note(
    house: House, anna: Person, grace: Person, line: str
) -> None:
    house.match("lanko-68", anna, grace)
    anna.receives()
    grace.receives()
    anna.says(f"[41-36]\n{line}")
    house.works()
    assert house.moves() == ["[41-36]"]
    assert f"| {line}" in grace.receives()[-1].text


def test_failed_address_works_again_by_decision(house: House, anna: Person, dora: Person) -> None:
    refused = says(house, dora, f"address works Dora {anna.address}")
    assert "Dora does not have that address" in plain(refused)
    fails(house, anna)
    for line in (f"address works {anna.address}", f"address works anna {anna.address.upper()}"):
        dora.says(line)
        house.works()
        assert f"{anna.address} counts as accepting" in plain(dora.receives()[0])
        with reading(house.club) as work:
            assert not work.players.get(anna.player.id).failed  # type: ignore[union-attr]
    assert log(house)[0] == ("Dora", "address works Anna", "")


def test_applicants_are_approved_and_refused_by_name_or_number(house: House, dora: Person) -> None:
    house.club = replace(house.club, policy=Policy(joining=Joining.APPROVAL))
    people = [house.stranger(f"{name}@mail.example") for name in ("bo", "cy", "di", "ed")]
    with writing(house.club) as work:
        for person in people:
            name = person.address.partition("@")[0].title()
            apply(work, Newcomer(person.address, f"{name} Lee", "UTC"))
    house.works()
    dora.receives()
    with writing(house.club) as work:
        tell_director(work, DirectorDecided("", "pause club", ""))
    house.works()
    listed = says(house, dora, "approve")
    assert "approve 2\n" in listed.text
    assert "Bo Lee <bo@mail.example>" in listed.text
    numbers = [line.split()[1] for line in listed.text.splitlines() if "    approve" in line]
    assert "Bo Lee <bo@mail.example> is now a member" in plain(says(house, dora, "approve bo lee"))
    renamed = says(house, dora, f"approve {numbers[1]} Cyril")
    assert "Cyril <cy@mail.example> is now a member" in plain(renamed)
    assert "I've told them why" in plain(says(house, dora, "refuse Di Lee We are full"))
    assert "| We are full" in people[2].receives()[-1].text
    says(house, dora, f"refuse {numbers[3]}")
    assert "has decided against it" in plain(people[3].receives()[-1])
    assert "Nobody is waiting" in plain(says(house, dora, "approve Bo Lee"))


def test_email_about_a_match_approves_nobody(house: House, anna: Person, dora: Person) -> None:
    house.club = replace(house.club, policy=Policy(joining=Joining.APPROVAL))
    with writing(house.club) as work:
        apply(work, Newcomer("bo@mail.example", "Bo", "UTC"))
    house.works()
    house.match("lanko-68", anna, dora)
    refused = says(house, dora, "approve Bo")
    assert "I can't tell whom you mean" in plain(refused)


LINES = ("status", "log", "member anna", "leave anna 3 days", "approve anna")


@pytest.mark.parametrize("line", (*LINES, "address works anna@mail.example"))
def test_directors_command_is_refused_to_players(house: House, anna: Person, line: str) -> None:
    grace = house.player("Grace")
    house.match("lanko-68", anna, grace)
    assert "only the director can decide this" in plain(says(house, grace, line))
    assert len(anna.receives()) == 1


def test_unproven_request_for_a_members_data_is_asked_about(
    house: House, anna: Person, dora: Person
) -> None:
    dora.says("member anna", recipient=house.address, references=False, quoting=False)
    house.works()
    [asked] = dora.receives()
    assert "did you send this?" in asked.text
    assert anna.address not in asked.text
    assert anna.address in says(house, dora, "confirm").text


def test_help_lists_the_commands_to_directors(house: House, anna: Person, dora: Person) -> None:
    told = says(house, dora, "help").text
    for line in ("  status", "  log [MATCH]", "  member NAME", "  tell NAME TEXT"):
        assert f"\n{line} " in told or f"\n{line}\n" in told
    assert "tell NAME TEXT" not in says(house, anna, "help").text


def test_director_may_answer_any_email_of_their_announcement(
    house: House, anna: Person, dora: Person
) -> None:
    says(house, dora, "announce club The club is away until Monday.")
    dora.says("confirm")
    house.works()
    done, copy = dora.receives()
    assert "Sent to the club" in done.text
    assert "| The club is away until Monday." in copy.text
    assert "Done: pause club." in says(house, dora, "pause club", to=copy).text


def test_done_answers_too_after_the_copy(house: House, anna: Person, dora: Person) -> None:
    says(house, dora, "announce club Hello.")
    dora.says("confirm")
    house.works()
    done, copy = dora.receives()
    assert "Done: pause club." in says(house, dora, "pause club", to=done).text
    refused = plain(says(house, dora, "resume club", to=copy))
    assert "Please reply to this one with the same lines." in refused
    assert "Done: resume club." in says(house, dora, "resume club").text


def test_looking_and_announcements_of_others_leave_a_report_answerable(
    house: House, anna: Person, dora: Person
) -> None:
    with writing(house.club) as work:
        tell_director(work, DirectorDecided("Emil", "pause set 3", ""))
    house.works()
    report = dora.receives()[0]
    says(house, dora, "member anna", to=report)
    with writing(house.club) as work:
        announce(work, Recipients("club"), "Hello.", SHELL)
    house.works()
    assert "Done: pause club." in says_first(house, dora, "pause club", report)


def test_director_reads_done_before_the_emails_it_causes(
    house: House, anna: Person, dora: Person
) -> None:
    house.match("lanko-68", dora, anna)
    dora.receives()
    dora.says("pause 1", recipient=house.address, references=False, quoting=False)
    house.works()
    dora.receives()
    dora.says("confirm")
    house.works()
    done, match = dora.receives()
    assert "Done: pause 1." in done.text
    assert "The director has paused the match." in match.text


def test_report_asks_only_for_what_must_be_filled_in(
    house: House, anna: Person, grace: Person, dora: Person
) -> None:
    house.match("lanko-68", anna, grace)
    fails(house, anna)
    with writing(house.club) as work:
        assert anna.player is not None
        accept(work, work.players.get(anna.player.id), anna.address)
    house.works()
    reached = plain(dora.receives()[-1])
    assert "To give more time, reply with this line: extend 1 2d" in reached
    assert "capitals" not in reached
    assert "You can add a reason" in reached
    says(house, anna, "appeal Help!")
    [appeal] = dora.receives()
    assert "To decide, reply with one of these lines. Replace the words in capitals:" in plain(
        appeal
    )


def says_first(house: House, person: Person, text: str, to: Received) -> str:
    """Send a text and return the first email after it."""
    person.receives()
    person.says(text, to=to)
    house.works()
    return person.receives()[0].text
