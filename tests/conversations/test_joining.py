"""A stranger joins the club by email."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.ports.process import StorageError
from pbem.service.club import Joining, Rates
from pbem.service.work import reading
from tests.conversations.house import ON_BOTH, House, Person
from tests.conversations.test_directors_mail import log


@pytest.fixture(autouse=True)
def _open(house: House) -> None:
    lets_in(house, Joining.OPEN)


@pytest.fixture
def anna(house: House) -> Person:
    return house.stranger("anna@mail.example")


def lets_in(house: House, joining: Joining) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, joining=joining))


def says(house: House, person: Person, text: str, **how: Any) -> list[str]:
    """Send a text. Return the answers, one line each."""
    person.says(text, **how)
    house.works()
    return [" ".join(mail.text.split()) for mail in person.receives()]


def members(house: House) -> list[str]:
    with reading(house.club) as work:
        return [player.name for player in work.players.all()]


def zone_of(house: House, name: str) -> str:
    with reading(house.club) as work:
        player = work.players.named(name)
        assert player is not None
        return player.time_zone


@ON_BOTH
def test_join_is_asked_once_and_welcomed_on_confirm(house: House, anna: Person) -> None:
    [asked] = says(house, anna, "Hello,\n\njoin Anna Kowalska zone=warsaw\n\nYours, A.")
    assert "did you send this?" in asked
    assert "join Anna Kowalska zone=warsaw" in asked
    assert members(house) == []
    [welcomed] = says(house, anna, "confirm")
    assert "Welcome to pbem, Anna Kowalska!" in welcomed
    assert "Lancelot, for 2 to 5 players. Place knights." in welcomed
    assert "play bot-greedy lancelot Each of these lines starts a match" in welcomed
    assert "offers members help" in welcomed
    assert f"write to the director: {house.club.director}" in welcomed
    assert "reply with forget me" in welcomed
    assert members(house) == ["Anna Kowalska"]
    assert zone_of(house, "Anna Kowalska") == "Europe/Warsaw"
    [shown] = says(house, anna, "settings")
    assert "set zone Europe/Warsaw" in shown


def test_welcome_email_has_tap_links(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    says(house, anna, "confirm")
    assert "play%20bot-greedy%20lancelot" in anna.latest.html
    assert 'alt="A board of each game: Lanko-88, Lanko-68, Lanko-103,' in anna.latest.html
    [picture] = [part for part in anna.latest.message.walk() if part.get_filename() == "board.png"]
    assert str(picture["Content-ID"]).strip("<>") in anna.latest.html
    assert "forget%20me" in anna.latest.html


def test_welcome_offers_no_bots_in_a_club_without_them(house: House, anna: Person) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, bot_matches=0))
    says(house, anna, "join Anna")
    [welcomed] = says(house, anna, "confirm")
    assert "Lancelot, for 2 to 5 players." in welcomed
    assert "bot-greedy" not in welcomed


def test_new_member_sees_who_waits_and_can_join_a_table(house: House, anna: Person) -> None:
    bert = house.player("Bert")
    says(house, bert, "settings")
    assert "Table 1 is open" in says(house, bert, "offer lanrick-1893 days=3")[0]
    says(house, anna, "join Anna")
    [welcomed] = says(house, anna, "confirm")
    assert (
        "These players are looking for opponents. To take a seat, send the line below the offer:"
        in welcomed
    )
    assert "Table 1: Lanrick (1893)" in welcomed
    assert "take 1" in welcomed
    says(house, anna, "take 1")
    assert set(house.names().values()) == {"Anna", "Bert"}


def test_suggested_lines_work(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    [welcomed] = says(house, anna, "confirm")
    assert "play bot-greedy lancelot" in welcomed
    says(house, anna, "play bot-greedy lancelot", to=anna.latest)
    assert house.matches()[0].game_key == "lancelot"
    assert "Nobody is looking for an opponent" in says(house, anna, "offers")[-1]


def test_only_confirm_counts_but_it_may_be_signed(house: House, anna: Person) -> None:
    says(house, anna, "join Anna Kowalska")
    question = anna.read[-1]
    anna.says("Yes, that was me!", to=question)
    house.works()
    anna.receives()
    assert "Only the word confirm counts" in anna.latest.text
    assert members(house) == []
    anna.says(f"Confirm.\n\n{anna.name}", to=question)
    house.works()
    assert members(house) == ["Anna Kowalska"]


def test_confirming_twice_makes_one_member(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    question = anna.latest
    for _ in range(2):
        anna.says("confirm", to=question)
    house.works()
    welcomed, told = (" ".join(mail.text.split()) for mail in anna.receives())
    assert "Welcome to pbem, Anna!" in welcomed
    assert "nothing is waiting for your confirmation" in told
    assert members(house) == ["Anna"]


def test_member_joining_again_gets_their_name(house: House) -> None:
    bert = house.player("Bert")
    [told] = says(house, bert, "join Berta")
    assert "Bert, you are already a member of pbem, under this name." in told
    assert members(house) == ["Bert"]


def test_note_starting_with_join_does_not_block_a_move(house: House) -> None:
    bert, clara = house.player("Bert"), house.player("Clara")
    house.match("lanko-68", bert, clara)
    bert.receives()
    [told] = says(house, bert, "42-36\njoin me for a beer")
    assert "You are already a member, Bert" in told
    assert house.moves() == ["[42-36]"]


@pytest.mark.parametrize(
    ("text", "reason", "free"),
    (
        ("join bert", "the name Bert is taken", "join bert 2"),
        ("join \N{GREEK CAPITAL LETTER BETA}ert", "looks like Bert", "join "),
        ("join director", "director has another meaning in the club's emails", "join Newcomer 2"),
        ("join resign", "resign has another meaning in the club's emails", "join resign 2"),
        ("join YOUR NAME", "another meaning in the club's emails", "join Newcomer 2"),
        ("join bot-greedy", "has another meaning in the club's emails", "join "),
        ("join eve@evil/..", "a name has only letters, digits", "join eve evil"),
        ("join x", "a name has 2 to 32 characters", "join Newcomer 2"),
        ("join Anna ZONE = Varsaw", "Did you mean Europe/Warsaw", ""),
    ),
)
def test_unavailable_name_gets_reason_and_free_names(
    house: House, anna: Person, text: str, reason: str, free: str
) -> None:
    house.player("Bert")
    [told] = says(house, anna, text)
    assert reason in told
    assert free in told
    assert members(house) == ["Bert"]
    [welcomed] = says(house, anna, "join Anna")  # the answer reached them, proof enough
    assert "Welcome to pbem, Anna!" in welcomed
    assert members(house) == ["Anna", "Bert"]


def test_slower_of_two_learns_that_the_name_is_taken(house: House, anna: Person) -> None:
    other = house.stranger("other@mail.example")
    says(house, anna, "join Anna")
    says(house, other, "join Anna")
    assert "Welcome" in says(house, other, "confirm")[0]
    [told] = says(house, anna, "confirm")
    assert "the name Anna is taken. You could take, for example: join Anna 2 join Anna 3" in told
    [welcomed] = says(house, anna, "join Anna 2")
    assert "Welcome to pbem, Anna 2!" in welcomed


def test_unproven_join_is_asked_about_three_times_an_hour(house: House, anna: Person) -> None:
    """Someone else may have sent the first one, so the others count as well."""
    says(house, anna, "join Anna")
    for text, answers in (("join Anna", 1), ("join Berta", 1), ("hello?", 0), ("join Carla", 0)):
        told = says(house, anna, text, recipient=house.address, references=False)
        assert len(told) == answers
    [welcomed] = says(house, anna, "confirm", to=anna.read[0])
    assert "Welcome to pbem, Anna!" in welcomed, (
        "the first question showed the name from the first email"
    )
    assert members(house) == ["Anna"]


def test_expired_question_makes_nobody_a_member(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    house.passes(days=8)
    [told] = says(house, anna, "confirm")
    assert "it has expired" in told
    assert members(house) == []
    with reading(house.club) as work, pytest.raises(StorageError):
        work.questions.get(1)
    assert "Welcome to pbem, Anna!" in says(house, anna, "join Anna")[0]


def test_join_from_forged_address_gains_nothing(house: House, anna: Person) -> None:
    eve = house.stranger("eve@evil.example")
    forged = {"sender": anna.address, "recipient": house.address}
    for text in ("join Eve", "confirm", "join Eve", "join Eve", "join Eve"):
        assert says(house, eve, text, **forged) == []
    assert len(anna.receives()) == 3
    assert members(house) == []


def test_question_cannot_be_confirmed_by_someone_else(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    eve = house.stranger("eve@evil.example")
    assert all("Welcome" not in told for told in says(house, eve, "confirm", to=anna.latest))
    assert members(house) == []


@pytest.mark.parametrize(
    ("of_day", "most"), (pytest.param(500, 125, marks=pytest.mark.thorough), (4, 3))
)
def test_strangers_do_not_use_up_the_daily_sending_limit(
    house: House, of_day: int, most: int
) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, rates=Rates(of_day=of_day)))
    member, answered = house.player("Anna"), 0
    for hour in range(23):
        strangers = [house.stranger(f"eve{hour}.{number}@mail.example") for number in range(12)]
        for each in strangers:
            each.says("join Eve")
        house.works()
        answered += sum(len(each.receives()) for each in strangers)
        house.clock.advance(hours=1)
    assert 0 < answered <= most
    assert len(says(house, member, "games")) == 1


def test_flood_of_strangers_is_answered_thirty_times_an_hour(house: House) -> None:
    strangers = [house.stranger(f"eve{number}@mail.example") for number in range(33)]
    for number, each in enumerate(strangers):
        each.says(f"join Eve {number}")
    house.works()
    assert sum(len(each.receives()) for each in strangers) == 30
    house.clock.advance(hours=2)
    late = house.stranger("late@mail.example")
    assert len(says(house, late, "join Late")) == 1


@pytest.mark.parametrize(
    ("joining", "told"),
    (
        (Joining.OPEN, 'reply with "join" and the name'),
        (Joining.APPROVAL, "I'll ask the director"),
        (Joining.CLOSED, "please write to the director: director@"),
    ),
)
def test_any_other_email_is_answered_with_how_to_join(
    house: House, anna: Person, joining: Joining, told: str
) -> None:
    lets_in(house, joining)
    [answer] = says(house, anna, "Who are you?")
    assert told in answer


def test_nobody_joins_a_closed_club(house: House, anna: Person) -> None:
    lets_in(house, Joining.CLOSED)
    [told] = says(house, anna, "join Anna")
    assert "pbem does not take new members by email" in told
    assert says(house, anna, "confirm") != []
    assert members(house) == []


def test_confirm_after_closing_does_not_count(house: House, anna: Person) -> None:
    says(house, anna, "join Anna")
    lets_in(house, Joining.CLOSED)
    [told] = says(house, anna, "confirm")
    assert "pbem does not take new members by email" in told
    assert members(house) == []


def test_director_reads_what_an_applicant_wrote(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    says(house, anna, "join Anna\n\nI know Bert from the club.\n\n<b>Hello</b>")
    [told] = says(house, anna, "confirm")
    assert "The director also gets what you wrote: | I know Bert from the club." in told
    assert "did not pass" not in told
    [asked] = house.director.receives()
    assert "They wrote:\n\n| I know Bert from the club.\n" in asked.text
    assert "I know nothing else" not in asked.text
    assert "<b>Hello" not in asked.html
    assert asked.message["From"].addresses[0].display_name == "pbem"


@ON_BOTH
def test_director_approves_a_new_member(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    says(house, anna, "join Anna zone=cet")
    [told] = says(house, anna, "confirm")
    assert "Thank you. I have asked the director." in told
    [asked] = house.director.receives()
    assert "Anna <anna@mail.example> would like to join pbem." in asked.text
    assert "approve" in asked.html
    assert members(house) == []
    [told] = says(house, anna, "join Anna")
    assert "the director has not decided yet" in told
    assert "Anna <anna@mail.example> is now a member" in says(house, house.director, "approve")[0]
    [welcomed] = anna.receives()
    assert "Welcome to pbem, Anna!" in welcomed.text
    assert welcomed.message["Subject"] == "Welcome to pbem"
    assert zone_of(house, "Anna") == "CET"
    assert "Nobody is waiting" in says(house, house.director, "approve", to=asked)[0]
    assert "set zone CET" in says(house, anna, "settings")[0]


def test_director_rejects_an_applicant_with_a_reason(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    says(house, anna, "join Anna")
    says(house, anna, "confirm")
    house.director.receives()
    [told] = says(house, house.director, "refuse We are full, sorry")
    assert "Anna won't be joining the club. I've told them why." in told
    [refused] = anna.receives()
    assert "| We are full, sorry" in refused.text
    assert log(house) == [("shell", "refuse", "We are full, sorry")]
    assert "won't ask again for 30 days" in says(house, anna, "join Anna")[0]
    assert (members(house), house.director.receives()) == ([], [])
    house.clock.advance(days=31)
    says(house, anna, "join Anna", to=refused)
    assert len(house.director.receives()) == 1


def test_director_who_is_a_member_approves_another_name(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    bert = house.player("Bert")
    house.club = replace(house.club, director=bert.address)
    says(house, anna, "join Anna")
    says(house, anna, "confirm")
    asked = bert.receives()[-1]
    assert "the name Bert is taken" in says(house, bert, "approve Bert")[0]
    assert (
        "Anna Maria <anna@mail.example> is now a member"
        in says(house, bert, "approve Anna Maria", to=asked)[0]
    )
    assert "Welcome to pbem, Anna Maria!" in anna.receives()[-1].text
    [logged] = log(house)
    assert logged == ("Bert", "approve Anna Maria", "")


def test_nobody_else_approves_members(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    says(house, anna, "join Anna")
    says(house, anna, "confirm")
    [asked] = house.director.receives()
    eve, bert = house.stranger("eve@evil.example"), house.player("Bert")
    assert "I don't know your address" in says(house, eve, "approve", to=asked)[0]
    assert "only the director can decide this" in says(house, bert, "approve", to=asked)[0]
    assert says(house, anna, "approve", to=asked) == []
    eve.says("approve", recipient=house.address, sender=house.director.address)
    house.works()
    assert members(house) == ["Bert"]
    assert "did you send this?" not in asked.text


def test_name_waiting_for_approval_is_unavailable_to_others(house: House, anna: Person) -> None:
    lets_in(house, Joining.APPROVAL)
    says(house, anna, "join Anna")
    says(house, anna, "confirm")
    other = house.stranger("other@mail.example")
    assert "somebody is waiting to join as Anna" in says(house, other, "join Anna")[0]


def test_name_in_quotation_marks_is_accepted(house: House, anna: Person) -> None:
    [asked] = says(house, anna, 'join "Anna Kowalska" zone=Tokyo')
    assert "did you send this?" in asked
    [welcomed] = says(house, anna, "confirm")
    assert "Welcome to pbem, Anna Kowalska!" in welcomed
    assert zone_of(house, "Anna Kowalska") == "Asia/Tokyo"
