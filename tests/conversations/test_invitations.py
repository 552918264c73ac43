"""A member invites a friend by email address, and learns nothing else about any address."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.mail.proof.authentication import ProofRule
from pbem.ports.inbound import InboundState
from pbem.service.club import Joining
from pbem.service.members.forget import forget
from pbem.service.work import reading, writing
from tests.conversations.house import ON_BOTH, House, Person
from tests.conversations.test_challenges import asks
from tests.conversations.test_joining import lets_in, members

CARLA = "carla.rossi@mail.example"


@pytest.fixture(autouse=True)
def _open(house: House) -> None:
    lets_in(house, Joining.OPEN)


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def carla(house: House) -> Person:
    return house.stranger(CARLA)


def invites(house: House, by: Person, address: str = CARLA, terms: str = "as=W") -> str:
    return asks(house, by, f"challenge {address} lanko-88 days=3 {terms}")


def answers(house: House, person: Person, text: str, **how: Any) -> list[str]:
    """Send a text. Return the answers, one line each."""
    person.says(text, **how)
    house.works()
    return [" ".join(mail.text.split()) for mail in person.receives()]


def gets(house: House, person: Person) -> list[str]:
    house.works()
    return [" ".join(mail.text.split()) for mail in person.receives()]


@ON_BOTH
def test_friend_accepts_becomes_a_member_and_plays(
    house: House, anna: Person, carla: Person
) -> None:
    said = invites(house, anna)
    assert f"I've noted your invitation to {CARLA}: Lanko-88." in said
    assert f"{CARLA}: Lanko-88. Expires" in asks(house, anna, "offers")
    [asked] = gets(house, carla)
    assert asked.startswith("Anna invites you to play Lanko-88 by email. Hello, I am pbem, a club")
    assert "You then join the club as Carla Rossi" in asked
    assert "You move first." in asked
    assert "3 days per turn" in asked
    assert "no reminder and no other invitation" in asked
    assert f"The club is run by {house.club.director}" in asked
    assert str(carla.latest.message["Subject"]) == "[pbem] Anna invites you to play Lanko-88"
    [begun] = answers(house, carla, "accept")
    assert "Welcome to pbem, Carla Rossi!" in begun
    assert "it is your turn as S (White), turn 1 of match 1" in begun
    assert set(members(house)) == {"Anna", "Carla Rossi"}
    assert set(house.names().values()) == {"Anna", "Carla Rossi"}
    [told] = gets(house, anna)
    assert "Match 1 has started" in told
    assert "Carla Rossi" in told
    answers(house, carla, carla.latest.text.split("for example:")[1].split()[0])
    assert len(house.moves()) == 1
    assert f"{CARLA}: Lanko-88" not in asks(house, anna, "offers")


def test_first_answer_may_be_a_move(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    [asked] = gets(house, carla)
    move = asked.split("first move, for example:")[1].split()[0]
    [told] = answers(house, carla, f"Hi Anna, how nice!\n\n{move}\n\nCarla")
    assert "Welcome to pbem, Carla Rossi!" in told
    assert len(house.moves()) == 1
    [turn] = gets(house, anna)
    assert "it is your turn" in turn
    assert "Hi Anna, how nice!" in turn


def test_move_that_cannot_be_played_changes_nothing(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna)
    gets(house, carla)
    [told] = answers(house, carla, "[1-1]")
    assert "as your first move" in told
    assert members(house) == ["Anna"]
    assert house.matches() == []


def test_friend_who_moves_second_waits_for_the_first_move(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna, terms="as=S")
    [asked] = gets(house, carla)
    assert "Anna moves first." in asked
    [told] = answers(house, carla, "[42-36]")
    assert "The other player moves first" in told
    answers(house, carla, "accept", to=carla.read[0])
    [turn] = gets(house, anna)
    assert "it is your turn" in turn


def test_friend_chooses_a_name_and_zone(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    [refused] = answers(house, carla, "join Anna")
    assert "the name Anna is taken" in refused
    answers(house, carla, "join Carlotta zone=Rome", to=carla.read[0])
    assert set(house.names().values()) == {"Anna", "Carlotta"}


def test_suggested_name_taken_meanwhile_is_replaced(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna)
    gets(house, carla)
    asks(house, house.player("Bert"), "set name Carla Rossi")
    [begun] = answers(house, carla, "accept")
    assert "Welcome to pbem, Carla Rossi 2!" in begun


def test_decline_reaches_the_member_with_its_reason(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna)
    gets(house, carla)
    [thanked] = answers(house, carla, "decline no time this year")
    assert "I've told Anna" in thanked
    [told] = gets(house, anna)
    assert f"Anna, {CARLA} has declined your invitation to play Lanko-88." in told
    assert "| no time this year" in told
    [over] = answers(house, carla, "accept", to=carla.read[0])
    assert "no longer open" in over
    assert members(house) == ["Anna"]


def test_unclear_answer_is_explained(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    [told] = answers(house, carla, "What is this? Do I have to pay?")
    assert "I couldn't read that as an answer to the invitation" in told
    assert "accept decline never" in told
    assert house.matches() == []


def test_never_keeps_the_address_out_for_ever(house: House, anna: Person, carla: Person) -> None:
    bert = house.player("Bert")
    invites(house, anna)
    gets(house, carla)
    [said] = answers(house, carla, "Never!")
    assert "this club should never write to this address" in said
    before = asks(house, anna, "offers")
    assert f"{CARLA}: Lanko-88" in before  # Anna cannot notice
    house.passes(days=15)
    for address in (CARLA, "CARLA.ROSSI+games@mail.example"):
        invites(house, bert, address)
    asks(house, bert, f"address add {CARLA}")
    assert gets(house, carla) == []


def test_unanswered_invitation_is_the_last_email(house: House, anna: Person, carla: Person) -> None:
    bert = house.player("Bert")
    invites(house, anna)
    assert len(gets(house, carla)) == 1
    for person in (anna, bert):
        invites(house, person)
    house.passes(days=15)
    for person in (anna, bert):
        assert "I've noted your invitation" in invites(house, person)
    assert gets(house, carla) == []
    assert anna.receives() == []


def invited_as(house: House, anna: Person, who: str) -> str:
    """Let an address be somebody's, and return it."""
    address = f"{who}@mail.example"
    if who in ("member", "blocker", "former", "hidden"):
        person = house.player(who.title())
        assert person.address == address
        if who == "blocker":
            asks(house, person, "block Anna")
        if who == "hidden":
            asks(house, person, "set page hidden")
        if who == "former":
            with writing(house.club) as work:
                player = work.players.named("Former")
                assert player is not None
                forget(work, player)
    if who in ("never", "invited", "waiting"):
        other, stranger = house.player("Other"), house.stranger(address)
        invites(house, other, address)
        gets(house, stranger)
        if who == "never":
            answers(house, stranger, "never")
        if who == "invited":
            house.passes(days=15)
    return address


KNOWN = ("nobody", "member", "blocker", "former", "hidden", "never", "invited", "waiting")


@pytest.mark.parametrize("who", KNOWN)
def test_member_sees_the_same_for_every_address(house: House, anna: Person, who: str) -> None:
    address = invited_as(house, anna, who)
    asks(house, anna, "settings")
    shown = [invites(house, anna, address), asks(house, anna, "offers")]
    house.passes(days=8)
    shown.append(asks(house, anna, "offers"))
    house.passes(days=7)
    shown.append(asks(house, anna, "offers"))
    assert anna.receives() == []
    until = house.clock.now() - timedelta(days=1)
    day = f"{until:%A} {until.day} {until:%B}"
    texts = [each.replace(address, "ADDRESS") for each in shown]
    assert texts[0].startswith("I've noted your invitation to ADDRESS: Lanko-88.")
    assert texts[0].count(day) == 1
    assert [f"ADDRESS: Lanko-88. Expires {day}" in each for each in texts[1:]] == [
        True,
        True,
        False,
    ]
    assert not any(each in " ".join(texts) for each in ("Member", "Blocker", "Former", "Hidden"))
    assert "not available" not in " ".join(texts)


def test_member_gets_it_worded_for_members_and_may_accept(house: House, anna: Person) -> None:
    bert = house.player("Bert")
    invites(house, anna, "Bert+x@MAIL.example")
    [asked] = gets(house, bert)
    assert "Anna invites you to play Lanko-88 by email." in asked
    assert "join" not in asked
    assert "never" not in asked
    bert.says("accept")
    house.works()
    assert set(house.names().values()) == {"Anna", "Bert"}


def test_member_who_declines_is_not_named_or_asked_again(house: House, anna: Person) -> None:
    bert = house.player("Bert")
    invites(house, anna, bert.address)
    gets(house, bert)
    answers(house, bert, "decline")
    [told] = gets(house, anna)
    assert f"{bert.address} has declined" in told
    assert "Bert" not in told
    invites(house, anna, bert.address)
    assert gets(house, bert) == []  # a second answer would show who they are


def test_list_of_addresses_is_not_invited(house: House, anna: Person) -> None:
    strangers = [house.stranger(f"{name}@mail.example") for name in ("one", "two", "three", "four")]
    said = [invites(house, anna, each.address) for each in strangers]
    assert ["you can send 3 invitations a week" in each for each in said] == [False] * 3 + [True]
    assert [len(gets(house, each)) for each in strangers] == [1, 1, 1, 0]
    assert "please invite one address" in invites(house, anna, "a@b.example,c@d.example")
    house.passes(days=7.1)
    assert "I've noted" in invites(house, anna, strangers[3].address)


def test_many_members_cannot_flood_one_mailbox(house: House) -> None:
    spelled = ("carla.rossi", "Carla.Rossi+a", "carlarossi", "CARLAROSSI+b", "c.arlarossi")
    for number, local in enumerate(spelled):
        invites(house, house.player(f"Player {'abcde'[number]}"), f"{local}@mail.example")
    since = house.clock.now() - timedelta(days=1)
    with reading(house.club) as work:
        sent = [work.outbox.count(f"{each}@mail.example", "invitation", since) for each in spelled]
    assert sent == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("address", "told"),
    (
        ("postmaster@mail.example", "is not a person's address"),
        ("no-reply@mail.example", "is not a person's address"),
        ("bot-greedy@games.example", "is not a person's address"),
        ("a@b@mail.example", "is not an email address"),
        ("anna+x@mail.example", "you can't choose yourself"),
    ),
)
def test_addresses_of_nobody_are_refused(
    house: House, anna: Person, address: str, told: str
) -> None:
    assert told in invites(house, anna, address)
    assert told not in asks(house, anna, "offers")


def test_club_and_director_are_not_invited(house: House, anna: Person) -> None:
    for address in (house.club.address, house.club.director):
        assert "is not a person's address" in invites(house, anna, address)


@pytest.mark.parametrize(
    ("joining", "told"),
    (
        (Joining.CLOSED, "takes new members only through its director"),
        (Joining.APPROVAL, "decides who joins"),
    ),
)
def test_club_that_is_not_open_invites_nobody(
    house: House, anna: Person, carla: Person, joining: Joining, told: str
) -> None:
    invites(house, anna)
    gets(house, carla)
    lets_in(house, joining)
    for address in ("dora@mail.example", anna.address, house.player("Bert").address):
        assert told in invites(house, anna, address)
    answers(house, carla, "accept")
    assert members(house) == ["Anna", "Bert"]


def test_nobody_else_can_answer(house: House, anna: Person, carla: Person) -> None:
    dora = house.stranger("dora@mail.example")
    invites(house, anna)
    gets(house, carla)
    invitation = carla.latest
    dora.says("accept", to=invitation)  # it was forwarded
    house.works()
    carla.says("accept", recipient=house.address)  # forged: no token
    house.works()
    assert members(house) == ["Anna"]
    assert house.matches() == []


def test_automatic_answer_is_no_answer(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    raw = (
        f"From: {CARLA}\r\nTo: {carla.latest.reply_to}\r\nSubject: Re: away\r\n"
        f"In-Reply-To: {carla.latest.message_id}\r\nAuto-Submitted: auto-replied\r\n"
        "Message-ID: <1@mail.example>\r\n\r\naccept\r\n"
    )
    carla.sends(raw.encode(), carla.latest.reply_to)
    house.works()
    assert len(house.inbound(InboundState.IGNORED)) == 1
    assert gets(house, carla) == []
    assert members(house) == ["Anna"]


def test_accepting_twice_starts_one_match(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    for _ in range(2):
        carla.says("accept", to=carla.read[0])
    house.works()
    _, told = gets(house, carla)
    assert "no longer open" in told
    assert len(house.matches()) == 1


def test_invitation_ends_when_the_member_leaves(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    with writing(house.club) as work:
        player = work.players.named("Anna")
        assert player is not None
        forget(work, player)
    told = answers(house, carla, "accept")
    assert members(house) == []
    assert "no longer open" in told[0]


def test_member_who_leaves_can_be_invited_again(house: House, anna: Person, carla: Person) -> None:
    invites(house, anna)
    gets(house, carla)
    answers(house, carla, "accept")
    with writing(house.club) as work:
        player = work.players.named("Carla Rossi")
        assert player is not None
        forget(work, player)
    gets(house, carla)
    invites(house, house.player("Bert"))
    assert len(gets(house, carla)) == 1


def test_invitation_that_others_could_read_proves_nothing(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna)
    gets(house, carla)
    for text in ("What is this?", "accept", "never"):
        carla.says(text, to=carla.read[0], headers=[("Cc", "mallory@mail.example")])
        house.works()
    assert members(house) == ["Anna"]
    assert house.inbound(InboundState.SHUNTED) == []


def test_unsigned_answer_is_explained_where_signatures_are_required(
    house: House, anna: Person, carla: Person
) -> None:
    invites(house, anna)
    gets(house, carla)
    policy = replace(house.club.policy, proof=ProofRule.TOKEN_AND_DKIM)
    house.club = replace(house.club, policy=policy)
    answers(house, carla, "accept")
    assert members(house) == ["Anna"]
    assert house.inbound(InboundState.SHUNTED) == []
