"""`competitions`, `competition`, `enter`, `bye`, `ladder`: follow and enter competitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.commands.api.offering import refusals
from pbem.mail.outgoing.entry_view import EntryView
from pbem.matches.announcement import Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions import COMPETITION, kind_named, kinds, words_for_kinds
from pbem.matches.competitions.ladder import Ladder
from pbem.matches.match import Player
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.clocks.calendars import competition_calendar
from pbem.service.competitions.entering import (
    EntryChange,
    announced,
    announcement_of,
    bye,
    can_challenge,
    challenge,
    enter,
    is_entered,
    known,
    refusal,
    withdraw,
)
from pbem.service.competitions.running import carry_out
from pbem.service.play.readable import may_read_table
from pbem.service.post.competition_news import report, seen_by, view
from pbem.service.post.post import forecast_in, standing_of
from pbem.service.work import Work

ALWAYS, ONCE = "always", "once"
MOST_LISTED = 20
"""Maximum number of competitions in each list, the newest first."""


def numbered(text: str) -> int:
    """Return an argument such as `7` or `#7` as a number."""
    return int(text.removeprefix("#"))


def _competitions(asked: CommandContext) -> CommandResult:
    def listed(*phases: Phase) -> list[EntryView]:
        found = asked.work.competitions.announced(phases)[::-1][:MOST_LISTED]
        return [_seen(asked, each) for each in found]

    entry, running = listed(Phase.ENTRY), listed(Phase.RUNNING)
    late = [each for each in running if each.offers_entry]
    barred = [each for each in entry if each.barred]
    return CommandResult.answered(
        "competitions",
        open=[*(each for each in entry if each not in barred), *late],
        barred=barred,
        running=[each for each in running if each not in late],
        ended=listed(Phase.ENDED, Phase.STOPPED, Phase.CALLED_OFF),
    )


def _seen(asked: CommandContext, of: Competition) -> EntryView:
    """Return a competition as a member sees it, with the reason why they cannot enter it."""
    seen = view(asked.work, of, asked.player)
    if is_entered(of, asked.player.id) or not seen.can_enter:
        return seen
    reason = refusal(asked.work, asked.player, of)
    return seen if reason is None else replace(seen, barred=seen.words.text(reason))


def _competition(asked: CommandContext) -> CommandResult:
    kind, number = asked.arguments
    with refusals(asked):
        of = _shown(asked.work, asked.player, kind_named(kind), numbered(number))
        if of.announcement is None:
            table = seen_by(asked.work, standing_of(asked.work, of), asked.player)
            table = forecast_in(asked.work, table)
            return CommandResult.answered("competition_table", competition=table)
        shown = _seen(asked, of)
        if shown.standing is not None:
            shown = replace(shown, standing=forecast_in(asked.work, shown.standing))
        return CommandResult.answered("competition", entry=shown)


def _shown(work: Work, player: Player, kind: str, number: int) -> Competition:
    found = work.competitions.announced_as(number) if not kind else None
    if kind:
        found = work.competitions.numbered(kinds()[kind].numbering, number)
        found = found if found is not None and found.kind == kind else None
    hidden = found and found.announcement is None and not may_read_table(work, player, found)
    if found is None or hidden:
        raise OfferError(phrase("entry.none", number=number))
    return found


def _enter(asked: CommandContext) -> CommandResult:
    number, word = (*map(str.casefold, asked.arguments), "")[:2]
    with refusals(asked):
        entered = is_entered(known(asked.work, numbered(number)), asked.player.id)

    def change(work: Work) -> EntryChange:
        of = known(work, numbered(number))
        always = word == ALWAYS if word else None
        return enter(work, asked.player, of, always=always, at=asked.done_at)

    return changed(asked, change, word if word and entered else "entered")


def withdrawal(asked: CommandContext, number: int) -> CommandResult:
    """Return the result of withdrawing from a competition. After the start, the player confirms."""
    done = changed(
        asked, lambda work: withdraw(work, asked.player.id, known(work, number)), "withdrawn"
    )
    of = announced(asked.work, number)
    if not announcement_of(of).started or asked.player.id not in of.taking_part:
        return done
    shown = {"entry": view(asked.work, of, asked.player), "did": "withdraw"}
    sections = (Section(SURE, shown),)
    return replace(done, sections=sections, asks=not asked.player.bot)


SURE = "competition_sure"
"""Section of the question before a decision that nobody can take back."""


def _bye(asked: CommandContext) -> CommandResult:
    number, *rest = map(numbered, asked.arguments)
    return changed(asked, lambda work: bye(work, asked.player, known(work, number), *rest), "bye")


def _ladder(asked: CommandContext) -> CommandResult:
    number, *name = asked.arguments
    if name:
        return changed(
            asked,
            lambda work: challenge(work, asked.player, known(work, numbered(number)), name[0]),
            "challenged",
        )
    with refusals(asked):
        of = announced(asked.work, numbered(number))
        if not isinstance(of, Ladder) or announcement_of(of).phase is not Phase.RUNNING:
            raise OfferError(phrase("entry.no-ladder", number=of.number))
        possible = can_challenge(asked.work, asked.player, of)
        names = [asked.work.players.get(each).name for each in possible]
        shown = view(asked.work, of, asked.player)
        return CommandResult.answered("ladder", entry=shown, possible=names)


def changed(
    asked: CommandContext, work_out: Callable[[Work], EntryChange], did: str
) -> CommandResult:
    """Return the result of changing entries, with the competition shown once it is written."""
    with refusals(asked):
        after = work_out(asked.work).after
    dated = did in ("entered", "withdrawn")
    files = competition_calendar(asked.work, asked.player, after) if dated else ()

    def write(work: Work) -> Section:
        with refusals(asked):
            change = work_out(work)
            of = carry_out(work, change)
        if did == "withdrawn" and asked.player.id in of.players and not asked.by_director:
            report(work, of, "withdrew", player=asked.player)
        shown = {"entry": view(work, of, asked.player), "did": did, "round": change.round}
        return Section("entry_now", shown)

    return CommandResult(effects=(write,), attachments=tuple(files))


def words_before() -> tuple[str, ...]:
    """Return the words that people write before the number of a competition."""
    named = (each.replace("-", " ") for each in words_for_kinds())
    return (*PREPOSITIONS, COMPETITION, *words_for_kinds(), *named)


PREPOSITIONS = ("for", "from", "in", "no", "no.", "number", "the")
NUMBER = Argument(
    "competition",
    number=True,
    before=words_before,
    help="the number of a competition; send competitions for a list",
)


def _of(
    word: str, summary: str, run: Callable[[CommandContext], CommandResult], *of: Argument
) -> Command:
    return Command(
        word,
        summary,
        run,
        Scope.CLUB,
        Need.RECENT,
        arguments=(NUMBER, *of),
        group=HelpGroup.FIND,
    )


COMMANDS = (
    Command(
        "competitions",
        "list competitions that you can enter, and those being played",
        _competitions,
        Scope.CLUB,
        group=HelpGroup.FIND,
    ),
    Command(
        "competition",
        "show the terms, the players and the table of a competition",
        _competition,
        Scope.CLUB,
        arguments=(
            Argument("kind", required=False, among=words_for_kinds, help="such as set or series"),
            NUMBER,
        ),
        group=HelpGroup.FIND,
    ),
    _of(
        "enter",
        "enter a competition",
        _enter,
        Argument(
            "always",
            required=False,
            among=lambda: (ALWAYS, ONCE),
            help='the word "always", to enter each time it is repeated, or "once", to end that',
        ),
    ),
    _of(
        "bye",
        "do not play in the next round of a competition, or in a later one",
        _bye,
        Argument("round", required=False, number=True, help="the number of a round"),
    ),
    _of(
        "ladder",
        "challenge a player on a ladder; without a name, see whom you can challenge",
        _ladder,
        Argument("player", required=False, rest=True, help="the name of the player"),
    ),
)
