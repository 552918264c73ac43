"""A worker whose claim on emails expires while it sends them leaves the rest to others."""

from __future__ import annotations

from pbem.service.delivery.deliver import deliver
from tests.faults.death import Death
from tests.faults.life import Life
from tests.faults.trial import Trial
from tests.faults.verdict import judge


def test_slow_worker_sends_no_email_that_another_has_claimed(trial: Trial) -> None:
    other = Life(trial, Death())
    mails = iter(range(100))

    def third_is_slow(verb: str, line: str) -> str:
        if verb == "DOT":
            trial.clock.advance(seconds=1)
            if next(mails) == 2:
                trial.clock.advance(minutes=3)
                deliver(other.club, other.transport)
        return ""

    before = len(trial.smtp.taken)
    trial.smtp_rule = third_is_slow
    trial.a_day()
    trial.settles()
    other.ends()
    judge(trial)
    copies = trial.smtp.taken[before:]
    assert len(copies) == len(set(copies)) + 1, "only the email being sent went twice"
