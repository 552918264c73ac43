"""The contract of a storage: addresses that accept email or don't, and absence notices."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.matches.leave import Leave
from pbem.ports.people import AbsenceNotice, Address
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage
from tests.support.stored import MINUTE, T0, new_match, people

HOME, WORK = "Anna@Home.example", "anna@work.example"


def test_address_accepts_email_until_it_fails_and_again_once_it_works(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", [HOME, WORK])
        assert uow.players.addresses(anna.id) == [Address(HOME), Address(WORK)]
        assert (anna.address, anna.reachable) == (HOME, True)
        uow.players.address_failed("anna@home.EXAMPLE", T0, "550 \0 no such user")
    with storage.reading() as uow:
        anna = uow.players.get(anna.id)
        assert (anna.failed, anna.address, anna.reachable) == (frozenset({HOME}), WORK, True)
        assert uow.players.addresses(anna.id)[0] == Address(HOME, T0, "550 ? no such user")
        assert uow.players.at(HOME) == uow.players.named("anna") == anna == uow.players.all()[0]
        assert uow.players.at(HOME.upper()) == anna
    with storage.writing() as uow:
        uow.players.address_failed(WORK, T0, "full")
        assert (uow.players.get(anna.id).reachable, uow.players.get(anna.id).address) == (
            False,
            HOME,
        )
        uow.players.address_works(HOME, T0 + MINUTE)
    with storage.reading() as uow:
        anna = uow.players.get(anna.id)
        assert (anna.failed, anna.address, anna.reachable) == (frozenset({WORK}), HOME, True)
        assert uow.players.addresses(anna.id)[0] == Address(HOME, works_since=T0 + MINUTE)


def test_player_keeps_when_they_joined(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.players.add("Anna", [HOME], joined_at=T0)
        uow.players.add("Bob", [WORK])
        uow.players.rename(1, "Ann")
    with storage.reading() as uow:
        assert [each.joined_at for each in uow.players.all()] == [T0, None]
    with storage.writing() as uow:
        uow.erasures.erase(1, "former member 1", {}, T0)
    with storage.reading() as uow:
        assert uow.players.get(1).joined_at is None


def test_address_that_only_casefolds_alike_is_another_player(
    storage: Storage,
) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", ["anna@strasse.example"])
        bob = uow.players.add("Bob", ["bob@straße.example"])
        long = uow.players.add("Long", [f"long@{'x' * 600}.example"])
    with storage.reading() as uow:
        assert uow.players.at("anna@straße.example") is None
        assert uow.players.at("bob@strasse.example") is None
        assert uow.players.at(f"long@{'x' * 600}.evil.example") is None
        assert uow.players.at("ANNA@STRASSE.example") == anna
        assert uow.players.at("Bob@STRAẞE.example") == bob
        assert uow.players.at(f"long@{'X' * 600}.example") == long


def test_changed_addresses_keep_the_state_of_those_that_stay(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", [HOME, WORK])
        uow.players.address_failed(WORK, T0, "full")
        new = uow.players.set_addresses(anna.id, ["anna@new.example", WORK])
        assert new == uow.players.get(anna.id)
        assert new == replace(anna, addresses=("anna@new.example", WORK), failed=frozenset({WORK}))
    with storage.writing() as uow:
        known = [Address("anna@new.example"), Address(WORK, T0, "full")]
        assert uow.players.addresses(anna.id) == known
        assert uow.players.at(HOME) is None
        uow.players.set_addresses(anna.id, [WORK, "anna@new.example"])
        assert uow.players.addresses(anna.id) == known[::-1]


def test_many_players_are_read_in_the_order_asked(storage: Storage) -> None:
    with storage.writing() as uow:
        players = [uow.players.add(name, [f"{name}@a.example"]) for name in "abc"]
    with storage.reading() as uow:
        ids = [player.id for player in (*players[::-1], players[1])]
        assert [player.name for player in uow.players.get_all(ids)] == ["c", "b", "a", "b"]
        assert uow.players.get_all([]) == []
        with pytest.raises(StorageError, match="99"):
            uow.players.get_all([players[0].id, 99])


def test_last_address_cannot_be_removed_nor_a_taken_one_given(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", [HOME])
        uow.players.add("Bob", [WORK])
        with pytest.raises(ValueError, match="no address"):
            uow.players.set_addresses(anna.id, [])
        for taken in ([HOME, WORK.upper()], [HOME, HOME.lower()]):
            with pytest.raises(StorageError):
                uow.players.set_addresses(anna.id, taken)
        with pytest.raises(StorageError):
            uow.players.set_addresses(99, ["anna@new.example"])
        for change in (
            uow.players.address_works,
            lambda a, t: uow.players.address_failed(a, t, ""),
        ):
            with pytest.raises(StorageError):
                change("nobody@example.org", T0)
        assert uow.players.get(anna.id) == anna


def test_notices_of_a_player_come_newest_first(storage: Storage) -> None:
    match = new_match(storage)
    first = AbsenceNotice(1, match.id, T0, "Away", "Back on Monday.\nAnna")
    later = AbsenceNotice(1, None, T0 + timedelta(days=2), "Auto:", "")
    same_time = replace(later, subject="and another")
    with storage.writing() as uow:
        for notice in (later, first, same_time, replace(first, player=2)):
            uow.absences.add(notice)
        for wrong in (replace(first, player=9), replace(first, match_id=9)):
            with pytest.raises(StorageError):
                uow.absences.add(wrong)
    with storage.reading() as uow:
        assert uow.absences.of(1, 9) == [same_time, later, first]
        assert uow.absences.of(1, 1) == [same_time]
        assert uow.absences.of(3, 9) == []


def test_leaves_of_a_player_come_in_order_and_past_ones_stay(storage: Storage) -> None:
    days = [T0 + timedelta(days=number) for number in range(6)]
    over, now, later, instead = (
        Leave(days[n].date(), days[n].date(), days[n], days[n + 1], auto=n == 1)
        for n in (0, 1, 4, 2)
    )
    with storage.writing() as uow:
        people(uow, "Anna", "Bob")
        uow.leaves.put(1, [later, over, now], T0)
        uow.leaves.put(2, [now], T0)
        with pytest.raises(StorageError):
            uow.leaves.put(9, [now], T0)
    with storage.writing() as uow:
        assert uow.leaves.of(1, T0) == [over, now, later]
        assert uow.leaves.of(1, days[1]) == [now, later]
        uow.leaves.put(1, [instead], days[1])
    with storage.reading() as uow:
        assert uow.leaves.of(1, T0) == [over, instead]
        assert uow.leaves.of(2, T0) == [now]


def test_proof_of_a_players_email_is_stored(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bert = (uow.players.add(name, [f"{name}@x.example"]) for name in ("Anna", "Bert"))
        uow.players.choose(anna.id, "proof", "token+dkim")
        with pytest.raises(StorageError):
            uow.players.choose(bert.id + 1, "proof", "dkim")
    with storage.reading() as uow:
        assert [player.proof for player in uow.players.all()] == ["token+dkim", ""]


def test_confusable_names_are_one_name(storage: Storage) -> None:
    lookalike = "\N{CYRILLIC CAPITAL LETTER A}nna"
    with storage.writing() as uow:
        anna = uow.players.add("Anna", [HOME])
        bob = uow.players.add("Bob", [WORK])
        for taken in ("ANNA", lookalike):
            with pytest.raises(StorageError, match="taken"):
                uow.players.add(taken, ["other@mail.example"])
            with pytest.raises(StorageError, match="taken"):
                uow.players.rename(bob.id, taken)
        assert uow.players.like(lookalike) == anna
        assert uow.players.like("Hanna") is None
        assert uow.players.rename(anna.id, lookalike) == replace(anna, name=lookalike)
        with pytest.raises(StorageError):
            uow.players.rename(99, "Nobody")
    with storage.reading() as uow:
        assert uow.players.get(anna.id).name == lookalike
        assert (uow.players.named("Anna"), uow.players.named("bob")) == (None, bob)


def test_players_with_long_failing_addresses_are_found(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bob = (uow.players.add(name, [f"{name}@x.example"]) for name in ("Anna", "Bob"))
        uow.players.add("Carol", ["carol@x.example"])
        uow.players.address_failed(anna.address, T0, "")
        uow.players.address_failed(bob.address, T0 + MINUTE, "")
        assert uow.players.unreached_since(T0 - MINUTE) == []
        assert uow.players.unreached_since(T0) == [anna.id]
        assert uow.players.unreached_since(T0 + MINUTE) == [anna.id, bob.id]
        uow.players.address_works(anna.address, T0)
        assert uow.players.unreached_since(T0) == []


def test_address_keeps_the_time_it_was_added(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", [HOME])
        assert anna.added == {}
        anna = uow.players.set_addresses(anna.id, [HOME, WORK], T0)
        assert anna.added == {WORK: T0}
    with storage.writing() as uow:
        assert uow.players.addresses(anna.id)[1].added_at == T0
        anna = uow.players.set_addresses(anna.id, [WORK, HOME, "anna@other.example"])
        assert anna.added == {WORK: T0}
