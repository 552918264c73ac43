"""In-memory matches, deadlines and heartbeat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.games.api import Seat
from pbem.matches.clock import ENDS
from pbem.matches.competition_place import Place
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.plans import Ending, Plan
from pbem.matches.reliability import LeftMatch, TurnTime, left_match
from pbem.matches.time_control import FLAG, TimeAccount
from pbem.ports.play import CLUB, Deadline, Digest, LoggedDecision, Pause, Snapshot, Unseen
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.ports.storage import FIRST_INTAKE, FailedBot, Failures
from tests.fakes.storage_clock import set_back
from tests.fakes.storage_data import Data, Repository, match_in_utc, storable, utc


class FakeMatches(Repository):
    """The port Matches."""

    def __init__(self, data: Data, writing: bool) -> None:
        super().__init__(data, writing)
        self._locked: dict[int, MatchSummary] = {}

    def add(self, match: MatchSummary) -> MatchSummary:
        data = self._changing()
        data.require(players=match.players)
        if match.place is not None:
            self._require_free(match.place)
        stored = replace(match_in_utc(match), id=data.next_id("matches"))
        data.matches[stored.id] = stored
        data.actions[stored.id] = ()
        data.mark(PageKind.MATCH, stored.id)
        return stored

    def get(self, match_id: int) -> MatchSummary:
        self._data.require(match=match_id)
        return self._data.matches[match_id]

    def lock(self, match_id: int) -> MatchSummary:
        self._changing()
        match = self._locked[match_id] = self.get(match_id)
        return match

    def save(self, match: MatchSummary) -> None:
        self._put(match)
        before = self._locked.pop(match.id, None)
        if before is not None and before.result is None and match.result is not None:
            self._data.archived.pop(match.id, None)
        only_turns = before is not None and all(
            getattr(before, told) == getattr(match, told)
            for told in ("seats", "hands", "result", "public")
        )
        self._data.mark(PageKind.TURN if only_turns else PageKind.MATCH, match.id)

    def save_clocks(self, matches: Sequence[MatchSummary]) -> None:
        for match in matches:
            self._put(replace(self.get(match.id), clock=match.clock))

    def _put(self, match: MatchSummary) -> None:
        data = self._changing()
        data.require(match=match.id)
        data.matches[match.id] = match_in_utc(match)

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
        account: TimeAccount | None = None,
        timed: TurnTime | None = None,
    ) -> None:
        data = self._changing()
        data.require(match=match_id)
        new = tuple(action._replace(at=utc(action.at)) for action in actions)
        if new and account is not None:
            data.accounts[match_id, new[0].number] = account
        if new and timed is not None:
            data.timed[match_id, new[0].number] = timed
        both = data.actions[match_id] + new
        if len({action.number for action in both}) < len(both):
            raise StorageError(f"match {match_id} has these actions")
        data.actions[match_id] = tuple(sorted(both))
        happened = tuple(each._replace(at=utc(each.at)) for each in happenings)
        all_happened = data.happenings.get(match_id, ()) + happened
        if len({each.entry for each in all_happened}) < len(all_happened):
            raise StorageError(f"match {match_id} already has these entries")
        data.happenings[match_id] = tuple(sorted(all_happened))

    def turns_of(self, player: PlayerId, since: datetime) -> list[TurnTime]:
        data = self._data
        return [
            timed
            for (match_id, number), timed in data.timed.items()
            for action in data.actions[match_id]
            if timed.player == player
            and action.number == number
            and action.at > since
            and not action.undone
        ]

    def left_by(self, player: PlayerId, since: datetime) -> list[LeftMatch]:
        data = self._data
        found = (
            left_match(player, match, data.happenings.get(match.id, ()))
            for match in data.matches.values()
            if any(each != player and not data.players[each].bot for each in match.players)
        )
        late = [each for each in found if each is not None and each.at > since]
        return sorted(late, key=lambda each: (each.at, each.match_id))

    def accounts_since(self, match_id: int, turn: int) -> list[tuple[Seat, TimeAccount]]:
        kept = self._data.accounts
        found = (
            (each.seat, kept.get((match_id, each.number))) for each in self.recorded(match_id, turn)
        )
        return [(seat, account) for seat, account in found if account is not None]

    def take_back(self, match_id: int, turn: int, entry: int) -> None:
        data = self._changing()
        data.actions[match_id] = tuple(
            action._replace(undone=entry) if action.turn >= turn and not action.undone else action
            for action in data.actions[match_id]
        )

    def all_recorded(self, match_id: int) -> list[RecordedAction]:
        return list(self._data.actions.get(match_id, ()))

    def recorded(
        self, match_id: int, from_turn: int = 0, from_number: int = 0
    ) -> list[RecordedAction]:
        recorded = (each for each in self.all_recorded(match_id) if not each.undone)
        return [each for each in recorded if each.turn >= from_turn and each.number >= from_number]

    def happenings(self, match_id: int) -> list[Happening]:
        return list(self._data.happenings.get(match_id, ()))

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        his = [match for match in self.all() if player in match.players]
        return [match for match in his if match.result is None or not playing]

    def asked_since(self, moment: datetime) -> list[PlayerId]:
        waiting = (each for each in self.all() if each.result is None)
        long = (
            each.player_to_act
            for each in waiting
            if each.turn_started_at is not None and each.turn_started_at <= utc(moment)
        )
        return sorted({player for player in long if player is not None})

    def playing(self, after: int, most: int) -> list[MatchSummary]:
        self._changing()
        played = [match for match in self.all() if match.result is None and match.id > after]
        return played[:most]

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        placed = [(match.place, match) for match in self.all() if match.place is not None]
        of_it = [(place.index, m) for place, m in placed if place.competition == competition_id]
        return [match for _, match in sorted(of_it, key=lambda each: each[0])]

    def _require_free(self, place: Place) -> None:
        if place.competition not in self._data.competitions:
            raise StorageError(f"there is no competition {place.competition}")
        others = (match.place for match in self.of_competition(place.competition))
        if any(other is not None and other.index == place.index for other in others):
            raise StorageError("its place in the competition is taken")

    def all(self) -> list[MatchSummary]:
        return list(self._data.matches.values())

    def count_ended(self) -> int:
        return sum(match.result is not None for match in self.all())

    def unarchived(self) -> list[int]:
        ended = [match.id for match in self.all() if match.result is not None]
        return [match_id for match_id in ended if match_id not in self._data.archived]

    def reopened(self) -> list[int]:
        playing = [match.id for match in self.all() if match.result is None]
        return [match_id for match_id in playing if match_id in self._data.archived]

    def mark_archived(self, match_id: int, at: datetime | None) -> None:
        data = self._changing()
        data.require(match=match_id)
        data.archived.pop(match_id, None)
        if at is not None:
            data.archived[match_id] = utc(at)
        data.unrated.setdefault(match_id, False)

    def archive_again(self, player: PlayerId) -> None:
        data = self._changing()
        for match in (each for each in data.matches.values() if each.result is not None):
            of = data.competitions[match.place.competition].players if match.place else ()
            if player in of or data.ever_played(player, match.id):
                data.archived.pop(match.id, None)


class FakeDecisions(Repository):
    """The port Decisions."""

    def add(self, decision: LoggedDecision) -> None:
        data = self._changing()
        data.require(players=(decision.by,), match=decision.match_id)
        number = data.next_id("decisions")
        data.decisions[number] = replace(decision, id=number, at=utc(decision.at))

    def newest(self, limit: int, match_id: int | None = None) -> list[LoggedDecision]:
        found = reversed(self._data.decisions.values())
        return [each for each in found if match_id in (None, each.match_id)][:limit]


class FakeSnapshots(Repository):
    """The port Snapshots."""

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        self._changing().snapshots[match_id] = snapshot

    def of(self, match_id: int) -> Snapshot | None:
        return self._data.snapshots.get(match_id)


class FakePauses(Repository):
    """The port Pauses."""

    def put(self, pause: Pause) -> None:
        end = None if pause.end is None else utc(pause.end)
        stored = replace(pause, start=utc(pause.start), end=end)
        self._changing().pauses[pause.competition] = stored

    def of(self, competition: int) -> list[Pause]:
        found = (self._data.pauses.get(each) for each in sorted({CLUB, competition}))
        return [each for each in found if each is not None]


class FakePlans(Repository):
    """The port Plans."""

    def add(self, plan: Plan) -> None:
        data = self._changing()
        data.require(players=(plan.player,), match=plan.match_id)
        if _key(plan) in data.plans:
            raise StorageError(f"plan {plan.number} exists")
        data.plans[_key(plan)] = plan

    def in_match(self, match_id: int) -> list[Plan]:
        return [each for each in self._in_order() if each.match_id == match_id and not each.told]

    def of_player(self, player: PlayerId, match_id: int | None = None) -> list[Plan]:
        theirs = [each for each in self._in_order() if each.player == player]
        return [each for each in theirs if match_id in (None, each.match_id)]

    def _in_order(self) -> list[Plan]:
        return [plan for _, plan in sorted(self._data.plans.items())]

    def end(self, plan: Plan, ending: Ending, *, told: bool) -> None:
        plans = self._changing().plans
        if _key(plan) in plans and plans[_key(plan)].ended is None:
            plans[_key(plan)] = replace(plans[_key(plan)], ended=ending, told=told)

    def told(self, match_id: int, player: PlayerId) -> None:
        plans = self._changing().plans
        for key, plan in plans.items():
            if key[:2] == (match_id, player) and plan.ended is not None:
                plans[key] = replace(plan, told=True)

    def forget(self, plan: Plan) -> None:
        self._changing().plans.pop(_key(plan), None)


def _key(plan: Plan) -> tuple[int, PlayerId, int]:
    return plan.match_id, plan.player, plan.number


class FakeDigests(Repository):
    """The port Digests."""

    def add(self, digest: Digest) -> Digest:
        data = self._changing()
        data.require(players=(digest.player,))
        stored = replace(digest, id=data.next_id("digests"), at=utc(digest.at))
        data.digests[stored.id] = stored
        return stored

    def of(self, digest_id: int) -> Digest | None:
        return self._data.digests.get(digest_id)

    def showing(self, reader: PlayerId, match_id: int) -> list[Digest]:
        theirs = (each for each in self._data.digests.values() if each.player == reader)
        return [each for each in theirs if match_id in each.turns][::-1]


class FakeWaitingNews(Repository):
    """The port WaitingNews."""

    def put(self, news: Unseen) -> None:
        data = self._changing()
        data.require(players=(news.reader,), match=news.match_id)
        data.waiting_news[news.match_id, news.reader] = replace(
            news,
            due_at=utc(news.due_at),
            safe_until=utc(news.safe_until),
            said=tuple(map(storable, news.said)),
        )

    def in_match(self, match_id: int, *, lock: bool = False) -> Mapping[PlayerId, Unseen]:
        if lock:
            self._changing()
        return {each.reader: each for each in self._in_order() if each.match_id == match_id}

    def of(self, reader: PlayerId, *, lock: bool = False) -> list[Unseen]:
        if lock:
            self._changing()
        return [each for each in self._in_order() if each.reader == reader]

    def due(self, until: datetime) -> list[PlayerId]:
        due = {
            each.reader
            for each in self._in_order()
            if each.due_at <= utc(until) or self._is_urgent(each)
        }
        return sorted(due)

    def _is_urgent(self, news: Unseen) -> bool:
        match = self._data.matches[news.match_id]
        return match.player_to_act == news.reader and any(
            due.kind == FLAG and due.due_at < news.safe_until for due in match.clock.dues
        )

    def _in_order(self) -> list[Unseen]:
        return [each for _, each in sorted(self._data.waiting_news.items())]

    def reschedule(self, reader: PlayerId, due_at: datetime, safe_until: datetime) -> None:
        for each in self.of(reader):
            self.put(replace(each, due_at=due_at, safe_until=safe_until))

    def told(self, reader: PlayerId, matches: Collection[int]) -> None:
        news = self._changing().waiting_news
        for match in matches:
            news.pop((match, reader), None)


class FakeDeadlines(Repository):
    """The port Deadlines."""

    def due(self, until: datetime) -> list[Deadline]:
        until = utc(until)
        dues = [
            Deadline(match.id, due.kind, due.due_at)
            for match in self._data.matches.values()
            for due in match.clock.dues
            if due.due_at <= until
        ]
        return sorted(dues, key=lambda each: (each.due_at, each.match_id))

    def reminded(self, until: datetime) -> list[PlayerId]:
        asked = (
            self._data.matches[due.match_id].player_to_act
            for due in self.due(until)
            if due.kind not in ENDS
        )
        return sorted({player for player in asked if player is not None})

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        asked = {each.id for each in self._data.matches.values() if each.player_to_act == player}
        return sorted(asked & {each.match_id for each in self.due(until)})


class FakeServiceLog(Repository):
    """The port ServiceLog."""

    def last_beat(self) -> datetime | None:
        return self._data.moments.get("beat")

    def beat(self, at: datetime) -> None:
        self._note("beat", at)

    def last_poll(self, intakes: Collection[str] = (FIRST_INTAKE,)) -> datetime | None:
        noted = [self._data.moments.get(f"poll {each}") for each in intakes]
        moments = [each for each in noted if each is not None]
        return min(moments) if moments and len(moments) == len(noted) else None

    def polled(self, at: datetime, intake: str = FIRST_INTAKE) -> None:
        self._note(f"poll {intake}", at)

    def lock(self) -> datetime | None:
        self._changing()
        return self.last_beat()

    def last_backup(self) -> datetime | None:
        return self._data.moments.get("backup")

    def backed_up(self, at: datetime) -> None:
        self._note("backup", at)

    def last_backup_test(self) -> datetime | None:
        return self._data.moments.get("backup test")

    def backup_tested(self, at: datetime) -> None:
        self._note("backup test", at)

    def kept_from(self) -> datetime | None:
        return self._data.moments.get("kept")

    def keep_from(self, at: datetime) -> None:
        self._note("kept", at)

    def template_failed(self, template: str, at: datetime) -> None:
        self._note(f"template {template}", at)

    def failed_templates(self, since: datetime) -> Mapping[str, datetime]:
        noted = sorted(self._data.moments.items())
        named = {name.partition(" "): at for name, at in noted if at >= utc(since)}
        return {name: at for (kind, _, name), at in named.items() if kind == "template"}

    def bot_failed(self, bot: str, match_id: int, at: datetime) -> None:
        named, failed = FailedBot(bot, match_id), self._changing().failed_bots
        since = failed[named].since if named in failed else utc(at)
        failed[named] = Failures(since, utc(at))

    def failed_bots(self) -> Mapping[FailedBot, Failures]:
        return dict(self._data.failed_bots)

    def bot_works(self, bot: str, match_id: int) -> None:
        self._changing().failed_bots.pop(FailedBot(bot, match_id), None)

    def webhook_fails_since(self) -> datetime | None:
        return self._data.moments.get("webhook")

    def webhook_failed(self, at: datetime) -> None:
        self._changing().moments.setdefault("webhook", utc(at))

    def webhook_works(self) -> None:
        self._changing().moments.pop("webhook", None)

    def held_since(self) -> datetime | None:
        return self._data.moments.get("held")

    def hold(self, at: datetime) -> None:
        self._note("held", at)

    def go_on(self) -> None:
        self._changing().moments.pop("held", None)

    def set_back(self, by: timedelta, now: datetime) -> None:
        set_back(self._changing(), by, utc(now))

    def _note(self, name: str, at: datetime) -> None:
        moments = self._changing().moments
        moments[name] = max(utc(at), moments.get(name, utc(at)))
