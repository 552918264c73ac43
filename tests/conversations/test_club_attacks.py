"""Attacks where members join, meet, leave and are directed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.ports.inbound import InboundState
from pbem.service.club import Joining
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.mail.promises import assert_harmless


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def mallory(house: House) -> Person:
    return house.player("Mallory")


def answer_to(house: House, person: Person, text: str, **how: object) -> Received:
    """Return the answer to an email."""
    person.receives()
    person.says(text, **how)  # type: ignore[arg-type]
    house.works()
    return person.receives()[-1]


def plain(mail: Received) -> str:
    return " ".join(mail.text.split())


def names(house: House) -> list[str]:
    with reading(house.club) as work:
        return [player.name for player in work.players.all() if not player.former]


def direct(house: House, person: Person) -> None:
    assert person.player is not None
    with writing(house.club) as work:
        work.players.choose(person.player.id, "role", "director")


@pytest.mark.parametrize("beside", ("", "show"))
def test_old_match_email_does_not_confirm_leaving_the_club(
    house: House, anna: Person, mallory: Person, beside: str
) -> None:
    house.match("lanko-68", anna, mallory, days=1000)
    [old] = anna.receives()
    house.clock.advance(days=200)
    for text in (f"forget me\n{beside}", "confirm", "confirm"):
        mallory.says(text, to=old, sender=anna.address, quoting=False, references=False)
        house.works()
    assert names(house) == ["Anna", "Mallory"]


@pytest.mark.parametrize("beside", ("", "show"))
def test_match_email_does_not_confirm_a_directors_decision(
    house: House, anna: Person, mallory: Person, beside: str
) -> None:
    direct(house, anna)
    house.match("lanko-68", anna, mallory)
    house.match("lanko-68", anna, mallory)
    old = anna.receives()[0]
    for text in (f"forfeit 2 anna\n{beside}", "confirm"):
        mallory.says(text, to=old, sender=anna.address, quoting=False, references=False)
        house.works()
    assert house.state(2).result is None


def test_match_email_renames_nobody_in_a_directors_name(
    house: House, anna: Person, mallory: Person
) -> None:
    direct(house, anna)
    house.match("lanko-68", anna, mallory)
    [old] = anna.receives()
    mallory.says("member rename Mallory Zoe", to=old, sender=anna.address, quoting=False)
    house.works()
    assert names(house) == ["Anna", "Mallory"]


def test_look_alike_name_does_not_reveal_a_hidden_member(
    house: House, anna: Person, mallory: Person
) -> None:
    assert anna.player is not None
    with writing(house.club) as work:
        work.players.choose(anna.player.id, "page", "hidden")
    told = plain(answer_to(house, mallory, "set name Аnna"))
    assert "looks like" in told
    assert "Anna" not in told.replace("Аnna", "")


def test_change_asked_about_in_a_match_email_is_confirmed_by_reply(
    house: House, anna: Person, mallory: Person
) -> None:
    house.match("lanko-68", anna, mallory)
    answer_to(house, anna, "set name Zoe\nshow", recipient=house.address, references=False)
    answer_to(house, anna, "confirm", quoting=False, references=False)  # as a tap does it
    assert names(house) == ["Mallory", "Zoe"]
    assert "Zoe" in anna.latest.text


@pytest.mark.parametrize("line", ("forfeit 1 anna", "member rename Anna Zoe", "announce club Hi"))
def test_directors_address_without_a_member_decides_nothing(
    house: House, anna: Person, mallory: Person, line: str
) -> None:
    house.match("lanko-68", anna, mallory)
    house.director.receives()
    told = plain(answer_to(house, house.director, line, recipient=house.address))
    assert "on the command line" in told
    assert house.inbound(InboundState.SHUNTED) == []


def by_approval(house: House) -> Person:
    """Let Dora, a director, approve new members. Return her after Zoe has asked to join."""
    dora = house.player("Dora")
    direct(house, dora)
    house.club = replace(house.club, policy=replace(house.club.policy, joining=Joining.APPROVAL))
    zoe = house.stranger("zoe@mail.example")
    answer_to(house, zoe, "join Zoe")
    answer_to(house, zoe, "confirm")
    dora.receives()
    return dora


def test_reply_to_all_spends_the_token_that_lets_someone_in(house: House, mallory: Person) -> None:
    dora = by_approval(house)
    asked = dora.latest
    dora.says("Who is that?", headers=[("Cc", mallory.address)])
    house.works()
    mallory.says("approve", to=asked, sender=dora.address, quoting=False)
    house.works()
    assert names(house) == ["Dora", "Mallory"]


def test_token_is_spent_by_a_copy_from_another_own_address(house: House, mallory: Person) -> None:
    anna = house.stranger("anna@mail.example")
    house.club = replace(house.club, policy=replace(house.club.policy, joining=Joining.OPEN))
    first = answer_to(house, anna, "hello")
    answer_to(house, anna, "join Anna", to=first)
    with writing(house.club) as work:
        player = work.players.named("Anna")
        assert player is not None
        work.players.set_addresses(player.id, ["anna@mail.example", "anna@work.example"])
    anna.says("See", to=first, sender="anna@work.example", headers=[("Cc", mallory.address)])
    house.works()
    mallory.says("set name Eve", to=first, sender=anna.address, quoting=False)
    house.works()
    assert names(house) == ["Anna", "Mallory"]


def test_rematch_does_not_accept_someone_elses_offer(
    house: House, anna: Person, mallory: Person
) -> None:
    bert = house.player("Bert")
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", anna, mallory)
    house.resigns(anna, match=1)
    house.resigns(mallory)
    answer_to(house, mallory, "rematch")
    asked = anna.receives()[-1]
    assert "Mallory" in asked.text
    answer_to(house, anna, "rematch", to=anna.read[0])
    assert len(house.matches()) == 2
    assert any("Anna" in mail.text and "accept" in mail.text for mail in bert.receives())


def test_table_of_a_hidden_member_is_listed_without_their_name(house: House, anna: Person) -> None:
    answer_to(house, anna, "offer lanrick-1893 days=3", recipient=house.address)
    answer_to(house, anna, "confirm")
    assert anna.player is not None
    with writing(house.club) as work:
        work.players.choose(anna.player.id, "page", "hidden")
    house.club = replace(house.club, policy=replace(house.club.policy, joining=Joining.OPEN))
    zoe = house.stranger("zoe@mail.example")
    answer_to(house, zoe, "join Zoe")
    assert "Anna" not in answer_to(house, zoe, "confirm").text


@pytest.mark.parametrize("name", ("the", "You", "and", "That", "not"))
def test_common_word_cannot_be_a_name(house: House, mallory: Person, name: str) -> None:
    answer_to(house, mallory, "settings", recipient=house.address)
    assert "has another meaning" in plain(answer_to(house, mallory, f"set name {name}"))


def test_erased_member_takes_no_part_of_anothers_name(house: House, anna: Person) -> None:
    kay = house.player("Anna Kay")
    bert = house.player("Bert")
    house.match("lanko-68", kay, bert)
    answer_to(house, anna, "forget me", recipient=house.address)
    answer_to(house, anna, "confirm")
    assert "Anna" not in names(house)
    with reading(house.club) as work:
        subjects = {
            work.outbox.by_message_id(mail.message_id).mail.letter.subject  # type: ignore[union-attr]
            for mail in bert.receives()
        }
    assert all("Anna Kay" in subject for subject in subjects)


def test_application_without_a_decision_is_deleted(house: House) -> None:
    by_approval(house)
    house.passes(days=61)
    with reading(house.club) as work:
        assert work.questions.of_kind("application", datetime(2000, 1, 1, tzinfo=UTC)) == []


def test_flood_of_newcomers_reaches_the_director_slowly(house: House) -> None:
    dora = by_approval(house)
    eves = [house.stranger(f"eve{number}@mail.example") for number in range(25)]
    for number, eve in enumerate(eves):
        answer_to(house, eve, f"join Eve {number}", quoting=False)
        if number % 10 == 9:
            house.clock.advance(hours=2)
        answer_to(house, eve, "confirm")
    assert len(dora.receives()) == 9
    assert any("tomorrow" in mail.text for mail in eves[-1].read)


def test_pending_acceptance_does_not_agree_to_newer_terms(
    house: House, anna: Person, mallory: Person
) -> None:
    answer_to(house, mallory, "settings", recipient=house.address)
    answer_to(house, mallory, "challenge Anna lanrick-1893 days=5")
    anna.receives()
    anna.says("accept 1", recipient=house.address, references=False, quoting=False)
    house.works()
    [asked] = anna.receives()
    house.clock.advance(minutes=9)
    answer_to(house, mallory, "counter 1 days=1")
    assert "have changed since the email" in plain(answer_to(house, anna, "confirm", to=asked))
    assert house.matches() == []


def test_acceptance_by_number_is_for_the_terms_that_were_read(
    house: House, anna: Person, mallory: Person
) -> None:
    answer_to(house, mallory, "settings", recipient=house.address)
    answer_to(house, mallory, "challenge Anna lanrick-1893 days=5")
    [asked] = anna.receives()
    mallory.says("counter 1 days=1")
    house.works()
    answer_to(house, anna, "accept 1", to=asked)
    assert house.matches() == []


SCRIPT = "</pre><script>alert(1)</script>\x1b[2J\u202e & {{ club.signer }}"


def test_messages_between_people_are_plain_text(
    house: House, anna: Person, mallory: Person
) -> None:
    direct(house, mallory)
    answer_to(house, mallory, "settings", recipient=house.address)
    answer_to(house, anna, "challenge Mallory lanrick-1893 days=5", recipient=house.address)
    answer_to(house, anna, "confirm")
    mallory.says(f"decline 1 {SCRIPT}")
    house.works()
    house.match("lanko-68", anna, mallory)
    anna.says(f"appeal {SCRIPT}\n{SCRIPT}", to=anna.receives()[-1], quoting=False)
    house.works()
    report = next(mail for mail in mallory.receives() if "appeals" in str(mail.message["Subject"]))
    for line in (f"announce club {SCRIPT}\n{SCRIPT}", f"pause 1 {SCRIPT}"):
        mallory.says(line, to=report, quoting=False)
        house.works()
        report = mallory.receives()[-1]
    for mail in (*anna.read, *anna.receives(), *mallory.read):
        assert_harmless(mail.text, lines=True)
        assert_harmless(str(mail.message["Subject"]))
        assert "<script" not in mail.html
        assert "\x1b" not in mail.html
        assert "\u202e" not in mail.html


def test_forwarded_token_in_a_reason_is_not_passed_on(
    house: House, anna: Person, mallory: Person
) -> None:
    answer_to(house, mallory, "settings", recipient=house.address)
    answer_to(house, anna, "challenge Mallory lanrick-1893 days=5", recipient=house.address)
    answer_to(house, anna, "confirm")
    asked = mallory.receives()[-1]
    mallory.says(f"decline 1 see {asked.reply_to}", quoting=False, to=asked)
    house.works()
    (told,) = [mail for mail in anna.receives() if "see" in mail.text]
    assert asked.reply_to.split("+")[1].split("@")[0] not in told.text


def test_replaced_player_decides_nothing(house: House, anna: Person, mallory: Person) -> None:
    dora = house.player("Dora")
    house.player("Clara")
    direct(house, dora)
    house.match("lanko-68", mallory, anna)
    [turn] = mallory.receives()
    mallory.says("resign", recipient=house.address, references=False, quoting=False)
    house.works()
    [asked] = mallory.receives()
    answer_to(house, dora, "replace 1 Mallory Clara", recipient=house.address)
    answer_to(house, dora, "confirm")
    assert "Clara" in house.names().values()
    for text, to in (("confirm", asked), ("[41-36]", turn), ("draw?", turn), ("cancel yes", turn)):
        mallory.says(text, to=to, quoting=False)
        house.works()
    assert house.state().result is None
    assert house.moves() == []


@pytest.mark.parametrize(
    "how", ("take 1", "accept 1", "withdraw 1", "leave table 1", "counter 1 days=2")
)
def test_challenge_of_others_looks_nonexistent(
    house: House, anna: Person, mallory: Person, how: str
) -> None:
    bert = house.player("Bert")
    answer_to(house, anna, "settings", recipient=house.address)
    answer_to(house, mallory, "settings", recipient=house.address)
    answer_to(house, anna, "challenge Bert lanrick-1893 days=5")
    there = plain(answer_to(house, mallory, how))
    answer_to(house, mallory, "settings", recipient=house.address)
    none = plain(answer_to(house, mallory, how.replace("1", "7", 1)))
    assert there == none.replace("7", "1")
    assert len(bert.receives()) == 1
