"""The contract of a storage: counts for metrics and status."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.match import Result
from pbem.ports.inbound import InboundState
from pbem.ports.process import Tally
from pbem.ports.storage import FailedBot, Failures, Storage
from tests.support.stored import MINUTE, T0, a_match, claim, outgoing, people, recorded_mail


def test_unfinished_emails_are_counted(storage: Storage) -> None:
    fates = (InboundState.NEW, InboundState.SHUNTED, InboundState.NEW, InboundState.DONE)
    with storage.writing() as uow:
        for uid, fate in enumerate(fates, start=1):
            uow.inbound.close(recorded_mail(uow, uid), fate)
        assert uow.tallies.unfinished() == {
            InboundState.NEW: Tally(2, T0),
            InboundState.KEPT: Tally(),
            InboundState.PARKED: Tally(),
            InboundState.SHUNTED: Tally(1, T0),
        }


def test_deferred_and_failed_emails_are_counted(storage: Storage) -> None:
    with storage.writing() as uow:
        for number in range(1, 5):
            uow.outbox.add(outgoing(number, to_address=f"{number}@example.org"), T0)
        claim(uow, T0 + MINUTE, T0 + 3 * MINUTE, 3)
        uow.outbox.retry(1, "450", T0 + 9 * MINUTE)
        uow.outbox.failed(2, "550", T0 + MINUTE)
        assert uow.tallies.put_off(T0 + MINUTE) == Tally(1, T0)
        assert uow.tallies.put_off(T0 + 9 * MINUTE) == Tally()
        assert (uow.tallies.failed(T0), uow.tallies.failed(T0 + MINUTE)) == (1, 0)


def test_running_matches_are_counted_by_game_and_members_without_bots(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        uow.players.add_bot("greedy", "Greedy", "g@club.example")
        for game in ("lanko-68", "lancelot", "lanko-68"):
            uow.matches.add(a_match(players, game_key=game))
        ended = a_match(players, to_act=None, turn_started_at=None)
        uow.matches.add(replace(ended, result=Result((), "agreed", {}, T0)))
        assert uow.tallies.playing() == {"lanko-68": 2, "lancelot": 1}
        assert uow.tallies.members() == 3
        assert uow.tallies.schema().isdigit()


def test_start_of_mail_keeping_never_goes_back(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.service.kept_from() is None
        uow.service.keep_from(T0)
        uow.service.keep_from(T0 - MINUTE)
        assert uow.service.kept_from() == T0


def test_failed_templates_are_known_with_the_last_time(storage: Storage) -> None:
    with storage.writing() as uow:
        for at in (T0, T0 - MINUTE):
            uow.service.template_failed("en/turn.txt.j2", at)
        uow.service.template_failed("de/turn.txt.j2", T0 - MINUTE)
        uow.service.beat(T0)
        both = {"de/turn.txt.j2": T0 - MINUTE, "en/turn.txt.j2": T0}
        assert uow.service.failed_templates(T0 - MINUTE) == both
        assert uow.service.failed_templates(T0) == {"en/turn.txt.j2": T0}


def test_failures_of_a_bot_are_known_until_it_works(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.service.failed_bots() == {}
        for at in (T0, T0 + MINUTE):
            uow.service.bot_failed("engine", 12, at)
        uow.service.bot_failed("engine", 3, T0)
        uow.service.bot_failed("my_engine", 12, T0)
    with storage.reading() as uow:
        assert uow.service.failed_bots() == {
            FailedBot("engine", 12): Failures(T0, T0 + MINUTE),
            FailedBot("engine", 3): Failures(T0, T0),
            FailedBot("my_engine", 12): Failures(T0, T0),
        }
    with storage.writing() as uow:
        uow.service.bot_works("engine", 12)
        assert set(uow.service.failed_bots()) == {("engine", 3), ("my_engine", 12)}


def test_last_backup_never_goes_back(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.service.last_backup() is None
        for at in (T0, T0 - MINUTE):
            uow.service.backed_up(at)
            uow.service.backup_tested(at + MINUTE)
        assert uow.service.last_backup() == T0
        assert uow.service.last_backup_test() == T0 + MINUTE
