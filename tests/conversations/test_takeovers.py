"""Someone gets hold of an email and wants the membership or the director's rights for good."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from pbem.service.club import Joining, Policy
from pbem.service.members import own_addresses
from pbem.service.post.post import send_again
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.returned import comes_back


class Cast(NamedTuple):
    """The people in an attack."""

    dora: Person
    """The person whose email leaks."""
    eve: Person
    """The person who gets hold of it. The mailbox is new to the club."""


EVE = "eve@evil.example"


def plain(mail: Received) -> str:
    return " ".join(mail.text.split())


def addresses(house: House, person: Person) -> tuple[str, ...]:
    assert person.player is not None
    with reading(house.club) as work:
        return work.players.get(person.player.id).addresses


def a_cast(house: House, *, director: bool, more: tuple[str, ...] = ()) -> Cast:
    dora, eve = house.player("Dora", *more), house.stranger(EVE)
    assert dora.player is not None
    with writing(house.club) as work:
        work.players.choose(dora.player.id, "role", "director" if director else "")
    house.match("lanko-68", house.player("Anna"), house.player("Bert"))
    house.match("lanko-68", dora, house.player("Clara"), days=300)
    dora.receives()
    return Cast(dora, eve)


def asks(house: House, person: Person, text: str, **how: object) -> Received:
    person.says(text, **how)  # type: ignore[arg-type]
    house.works()
    return person.receives()[-1]


def adds(house: House, cast: Cast, address: str = EVE) -> None:
    """Let Dora add an address herself, and confirm if she is asked."""
    cast.dora.receives()
    asked = asks(house, cast.dora, f"address add {address}", recipient=house.address)
    if "did you send this?" in asked.text:
        asks(house, cast.dora, "confirm", to=asked)
    there = next(each for each in house.people if each.address == address)
    there.receives()
    there.says("confirm")
    house.works()
    cast.dora.receives()
    there.receives()
    assert addresses(house, cast.dora)[-1] == address


def attack(house: House, cast: Cast, leaked: Received) -> None:
    """Attack: add an address, remove the old one, and decide from the new one."""
    dora, eve = cast
    for line in (f"address add {EVE}", f"address first {EVE}", f"address remove {dora.address}"):
        eve.says(line, to=leaked, sender=dora.address, quoting=False)
        house.works()
        for mail in eve.receives():
            eve.says("confirm", to=mail)
        house.works()
    house.passes(days=6)  # Anna has run out of time, which is reported
    for mail in eve.receives():
        eve.says("forfeit 1 Anna", to=mail)
        eve.says(f"address remove {dora.address}", to=mail)
        house.works()
    for mail in eve.receives():
        eve.says("confirm", to=mail)
    house.works()


@pytest.mark.parametrize("leak", ("report", "match", "answer"))
@pytest.mark.parametrize("age", (0, 20, 80))
def test_leaked_email_to_a_director_takes_nothing_over(house: House, leak: str, age: int) -> None:
    cast = a_cast(house, director=True)
    dora = cast.dora
    match_mail = dora.latest
    answer = asks(house, dora, "settings", recipient=house.address, references=False)
    anna = next(each for each in house.people if each.name == "Anna")
    anna.receives()
    anna.says("appeal What now?")
    house.works()
    report = dora.receives()[-1]
    house.clock.advance(days=age)
    attack(house, cast, {"report": report, "match": match_mail, "answer": answer}[leak])
    assert dora.address == addresses(house, dora)[0]
    assert house.state().result is None


@pytest.mark.parametrize("age", (0, 20, 80))
def test_leaked_email_to_a_member_takes_nothing_over(house: House, age: int) -> None:
    cast = a_cast(house, director=False)
    leaked = cast.dora.latest
    house.clock.advance(days=age)
    attack(house, cast, leaked)
    assert addresses(house, cast.dora)[0] == cast.dora.address


def test_older_email_asks_the_currently_working_address(house: House) -> None:
    cast = a_cast(house, director=False)
    leaked = cast.dora.latest
    house.clock.advance(days=1)
    asks(house, cast.dora, "settings", recipient=house.address, references=False)
    cast.eve.says(f"address add {EVE}", to=leaked, sender=cast.dora.address, quoting=False)
    house.works()
    asked = cast.dora.receives()[-1]
    assert asked.text.startswith(f"May {EVE} act as Dora in pbem?")
    assert "did you send this?" in asked.text
    assert cast.eve.receives() == []
    cast.dora.says("confirm")
    house.works()
    assert "play as Dora?" in cast.eve.receives()[-1].text


@pytest.mark.parametrize("line", (f"address first {EVE}", "address remove dora@mail.example"))
def test_new_address_replaces_an_older_one_only_if_that_agrees(house: House, line: str) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    asked = asks(house, cast.dora, line)
    assert "is this what you want?" in asked.text
    assert addresses(house, cast.dora) == (cast.dora.address, EVE)
    cast.dora.says("confirm", to=asked)
    house.works()
    assert addresses(house, cast.dora)[0] == EVE


def test_address_is_new_for_fourteen_days_after_confirmation(house: House) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    house.clock.advance(days=13.9)
    asks(house, cast.dora, "settings", recipient=house.address, references=False)
    assert "is this what you want" in asks(house, cast.dora, f"address first {EVE}").text
    house.clock.advance(days=0.2)
    asks(house, cast.dora, "settings", recipient=house.address, references=False)
    cast.dora.says(f"address first {EVE}")
    house.works()
    assert addresses(house, cast.dora)[0] == EVE


def test_each_older_address_undoes_an_addition_with_one_tap(house: House) -> None:
    home = house.stranger("dora@home.example")
    cast = a_cast(house, director=True, more=(home.address,))
    for number in (0, 1):
        adds(house, cast)
        mailbox = (home, cast.dora)[number]
        notice = [m for m in (*home.receives(), *mailbox.read) if "was added" in m.text][-1]
        assert "body=address%20undo%20eve%40evil.example" in notice.html
        house.clock.advance(days=8)
        mailbox.says(f"address undo {EVE}", to=notice)
        house.works()
        assert addresses(house, cast.dora) == (cast.dora.address, home.address)


def test_undo_ends_with_the_trial(house: House) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    notice = cast.dora.latest
    house.clock.advance(days=15)
    refused = asks(house, cast.dora, f"address undo {EVE}", to=notice)
    assert 'Send "address remove" instead' in plain(refused)
    assert EVE in addresses(house, cast.dora)


def fails(house: House, address: str) -> None:
    with writing(house.club) as work:
        work.players.address_failed(address, house.clock.now(), "550 gone")


def test_new_address_plays_if_no_older_one_works_and_decides_nothing(house: House) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    fails(house, cast.dora.address)
    work = replace(cast.eve, player=cast.dora.player)
    with writing(house.club) as unit:
        assert cast.dora.player is not None
        assert unit.players.get(cast.dora.player.id).address == EVE
    shown = asks(house, work, "show", recipient=house.address, references=False)
    played = asks(house, work, "[41-36]", to=shown)
    assert house.moves(2) == ["[41-36]"], played.text
    for line in ("resign", "forget me", f"address remove {cast.dora.address}", "set name Eve"):
        refused = asks(house, work, line, to=played)
        assert "an address that can't be used for this" in plain(refused), line
        assert max(map(len, refused.text.splitlines())) <= 72
    assert house.state(2).result is None
    assert addresses(house, cast.dora) == (cast.dora.address, EVE)


def test_question_bounced_to_a_new_address_is_not_confirmed_there(house: House) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    cast.dora.says("forget me", recipient=house.address, references=False, quoting=False)
    house.works()
    asked = cast.dora.receives()[-1]
    fails(house, cast.dora.address)
    with writing(house.club) as work:
        posted = work.outbox.by_message_id(asked.message_id)
        assert posted is not None
        assert cast.dora.player is not None
        send_again(work, posted.mail, work.players.get(cast.dora.player.id))
    house.works()
    (again,) = cast.eve.receives()
    refused = asks(house, cast.eve, "confirm", to=again)
    assert "either new, or no longer yours" in plain(refused)
    assert addresses(house, cast.dora)


def test_addition_of_a_failing_address_is_still_reported_to_the_old_one(house: House) -> None:
    """A forged bounce cannot be used to add an address in silence."""
    cast = a_cast(house, director=False)
    settings = asks(house, cast.dora, "settings", recipient=house.address, references=False)
    cast.eve.says(f"address add {EVE}", to=settings, sender=cast.dora.address, quoting=False)
    house.works()
    cast.dora.receives()
    fails(house, cast.dora.address)
    cast.eve.receives()
    cast.eve.says("confirm")
    house.works()
    notice = cast.dora.receives()[-1]
    assert f"{EVE} was added" in notice.text
    cast.dora.says(f"address undo {EVE}", to=notice)
    house.works()
    assert addresses(house, cast.dora) == (cast.dora.address,)


@pytest.mark.parametrize(
    "address",
    (
        "director@games.example",
        "DIRECTOR@Games.Example",
        "director+x@games.example",
        "director@games.example.",
        "ｄirector@games.example",
        "club@games.example",
        "club+m1@games.example",
        "postmaster@games.example",
        "Postmaster+x@mail.example",
        "bot-steady@games.example",
        "bot-random-2@games.example",
    ),
)
def test_address_of_the_club_its_director_or_a_bot_cannot_be_added(
    house: House, address: str
) -> None:
    cast = a_cast(house, director=False)
    asks(house, cast.dora, "settings", recipient=house.address, references=False)
    refused = asks(house, cast.dora, f"address add {address}")
    assert "Nothing has changed" in refused.text
    house.director.receives()
    assert not [mail for mail in house.director.read if "confirm" in mail.text]


def test_directors_careless_confirm_makes_nobody_a_director(house: House) -> None:
    """The question was asked before the address was in the configuration."""
    cast = a_cast(house, director=False)
    club, mallory = house.club, cast.dora
    house.club = replace(club, director="other@games.example")
    asks(house, mallory, "settings", recipient=house.address, references=False)
    mallory.says(f"address add {house.director.address}")
    house.works()
    mallory.receives()
    question = house.director.receives()[-1]
    house.club = club
    house.director.says("confirm", to=question)
    house.works()
    assert addresses(house, mallory) == (mallory.address,)
    mallory.says("forfeit 1 Anna", recipient=house.address, references=False)
    house.works()
    assert "only the director can decide this" in plain(mallory.receives()[-1])


def test_address_added_by_a_member_gives_no_rights_once_configured(
    house: House,
) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    house.clock.advance(days=30)
    house.club = replace(house.club, director=EVE)
    cast.dora.says("forfeit 1 Anna", recipient=house.address, references=False)
    house.works()
    assert "only the director can decide this" in plain(cast.dora.receives()[-1])


def test_operator_makes_a_member_director_by_the_configured_address(house: House) -> None:
    cast = a_cast(house, director=False)
    with writing(house.club) as work:
        assert cast.dora.player is not None
        own_addresses.add(work, work.players.get(cast.dora.player.id), house.director.address)
    house.works()
    house.director.receives()
    cast.dora.says("pause 1", recipient=house.address, references=False, quoting=False)
    house.works()
    asked = house.director.receives()[-1]  # where the rights come from
    assert "did you send this?" in asked.text
    house.director.says("confirm", to=asked)
    house.works()
    assert house.state().clock.pauses


def test_question_to_join_with_directors_address_mentions_the_rights(
    house: House,
) -> None:
    house.club = replace(house.club, policy=Policy(joining=Joining.OPEN))
    mallory = house.stranger("mallory@mail.example")
    mallory.says("join Mallory", recipient=house.address, sender=house.director.address)
    house.works()
    asked = house.director.receives()[-1]
    assert asked.text.startswith("May Mallory join and direct pbem?")


@pytest.mark.parametrize("joining", (Joining.OPEN, Joining.APPROVAL))
def test_leaked_report_makes_directors_address_no_member(house: House, joining: Joining) -> None:
    """A good token is enough to join, but not to join with rights."""
    house.club = replace(house.club, policy=Policy(joining=joining))
    cast = a_cast(house, director=False)
    cast.dora.says("appeal What now?")
    house.works()
    report = house.director.receives()[-1]
    house.clock.advance(days=3)
    cast.eve.says("join Mallory", to=report, sender=house.director.address, quoting=False)
    house.works()
    asked = house.director.receives()[-1]
    assert asked.text.startswith("May Mallory join and direct pbem?")
    assert "You are now a member" not in asked.text
    assert "I'll ask the director" not in asked.text
    with reading(house.club) as work:
        assert work.players.at(house.director.address) is None


def test_question_to_directors_new_address_says_what_it_may_do(house: House) -> None:
    cast = a_cast(house, director=True)
    asked = asks(house, cast.dora, f"address add {EVE}", recipient=house.address)
    assert plain(asked).startswith(f"May {EVE} act as Dora in pbem, and direct the club?")
    asks(house, cast.dora, "confirm", to=asked)
    asked = cast.eve.receives()[-1]
    assert plain(asked).startswith(f"May {EVE} play as Dora, and later direct the club as Dora?")


def test_new_address_cannot_add_another(house: House) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    chain = house.stranger("eve2@evil.example")
    told = cast.eve.latest
    for sender in (EVE, cast.dora.address):
        cast.eve.says(f"address add {chain.address}", to=told, sender=sender, quoting=False)
        house.works()
    assert chain.receives() == []


def test_undo_tap_works_after_forged_bounce_sent_it_to_new_address(house: House) -> None:
    """This gives the new address the same token. It may remove itself, too."""
    cast = a_cast(house, director=False)
    cast.dora.says(f"address add {EVE}", recipient=house.address, quoting=False)
    house.works()
    cast.dora.receives()
    cast.dora.says("confirm")
    house.works()
    cast.eve.receives()
    cast.eve.says("confirm")
    house.works()
    notice = cast.dora.receives()[-1]
    with reading(house.club) as work:
        posted = work.outbox.by_message_id(notice.message_id)
    assert posted is not None
    comes_back(house, posted, to=house.address)
    assert "was added" in cast.eve.receives()[-1].text
    cast.dora.says(f"address undo {EVE}", to=notice, references=False, quoting=False)
    house.works()
    assert addresses(house, cast.dora) == (cast.dora.address,)
    assert f"{EVE} is no longer" in plain(cast.dora.receives()[-1])


@pytest.mark.parametrize("line", ("show", "forget me", "nonsense"))
def test_proven_email_from_failed_address_is_answered_there(house: House, line: str) -> None:
    cast = a_cast(house, director=False)
    adds(house, cast)
    house.clock.advance(days=1)
    asked = asks(house, cast.dora, "settings", recipient=house.address, references=False)
    fails(house, cast.dora.address)
    cast.dora.says(line, to=asked, quoting=False)
    house.works()
    assert cast.dora.receives()
    assert cast.eve.receives() == []


def test_email_from_before_an_addition_does_not_undo_it(house: House) -> None:
    """Otherwise an old leak could lock out a member whose older address is dead."""
    cast = a_cast(house, director=False)
    leaked = cast.dora.latest
    house.clock.advance(days=3)
    adds(house, cast)
    mallory = house.stranger("mallory@mail.example")
    undo = f"address undo {EVE}"
    mallory.says(undo, to=leaked, sender=cast.dora.address, quoting=False)
    house.works()
    assert addresses(house, cast.dora) == (cast.dora.address, EVE)
    assert "did you send this?" in cast.dora.receives()[-1].text
