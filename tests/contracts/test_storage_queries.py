"""No query in the course of play reads a whole table: a club may grow for years."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

from sqlalchemy import Engine, event

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.archive.site.values import Note
from pbem.mail.topic import match_key
from pbem.matches.announcement import Phase
from pbem.matches.competitions.series import Series
from pbem.matches.imported import ImportedMatch
from pbem.matches.leave import Leave
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import OfferTerms
from pbem.matches.plans import Ending, Plan
from pbem.matches.ratings import NEW, RatedMatch, RatedPlace, RatingList
from pbem.ports.inbound import Attribution, InboundState, KeyedMail
from pbem.ports.keeping import Exposure
from pbem.ports.outbox import NewMail
from pbem.ports.people import AbsenceNotice, Mute, OpenQuestion
from pbem.ports.play import CLUB, Digest, LoggedDecision, Pause, Snapshot, Unseen
from pbem.ports.room import Announced, Choices, PageKind, Watch, Watched, WatchKind
from pbem.ports.storage import UnitOfWork
from tests.matches.records import resigned
from tests.support.stored import (
    INBOX,
    MINUTE,
    OPTIONS,
    T0,
    action,
    key,
    new_match,
    outgoing,
    received,
    recorded_mail,
)

THEIRS = replace(resigned(), club="Alpha")
SMALL = (
    "ix_outbox_waiting",
    "ix_matches_unarchived",
    "ix_matches_playing",
    "ix_matches_asked",
    "ix_addresses_failed",
    "ix_players_bots",
    "ix_offers_standing",
    "ix_waiting_news_reader_id",
    "ix_happenings_succession",
)
"""Indexes of waiting, running or rare rows, or of bots, which may be read from end to end."""
FOUND = (
    "CONSTANT ROW",
    "places",
    "first_mail",
    "last_mails",
    "first_play",
    "first_notice",
    "first_announcement",
    "first_report",
)
"""Results of parts of a query, each a few rows at most."""

A_SERIES = Series("lanrick-1893", (1, 2), OPTIONS, T0, games=3)
A_LEAVE = Leave(T0.date(), T0.date(), T0, T0 + MINUTE)
AN_OFFER = Offer(OfferTerms("lancelot", 2, OPTIONS), (OfferEntry(1), OfferEntry(2)), T0, T0)
A_LIST = RatingList("lanko-68")
A_PLACE = RatedPlace(T0, 1)
A_RESULT = RatedMatch(A_PLACE, "lanko-68", computers=False, sides=())
A_MATCH = match_key(1)
SHOWN = Choices(frozenset({""}), frozenset({""}))
A_PLAN = Plan(1, 1, 1, (), turn=1, since=0)
A_DIGEST = Digest(1, T0, {1: 3})
NEWS = Unseen(1, 1, 3, T0, T0, ("The director extends the time.",))
AN_ANNOUNCED = Announced(1, 3, False, 1, T0)
A_WATCHED = Watched(1, 1, 3, over=False)
A_SNAPSHOT = Snapshot(20, "a" * 64, 1, "lanko 1")
A_NOTE = Note(1, 1, "", T0, id=1)
A_QUESTION = OpenQuestion("unproven", 1, A_MATCH, T0)


ASKED: dict[str, Callable[[UnitOfWork], object]] = {
    "players.unban": lambda uow: uow.players.unban(1, T0),
    "players.add": lambda uow: uow.players.add("Dora", ["dora@example.org"]),
    "players.get": lambda uow: uow.players.get(1),
    "players.get_all": lambda uow: uow.players.get_all([1, 2]),
    "players.lock": lambda uow: uow.players.lock(1),
    "players.named": lambda uow: uow.players.named("Anna"),
    "players.like": lambda uow: uow.players.like("Anna"),
    "players.rename": lambda uow: uow.players.rename(1, "Dora"),
    "players.at": lambda uow: uow.players.at("anna@example.org"),
    "players.at_each": lambda uow: uow.players.at_each(["anna@example.org", "x@example.org"]),
    "players.addresses": lambda uow: uow.players.addresses(1),
    "players.set_addresses": lambda uow: uow.players.set_addresses(1, ["dora@example.org"]),
    "players.choose": lambda uow: uow.players.choose(1, "proof", "dkim"),
    "players.bots": lambda uow: uow.players.bots(),
    "players.add_bot": lambda uow: uow.players.add_bot("greedy", "Greedy", "g@club.example"),
    "players.address_failed": lambda uow: uow.players.address_failed("anna@example.org", T0, ""),
    "players.unreached_since": lambda uow: uow.players.unreached_since(T0),
    "absences.add": lambda uow: uow.absences.add(AbsenceNotice(1, 1, T0, "", "")),
    "absences.of": lambda uow: uow.absences.of(1, 10),
    "leaves.of": lambda uow: uow.leaves.of(1, T0),
    "leaves.put": lambda uow: uow.leaves.put(1, [A_LEAVE], T0),
    "competitions.add": lambda uow: uow.competitions.add(A_SERIES),
    "competitions.save": lambda uow: uow.competitions.save(uow.competitions.get(1)),
    "competitions.lock": lambda uow: uow.competitions.lock(1),
    "competitions.numbered": lambda uow: uow.competitions.numbered(Series.numbering, 1),
    "competitions.announced": lambda uow: uow.competitions.announced([Phase.ENTRY]),
    "competitions.announced_as": lambda uow: uow.competitions.announced_as(1),
    "offers.add": lambda uow: uow.offers.add(AN_OFFER),
    "offers.save": lambda uow: uow.offers.save(replace(AN_OFFER, number=1)),
    "offers.lock": lambda uow: uow.offers.lock(1),
    "offers.standing": lambda uow: uow.offers.standing(),
    "offers.of_player": lambda uow: uow.offers.of_player(1),
    "offers.expired": lambda uow: uow.offers.expired(T0),
    "blocks.add": lambda uow: uow.blocks.add(1, 2),
    "blocks.remove": lambda uow: uow.blocks.remove(1, 2),
    "invited.note": lambda uow: uow.invited.note("key"),
    "invited.drop": lambda uow: uow.invited.drop(["key"]),
    "invited.said_never": lambda uow: uow.invited.said_never(["key"]),
    "blocks.of": lambda uow: uow.blocks.of(1),
    "blocks.around": lambda uow: uow.blocks.around(1),
    "blocks.among": lambda uow: uow.blocks.among([1, 2]),
    "matches.add": lambda uow: uow.matches.add(replace(uow.matches.get(1), id=0)),
    "matches.lock": lambda uow: uow.matches.lock(1),
    "matches.save": lambda uow: uow.matches.save(uow.matches.get(1)),
    "matches.save_clocks": lambda uow: uow.matches.save_clocks([uow.matches.get(1)]),
    "matches.append": lambda uow: uow.matches.append(1, [action(1)]),
    "matches.recorded": lambda uow: uow.matches.recorded(1, from_turn=3, from_number=3),
    "matches.all_recorded": lambda uow: uow.matches.all_recorded(1),
    "matches.accounts_since": lambda uow: uow.matches.accounts_since(1, 1),
    "matches.turns_of": lambda uow: uow.matches.turns_of(1, T0),
    "matches.left_by": lambda uow: uow.matches.left_by(1, T0),
    "matches.take_back": lambda uow: uow.matches.take_back(1, 2, 3),
    "snapshots.put": lambda uow: uow.snapshots.put(1, A_SNAPSHOT),
    "snapshots.of": lambda uow: uow.snapshots.of(1),
    "decisions.add": lambda uow: uow.decisions.add(LoggedDecision(T0, 1, 1, "pause 1", "")),
    "decisions.newest": lambda uow: uow.decisions.newest(100, 1),
    "plans.add": lambda uow: uow.plans.add(Plan(1, 1, 2, (), turn=1, since=0)),
    "plans.in_match": lambda uow: uow.plans.in_match(1),
    "plans.of_player": lambda uow: uow.plans.of_player(1),
    "plans.end": lambda uow: uow.plans.end(A_PLAN, Ending.PLAYED, told=False),
    "plans.told": lambda uow: uow.plans.told(1, 1),
    "plans.forget": lambda uow: uow.plans.forget(A_PLAN),
    "digests.add": lambda uow: uow.digests.add(A_DIGEST),
    "digests.of": lambda uow: uow.digests.of(1),
    "digests.showing": lambda uow: uow.digests.showing(1, 1),
    "waiting_news.put": lambda uow: uow.waiting_news.put(NEWS),
    "waiting_news.in_match": lambda uow: uow.waiting_news.in_match(1),
    "waiting_news.due": lambda uow: uow.waiting_news.due(T0),
    "waiting_news.of": lambda uow: uow.waiting_news.of(1),
    "waiting_news.reschedule": lambda uow: uow.waiting_news.reschedule(1, T0, T0),
    "waiting_news.told": lambda uow: uow.waiting_news.told(1, [1]),
    "watches.add": lambda uow: uow.watches.add(Watch(1, WatchKind.MATCH, "2", T0)),
    "watches.remove": lambda uow: uow.watches.remove(1, WatchKind.MATCH, "2"),
    "watches.of": lambda uow: uow.watches.of(1),
    "watches.on": lambda uow: uow.watches.on(uow.matches.get(1)),
    "watches.stir": lambda uow: uow.watches.stir(uow.matches.get(1), T0),
    "watches.stirred": lambda uow: uow.watches.stirred(50, (1, 1)),
    "watches.stirred_for": lambda uow: uow.watches.stirred_for(1),
    "watches.take": lambda uow: uow.watches.take(A_WATCHED),
    "watches.told": lambda uow: uow.watches.told(A_WATCHED),
    "announcements.stir": lambda uow: uow.announcements.stir(1, T0),
    "announcements.waiting": lambda uow: uow.announcements.waiting(50, 1),
    "announcements.known": lambda uow: uow.announcements.known(1, 3, over=False),
    "announcements.settle": lambda uow: uow.announcements.settle(AN_ANNOUNCED),
    "pauses.put": lambda uow: uow.pauses.put(Pause(CLUB, T0)),
    "pauses.of": lambda uow: uow.pauses.of(1),
    "matches.happenings": lambda uow: uow.matches.happenings(1),
    "matches.of_player": lambda uow: uow.matches.of_player(1),
    "matches.of_competition": lambda uow: uow.matches.of_competition(1),
    "matches.unarchived": lambda uow: uow.matches.unarchived(),
    "matches.reopened": lambda uow: uow.matches.reopened(),
    "matches.mark_archived": lambda uow: uow.matches.mark_archived(1, T0),
    "erasures.left_in_database": lambda uow: uow.erasures.left_in_database(),
    "outbox.drop": lambda uow: uow.outbox.drop(1),
    "inbound.add_all": lambda uow: uow.inbound.add_all(
        [KeyedMail(received(uid), key(uid)) for uid in (3, 1, 4)], T0
    ),
    "inbound.add": lambda uow: uow.inbound.add(received(2), key(2), T0),
    "inbound.known": lambda uow: uow.inbound.known(INBOX, [1, 2]),
    "inbound.highest": lambda uow: uow.inbound.highest(INBOX, T0),
    "inbound.ahead": lambda uow: uow.inbound.ahead(["anna@example.org"], T0),
    "inbound.pending": lambda uow: uow.inbound.pending(),
    "inbound.lock": lambda uow: uow.inbound.lock(1),
    "inbound.close": lambda uow: uow.inbound.close(
        1, InboundState.DONE, "", Attribution(1, A_MATCH, proven=True)
    ),
    "inbound.shorten": lambda uow: uow.inbound.shorten(1, b""),
    "inbound.copies": lambda uow: uow.inbound.copies(uow.inbound.get(1)),
    "inbound.provenance": lambda uow: uow.inbound.provenance(uow.inbound.get(1), T0),
    "inbound.waiting_since": lambda uow: uow.inbound.waiting_since(),
    "inbound.reopen": lambda uow: uow.inbound.reopen(T0),
    "matches.asked_since": lambda uow: uow.matches.asked_since(T0),
    "inbound.heard": lambda uow: uow.inbound.heard(["anna@example.org"], T0),
    "inbound.in_vain": lambda uow: uow.inbound.in_vain("anna@example.org", 1, T0, proven=True),
    "inbound.count_about": lambda uow: uow.inbound.count_about(A_MATCH, 1, T0, proven=True),
    "inbound.in_state": lambda uow: uow.inbound.in_state(InboundState.SHUNTED),
    "inbound.kept_for": lambda uow: uow.inbound.kept_for("over"),
    "outbox.unrequested": lambda uow: uow.outbox.unrequested("member 1", T0),
    "outbox.to_strangers": lambda uow: uow.outbox.to_strangers(T0, "mailbox "),
    "questions.ask": lambda uow: uow.questions.ask(A_QUESTION),
    "questions.waiting": lambda uow: uow.questions.waiting(1, T0, A_MATCH),
    "questions.of_kind": lambda uow: uow.questions.of_kind("application", T0),
    "questions.asked_by": lambda uow: uow.questions.asked_by("<a@b>"),
    "questions.asked": lambda uow: uow.questions.asked(1, "<a@b>"),
    "questions.settle": lambda uow: uow.questions.settle(1),
    "exposures.note": lambda uow: uow.exposures.note(A_MATCH, 1, Exposure(3, 1)),
    "exposures.worth": lambda uow: uow.exposures.worth(A_MATCH, 1),
    "exposures.of": lambda uow: uow.exposures.of(A_MATCH, "eve@example.org"),
    "outbox.add_all": lambda uow: uow.outbox.add_all(
        [NewMail(outgoing(number, player=1, topic=A_MATCH)) for number in (8, 9)], T0
    ),
    "outbox.add": lambda uow: uow.outbox.add(outgoing(2, player=1, topic=A_MATCH), T0),
    "outbox.tried": lambda uow: uow.outbox.tried(T0),
    "outbox.due": lambda uow: uow.outbox.due(T0, 100, ["example.org"]),
    "outbox.claim": lambda uow: uow.outbox.claim([1], T0, T0 + MINUTE),
    "outbox.sent": lambda uow: uow.outbox.sent([1], T0),
    "outbox.failed": lambda uow: uow.outbox.failed(1, "550", T0),
    "outbox.retry": lambda uow: uow.outbox.retry(1, "450", T0),
    "outbox.release": lambda uow: uow.outbox.release(1),
    "outbox.holders": lambda uow: uow.outbox.holders(),
    "outbox.release_of": lambda uow: uow.outbox.release_of("w"),
    "outbox.by_bounce_key": lambda uow: uow.outbox.by_bounce_key("k"),
    "outbox.by_message_id": lambda uow: uow.outbox.by_message_id("<1@club.example>"),
    "outbox.latest": lambda uow: uow.outbox.latest(A_MATCH, 1),
    "outbox.bounced": lambda uow: uow.outbox.bounced(1, "550", T0),
    "outbox.bounced_for_now": lambda uow: uow.outbox.bounced_for_now(1, "452", T0),
    "outbox.threads": lambda uow: uow.outbox.threads(A_MATCH, [1, 2]),
    "outbox.thread": lambda uow: uow.outbox.thread(A_MATCH, 1),
    "outbox.queued_at": lambda uow: uow.outbox.queued_at(A_MATCH, 1, 3),
    "outbox.sent_to": lambda uow: uow.outbox.sent_to(A_MATCH, 1, 3),
    "outbox.latest_turn": lambda uow: uow.outbox.latest_turn(A_MATCH, 1),
    "outbox.count": lambda uow: uow.outbox.count("anna@example.org", "turn", T0),
    "outbox.unsent": lambda uow: uow.outbox.unsent(),
    "outbox.lines": lambda uow: uow.outbox.lines(T0),
    "deadlines.due": lambda uow: uow.deadlines.due(T0),
    "deadlines.reminded": lambda uow: uow.deadlines.reminded(T0),
    "deadlines.of_player": lambda uow: uow.deadlines.of_player(1, T0),
    "notes.add": lambda uow: uow.notes.add(1, Note(1, 1, "", T0)),
    "notes.of": lambda uow: uow.notes.of(1),
    "notes.by": lambda uow: uow.notes.by(1, 1),
    "notes.take_back": lambda uow: uow.notes.take_back(A_NOTE),
    "notes.publish": lambda uow: uow.notes.publish(A_NOTE),
    "mutes.add": lambda uow: uow.mutes.add(1, Mute(2)),
    "mutes.remove": lambda uow: uow.mutes.remove(1, Mute(2)),
    "mutes.of": lambda uow: uow.mutes.of(1),
    "waiting_notes.take_back": lambda uow: uow.waiting_notes.take_back(1, A_NOTE),
    "waiting_notes.add": lambda uow: uow.waiting_notes.add(1, 2, Note(1, 1, "", T0)),
    "waiting_notes.of": lambda uow: uow.waiting_notes.of(1),
    "waiting_notes.matches_of": lambda uow: uow.waiting_notes.matches_of(1),
    "waiting_notes.told": lambda uow: uow.waiting_notes.told(1, 2),
    "shown.running": lambda uow: uow.shown.running(SHOWN, 20),
    "shown.running_count": lambda uow: uow.shown.running_count(SHOWN),
    "shown.ended": lambda uow: uow.shown.ended(SHOWN, 20, "lanko-68"),
    "shown.ended_between": lambda uow: uow.shown.ended_between(SHOWN, T0, T0 + MINUTE),
    "shown.of_player": lambda uow: uow.shown.of_player(SHOWN, 1, 100),
    "shown.played": lambda uow: uow.shown.played(SHOWN, 1, "lanko-68"),
    "shown.ended_early": lambda uow: uow.shown.ended_early(T0),
    "shown.results_of": lambda uow: uow.shown.results_of(SHOWN, 1),
    "stale.mark": lambda uow: uow.stale.mark(PageKind.GAME, ["lanko-68"]),
    "stale.kinds": lambda uow: uow.stale.kinds(),
    "stale.waiting": lambda uow: uow.stale.waiting(PageKind.MATCH, 50),
    "stale.settle": lambda uow: uow.stale.settle(uow.stale.waiting(PageKind.MATCH, 1)),
    "service.beat": lambda uow: uow.service.beat(T0),
    "service.lock": lambda uow: uow.service.lock(),
    "tallies.unfinished": lambda uow: uow.tallies.unfinished(),
    "tallies.put_off": lambda uow: uow.tallies.put_off(T0),
    "tallies.failed": lambda uow: uow.tallies.failed(T0),
    "tallies.playing": lambda uow: uow.tallies.playing(),
    "service.backed_up": lambda uow: uow.service.backed_up(T0),
    "service.backup_tested": lambda uow: uow.service.backup_tested(T0),
    "service.keep_from": lambda uow: uow.service.keep_from(T0),
    "service.template_failed": lambda uow: uow.service.template_failed("en/turn.txt.j2", T0),
    "service.webhook_works": lambda uow: uow.service.webhook_works(),
    "service.go_on": lambda uow: uow.service.go_on(),
    "outbox.waiting": lambda uow: uow.outbox.waiting(),
    "imported.add": lambda uow: uow.imported.add(THEIRS),
    "imported.put": lambda uow: uow.imported.put(ImportedMatch(2, replace(THEIRS, match_id=2))),
    "imported.get": lambda uow: uow.imported.get(1),
    "imported.find": lambda uow: uow.imported.find("Alpha", 12),
    "imported.of_club": lambda uow: uow.imported.of_club("Alpha"),
    "imported.unwritten": lambda uow: uow.imported.unwritten(),
    "imported.written": lambda uow: uow.imported.written([1]),
    "ratings.of": lambda uow: uow.ratings.of(A_LIST, [1, 2]),
    "ratings.lists_of": lambda uow: uow.ratings.lists_of(1),
    "ratings.course": lambda uow: uow.ratings.course(A_LIST, 1),
    "ratings.before": lambda uow: uow.ratings.before(A_LIST, [1, 2], A_PLACE),
    "ratings.put": lambda uow: uow.ratings.put([(A_RESULT, {A_LIST: {1: NEW}})], "by hand"),
    "ratings.drop": lambda uow: uow.ratings.drop([1]),
    "ratings.rated": lambda uow: uow.ratings.rated([1]),
    "ratings.outdate": lambda uow: uow.ratings.outdate(1),
    "ratings.after": lambda uow: uow.ratings.after(1),
    "ratings.since": lambda uow: uow.ratings.since(A_PLACE, 100),
    "ratings.wait": lambda uow: uow.ratings.wait([1]),
    "ratings.settle": lambda uow: uow.ratings.settle([1]),
    "ratings.put_aside": lambda uow: uow.ratings.put_aside([1]),
    "watches.stirred_since": lambda uow: uow.watches.stirred_since(),
    "outbox.delayed": lambda uow: uow.outbox.delayed(A_MATCH, T0),
    "outbox.withhold": lambda uow: uow.outbox.withhold(1, "held", T0),
}


def test_no_query_scans_a_whole_table(sqlite_url: str, tmp_path: Path) -> None:
    with closing(SqlStorage(open_engine(sqlite_url))) as storage:
        new_match(storage)
        with storage.writing() as uow:
            recorded_mail(uow, 1)
            uow.outbox.add(outgoing(1, player=1, topic=A_MATCH), T0)
            uow.questions.ask(A_QUESTION)
            uow.competitions.add(A_SERIES)
            uow.offers.add(AN_OFFER)
    filled, asked = tmp_path / "pbem.sqlite", tmp_path / "asked.sqlite"
    scans = {}
    for name, ask in ASKED.items():
        shutil.copy(filled, asked)
        scans[name] = _scans(f"sqlite:///{asked}", ask)
    assert {name: steps for name, steps in scans.items() if steps} == {}


def _scans(url: str, ask: Callable[[UnitOfWork], object]) -> list[str]:
    """Return where a query reads a table from end to end."""
    engine = open_engine(url)
    with closing(SqlStorage(engine)) as storage:
        statements = _overheard(engine)
        with storage.writing() as uow:
            ask(uow)
        assert statements
        return [step for each in statements for step in _plan(engine, *each) if _reads_all(step)]


def _overheard(engine: Engine) -> list[tuple[str, Any]]:
    """Record the statements that the engine runs from now on."""
    heard: list[tuple[str, Any]] = []

    def hear(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        if re.match("SELECT|INSERT|UPDATE|DELETE", statement):
            heard.append((statement, values[0] if isinstance(values, list) else values))

    event.listen(engine, "before_cursor_execute", hear)
    return heard


def _plan(engine: Engine, statement: str, values: Any) -> list[str]:
    """Return SQLite's query plan, step by step."""
    with engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [row[-1] for row in plan]


def _reads_all(step: str) -> bool:
    return step.startswith("SCAN") and not any(name in step for name in (*SMALL, *FOUND))


UNTRIED = {
    "imported.clubs": "counts everything, in an index",
    "imported.remove": "a whole club, on the command line",
    "imported.rate": "rates a whole club again, on the command line",
    "imported.unrate": "likewise, when a member leaves",
    "imported.rated_names": "as many as a director typed",
    "tallies.members": "counts everybody, as the numbers of a club are asked for",
    "tallies.schema": "a table of one row",
    "ratings.standing": "lists everybody, as a rating list does",
    "ratings.everything": "rates everything again, on the command line",
    "ratings.first_of_other_method": "once in each process",
    "ratings.take_up": "once in each process",
    "ratings.waiting": "reads the few matches that wait to be rated",
    "ratings.lock": "a lock of PostgreSQL, for which SQLite asks nothing",
    "service.failed_templates": "a table of a few rows, read for the status",
    "tallies.jobs": "asks the queue of jobs, which keeps nothing that is done",
    "erasures.erase": "looks for a name in everything, when a member leaves",
    "erasures.note": "like gone_from_database",
    "erasures.gone_from_database": "after a member has left",
    "erasures.left_in_mailbox": "reads from the beginning, as far as is asked for",
    "erasures.gone_from_mailbox": "after a member has left",
    "retention.prune_received": "reads from the beginning, as far as is asked for",
    "retention.prune_sent": "likewise",
    "retention.prune_words": "every hour, on tables that it keeps small",
    "retention.prune_leaves": "likewise",
    "retention.prune_caches": "likewise",
    "retention.is_mostly_room": "asks the file, and no table",
    "matches.archive_again": "when a member is renamed, or leaves",
    "players.all": "lists everybody",
    "players.address_works": "like address_failed",
    "matches.all": "lists everything",
    "matches.playing": "after an outage every clock is credited",
    "matches.get": "like lock",
    "inbound.get": "like lock",
    "inbound.recorded_since": "asked by doctor, while its mail is on its way",
    "questions.get": "like settle",
    "inbound.newest": "reads back from the end, as far as asked for, only on the command line",
    "service.last_beat": "reads all moments of the service at once: a few rows",
    "service.last_poll": "like last_beat",
    "service.kept_from": "like last_beat",
    "service.held_since": "like last_beat",
    "service.webhook_fails_since": "like last_beat",
    "service.failed_bots": "like last_beat",
    "service.bot_failed": "like beat",
    "service.bot_works": "like beat",
    "service.webhook_failed": "like beat",
    "service.polled": "like beat",
    "service.last_backup": "like last_beat",
    "service.last_backup_test": "like last_beat",
    "service.hold": "like beat",
    "service.set_back": "moves everything in progress",
    "inbound.take_turns": "a lock of PostgreSQL, on no table",
    "questions.drop_expired": "in each sweep, and few questions wait",
    "questions.postpone": "after an outage, and few questions wait",
    "offers.get": "like lock",
    "offers.waits": "the newest in an index, as far as is asked for",
    "offers.postpone": "after an outage, and few offers are open",
    "outbox.take_turns": "a lock of PostgreSQL, on no table",
    "outbox.troubled": "on the command line, a few of the newest",
    "competitions.get": "like lock",
    "competitions.all": "lists everything",
    "matches.count_ended": "counts everything, in an index",
    "shown.months": "counts everything, in an index",
    "shown.results": "counts a whole game",
    "shown.longest": "looks at a whole game",
    "shown.players": "lists everyone, when a member gets or loses a page",
    "shown.competitions": "lists all of them",
    "stale.mark_all": "marks everything",
    "stale.mark_where_named": "when a member chooses to be shown in another way",
}


def test_every_query_is_tried() -> None:
    """Exceptions are listed with a reason."""
    methods = {
        f"{port}.{name}"
        for port, protocol in get_type_hints(UnitOfWork).items()
        if port != "jobs"  # enqueued in memory
        for name in vars(protocol)
        if not name.startswith("_")
    }
    assert methods == set(ASKED) | set(UNTRIED)
