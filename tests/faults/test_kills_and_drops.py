"""The club killed, or cut off, at every single step of a day's mail.

A day: an illegal move, a stranger, a robot, a legal move, and the same mail again. Killed: the
process dies, and another one takes over. Cut off: the connection breaks, and the process goes on.
"""

from __future__ import annotations

from itertools import count

import pytest

from tests.faults.death import Death, Killed
from tests.faults.trial import Trial
from tests.faults.verdict import judge
from tests.support.relay import LOST, PASSES, UNANSWERED, Fate
from tests.support.smtp import HANG_UP, TAKE_AND_HANG_UP

KILLS = (
    # killed …          the n-th, from   in steps of   a day takes at least
    ("before IMAP command", 1, 1, 15),
    ("after IMAP command", 1, 1, 15),
    ("after SQL statement", 1, 2, 120),
    ("after SQL statement", 2, 2, 120),
    ("before SMTP command", 1, 1, 20),
    ("after mail", 1, 1, 5),
)

IMAP_DROPS = {
    # the connection breaks …         at the n-th command
    "before the server hears of it": LOST,
    "after the server has done it": UNANSWERED,
}

SMTP_DROPS = {
    "before the server hears of it": HANG_UP,
    "after the server has taken the mail": TAKE_AND_HANG_UP,
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("step", "first", "stride", "least"), KILLS)
def test_killed_at_the_nth(step: str, first: int, stride: int, least: int, trial: Trial) -> None:
    for n in count(first, stride):
        trial.a_day()
        trial.lives_again(Death(step, n))
        try:
            trial.settles()
        except Killed:
            trial.lives_again()
            trial.settles()
            judge(trial)
        else:
            break
    assert n > least, "a day takes more steps"
    trial.lives_again()
    trial.a_day()
    trial.settles()
    judge(trial)


@pytest.mark.parametrize("fate", IMAP_DROPS.values(), ids=IMAP_DROPS)
def test_imap_is_dropped_at_the_nth_command(fate: Fate, trial: Trial) -> None:
    for n in count(1):
        numbers = count(1)
        # The connection is made anew, so that the login is among the commands.
        trial.life.mailbox.close()
        trial.imap_rule = lambda line: fate if next(numbers) == n else PASSES  # noqa: B023
        trial.a_day()
        trial.settles()
        judge(trial)
        if next(numbers) <= n:
            break
    assert n > 15, "a day takes more commands"


@pytest.mark.parametrize("answer", SMTP_DROPS.values(), ids=SMTP_DROPS)
def test_smtp_is_dropped_at_the_nth_command(answer: str, trial: Trial) -> None:
    taking = answer == TAKE_AND_HANG_UP
    for n in count(1):
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
    assert n > (5 if taking else 20), "a day takes more"
