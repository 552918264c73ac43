"""A knock-out of the three players by email, from their entry to the certificate."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta

from pbem.matches.announcement import Phase
from pbem.service.competitions.announcing import announce, read_announced
from pbem.service.work import reading, writing
from tests.faults.death import Death, Killed
from tests.faults.people import Mail, Sent, written
from tests.faults.trial import Trial
from tests.faults.verdict import sent_once

DAY = timedelta(days=1)


class KnockOut:
    """One knock-out in a club whose process may die once."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        terms = f"knock-out lanrick-1893 enter-until={trial.clock.now() + DAY:%Y-%m-%d}"
        with writing(trial.club) as work:
            of = announce(work, read_announced(work, terms.split()))
        self._id, self._number = of.id, of.number
        self._sent: list[Sent] = []
        trial.settles()

    def lives(self, death: Death) -> bool:
        """Play it. Return whether the process died."""
        self._trial.lives_again(death)
        for player in self._trial.players:
            self._answers(player.address, f"competition {self._number}", f"enter {self._number}")
        self._settles()
        self._trial.clock.advance(days=2)
        self._settles()
        for _ in range(2):
            match, loser = self._running()
            for word in ("resign", "confirm"):
                self._answers(loser, f"[pbem {match}]", word)
                self._settles()
        return death.has_come

    def _settles(self) -> None:
        with suppress(Killed):
            self._trial.settles()
        if self._trial.life.death.has_come:
            self._trial.lives_again()
            self._trial.settles()

    def _running(self) -> tuple[int, str]:
        """Return the only running match, and the address of the player who entered last."""
        with reading(self._trial.club) as work:
            matches = work.matches.of_competition(self._id)
            [match] = [each for each in matches if each.result is None]
            return match.id, work.players.get(max(match.players)).address

    def _answers(self, sender: str, about: str, text: str) -> None:
        """Answer the newest email of the sender that says something."""
        theirs = (each for each in reversed(self._trial.got()) if each.recipient == sender)
        mail = next(each for each in theirs if about in f"{each.subject} {each.text}")
        to = str(mail.message["Reply-To"])
        sent = written(sender, to, f"Re: {mail.subject}", text, In_Reply_To=mail.id)
        self._sent.append(sent)
        self._trial.receives([sent])

    def judge(self) -> None:
        """Check that nothing of it was lost, and nothing done twice."""
        mails = sent_once(self._trial)
        answers = Counter(mail.answers for mail in mails.values())
        assert [answers[sent.id] for sent in self._sent] == [1] * len(self._sent)
        assert not self._trial.waiting()
        assert not self._trial.rows("SELECT 1 FROM inbound WHERE state = 'shunted'")
        with reading(self._trial.club) as work:
            of = work.competitions.get(self._id)
            matches = work.matches.of_competition(self._id)
        assert of.announcement is not None
        assert of.announcement.phase is Phase.ENDED
        assert len(matches) == 2
        assert all(match.result for match in matches)
        ends = [each for each in mails.values() if self._is_end(each)]
        assert sorted(each.recipient for each in ends) == sorted(
            player.address for player in self._trial.players
        )
        [winner] = [each for each in ends if any(p.get_filename() for p in each.message.walk())]
        with reading(self._trial.club) as work:
            assert winner.recipient == work.players.get(of.players[0]).address

    def _is_end(self, mail: Mail) -> bool:
        return f"competition {self._number} is over" in " ".join(mail.text.split())
