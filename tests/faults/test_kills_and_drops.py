"""The club is killed or cut off at steps of a day's email: at some of each kind, or at all.

A day: an illegal move, a stranger, a robot, a legal move, and the same email again. Killed means
that the process dies and another one takes over. Cut off means that the connection breaks and the
process continues.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

import pytest

from tests.faults.death import Death, Killed
from tests.faults.knock_out import KnockOut
from tests.faults.trial import Trial
from tests.faults.verdict import judge, judge_moves
from tests.support.examples import examples
from tests.support.relay import LOST, PASSES, UNANSWERED, Fate
from tests.support.smtp import HANG_UP, TAKE_AND_HANG_UP

STEPS = (
    "before IMAP command",
    "after IMAP command",
    "after SQL statement",
    "before SMTP command",
    "after mail",
)

IMAP_DROPS = {
    # the connection breaks … at the n-th command
    "before the server gets it": LOST,
    "after the server has done it": UNANSWERED,
}

SMTP_DROPS = {
    "before the server gets it": HANG_UP,
    "after the server has taken the email": TAKE_AND_HANG_UP,
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", STEPS)
def test_club_survives_a_kill_at_every_kind_of_place(step: str, trial: Trial) -> None:
    places, struck = places_of_a_day(trial, step), set()
    for place, n in drawn(places):
        print("killed", step, n, "at", place)
        trial.lives_again()
        trial.a_day()
        trial.lives_again(Death(step, n, place))
        with suppress(Killed):  # a day may have one email less than the day of the drawing
            trial.settles()
        if trial.life.death.has_come:
            struck.add(place)
        trial.lives_again()
        trial.settles()
        judge(trial)
    assert struck == set(places)
    trial.a_day()
    trial.settles()
    judge(trial)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", ("after SQL statement", "after mail"))
def test_planned_turn_survives_a_kill_between_condition_and_answer(step: str, trial: Trial) -> None:
    trial.a_planned_answer()
    trial.lives_again(Death(step))
    trial.settles()
    for place, n in drawn(Counter(trial.life.death.passed)):
        print("killed", step, n, "at", place)
        trial.lives_again()
        trial.a_planned_answer()
        trial.lives_again(Death(step, n, place))
        with suppress(Killed):
            trial.settles()
        trial.lives_again()
        trial.settles()
        judge_moves(trial)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("step", ("after SQL statement", "after mail"))
def test_competition_survives_a_kill_from_entry_to_certificate(step: str, trial: Trial) -> None:
    first = KnockOut(trial)
    life = Death(step)
    first.lives(life)
    first.judge()
    steps = list(drawn(life.passed))
    for place, n in random.sample(steps, min(len(steps), examples(3))):
        print("killed", step, n, "at", place)
        trial.lives_again()
        knock_out = KnockOut(trial)
        print("it died" if knock_out.lives(Death(step, n, place)) else "that step never came")
        trial.lives_again()
        knock_out.judge()


def places_of_a_day(trial: Trial, step: str) -> Counter[str]:
    """Return the places of steps while a day's email is read and answered, with their counts."""
    trial.a_day()
    trial.lives_again(Death(step))
    trial.settles()
    return Counter(trial.life.death.passed)


def drawn(places: Counter[str]) -> Iterator[tuple[str, int]]:
    """Yield each place with one of the times that it is passed, or all of them in `make faults`.

    Not the last of several, since another day may have one email less.
    """
    for place, times in places.items():
        if examples(1) > 1:
            yield from ((place, n) for n in range(1, times + 1))
        else:
            yield place, random.randint(1, max(1, times - 1))


def struck_commands() -> Iterator[int]:
    """Count every third command, beginning with any of the first three, or all in `make faults`."""
    step = 3 if examples(1) == 1 else 1
    return count(random.randint(1, step), step)


@pytest.mark.parametrize("fate", IMAP_DROPS.values(), ids=IMAP_DROPS)
def test_club_survives_imap_drop_at_the_nth_command(fate: Fate, trial: Trial) -> None:
    for n in struck_commands():
        numbers = count(1)
        # The connection is made again, so that the login is among the commands.
        trial.life.mailbox.close()
        trial.imap_rule = lambda line: fate if next(numbers) == n else PASSES  # noqa: B023
        trial.a_day()
        trial.settles()
        judge(trial)
        if next(numbers) <= n:
            break
        print("dropped at command", n)
    assert n > 15, "a day takes more commands"


@pytest.mark.parametrize("answer", SMTP_DROPS.values(), ids=SMTP_DROPS)
def test_club_survives_smtp_drop_at_the_nth_command(answer: str, trial: Trial) -> None:
    taking = answer == TAKE_AND_HANG_UP
    for n in struck_commands():
        numbers = count(1)

        def rule(verb: str, line: str) -> str:
            counts = verb == "DOT" or not taking
            return answer if counts and next(numbers) == n else ""  # noqa: B023

        trial.smtp_rule = rule
        trial.a_day()
        trial.settles()
        judge(trial)
        if next(numbers) <= n:
            break
        print("dropped at command", n)
    assert n > (5 if taking else 20), "a day takes more"
