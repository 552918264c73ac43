"""In-memory notes, stale pages and shown matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.archive.site.member_results import began_with, with_matches
from pbem.archive.site.values import MemberResults, MonthCount, Note
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.statistics import EARLY_ROUNDS, EndedMatch, PlayedMatch, Results, played
from pbem.ports.room import Announced, Choices, PageKind, StalePage, Watch, Watched, WatchKind
from tests.fakes.storage_data import Repository, storable, utc


class FakeNotes(Repository):
    """The port Notes."""

    def add(self, match_id: int, note: Note) -> None:
        data = self._changing()
        data.require(players=(note.author,), match=match_id)
        number = data.next_id("notes")
        kept = replace(note, text=storable(note.text), at=utc(note.at), id=number)
        data.notes[match_id] = (*data.notes.get(match_id, ()), kept)

    def of(self, match_id: int) -> Sequence[Note]:
        return [note for note in self._data.notes.get(match_id, ()) if note.public]

    def by(
        self, author: PlayerId, match_id: int | None = None, since: datetime | None = None
    ) -> Sequence[Note]:
        some = self._data.notes if match_id is None else [match_id]
        theirs = (
            note
            for each in some
            for note in self._data.notes.get(each, ())
            if note.author == author and (since is None or note.at > utc(since))
        )
        return sorted(theirs, key=lambda note: note.id)

    def take_back(self, note: Note) -> None:
        self._change(note, text="", public=False)

    def publish(self, note: Note) -> None:
        self._change(note, public=True)

    def _change(self, note: Note, **values: Any) -> None:
        notes = self._changing().notes
        for match_id, its in notes.items():
            notes[match_id] = tuple(
                replace(each, **values) if each.id == note.id else each for each in its
            )


class FakeWaitingNotes(Repository):
    """The port WaitingNotes."""

    def add(self, match_id: int, reader: PlayerId, note: Note) -> None:
        data = self._changing()
        data.require(players=(note.author, reader), match=match_id)
        kept = replace(note, text=storable(note.text), at=utc(note.at))
        before = data.waiting_notes.get((match_id, reader), ())
        data.waiting_notes[match_id, reader] = (*before, kept)

    def of(self, match_id: int) -> Mapping[PlayerId, Sequence[Note]]:
        notes = self._data.waiting_notes
        return {reader: list(notes[of, reader]) for of, reader in notes if of == match_id}

    def matches_of(self, reader: PlayerId) -> set[int]:
        return {match for match, of in self._data.waiting_notes if of == reader}

    def told(self, match_id: int, reader: PlayerId, held: Collection[PlayerId] = ()) -> None:
        notes = self._changing().waiting_notes
        kept = [note for note in notes.pop((match_id, reader), ()) if note.author in held]
        if kept:
            notes[match_id, reader] = tuple(kept)

    def take_back(self, match_id: int, note: Note) -> None:
        notes = self._changing().waiting_notes

        def is_same(other: Note) -> bool:
            same = (other.author, other.kind, other.at, other.text)
            return same == (note.author, note.kind, utc(note.at), note.text)

        for of, reader in [key for key in notes if key[0] == match_id]:
            left = tuple(each for each in notes.pop((of, reader)) if not is_same(each))
            if left:
                notes[of, reader] = left


class FakeStalePages(Repository):
    """The port StalePages."""

    def mark(self, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
        data = self._changing()
        for key in keys:
            data.mark(kind, key)

    def mark_all(self) -> None:
        data = self._changing()
        self.mark(PageKind.MATCH, list(data.matches))
        started = [each for each in data.competitions.values() if not each.unstarted]
        self.mark(PageKind.COMPETITION, [each.id for each in started])
        self.mark(PageKind.MEMBER, list(data.players))
        self.mark(PageKind.IMPORTED_MATCH, list(data.imported))
        self.mark(PageKind.IMPORTED_CLUB, {record.club for record in data.imported.values()})

    def mark_where_named(self, player: PlayerId) -> None:
        data = self._changing()
        matches = [each for each in data.matches if data.ever_played(player, each)]
        self.mark(PageKind.MATCH, matches)
        started = (each for each in data.competitions.values() if not each.unstarted)
        entered = [each.id for each in started if player in each.players]
        self.mark(PageKind.COMPETITION, entered)
        clubs = {club for (club, _), member in data.rated_names.items() if member == player}
        self.mark(PageKind.IMPORTED_CLUB, clubs)
        theirs = [number for number, each in data.imported.items() if each.club in clubs]
        self.mark(PageKind.IMPORTED_MATCH, theirs)

    def kinds(self) -> list[PageKind]:
        stale = {kind for kind, _ in self._data.stale.values()}
        return [kind for kind in PageKind if kind in stale]

    def waiting(self, kind: PageKind, most: int) -> list[StalePage]:
        marks: dict[str, list[int]] = {}
        for number, (marked, key) in self._data.stale.items():
            if marked is kind:
                marks.setdefault(key, []).append(number)
        return [StalePage(kind, key, tuple(marks[key])) for key in sorted(marks)[:most]]

    def settle(self, pages: Iterable[StalePage]) -> None:
        stale = self._changing().stale
        for page in pages:
            for number in page.marks:
                stale.pop(number, None)


class FakeWatches(Repository):
    """The port Watches."""

    def add(self, watch: Watch) -> None:
        data = self._changing()
        data.require(players=(watch.player,))
        stored = watch._replace(since=utc(watch.since))
        data.watches.setdefault((watch.player, watch.kind, watch.what), stored)

    def remove(self, player: PlayerId, kind: WatchKind, what: str) -> None:
        self._changing().watches.pop((player, kind, what), None)

    def of(self, player: PlayerId) -> list[Watch]:
        return [each for each in self._watches() if each.player == player]

    def on(self, match: MatchSummary) -> list[Watch]:
        these = {(WatchKind.MATCH, str(match.id)), (WatchKind.GAME, match.game_key)}
        these |= {(WatchKind.MEMBER, str(each)) for each in match.players}
        return [each for each in self._watches() if (each.kind, each.what) in these]

    def _watches(self) -> list[Watch]:
        found = self._data.watches.values()
        return sorted(found, key=lambda each: (each.since, each.player, each.kind, each.what))

    def stir(self, match: MatchSummary, at: datetime) -> int:
        data, watchers = self._changing(), {each.player for each in self.on(match)}
        for player in watchers:
            known, since = data.watched.get(
                (match.id, player), (Watched(player, match.id, 0, over=False), None)
            )
            data.watched[match.id, player] = known, since or utc(at)
        return len(watchers)

    def stirred(self, most: int, after: tuple[int, PlayerId] = (0, 0)) -> list[Watched]:
        news = sorted(key for key, (_, since) in self._data.watched.items() if since is not None)
        return [self._data.watched[key][0] for key in news if key > after][:most]

    def stirred_for(self, player: PlayerId) -> list[Watched]:
        news = self.stirred(len(self._data.watched))
        return [each for each in news if each.player == player]

    def stirred_since(self) -> dict[PlayerId, datetime]:
        first: dict[PlayerId, datetime] = {}
        for (_, player), (_, since) in self._data.watched.items():
            if since is not None:
                first[player] = min(first.get(player, since), since)
        return first

    def take(self, watched: Watched) -> bool:
        rows, key = self._changing().watched, (watched.match_id, watched.player)
        known, since = rows.get(key, (watched, None))
        if since is not None:
            rows[key] = known, None
        return since is not None

    def told(self, watched: Watched) -> None:
        data = self._changing()
        data.require(players=(watched.player,), match=watched.match_id)
        data.watched[watched.match_id, watched.player] = watched, None


class FakeAnnouncements(Repository):
    """The port Announcements."""

    def stir(self, match_id: int, at: datetime) -> None:
        data = self._changing()
        known = data.announced.get(match_id, Announced(match_id, 0, False, 0, utc(at)))
        since = known.since if known.marks else utc(at)
        data.announced[match_id] = known._replace(marks=known.marks + 1, since=since)

    def waiting(self, most: int, after: int = 0) -> list[Announced]:
        rows = sorted(self._data.announced.items())
        return [each for key, each in rows if key > after and each.marks][:most]

    def known(self, match_id: int, turn: int, *, over: bool) -> None:
        rows = self._changing().announced
        rows[match_id] = rows[match_id]._replace(turn=turn, over=over)

    def settle(self, announced: Announced) -> None:
        rows = self._changing().announced
        row = rows[announced.match_id]
        if row.marks == announced.marks:
            rows[announced.match_id] = row._replace(marks=0)


class FakeShownMatches(Repository):
    """The port ShownMatches. It looks at every match each time."""

    def running(
        self, which: Choices, most: int | None = None, game_key: str | None = None
    ) -> list[MatchSummary]:
        return self._shown(which, ended=False, game_key=game_key)[::-1][:most]

    def ended(self, which: Choices, most: int, game_key: str | None = None) -> list[MatchSummary]:
        return self._shown(which, ended=True, game_key=game_key)[::-1][:most]

    def ended_between(
        self, which: Choices, since: datetime, before: datetime
    ) -> list[MatchSummary]:
        ended = self._shown(which, ended=True)
        return [match for match in ended if utc(since) <= _end(match) < utc(before)]

    def of_player(self, which: Choices, player: PlayerId, most: int) -> list[MatchSummary]:
        running, ended = (
            [m for m in self._shown(which, ended=over)[::-1] if player in m.players]
            for over in (False, True)
        )
        return [*running, *ended[:most]]

    def running_count(self, which: Choices, game_key: str | None = None) -> int:
        return len(self._shown(which, ended=False, game_key=game_key))

    def months(self, which: Choices) -> list[MonthCount]:
        ends = [_end(match) for match in self._shown(which, ended=True)]
        counts = Counter((at.year, at.month) for at in ends)
        return [MonthCount(year, month, counts[year, month]) for year, month in sorted(counts)]

    def results(self, which: Choices, game_key: str) -> list[Results]:
        ended = self._shown(which, ended=True, game_key=game_key)
        kinds = sorted({(match.player_count, self._began(match)) for match in ended})
        return [
            _results(
                n,
                [m for m in ended if (m.player_count, self._began(m)) == (n, computers)],
                computers,
            )
            for n, computers in kinds
        ]

    def _began(self, match: MatchSummary) -> bool:
        """Return whether a match is known to have started with a computer opponent."""
        return not match.hands.earlier and began_with(match, self._bots())

    def _bots(self) -> set[PlayerId]:
        return {player.id for player in self._data.players.values() if player.bot}

    def results_of(self, which: Choices, player: PlayerId) -> list[MemberResults]:
        return list(with_matches((), player, self._ever_played(which, player), self._bots()))

    def played(
        self, which: Choices, player: PlayerId, game_key: str | None = None
    ) -> list[PlayedMatch]:
        bots = self._bots()
        found = (
            played(
                EndedMatch(
                    *(_end(match), match.id, match.game_key, match.player_count, match.turn),
                    match.result.termination,
                    match.result.winners,
                ),
                player,
                match.seats,
                computers=not match.hands.earlier
                and any(each in bots and each != player for each in match.players),
            )
            for match in self._shown(which, ended=True, game_key=game_key)
            if match.result is not None and player in match.players
        )
        return sorted(each for each in found if each is not None)

    def longest(self, which: Choices, game_key: str, most: int) -> list[MatchSummary]:
        ended = self._shown(which, ended=True, game_key=game_key)
        return sorted(ended, key=lambda match: (-match.turn, match.id))[:most]

    def ended_early(self, since: datetime) -> list[MatchSummary]:
        return [
            match
            for match in self._data.matches.values()
            if match.result is not None
            and match.result.ended_at > utc(since)
            and match.player_count == 2
            and match.turn <= EARLY_ROUNDS * len(match.seats)
        ]

    def players(self, which: Choices) -> set[PlayerId]:
        return {player for match in self._both(which) for player in match.players}

    def competitions(self, which: Choices) -> set[int]:
        return {match.place.competition for match in self._both(which) if match.place}

    def _ever_played(self, which: Choices, player: PlayerId) -> list[MatchSummary]:
        ended = self._shown(which, ended=True)
        return [match for match in ended if self._data.ever_played(player, match.id)]

    def _both(self, which: Choices) -> list[MatchSummary]:
        return [match for match in self._data.matches.values() if which.show(match)]

    def _shown(
        self, which: Choices, *, ended: bool, game_key: str | None = None
    ) -> list[MatchSummary]:
        wanted = [
            match
            for match in self._both(which)
            if (match.result is not None) is ended and game_key in (None, match.game_key)
        ]
        return sorted(wanted, key=lambda m: (_end(m), m.id)) if ended else wanted


def _end(match: MatchSummary) -> datetime:
    assert match.result is not None, "it has ended"
    return match.result.ended_at


def _results(players: int, matches: Sequence[MatchSummary], computers: bool) -> Results:
    results = [match.result for match in matches if match.result is not None]
    return Results(
        players,
        len(matches),
        sum(result.drawn for result in results),
        dict(Counter(seat for each in results if not each.drawn for seat in each.winners)),
        dict(Counter(match.turn for match in matches)),
        dict(Counter(result.termination for result in results)),
        computers,
    )
